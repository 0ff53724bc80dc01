/*
 * Concat: tensors side by side along an axis.
 */
#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/operators.h"

/* The dtype of the inputs, and one whose rank is known, or NULL; all that are
 * known must be the same. */
static clconst_status check_inputs(const clconst__folding *folding,
                                   clconst_dtype *dtype,
                                   const clconst__fact **ranked,
                                   clconst_error *error)
{
    *dtype = CLCONST_UNDEFINED;
    *ranked = NULL;
    size_t typed = 0;
    for (size_t i = 0; i < folding->input_count; i++) {
        const clconst__fact *input = folding->inputs[i];
        if (input == NULL) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "input %zu is left out; it must not",
                                 i);
        }
        const size_t pair[] = {typed, i};
        clconst_status status =
            clconst__copy_dtype(folding, pair, 2, dtype, error);
        if (status != CLCONST_OK) {
            return status;
        }
        typed = input->dtype != CLCONST_UNDEFINED ? i : typed;
        if (input->dims == NULL) {
            continue;
        }
        if (*ranked != NULL && (*ranked)->rank != input->rank) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "input %zu has rank %zu; it must be %zu as of "
                                 "the others",
                                 i,
                                 input->rank,
                                 (*ranked)->rank);
        }
        *ranked = input;
    }
    return CLCONST_OK;
}

static clconst_status read_axis(const clconst__folding *folding,
                                size_t rank,
                                size_t *axis,
                                clconst_error *error)
{
    if (!clconst__folding_has(folding, "axis")) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "axis is left out; it must not");
    }
    return clconst__axis_read(folding, 0, rank, axis, error);
}

/* Of one input: its length along the axis, while its other dims tell what they
 * are in all. */
static clconst_status take_dims(const clconst__fact *input,
                                size_t axis,
                                clconst__cell *dims,
                                clconst__cell *length,
                                clconst_error *error)
{
    if (input->dims == NULL) {
        *length = (clconst__cell){0, input->cause};
        return CLCONST_OK;
    }
    *length = input->dims[axis];
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < input->rank && status == CLCONST_OK; i++) {
        if (i != axis) {
            status = clconst__dim_unify(&dims[i], input->dims[i], i, error);
        }
    }
    return status;
}

static clconst_status infer(clconst__folding *folding, clconst_error *error)
{
    clconst_dtype dtype;
    const clconst__fact *ranked;
    clconst_status status = check_inputs(folding, &dtype, &ranked, error);
    clconst__output_set_dtype(folding, 0, dtype);
    if (status != CLCONST_OK || ranked == NULL) {
        return status;
    }
    size_t axis;
    clconst__cell *dims;
    clconst__cell *lengths;
    status = read_axis(folding, ranked->rank, &axis, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, 0, dtype, ranked->rank, &dims, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, folding->input_count, sizeof(*lengths), &lengths, error);
    }
    bool is_known = true;
    for (size_t i = 0; i < folding->input_count && status == CLCONST_OK; i++) {
        const clconst__fact *input = folding->inputs[i];
        is_known = is_known && input->dims != NULL;
        status = take_dims(input, axis, dims, &lengths[i], error);
    }
    if (status == CLCONST_OK && is_known) {
        status = clconst__cells_add(
            folding, lengths, folding->input_count, &dims[axis], error);
    } else if (status == CLCONST_OK) {
        status = clconst__cell_derive(
            folding, lengths, folding->input_count, &dims[axis], error);
    }
    return status;
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *output = folding->outputs[0];
    size_t axis;
    clconst_status status = read_axis(folding, output->rank, &axis, error);
    if (status != CLCONST_OK || output->count == 0) {
        return status;
    }
    size_t outer = clconst__dims_count(output->dims, axis);
    size_t row = output->count / outer;
    size_t start = 0;
    for (size_t i = 0; i < folding->input_count; i++) {
        const clconst__fact *input = folding->inputs[i];
        size_t own_row = input->count / outer;
        /* An input that is empty takes no turns. */
        for (size_t j = 0; j < outer && own_row > 0 && status == CLCONST_OK;
             j++) {
            status = clconst__copy_run(folding,
                                       0,
                                       j * row + start,
                                       input,
                                       j * own_row,
                                       own_row,
                                       error);
        }
        start += own_row;
    }
    return status;
}

const clconst__operator clconst__concat_operators[] = {
    {"Concat", 1, CLCONST__ALL_VALUES, true, infer, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
