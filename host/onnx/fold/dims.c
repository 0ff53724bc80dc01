#include "onnx/fold/dims.h"

#include <inttypes.h>

#include "base/checked.h"

/* The number of elements of a list whose value is unknown. */
static bool find_count(const clconst__fact *fact, size_t limit, size_t *count)
{
    if (fact->dims == NULL || fact->rank > 1) {
        return false;
    }
    *count = 1;
    if (fact->rank == 1) {
        if (fact->dims[0].cause != CLCONST__KNOWN ||
            (uint64_t)fact->dims[0].value > limit) {
            return false;
        }
        *count = (size_t)fact->dims[0].value;
    }
    return true;
}

static clconst_status invent(clconst__folding *folding,
                             clconst__cell_list *list,
                             clconst_error *error)
{
    clconst_status status = clconst__folding_scratch(
        folding, list->count, sizeof(*list->cells), &list->cells, error);
    for (size_t i = 0; i < list->count && status == CLCONST_OK; i++) {
        status = clconst__cause_derive(
            folding->causes, list->cause, &list->cells[i].cause, error);
    }
    list->is_known = list->count == 0;
    return status;
}

static clconst_status read_input(clconst__folding *folding,
                                 size_t input,
                                 size_t limit,
                                 clconst__cell_list *list,
                                 clconst_error *error)
{
    const clconst__fact *fact = clconst__folding_input(folding, input);
    if (fact != NULL && fact->data != NULL && fact->count > limit) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "input %zu has %zu elements; at most %zu make "
                             "sense",
                             input,
                             fact->count,
                             limit);
    }
    clconst_status status = clconst__folding_cells(
        folding, input, &list->cells, &list->count, error);
    if (status != CLCONST_OK || fact == NULL) {
        return status;
    }
    list->is_present = true;
    if (list->cells == NULL) {
        list->cause = clconst__fact_value_cause(fact);
        return find_count(fact, limit, &list->count)
                   ? invent(folding, list, error)
                   : CLCONST_OK;
    }
    list->is_known = true;
    for (size_t i = 0; i < list->count && list->is_known; i++) {
        list->cause = list->cells[i].cause;
        list->is_known = list->cause == CLCONST__KNOWN;
    }
    return CLCONST_OK;
}

static clconst_status read_attribute(clconst__folding *folding,
                                     const char *name,
                                     size_t limit,
                                     clconst__cell_list *list,
                                     clconst_error *error)
{
    list->is_present = clconst__folding_has(folding, name);
    list->is_known = list->is_present;
    int64_t *items;
    clconst_status status =
        clconst__folding_ints(folding, name, &items, &list->count, error);
    if (status == CLCONST_OK && list->count > limit) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s has %zu elements; at most %zu make sense",
                             name,
                             list->count,
                             limit);
    }
    if (status == CLCONST_OK && list->is_present) {
        status = clconst__folding_scratch(
            folding, list->count, sizeof(*list->cells), &list->cells, error);
    }
    for (size_t i = 0; i < list->count && status == CLCONST_OK; i++) {
        list->cells[i].value = items[i];
    }
    return status;
}

clconst_status clconst__cell_list_read(clconst__folding *folding,
                                       const char *attribute,
                                       size_t input,
                                       int64_t input_since,
                                       size_t limit,
                                       clconst__cell_list *list,
                                       clconst_error *error)
{
    *list = (clconst__cell_list){.is_present = false};
    return folding->opset < input_since
               ? read_attribute(folding, attribute, limit, list, error)
               : read_input(folding, input, limit, list, error);
}

clconst_status clconst__axes_read(clconst__folding *folding,
                                  const clconst__cell_list *list,
                                  size_t rank,
                                  size_t **axes,
                                  bool **is_taken,
                                  clconst_error *error)
{
    clconst_status status = clconst__folding_scratch(
        folding, list->count, sizeof(**axes), axes, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, rank, sizeof(**is_taken), is_taken, error);
    }
    for (size_t i = 0; i < list->count && status == CLCONST_OK; i++) {
        size_t *axis = &(*axes)[i];
        status =
            clconst__axis_normalize(list->cells[i].value, rank, axis, error);
        if (status == CLCONST_OK && (*is_taken)[*axis]) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "axis %zu is there twice; axes must differ",
                                 *axis);
        }
        if (status == CLCONST_OK) {
            (*is_taken)[*axis] = true;
        }
    }
    return status;
}

clconst_status clconst__axis_read(const clconst__folding *folding,
                                  int64_t fallback,
                                  size_t rank,
                                  size_t *axis,
                                  clconst_error *error)
{
    int64_t value;
    clconst_status status =
        clconst__folding_int(folding, "axis", fallback, &value, error);
    return status == CLCONST_OK
               ? clconst__axis_normalize(value, rank, axis, error)
               : status;
}

/* Combines what is known by a function that is neutral to start; a single
 * number that is unknown stays the same one when the rest is neutral. */
static clconst_status combine(clconst__folding *folding,
                              const clconst__cell *cells,
                              size_t count,
                              int64_t start,
                              bool (*function)(int64_t, int64_t, int64_t *),
                              clconst__cell *result,
                              clconst_error *error)
{
    int64_t known = start;
    size_t unknown_count = 0;
    clconst__cell unknown = {0, CLCONST__KNOWN};
    for (size_t i = 0; i < count; i++) {
        if (cells[i].cause != CLCONST__KNOWN) {
            unknown_count++;
            unknown = cells[i];
        } else if (!function(known, cells[i].value, &known)) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "dim overflows; int64 must hold it");
        }
    }
    if (unknown_count == 0) {
        *result = (clconst__cell){known, CLCONST__KNOWN};
        return CLCONST_OK;
    }
    if (unknown_count == 1 && known == start) {
        *result = unknown;
        return CLCONST_OK;
    }
    return clconst__cell_derive(folding, cells, count, result, error);
}

static bool add(int64_t a, int64_t b, int64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

clconst_status clconst__cells_add(clconst__folding *folding,
                                  const clconst__cell *cells,
                                  size_t count,
                                  clconst__cell *sum,
                                  clconst_error *error)
{
    return combine(folding, cells, count, 0, add, sum, error);
}

clconst_status clconst__cells_multiply(clconst__folding *folding,
                                       const clconst__cell *cells,
                                       size_t count,
                                       clconst__cell *product,
                                       clconst_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (clconst__cell_is(cells[i], 0)) {
            *product = (clconst__cell){0, CLCONST__KNOWN};
            return CLCONST_OK;
        }
    }
    return combine(
        folding, cells, count, 1, clconst__mul_int64, product, error);
}

clconst_status clconst__dim_unify(clconst__cell *dim,
                                  clconst__cell other,
                                  size_t axis,
                                  clconst_error *error)
{
    if (dim->cause == CLCONST__KNOWN && other.cause == CLCONST__KNOWN &&
        dim->value != other.value) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "dim %zu is %" PRId64 " and %" PRId64
                             "; both must be equal",
                             axis,
                             dim->value,
                             other.value);
    }
    if (dim->cause != CLCONST__KNOWN) {
        *dim = other;
    }
    return CLCONST_OK;
}

size_t clconst__dims_count(const clconst__cell *dims, size_t count)
{
    size_t product = 1;
    for (size_t i = 0; i < count; i++) {
        product *= (size_t)dims[i].value;
    }
    return product;
}

clconst_status clconst__dims_strides(clconst__folding *folding,
                                     const clconst__cell *dims,
                                     size_t rank,
                                     size_t **strides,
                                     clconst_error *error)
{
    clconst_status status = clconst__folding_scratch(
        folding, rank, sizeof(**strides), strides, error);
    size_t stride = 1;
    for (size_t i = rank; i-- > 0 && status == CLCONST_OK;) {
        (*strides)[i] = stride;
        stride *= (size_t)dims[i].value;
    }
    return status;
}
