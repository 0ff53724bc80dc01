/*
 * Gather and GatherElements: elements that indices choose along one axis.
 */
#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/indices.h"
#include "onnx/fold/operators.h"

static clconst_status infer_gather(clconst__folding *folding,
                                   clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *indices = folding->inputs[1];
    clconst__output_set_dtype(folding, 0, data->dtype);
    clconst_status status = clconst__indices_check(folding, 1, error);
    size_t axis = 0;
    if (status == CLCONST_OK && data->dims != NULL) {
        status = clconst__axis_read(
            folding, 0, folding->inputs[0]->rank, &axis, error);
    }
    if (status != CLCONST_OK || data->dims == NULL || indices->dims == NULL) {
        return status;
    }
    size_t rank = data->rank - 1 + indices->rank;
    clconst__cell *dims;
    status =
        clconst__output_set_rank(folding, 0, data->dtype, rank, &dims, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        if (i < axis) {
            dims[i] = data->dims[i];
        } else if (i < axis + indices->rank) {
            dims[i] = indices->dims[i - axis];
        } else {
            dims[i] = data->dims[i - indices->rank + 1];
        }
    }
    return status;
}

static clconst_status compute_gather(clconst__folding *folding,
                                     clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    size_t index_count = folding->inputs[1]->count;
    size_t axis;
    clconst_status status =
        clconst__axis_read(folding, 0, folding->inputs[0]->rank, &axis, error);
    if (status != CLCONST_OK || folding->outputs[0]->count == 0) {
        return status;
    }
    clconst__cell length = data->dims[axis];
    size_t outer = clconst__dims_count(data->dims, axis);
    size_t inner =
        clconst__dims_count(data->dims + axis + 1, data->rank - axis - 1);
    for (size_t i = 0; i < outer * index_count && status == CLCONST_OK; i++) {
        clconst__cell index;
        status = clconst__index_read(
            folding, 1, i % index_count, length, &index, error);
        if (status == CLCONST_OK && index.cause != CLCONST__KNOWN) {
            status = clconst__copy_unknown(
                folding, 0, i * inner, inner, index.cause, error);
        } else if (status == CLCONST_OK) {
            size_t row =
                i / index_count * (size_t)length.value + (size_t)index.value;
            status = clconst__copy_run(
                folding, 0, i * inner, data, row * inner, inner, error);
        }
    }
    return status;
}

static clconst_status infer_gather_elements(clconst__folding *folding,
                                            clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *indices = folding->inputs[1];
    size_t axis = 0;
    clconst_status status = clconst__indices_check(folding, 1, error);
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_like(folding, 0, data->dtype, indices, error);
    }
    if (status == CLCONST_OK && data->dims != NULL) {
        status = clconst__axis_read(
            folding, 0, folding->inputs[0]->rank, &axis, error);
    }
    if (status == CLCONST_OK && data->dims != NULL && indices->dims != NULL) {
        status = clconst__indices_check_dims(folding, axis, error);
    }
    return status;
}

static clconst_status compute_gather_elements(clconst__folding *folding,
                                              clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *indices = folding->inputs[1];
    size_t axis;
    size_t along;
    clconst__walk walk;
    clconst_status status =
        clconst__axis_read(folding, 0, folding->inputs[0]->rank, &axis, error);
    if (status == CLCONST_OK) {
        status = clconst__indices_walk(folding, axis, &walk, &along, error);
    }
    for (size_t i = 0; i < indices->count && status == CLCONST_OK; i++) {
        clconst__cell index;
        status =
            clconst__index_read(folding, 1, i, data->dims[axis], &index, error);
        if (status == CLCONST_OK && index.cause != CLCONST__KNOWN) {
            status =
                clconst__copy_unknown(folding, 0, i, 1, index.cause, error);
        } else if (status == CLCONST_OK) {
            size_t position = walk.positions[0] + (size_t)index.value * along;
            status =
                clconst__element_move(folding, 0, i, data, position, error);
        }
        clconst__walk_step(&walk);
    }
    return status;
}

const clconst__operator clconst__gather_operators[] = {
    {"Gather", 2, CLCONST__ALL_VALUES, true, infer_gather, compute_gather},
    {"GatherElements",
     2,
     CLCONST__ALL_VALUES,
     true,
     infer_gather_elements,
     compute_gather_elements},
    {NULL, 0, 0, false, NULL, NULL},
};
