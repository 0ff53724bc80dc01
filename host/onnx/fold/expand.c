/*
 * Expand, Tile and Where: tensors that are repeated along axes.
 */
#include <inttypes.h>

#include "core/shape.h"
#include "onnx/fold/broadcast.h"
#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/operators.h"

/* INVALID_MODEL for a number that is negative. */
static clconst_status check_cells(const clconst__cell_list *list,
                                  const char *name,
                                  clconst_error *error)
{
    for (size_t i = 0; i < list->count && list->cells != NULL; i++) {
        clconst__cell cell = list->cells[i];
        if (cell.cause == CLCONST__KNOWN && cell.value < 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "%s %zu is %" PRId64 "; it must be >= 0",
                                 name,
                                 i,
                                 cell.value);
        }
    }
    return CLCONST_OK;
}

static clconst_status infer_expand(clconst__folding *folding,
                                   clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, input->dtype);
    clconst__cell_list shape;
    clconst_status status = clconst__cell_list_read(
        folding, NULL, 1, 0, CLCONST__RANK_MAX, &shape, error);
    if (status == CLCONST_OK) {
        status = check_cells(&shape, "shape element", error);
    }
    if (status != CLCONST_OK || input->dims == NULL || shape.cells == NULL) {
        return status;
    }
    size_t rank = input->rank > shape.count ? input->rank : shape.count;
    clconst__cell *dims;
    status =
        clconst__output_set_rank(folding, 0, input->dtype, rank, &dims, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        dims[i] = (clconst__cell){1, CLCONST__KNOWN};
    }
    if (status == CLCONST_OK) {
        status = clconst__dims_broadcast(
            folding, input->dims, input->rank, dims, rank, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__dims_broadcast(
            folding, shape.cells, shape.count, dims, rank, error);
    }
    return status;
}

static clconst_status compute_expand(clconst__folding *folding,
                                     clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    const clconst__fact *output = folding->outputs[0];
    clconst__walk walk;
    clconst_status status =
        clconst__walk_create(folding, output->dims, output->rank, &walk, error);
    if (status == CLCONST_OK) {
        status = clconst__walk_add_broadcast(folding, &walk, input, error);
    }
    return status == CLCONST_OK
               ? clconst__copy_walk(folding, &walk, input, error)
               : status;
}

/* A dim times how often it is repeated, of which one may be wholly unknown. */
static clconst_status infer_tile_dim(clconst__folding *folding,
                                     const clconst__cell_list *repeats,
                                     size_t axis,
                                     clconst__cell *dim,
                                     clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    bool has_both = input->dims != NULL && repeats->cells != NULL;
    const clconst__cell factors[] = {
        input->dims != NULL ? input->dims[axis]
                            : (clconst__cell){0, input->cause},
        repeats->cells != NULL ? repeats->cells[axis]
                               : (clconst__cell){0, repeats->cause}};
    if (has_both || clconst__cell_is(factors[0], 0) ||
        clconst__cell_is(factors[1], 0)) {
        return clconst__cells_multiply(folding, factors, 2, dim, error);
    }
    return clconst__cell_derive(folding, factors, 2, dim, error);
}

static clconst_status infer_tile(clconst__folding *folding,
                                 clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, input->dtype);
    clconst__cell_list repeats;
    clconst_status status = clconst__cell_list_read(
        folding, NULL, 1, 0, CLCONST__RANK_MAX, &repeats, error);
    if (status == CLCONST_OK) {
        status = check_cells(&repeats, "repeat", error);
    }
    if (status != CLCONST_OK ||
        (input->dims == NULL && repeats.cells == NULL)) {
        return status;
    }
    size_t rank = input->dims != NULL ? input->rank : repeats.count;
    if (repeats.cells != NULL && repeats.count != rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "repeats have %zu elements; they must have %zu, "
                             "the rank",
                             repeats.count,
                             rank);
    }
    clconst__cell *dims;
    status =
        clconst__output_set_rank(folding, 0, input->dtype, rank, &dims, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        status = infer_tile_dim(folding, &repeats, i, &dims[i], error);
    }
    return status;
}

/* Each axis of the output is two: one of repeats, along which the input stays
 * where it is, and the input's own. */
static clconst_status compute_tile(clconst__folding *folding,
                                   clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    const clconst__fact *output = folding->outputs[0];
    size_t *own;
    size_t *strides;
    clconst__cell *dims;
    clconst__walk walk;
    if (output->count == 0) {
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__dims_strides(folding, input->dims, input->rank, &own, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, 2 * input->rank, sizeof(*strides), &strides, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, 2 * input->rank, sizeof(*dims), &dims, error);
    }
    for (size_t i = 0; i < input->rank && status == CLCONST_OK; i++) {
        int64_t length = input->dims[i].value;
        dims[2 * i].value = output->dims[i].value / length;
        dims[2 * i + 1].value = length;
        strides[2 * i + 1] = own[i];
    }
    if (status == CLCONST_OK) {
        status =
            clconst__walk_create(folding, dims, 2 * input->rank, &walk, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__walk_add(folding, &walk, strides, error);
    }
    return status == CLCONST_OK
               ? clconst__copy_walk(folding, &walk, input, error)
               : status;
}

static clconst_status infer_where(clconst__folding *folding,
                                  clconst_error *error)
{
    static const size_t branches[] = {1, 2};
    clconst_dtype dtype;
    clconst_dtype condition = folding->inputs[0]->dtype;
    clconst_status status =
        clconst__copy_dtype(folding, branches, 2, &dtype, error);
    if (status == CLCONST_OK && condition != CLCONST_UNDEFINED &&
        condition != CLCONST_BOOL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "condition has dtype %s; it must be bool",
                             clconst_dtype_name(condition));
    }
    return status == CLCONST_OK
               ? clconst__output_set_broadcast(
                     folding, 0, dtype, folding->inputs, 3, error)
               : status;
}

/* Whether elements are sure to be the same bits. */
static bool are_same(const clconst__fact *a,
                     size_t a_element,
                     const clconst__fact *b,
                     size_t b_element)
{
    clconst__cause cause = clconst__fact_cause(a, a_element);
    if (cause != clconst__fact_cause(b, b_element)) {
        return false;
    }
    size_t size = a->element_size;
    return cause != CLCONST__KNOWN || memcmp(a->data + a_element * size,
                                             b->data + b_element * size,
                                             size) == 0;
}

static clconst_status compute_where(clconst__folding *folding,
                                    clconst_error *error)
{
    const clconst__fact *const *inputs = folding->inputs;
    const clconst__fact *output = folding->outputs[0];
    clconst__walk walk;
    clconst_status status =
        clconst__walk_create(folding, output->dims, output->rank, &walk, error);
    for (int i = 0; i < 3 && status == CLCONST_OK; i++) {
        status = clconst__walk_add_broadcast(folding, &walk, inputs[i], error);
    }
    for (size_t i = 0; i < output->count && status == CLCONST_OK; i++) {
        const size_t *positions = walk.positions;
        clconst__cause cause = clconst__fact_cause(inputs[0], positions[0]);
        int chosen = inputs[0]->data[positions[0]] != 0 ? 1 : 2;
        if (cause == CLCONST__KNOWN ||
            are_same(inputs[1], positions[1], inputs[2], positions[2])) {
            status = clconst__element_move(
                folding, 0, i, inputs[chosen], positions[chosen], error);
        } else {
            status = clconst__copy_unknown(folding, 0, i, 1, cause, error);
        }
        clconst__walk_step(&walk);
    }
    return status;
}

const clconst__operator clconst__expand_operators[] = {
    {"Expand", 2, CLCONST__ALL_VALUES, true, infer_expand, compute_expand},
    {"Tile", 2, CLCONST__ALL_VALUES, true, infer_tile, compute_tile},
    {"Where", 3, CLCONST__ALL_VALUES, true, infer_where, compute_where},
    {NULL, 0, 0, false, NULL, NULL},
};
