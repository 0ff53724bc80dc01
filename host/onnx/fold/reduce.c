#include "onnx/fold/reduce.h"

#include "onnx/fold/broadcast.h"
#include "onnx/fold/number.h"
#include "onnx/fold/operators.h"

/* Marks the axes of a list, or all. */
static clconst_status mark_axes(clconst__folding *folding,
                                const clconst__folding_list *axes,
                                bool is_all,
                                bool **is_reduced,
                                clconst_error *error)
{
    size_t rank = folding->inputs[0]->rank;
    clconst_status status = clconst__folding_scratch(
        folding, rank, sizeof(**is_reduced), is_reduced, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        (*is_reduced)[i] = is_all;
    }
    for (size_t i = 0; i < axes->count && status == CLCONST_OK; i++) {
        size_t axis;
        status = clconst__axis_normalize(axes->items[i], rank, &axis, error);
        if (status == CLCONST_OK) {
            (*is_reduced)[axis] = true;
        }
    }
    return status;
}

clconst_status clconst__reduction_read(clconst__folding *folding,
                                       int64_t input_since,
                                       clconst__reduction *reduction,
                                       clconst_error *error)
{
    *reduction = (clconst__reduction){.keeps_dims = true};
    int64_t keeps_dims;
    int64_t is_noop = 0;
    clconst__folding_list axes;
    clconst_status status =
        clconst__folding_int(folding, "keepdims", 1, &keeps_dims, error);
    if (status == CLCONST_OK && folding->opset >= input_since) {
        status = clconst__folding_int(
            folding, "noop_with_empty_axes", 0, &is_noop, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_list_read(
            folding, "axes", 1, input_since, &axes, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    reduction->keeps_dims = keeps_dims != 0;
    if (axes.is_present && axes.items == NULL) {
        return CLCONST_OK;
    }
    return mark_axes(folding,
                     &axes,
                     axes.count == 0 && is_noop == 0,
                     &reduction->is_reduced,
                     error);
}

/* The dims when it is not known which axes become 1. */
static clconst_status set_possible_dims(clconst__folding *folding,
                                        clconst_dtype dtype,
                                        clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__cell *dims;
    clconst_status status =
        clconst__output_set_rank(folding, 0, dtype, input->rank, &dims, error);
    for (size_t i = 0; i < input->rank && status == CLCONST_OK; i++) {
        if (input->dims[i].cause == CLCONST__KNOWN &&
            input->dims[i].value == 1) {
            dims[i] = input->dims[i];
        }
    }
    return status;
}

static clconst_status set_dims(clconst__folding *folding,
                               clconst_dtype dtype,
                               const clconst__reduction *reduction,
                               clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    size_t rank = 0;
    for (size_t i = 0; i < input->rank; i++) {
        rank += reduction->keeps_dims || !reduction->is_reduced[i];
    }
    clconst__cell *dims;
    clconst_status status =
        clconst__output_set_rank(folding, 0, dtype, rank, &dims, error);
    size_t axis = 0;
    for (size_t i = 0; i < input->rank && status == CLCONST_OK; i++) {
        if (!reduction->is_reduced[i]) {
            dims[axis++] = input->dims[i];
        } else if (reduction->keeps_dims) {
            dims[axis++] = (clconst__cell){1, CLCONST__KNOWN};
        }
    }
    return status;
}

static clconst_status infer_reduction(clconst__folding *folding,
                                      clconst_dtype dtype,
                                      const clconst__reduction *reduction,
                                      clconst_error *error)
{
    if (reduction->is_reduced != NULL) {
        return set_dims(folding, dtype, reduction, error);
    }
    if (reduction->keeps_dims) {
        return set_possible_dims(folding, dtype, error);
    }
    clconst__output_set_dtype(folding, 0, dtype);
    return CLCONST_OK;
}

static clconst_status
infer(clconst__folding *folding, int64_t input_since, clconst_error *error)
{
    clconst_dtype dtype;
    clconst_status status = clconst__inputs_share_dtype(
        folding,
        1,
        CLCONST__NUMERIC_DTYPES | CLCONST__DTYPE_BIT(BOOL),
        &dtype,
        error);
    clconst__output_set_dtype(folding, 0, dtype);
    if (status != CLCONST_OK || folding->inputs[0]->dims == NULL) {
        return status;
    }
    clconst__reduction reduction;
    status = clconst__reduction_read(folding, input_since, &reduction, error);
    if (status == CLCONST_OK) {
        status = infer_reduction(folding, dtype, &reduction, error);
    }
    return status;
}

clconst_status clconst__infer_reduce_13(clconst__folding *folding,
                                        clconst_error *error)
{
    return infer(folding, 13, error);
}

clconst_status clconst__infer_reduce_18(clconst__folding *folding,
                                        clconst_error *error)
{
    return infer(folding, 18, error);
}

static clconst_status infer_arg(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    int64_t axis;
    int64_t keeps_dims;
    clconst_status status =
        clconst__folding_int(folding, "axis", 0, &axis, error);
    if (status == CLCONST_OK) {
        status =
            clconst__folding_int(folding, "keepdims", 1, &keeps_dims, error);
    }
    clconst__output_set_dtype(folding, 0, CLCONST_INT64);
    if (status != CLCONST_OK || input->dims == NULL) {
        return status;
    }
    const clconst__folding_list axes = {
        .is_present = true, .items = &axis, .count = 1};
    clconst__reduction reduction = {.keeps_dims = keeps_dims != 0};
    status = mark_axes(folding, &axes, false, &reduction.is_reduced, error);
    if (status == CLCONST_OK) {
        status = set_dims(folding, CLCONST_INT64, &reduction, error);
    }
    return status;
}

#define DIMS_ONLY CLCONST__NO_VALUES, false

const clconst__operator clconst__reduce_operators[] = {
    {"ArgMax", 1, DIMS_ONLY, infer_arg, NULL},
    {"ArgMin", 1, DIMS_ONLY, infer_arg, NULL},
    {"ReduceL1", 1, DIMS_ONLY, clconst__infer_reduce_18, NULL},
    {"ReduceL2", 1, DIMS_ONLY, clconst__infer_reduce_18, NULL},
    {"ReduceLogSum", 1, DIMS_ONLY, clconst__infer_reduce_18, NULL},
    {"ReduceLogSumExp", 1, DIMS_ONLY, clconst__infer_reduce_18, NULL},
    {"ReduceMean", 1, DIMS_ONLY, clconst__infer_reduce_18, NULL},
    {"ReduceSumSquare", 1, DIMS_ONLY, clconst__infer_reduce_18, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
