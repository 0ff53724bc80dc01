/*
 * Reshape and Flatten: the same elements under other dims.
 */
#include <inttypes.h>

#include "base/checked.h"
#include "core/shape.h"
#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/operators.h"

/*
 * Of one dim that follows from the others: which it is, and whether the node
 * says so by -1. An element of the shape that is unknown may be -1 or 0 too.
 */
typedef struct open_dim {
    size_t count;
    size_t index;
    bool is_inferred;
} open_dim;

/* Sets the dim that an element of the shape asks for, where it is known; false
 * when it may follow from the other dims. */
static bool settle(const clconst__fact *data,
                   size_t index,
                   clconst__cell element,
                   bool allows_zero,
                   clconst__cell *dim)
{
    bool has_own = data->dims != NULL && index < data->rank;
    if (element.cause != CLCONST__KNOWN) {
        /* 0 takes the data's dim, so that it is this number in any case. */
        bool is_own =
            has_own && clconst__cells_equal(element, data->dims[index]);
        *dim = element;
        return is_own;
    }
    if (element.value == 0 && !allows_zero) {
        *dim = has_own ? data->dims[index] : *dim;
        return true;
    }
    *dim = element;
    return element.value != -1;
}

static clconst_status check_element(const clconst__fact *data,
                                    size_t index,
                                    clconst__cell element,
                                    bool allows_zero,
                                    clconst_error *error)
{
    if (element.cause != CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    if (element.value < -1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "shape element %zu is %" PRId64
                             "; it must be >= -1",
                             index,
                             element.value);
    }
    if (element.value == 0 && !allows_zero && data->dims != NULL &&
        index >= data->rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "shape element %zu is 0; data of rank %zu has no "
                             "such dim to take",
                             index,
                             data->rank);
    }
    return CLCONST_OK;
}

/* Sets the dims that the shape tells alone, and finds those that it does not.
 */
static clconst_status settle_all(clconst__folding *folding,
                                 const clconst__cell_list *shape,
                                 clconst__cell *dims,
                                 open_dim *open,
                                 clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    int64_t allowzero;
    clconst_status status =
        clconst__folding_int(folding, "allowzero", 0, &allowzero, error);
    bool has_zero = false;
    *open = (open_dim){.count = 0};
    for (size_t i = 0; i < shape->count && status == CLCONST_OK; i++) {
        clconst__cell element = shape->cells[i];
        status = check_element(data, i, element, allowzero != 0, error);
        has_zero = has_zero || clconst__cell_is(element, 0);
        if (status != CLCONST_OK ||
            settle(data, i, element, allowzero != 0, &dims[i])) {
            continue;
        }
        bool is_inferred = clconst__cell_is(element, -1);
        if (is_inferred && open->is_inferred) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "shape element %zu is -1 as another; only one "
                                 "may be",
                                 i);
        }
        open->index = i;
        open->is_inferred = open->is_inferred || is_inferred;
        open->count++;
    }
    if (status == CLCONST_OK && open->is_inferred && has_zero && allowzero) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "shape has 0 and -1; with allowzero it must not");
    }
    return status;
}

static bool
multiply_known(const clconst__cell *cells, size_t count, int64_t *product)
{
    bool is_done = true;
    *product = 1;
    for (size_t i = 0; i < count && is_done; i++) {
        is_done = cells[i].cause != CLCONST__KNOWN ||
                  clconst__mul_int64(*product, cells[i].value, product);
    }
    return is_done;
}

static void drop_known(clconst__cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cells[i].cause == CLCONST__KNOWN) {
            cells[i].value = 1;
        }
    }
}

/* Takes factors that both products have out of both. An unknown one that is 0
 * leaves no dim to infer. */
static void
cancel(clconst__cell *a, size_t a_count, clconst__cell *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++) {
        for (size_t j = 0; j < b_count; j++) {
            if (a[i].cause != CLCONST__KNOWN &&
                clconst__cells_equal(a[i], b[j])) {
                a[i] = (clconst__cell){1, CLCONST__KNOWN};
                b[j] = a[i];
            }
        }
    }
    int64_t a_known;
    int64_t b_known;
    if (multiply_known(a, a_count, &a_known) &&
        multiply_known(b, b_count, &b_known) && a_known == b_known &&
        a_known != 0) {
        drop_known(a, a_count);
        drop_known(b, b_count);
    }
}

static clconst_status copy_cells(clconst__folding *folding,
                                 const clconst__cell *cells,
                                 size_t count,
                                 clconst__cell **copy,
                                 clconst_error *error)
{
    clconst_status status =
        clconst__folding_scratch(folding, count, sizeof(**copy), copy, error);
    if (status == CLCONST_OK && count > 0) {
        memcpy(*copy, cells, count * sizeof(**copy));
    }
    return status;
}

/* The quotient of two products, where it is known. */
static clconst_status divide(clconst__folding *folding,
                             clconst__cell total,
                             clconst__cell others,
                             clconst__cell *dim,
                             clconst_error *error)
{
    const clconst__cell from[] = {total, others};
    if (clconst__cell_is(others, 0)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "shape has -1 beside dims that make 0; it cannot "
                             "be inferred");
    }
    if (clconst__cell_is(total, 0) || clconst__cell_is(others, 1)) {
        *dim = total;
        return CLCONST_OK;
    }
    clconst_status status = clconst__cell_derive(folding, from, 2, dim, error);
    if (status != CLCONST_OK || dim->cause != CLCONST__KNOWN) {
        return status;
    }
    if (total.value % others.value != 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "data have %" PRId64
                             " elements; they must be a multiple of %" PRId64,
                             total.value,
                             others.value);
    }
    dim->value = total.value / others.value;
    return status;
}

/* The one dim that is open follows from the number of elements. */
static clconst_status solve(clconst__folding *folding,
                            const open_dim *open,
                            clconst__cell *dims,
                            size_t rank,
                            clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst__cell *above;
    clconst__cell *below;
    clconst__cell total;
    clconst__cell others;
    clconst_status status =
        copy_cells(folding, data->dims, data->rank, &above, error);
    if (status == CLCONST_OK) {
        status = copy_cells(folding, dims, rank, &below, error);
    }
    if (status == CLCONST_OK) {
        below[open->index] = (clconst__cell){1, CLCONST__KNOWN};
        status =
            clconst__folding_work(folding, (uint64_t)rank * data->rank, error);
    }
    if (status == CLCONST_OK) {
        cancel(above, data->rank, below, rank);
        status =
            clconst__cells_multiply(folding, above, data->rank, &total, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__cells_multiply(folding, below, rank, &others, error);
    }
    if (status == CLCONST_OK) {
        status = divide(folding, total, others, &dims[open->index], error);
    }
    return status;
}

/* Whether an unknown element of the shape, which is open, is sure to be what
 * the number of elements asks for. */
static bool is_sure(const clconst__fact *data,
                    const clconst__cell *dims,
                    size_t rank,
                    size_t open)
{
    for (size_t i = 0; i < data->rank; i++) {
        if (data->dims[i].cause != CLCONST__KNOWN) {
            return false;
        }
    }
    for (size_t i = 0; i < rank; i++) {
        if (i != open &&
            (dims[i].cause != CLCONST__KNOWN || dims[i].value == 0)) {
            return false;
        }
    }
    return true;
}

/* Makes the dims that stay open numbers of their own. */
static clconst_status leave_open(clconst__folding *folding,
                                 const clconst__cell_list *shape,
                                 clconst__cell *dims,
                                 clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < shape->count && status == CLCONST_OK; i++) {
        clconst__cell element = shape->cells[i];
        clconst__cause cause = CLCONST__KNOWN;
        if (clconst__cell_is(element, -1)) {
            cause = data->dims == NULL ? data->cause : shape->cause;
        } else if (element.cause != CLCONST__KNOWN &&
                   !settle(data, i, element, false, &dims[i])) {
            cause = element.cause;
        }
        if (cause != CLCONST__KNOWN) {
            status = clconst__cause_derive(
                folding->causes, cause, &dims[i].cause, error);
        }
    }
    return status;
}

static clconst_status check_total(const clconst__fact *data,
                                  const clconst__fact *output,
                                  clconst_error *error)
{
    uint64_t before;
    uint64_t after;
    if (clconst__fact_count(data, &before) &&
        clconst__fact_count(output, &after) && before != after) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "shape has %" PRIu64
                             " elements; it must have %" PRIu64 " as the data",
                             after,
                             before);
    }
    return CLCONST_OK;
}

static clconst_status infer_reshape(clconst__folding *folding,
                                    clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, data->dtype);
    clconst__cell_list shape;
    clconst__cell *dims;
    open_dim open;
    clconst_status status = clconst__cell_list_read(
        folding, "shape", 1, 5, CLCONST__RANK_MAX, &shape, error);
    if (status != CLCONST_OK || shape.cells == NULL) {
        return status;
    }
    status = clconst__output_set_rank(
        folding, 0, data->dtype, shape.count, &dims, error);
    if (status == CLCONST_OK) {
        status = settle_all(folding, &shape, dims, &open, error);
    }
    bool is_solved =
        status == CLCONST_OK && data->dims != NULL && open.count == 1 &&
        (open.is_inferred || is_sure(data, dims, shape.count, open.index));
    if (is_solved) {
        status = solve(folding, &open, dims, shape.count, error);
    } else if (status == CLCONST_OK) {
        status = leave_open(folding, &shape, dims, error);
    }
    return status == CLCONST_OK ? check_total(data, folding->outputs[0], error)
                                : status;
}

static clconst_status infer_flatten(clconst__folding *folding,
                                    clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__cell *dims;
    int64_t axis;
    clconst_status status =
        clconst__output_set_rank(folding, 0, input->dtype, 2, &dims, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_int(folding, "axis", 1, &axis, error);
    }
    if (status != CLCONST_OK || input->dims == NULL) {
        return status;
    }
    int64_t rank = (int64_t)input->rank;
    if (axis < -rank || axis > rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "axis is %" PRId64
                             "; of rank %zu it must be in [-%zu, %zu]",
                             axis,
                             input->rank,
                             input->rank,
                             input->rank);
    }
    size_t outer = (size_t)(axis < 0 ? axis + rank : axis);
    status =
        clconst__cells_multiply(folding, input->dims, outer, &dims[0], error);
    if (status == CLCONST_OK) {
        status = clconst__cells_multiply(
            folding, input->dims + outer, input->rank - outer, &dims[1], error);
    }
    return status;
}

const clconst__operator clconst__reshape_operators[] = {
    {"Flatten",
     1,
     CLCONST__ALL_VALUES,
     true,
     infer_flatten,
     clconst__copy_input},
    {"Reshape",
     2,
     CLCONST__ALL_VALUES,
     true,
     infer_reshape,
     clconst__copy_input},
    {NULL, 0, 0, false, NULL, NULL},
};
