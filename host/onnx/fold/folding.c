#include "onnx/fold/folding.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/checked.h"

/* A block of scratch memory; what it serves lies behind it, aligned. */
struct clconst__scratch {
    clconst__scratch *next;
    size_t size;
    max_align_t start[];
};

clconst_status clconst__folding_work(clconst__folding *folding,
                                     uint64_t steps,
                                     clconst_error *error)
{
    return clconst__budget_spend(folding->budget, steps)
               ? CLCONST_OK
               : clconst__fail(error,
                               CLCONST_UNSUPPORTED,
                               "more work than an evaluation may do");
}

static clconst_status check_room(const clconst__folding *folding,
                                 size_t count,
                                 size_t size,
                                 clconst_error *error)
{
    return clconst__budget_allows(folding->budget, count, size)
               ? CLCONST_OK
               : clconst__fail(error,
                               CLCONST_UNSUPPORTED,
                               "more memory than an evaluation may use");
}

clconst_status clconst__folding_scratch(clconst__folding *folding,
                                        size_t count,
                                        size_t size,
                                        void *memory,
                                        clconst_error *error)
{
    size_t bytes;
    if (!clconst__mul_size(count, size, &bytes) ||
        !clconst__add_size(bytes, sizeof(clconst__scratch), &bytes)) {
        return clconst__fail(error,
                             CLCONST_OUT_OF_MEMORY,
                             "no memory for %zu times %zu bytes",
                             count,
                             size);
    }
    clconst_status status = check_room(folding, bytes, 1, error);
    clconst__scratch *block;
    if (status == CLCONST_OK) {
        status = clconst__alloc(1, bytes, &block, error);
    }
    if (status == CLCONST_OK) {
        block->next = folding->scratch;
        block->size = bytes;
        clconst__budget_take(folding->budget, bytes);
        folding->scratch = block;
        void *start = block->start;
        memcpy(memory, &start, sizeof(start));
    }
    return status;
}

void clconst__folding_free_scratch(clconst__folding *folding)
{
    while (folding->scratch != NULL) {
        clconst__scratch *next = folding->scratch->next;
        clconst__budget_return(folding->budget, folding->scratch->size);
        clconst__free(folding->scratch);
        folding->scratch = next;
    }
}

static clconst__cell read_cell(const clconst__fact *fact, size_t element)
{
    if (fact->dtype == CLCONST_INT64) {
        return clconst__fact_cell(fact, element);
    }
    int32_t value;
    memcpy(&value, fact->data + element * sizeof(value), sizeof(value));
    return (clconst__cell){value, clconst__fact_cause(fact, element)};
}

clconst_status clconst__folding_cells(clconst__folding *folding,
                                      size_t input,
                                      clconst__cell **cells,
                                      size_t *count,
                                      clconst_error *error)
{
    const clconst__fact *fact = clconst__folding_input(folding, input);
    *cells = NULL;
    *count = 0;
    if (fact == NULL) {
        return CLCONST_OK;
    }
    if (fact->dtype != CLCONST_UNDEFINED && fact->dtype != CLCONST_INT64 &&
        fact->dtype != CLCONST_INT32) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "input %zu has dtype %s; it must be int64",
                             input,
                             clconst_dtype_name(fact->dtype));
    }
    if (fact->dims != NULL && fact->rank > 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "input %zu has rank %zu; it must be below 2",
                             input,
                             fact->rank);
    }
    if (fact->data == NULL) {
        return CLCONST_OK;
    }
    clconst_status status = clconst__folding_scratch(
        folding, fact->count, sizeof(**cells), cells, error);
    for (size_t i = 0; i < fact->count && status == CLCONST_OK; i++) {
        (*cells)[i] = read_cell(fact, i);
    }
    *count = fact->count;
    return status;
}

clconst_status clconst__folding_list_read(clconst__folding *folding,
                                          const char *attribute,
                                          size_t input,
                                          int64_t input_since,
                                          clconst__folding_list *list,
                                          clconst_error *error)
{
    *list = (clconst__folding_list){.is_present = false};
    if (folding->opset < input_since) {
        list->is_present = clconst__folding_has(folding, attribute);
        return clconst__folding_ints(
            folding, attribute, &list->items, &list->count, error);
    }
    const clconst__fact *fact = clconst__folding_input(folding, input);
    clconst__cell *cells;
    clconst_status status =
        clconst__folding_cells(folding, input, &cells, &list->count, error);
    list->is_present = fact != NULL;
    if (status != CLCONST_OK || cells == NULL) {
        list->cause =
            fact != NULL ? clconst__fact_value_cause(fact) : CLCONST__KNOWN;
        return status;
    }
    int64_t *items = NULL;
    status = clconst__folding_scratch(
        folding, list->count, sizeof(*items), &items, error);
    for (size_t i = 0; i < list->count && status == CLCONST_OK; i++) {
        if (cells[i].cause != CLCONST__KNOWN) {
            list->cause = cells[i].cause;
            return CLCONST_OK;
        }
        items[i] = cells[i].value;
    }
    list->items = items;
    return status;
}

clconst_status clconst__axis_normalize(int64_t axis,
                                       size_t rank,
                                       size_t *normal,
                                       clconst_error *error)
{
    int64_t limit = (int64_t)rank;
    if (axis < -limit || axis >= limit) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "axis is %" PRId64
                             "; of rank %zu it must be in [%" PRId64
                             ", %" PRId64 "]",
                             axis,
                             rank,
                             -limit,
                             limit - 1);
    }
    *normal = (size_t)(axis < 0 ? axis + limit : axis);
    return CLCONST_OK;
}

void clconst__output_share(clconst__folding *folding,
                           const clconst__fact *input)
{
    if (folding->output_count == 1) {
        clconst__fact_release(folding->outputs[0]);
        folding->outputs[0] = clconst__fact_retain(input);
        folding->is_shared = true;
    }
}

void clconst__output_set_dtype(clconst__folding *folding,
                               size_t output,
                               clconst_dtype dtype)
{
    if (output < folding->output_count) {
        folding->outputs[output]->dtype = dtype;
    }
}

clconst_status clconst__output_set_rank(clconst__folding *folding,
                                        size_t output,
                                        clconst_dtype dtype,
                                        size_t rank,
                                        clconst__cell **dims,
                                        clconst_error *error)
{
    if (output >= folding->output_count) {
        return clconst__folding_scratch(
            folding, rank, sizeof(**dims), dims, error);
    }
    clconst__fact *fact = folding->outputs[output];
    fact->dtype = dtype;
    clconst_status status = check_room(folding, rank, sizeof(**dims), error);
    if (status == CLCONST_OK) {
        status = clconst__folding_work(folding, rank, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__fact_set_rank(fact, rank, error);
    }
    *dims = fact->dims;
    return status;
}

clconst_status clconst__output_set_like(clconst__folding *folding,
                                        size_t output,
                                        clconst_dtype dtype,
                                        const clconst__fact *fact,
                                        clconst_error *error)
{
    if (fact == NULL || fact->dims == NULL) {
        clconst__output_set_dtype(folding, output, dtype);
        return CLCONST_OK;
    }
    clconst__cell *dims;
    clconst_status status = clconst__output_set_rank(
        folding, output, dtype, fact->rank, &dims, error);
    for (size_t i = 0; i < fact->rank && status == CLCONST_OK; i++) {
        dims[i] = fact->dims[i];
    }
    return status;
}

clconst_status clconst__cell_derive(clconst__folding *folding,
                                    const clconst__cell *from,
                                    size_t count,
                                    clconst__cell *cell,
                                    clconst_error *error)
{
    cell->value = 0;
    for (size_t i = 0; i < count; i++) {
        if (from[i].cause == CLCONST__UNTOLD) {
            cell->cause = CLCONST__UNTOLD;
            return CLCONST_OK;
        }
        if (from[i].cause != CLCONST__KNOWN) {
            return clconst__cause_derive(
                folding->causes, from[i].cause, &cell->cause, error);
        }
    }
    cell->cause = CLCONST__KNOWN;
    return CLCONST_OK;
}

clconst_status clconst__element_move(clconst__folding *folding,
                                     size_t output,
                                     size_t to,
                                     const clconst__fact *from,
                                     size_t element,
                                     clconst_error *error)
{
    clconst__fact *fact = folding->outputs[output];
    memcpy(fact->own_data + to * fact->element_size,
           from->data + element * fact->element_size,
           fact->element_size);
    return clconst__fact_set_cause(
        fact, to, clconst__fact_cause(from, element), error);
}
