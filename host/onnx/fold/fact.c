#include "onnx/fold/fact.h"

#include <string.h>

#include "base/alloc.h"
#include "core/op.h"

clconst_status clconst__fact_create(clconst__cause cause,
                                    clconst__fact **fact,
                                    clconst_error *error)
{
    clconst_status status = clconst__alloc(1, sizeof(**fact), fact, error);
    if (status == CLCONST_OK) {
        (*fact)->refs = 1;
        (*fact)->cause = cause;
        (*fact)->size = sizeof(**fact);
    }
    return status;
}

void clconst__fact_charge(clconst__fact *fact, clconst__budget *budget)
{
    if (fact->budget == NULL) {
        fact->budget = budget;
        clconst__budget_take(budget, fact->size);
    }
}

/* Counts memory that a fact gets. */
static void add_size(clconst__fact *fact, size_t size)
{
    fact->size += size;
    clconst__budget_take(fact->budget, size);
}

static void drop_size(clconst__fact *fact, size_t size)
{
    fact->size -= size;
    clconst__budget_return(fact->budget, size);
}

clconst__fact *clconst__fact_retain(const clconst__fact *fact)
{
    /* The count is the one thing of a fact that changes. */
    clconst__fact *held = (clconst__fact *)fact;
    held->refs++;
    return held;
}

void clconst__fact_release(const clconst__fact *fact)
{
    clconst__fact *held = (clconst__fact *)fact;
    if (held == NULL || --held->refs > 0) {
        return;
    }
    clconst__free(held->dims);
    clconst__free(held->causes);
    clconst__storage_release(held->storage);
    clconst_op_destroy(held->op);
    clconst__budget_return(held->budget, held->size);
    clconst__free(held);
}

void clconst__facts_release(clconst__fact *const *facts, size_t count)
{
    for (size_t i = 0; facts != NULL && i < count; i++) {
        clconst__fact_release(facts[i]);
    }
}

size_t clconst__fact_element_size(clconst_dtype dtype)
{
    return (clconst_dtype_bits(dtype) + 7U) / 8U;
}

void clconst__fact_clear_rank(clconst__fact *fact)
{
    drop_size(fact, fact->rank * sizeof(*fact->dims));
    clconst__free(fact->dims);
    fact->dims = NULL;
    fact->rank = 0;
}

clconst_status
clconst__fact_set_rank(clconst__fact *fact, size_t rank, clconst_error *error)
{
    clconst__fact_clear_rank(fact);
    clconst_status status =
        clconst__alloc(rank, sizeof(*fact->dims), &fact->dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    fact->rank = rank;
    add_size(fact, rank * sizeof(*fact->dims));
    for (size_t i = 0; i < rank; i++) {
        fact->dims[i] = (clconst__cell){0, fact->cause};
    }
    return CLCONST_OK;
}

bool clconst__fact_count(const clconst__fact *fact, uint64_t *count)
{
    if (fact->dims == NULL) {
        return false;
    }
    uint64_t product = 1;
    bool is_empty = false;
    bool is_large = false;
    for (size_t i = 0; i < fact->rank; i++) {
        if (fact->dims[i].cause != CLCONST__KNOWN) {
            return false;
        }
        uint64_t dim = (uint64_t)fact->dims[i].value;
        is_empty = is_empty || dim == 0;
        is_large = is_large || __builtin_mul_overflow(product, dim, &product);
    }
    *count = is_empty ? 0 : product;
    return is_empty || (!is_large && product <= INT64_MAX);
}

clconst_status clconst__fact_set_value(clconst__fact *fact,
                                       clconst_error *error)
{
    uint64_t count = 0;
    clconst__fact_count(fact, &count);
    fact->count = (size_t)count;
    fact->element_size = clconst__fact_element_size(fact->dtype);
    void *block;
    clconst_status status = clconst__storage_create_block(
        fact->count * fact->element_size, NULL, &fact->storage, &block, error);
    if (status == CLCONST_OK) {
        fact->own_data = block;
        fact->data = block;
        add_size(fact, fact->count * fact->element_size);
    }
    return status;
}

static void clear_causes(clconst__fact *fact)
{
    if (fact->causes != NULL) {
        drop_size(fact, fact->count * sizeof(*fact->causes));
    }
    clconst__free(fact->causes);
    fact->causes = NULL;
}

static clconst_status make_causes(clconst__fact *fact, clconst_error *error)
{
    clconst_status status = clconst__alloc(
        fact->count, sizeof(*fact->causes), &fact->causes, error);
    if (status == CLCONST_OK) {
        add_size(fact, fact->count * sizeof(*fact->causes));
    }
    return status;
}

void clconst__fact_clear_value(clconst__fact *fact)
{
    clear_causes(fact);
    if (fact->storage != NULL) {
        drop_size(fact, fact->count * fact->element_size);
    }
    clconst__storage_release(fact->storage);
    fact->storage = NULL;
    fact->own_data = NULL;
    fact->data = NULL;
    fact->count = 0;
    fact->element_size = 0;
    fact->first_unknown = 0;
}

/* The storage counts for both, as it lives as long as either. */
static clconst_status
copy_value(const clconst__fact *fact, clconst__fact *copy, clconst_error *error)
{
    copy->count = fact->count;
    copy->element_size = fact->element_size;
    copy->data = fact->data;
    copy->own_data = fact->own_data;
    copy->first_unknown = fact->first_unknown;
    if (fact->storage != NULL) {
        copy->storage = clconst__storage_retain(fact->storage);
        add_size(copy, fact->count * fact->element_size);
    }
    if (fact->causes == NULL) {
        return CLCONST_OK;
    }
    clconst_status status = make_causes(copy, error);
    if (status == CLCONST_OK) {
        memcpy(copy->causes, fact->causes, fact->count * sizeof(*copy->causes));
    }
    return status;
}

uint64_t clconst__fact_copy_steps(const clconst__fact *fact)
{
    return fact->rank + (fact->causes != NULL ? fact->count : 0);
}

clconst_status clconst__fact_copy(const clconst__fact *fact,
                                  clconst__fact **copy,
                                  clconst_error *error)
{
    clconst__fact *made;
    clconst_status status = clconst__fact_create(fact->cause, &made, error);
    if (status != CLCONST_OK) {
        return status;
    }
    made->dtype = fact->dtype;
    made->value_cause = fact->value_cause;
    made->op = fact->op != NULL ? clconst__op_retain(fact->op) : NULL;
    if (fact->dims != NULL) {
        status = clconst__fact_set_rank(made, fact->rank, error);
    }
    if (fact->dims != NULL && status == CLCONST_OK) {
        memcpy(made->dims, fact->dims, fact->rank * sizeof(*made->dims));
    }
    if (status == CLCONST_OK && fact->data != NULL) {
        status = copy_value(fact, made, error);
    }
    if (status != CLCONST_OK) {
        clconst__fact_release(made);
        return status;
    }
    *copy = made;
    return CLCONST_OK;
}

clconst__cause clconst__fact_find_unknown(const clconst__fact *fact,
                                          bool with_value)
{
    if (fact->dims == NULL) {
        return fact->cause;
    }
    for (size_t i = 0; i < fact->rank; i++) {
        if (fact->dims[i].cause != CLCONST__KNOWN) {
            return fact->dims[i].cause;
        }
    }
    if (with_value && fact->data == NULL) {
        return clconst__fact_value_cause(fact);
    }
    for (size_t i = fact->first_unknown;
         with_value && fact->causes != NULL && i < fact->count;
         i++) {
        if (fact->causes[i] != CLCONST__KNOWN) {
            return fact->causes[i];
        }
    }
    return CLCONST__KNOWN;
}

clconst_status clconst__fact_set_cause(clconst__fact *fact,
                                       size_t element,
                                       clconst__cause cause,
                                       clconst_error *error)
{
    if (fact->causes == NULL && cause == CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    if (fact->causes == NULL) {
        clconst_status status = make_causes(fact, error);
        if (status != CLCONST_OK) {
            return status;
        }
    }
    fact->causes[element] = cause;
    return CLCONST_OK;
}

void clconst__fact_settle(clconst__fact *fact)
{
    size_t known = fact->first_unknown;
    while (fact->causes != NULL && known < fact->count &&
           fact->causes[known] == CLCONST__KNOWN) {
        known++;
    }
    if (known == fact->count) {
        clear_causes(fact);
        known = 0;
    }
    fact->first_unknown = known;
}

clconst__cell clconst__fact_cell(const clconst__fact *fact, size_t element)
{
    clconst__cell cell = {0, clconst__fact_cause(fact, element)};
    memcpy(
        &cell.value, fact->data + element * sizeof(int64_t), sizeof(int64_t));
    return cell;
}

clconst_status clconst__fact_set_cell(clconst__fact *fact,
                                      size_t element,
                                      clconst__cell cell,
                                      clconst_error *error)
{
    memcpy(fact->own_data + element * sizeof(int64_t),
           &cell.value,
           sizeof(int64_t));
    return clconst__fact_set_cause(fact, element, cell.cause, error);
}

clconst_status clconst__fact_scalar(clconst_dtype dtype,
                                    clconst__cell cell,
                                    clconst__fact **fact,
                                    clconst_error *error)
{
    clconst__fact *made;
    clconst_status status = clconst__fact_create(CLCONST__KNOWN, &made, error);
    if (status != CLCONST_OK) {
        return status;
    }
    made->dtype = dtype;
    status = clconst__fact_set_rank(made, 0, error);
    if (status == CLCONST_OK) {
        status = clconst__fact_set_value(made, error);
    }
    if (status == CLCONST_OK) {
        memcpy(made->own_data, &cell.value, made->element_size);
        status = clconst__fact_set_cause(made, 0, cell.cause, error);
    }
    if (status != CLCONST_OK) {
        clconst__fact_release(made);
        return status;
    }
    *fact = made;
    return CLCONST_OK;
}

/* Shapes are no longer than that in practice. */
enum { ITEMS_MAX = 64 };

clconst_status clconst__fact_check_shape(const clconst__fact *fact,
                                         const char *subject,
                                         clconst_error *error)
{
    if (fact->dtype != CLCONST_UNDEFINED && fact->dtype != CLCONST_INT64) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s has dtype %s; it must be int64",
                             subject,
                             clconst_dtype_name(fact->dtype));
    }
    if (fact->dims != NULL && fact->rank != 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s has rank %zu; it must be 1",
                             subject,
                             fact->rank);
    }
    return CLCONST_OK;
}

clconst_status clconst__fact_itemize(clconst__fact *fact,
                                     clconst__causes *causes,
                                     clconst_error *error)
{
    bool is_integer =
        fact->dtype == CLCONST_INT64 || fact->dtype == CLCONST_INT32;
    uint64_t count;
    if (!is_integer || fact->data != NULL || fact->rank > 1 ||
        !clconst__fact_count(fact, &count) || count > ITEMS_MAX) {
        return CLCONST_OK;
    }
    clconst_status status = clconst__fact_set_value(fact, error);
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        clconst__cause cause;
        status = clconst__cause_derive(
            causes, clconst__fact_value_cause(fact), &cause, error);
        if (status == CLCONST_OK) {
            status = clconst__fact_set_cause(fact, i, cause, error);
        }
    }
    return status;
}
