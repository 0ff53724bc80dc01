/*
 * Operators that select elements, or places to take them from. Only dims are
 * told, and of some only that they exist.
 */
#include <inttypes.h>

#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"

static clconst_status
unknown_k(clconst__folding *folding, clconst__cell *k, clconst_error *error)
{
    const clconst__fact *fact = clconst__folding_input(folding, 1);
    if (fact == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "input 1 is left out; it must not");
    }
    const clconst__cell unknown = {0, clconst__fact_value_cause(fact)};
    return clconst__cell_derive(folding, &unknown, 1, k, error);
}

/* K, an attribute before opset 10. */
static clconst_status
read_k(clconst__folding *folding, clconst__cell *k, clconst_error *error)
{
    if (folding->opset < 10) {
        *k = (clconst__cell){0, CLCONST__KNOWN};
        return clconst__folding_int(folding, "k", -1, &k->value, error);
    }
    clconst__cell *cells;
    size_t count;
    clconst_status status =
        clconst__folding_cells(folding, 1, &cells, &count, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (cells == NULL) {
        return unknown_k(folding, k, error);
    }
    if (count != 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "K has %zu elements; it must have 1",
                             count);
    }
    *k = cells[0];
    return CLCONST_OK;
}

static clconst_status infer_top_k(clconst__folding *folding,
                                  clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    const clconst_dtype dtypes[] = {input->dtype, CLCONST_INT64};
    int64_t axis;
    size_t normal;
    clconst__cell k;
    clconst_status status =
        clconst__folding_int(folding, "axis", -1, &axis, error);
    for (size_t i = 0; i < 2 && status == CLCONST_OK; i++) {
        status = clconst__output_set_like(folding, i, dtypes[i], input, error);
    }
    if (status != CLCONST_OK || input->dims == NULL) {
        return status;
    }
    status = clconst__axis_normalize(axis, input->rank, &normal, error);
    if (status == CLCONST_OK) {
        status = read_k(folding, &k, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__cell dim = input->dims[normal];
    if (k.cause == CLCONST__KNOWN &&
        (k.value < 0 || (dim.cause == CLCONST__KNOWN && k.value > dim.value))) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "K is %" PRId64
                             "; it must be in [0, dim %zu of input 0]",
                             k.value,
                             normal);
    }
    for (size_t i = 0; i < 2 && i < folding->output_count; i++) {
        folding->outputs[i]->dims[normal] = k;
    }
    return CLCONST_OK;
}

/* Input 0 with one axis of unknown length, or a vector of it. */
static clconst_status set_selected(clconst__folding *folding,
                                   size_t *axis,
                                   bool *has_axis,
                                   clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    int64_t given;
    clconst__cell *dims;
    *has_axis = clconst__folding_has(folding, "axis");
    *axis = 0;
    clconst_status status =
        clconst__folding_int(folding, "axis", 0, &given, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (!*has_axis) {
        return clconst__output_set_rank(
            folding, 0, input->dtype, 1, &dims, error);
    }
    status = clconst__output_set_like(folding, 0, input->dtype, input, error);
    if (status == CLCONST_OK && input->dims != NULL) {
        status = clconst__axis_normalize(given, input->rank, axis, error);
    }
    if (status == CLCONST_OK && input->dims != NULL) {
        folding->outputs[0]->dims[*axis] = (clconst__cell){0, CLCONST__UNTOLD};
    }
    return status;
}

static clconst_status infer_compress(clconst__folding *folding,
                                     clconst_error *error)
{
    size_t axis;
    bool has_axis;
    return set_selected(folding, &axis, &has_axis, error);
}

/* The distinct, where they are first, which each element is, and how often. */
static clconst_status infer_unique(clconst__folding *folding,
                                   clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    const clconst__fact *output = folding->outputs[0];
    size_t axis;
    bool has_axis;
    clconst_status status = set_selected(folding, &axis, &has_axis, error);
    for (size_t i = 1; i < 4 && status == CLCONST_OK; i++) {
        clconst__cell *dims;
        uint64_t count;
        status = clconst__output_set_rank(
            folding, i, CLCONST_INT64, 1, &dims, error);
        if (status != CLCONST_OK) {
            return status;
        }
        if (i != 2) {
            if (output->dims != NULL) {
                dims[0] = output->dims[axis];
            }
        } else if (has_axis && input->dims != NULL) {
            dims[0] = input->dims[axis];
        } else if (!has_axis && clconst__fact_count(input, &count)) {
            dims[0] = (clconst__cell){(int64_t)count, CLCONST__KNOWN};
        }
    }
    return status;
}

/* Boxes as (batch, class, box). */
static clconst_status infer_non_max_suppression(clconst__folding *folding,
                                                clconst_error *error)
{
    clconst__cell *dims;
    clconst_status status =
        clconst__output_set_rank(folding, 0, CLCONST_INT64, 2, &dims, error);
    if (status == CLCONST_OK) {
        dims[1] = (clconst__cell){3, CLCONST__KNOWN};
    }
    return status;
}

/* X is (N, C, axes), grid (N, other axes, coordinates); the result is (N, C,
 * other axes). */
static clconst_status infer_grid_sample(clconst__folding *folding,
                                        clconst_error *error)
{
    const clconst__fact *x = folding->inputs[0];
    const clconst__fact *grid = folding->inputs[1];
    size_t rank = x->dims != NULL ? x->rank : grid->rank;
    clconst__output_set_dtype(folding, 0, x->dtype);
    if (x->dims == NULL && grid->dims == NULL) {
        return CLCONST_OK;
    }
    if (rank < 3) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "input has rank %zu; it must be 3 or more",
                             rank);
    }
    clconst__cell *dims;
    clconst_status status = clconst__rank_check(grid, "grid", rank, error);
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_rank(folding, 0, x->dtype, rank, &dims, error);
    }
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        if (i >= 2 && grid->dims != NULL) {
            dims[i] = grid->dims[i - 1];
        } else if (i < 2 && x->dims != NULL) {
            dims[i] = x->dims[i];
        }
    }
    return status;
}

/* size is (N, C, axes); the result is (N, axes, coordinates). */
static clconst_status infer_affine_grid(clconst__folding *folding,
                                        clconst_error *error)
{
    clconst_dtype dtype = folding->inputs[0]->dtype;
    clconst__cell *cells;
    clconst__cell *dims;
    size_t count;
    clconst_status status =
        clconst__folding_cells(folding, 1, &cells, &count, error);
    clconst__output_set_dtype(folding, 0, dtype);
    if (status != CLCONST_OK || cells == NULL) {
        return status;
    }
    if (count != 4 && count != 5) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "size has %zu elements; it must have 4 or 5",
                             count);
    }
    status = clconst__output_set_rank(folding, 0, dtype, count, &dims, error);
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status = clconst__cell_check_dim(cells[i], i, error);
        if (i != 1) {
            dims[i > 0 ? i - 1 : 0] = cells[i];
        }
    }
    if (status == CLCONST_OK) {
        dims[count - 1] = (clconst__cell){(int64_t)count - 2, CLCONST__KNOWN};
    }
    return status;
}

#define DIMS_ONLY CLCONST__NO_VALUES, false

const clconst__operator clconst__selection_operators[] = {
    {"AffineGrid", 2, DIMS_ONLY, infer_affine_grid, NULL},
    {"Compress", 2, DIMS_ONLY, infer_compress, NULL},
    {"GridSample", 2, DIMS_ONLY, infer_grid_sample, NULL},
    {"NonMaxSuppression", 2, DIMS_ONLY, infer_non_max_suppression, NULL},
    {"TopK", 1, DIMS_ONLY, infer_top_k, NULL},
    {"Unique", 1, DIMS_ONLY, infer_unique, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
