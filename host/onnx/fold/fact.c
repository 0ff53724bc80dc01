#include "onnx/fold/fact.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "core/op.h"

clconst_status clconst__fact_create(clconst__cause cause,
                                    clconst__fact **fact,
                                    clconst_error *error)
{
    clconst_status status = clconst__alloc(1, sizeof(**fact), fact, error);
    if (status == CLCONST_OK) {
        (*fact)->refs = 1;
        (*fact)->cause = cause;
    }
    return status;
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
    clconst__free(held->own_data);
    clconst_op_destroy(held->op);
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

clconst_status
clconst__fact_set_rank(clconst__fact *fact, size_t rank, clconst_error *error)
{
    clconst__free(fact->dims);
    fact->dims = NULL;
    clconst_status status =
        clconst__alloc(rank, sizeof(*fact->dims), &fact->dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    fact->rank = rank;
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
    clconst_status status =
        clconst__alloc(fact->count, fact->element_size, &fact->own_data, error);
    fact->data = fact->own_data;
    return status;
}

void clconst__fact_clear_value(clconst__fact *fact)
{
    clconst__free(fact->own_data);
    clconst__free(fact->causes);
    fact->own_data = NULL;
    fact->causes = NULL;
    fact->data = NULL;
    fact->count = 0;
    fact->element_size = 0;
}

static clconst_status
copy_value(const clconst__fact *fact, clconst__fact *copy, clconst_error *error)
{
    copy->count = fact->count;
    copy->element_size = fact->element_size;
    copy->data = fact->data;
    clconst_status status = CLCONST_OK;
    if (fact->own_data != NULL) {
        status = clconst__alloc(
            fact->count, fact->element_size, &copy->own_data, error);
        copy->data = copy->own_data;
    }
    if (status == CLCONST_OK && fact->own_data != NULL) {
        memcpy(
            copy->own_data, fact->own_data, fact->count * fact->element_size);
    }
    if (status == CLCONST_OK && fact->causes != NULL) {
        status = clconst__alloc(
            fact->count, sizeof(*copy->causes), &copy->causes, error);
    }
    if (status == CLCONST_OK && fact->causes != NULL) {
        memcpy(copy->causes, fact->causes, fact->count * sizeof(*copy->causes));
    }
    return status;
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
    for (size_t i = 0; i < fact->rank && status == CLCONST_OK; i++) {
        made->dims[i] = fact->dims[i];
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
    for (size_t i = 0; with_value && fact->causes != NULL && i < fact->count;
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
        clconst_status status = clconst__alloc(
            fact->count, sizeof(*fact->causes), &fact->causes, error);
        if (status != CLCONST_OK) {
            return status;
        }
    }
    fact->causes[element] = cause;
    return CLCONST_OK;
}

void clconst__fact_settle(clconst__fact *fact)
{
    size_t known = 0;
    while (fact->causes != NULL && known < fact->count &&
           fact->causes[known] == CLCONST__KNOWN) {
        known++;
    }
    if (known == fact->count) {
        clconst__free(fact->causes);
        fact->causes = NULL;
    }
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

/* Shapes are no longer than that in practice. */
enum { ITEMS_MAX = 64 };

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

/* Spreads packed elements of fewer than 8 bits, one to a byte. Elements of 6
 * bits cross bytes. */
static void
unpack(const uint8_t *packed, unsigned bits, size_t count, uint8_t *elements)
{
    for (size_t i = 0; i < count; i++) {
        size_t bit = i * bits;
        unsigned shift = (unsigned)(bit % 8);
        unsigned window = packed[bit / 8];
        if (shift + bits > 8) {
            window |= (unsigned)packed[bit / 8 + 1] << 8;
        }
        elements[i] = (uint8_t)(window >> shift & ((1U << bits) - 1U));
    }
}

static void
pack(const uint8_t *elements, unsigned bits, size_t count, uint8_t *packed)
{
    for (size_t i = 0; i < count; i++) {
        size_t bit = i * bits;
        unsigned window = (unsigned)elements[i] << bit % 8;
        packed[bit / 8] |= (uint8_t)window;
        if (bit % 8 + bits > 8) {
            packed[bit / 8 + 1] |= (uint8_t)(window >> 8);
        }
    }
}

static clconst_status read_value(clconst__fact *fact,
                                 const clconst_op *op,
                                 unsigned bits,
                                 clconst_error *error)
{
    if (op->kind == CLCONST_OP_SPARSE_CONSTANT) {
        size_t size;
        clconst_status status =
            clconst_byte_size(fact->dtype, &op->dense_shape, &size, error);
        uint8_t *dense = NULL;
        if (status == CLCONST_OK) {
            status = clconst__alloc(1, size, &dense, error);
        }
        if (status == CLCONST_OK) {
            status = clconst__fact_set_value(fact, error);
        }
        if (status == CLCONST_OK) {
            clconst__scatter_apply(&op->scatter, dense);
        }
        if (status == CLCONST_OK && bits < 8) {
            unpack(dense, bits, fact->count, fact->own_data);
        } else if (status == CLCONST_OK) {
            memcpy(fact->own_data, dense, size);
        }
        clconst__free(dense);
        return status;
    }
    clconst_status status = clconst__fact_set_value(fact, error);
    if (status == CLCONST_OK) {
        unpack(op->value.data, bits, fact->count, fact->own_data);
    }
    return status;
}

/* The value of a Constant whose dims are set. */
static clconst_status take_value(clconst__fact *fact,
                                 const clconst_op *op,
                                 size_t limit,
                                 clconst_error *error)
{
    unsigned bits = clconst_dtype_bits(fact->dtype);
    uint64_t count;
    if (bits == 0 || !clconst__fact_count(fact, &count)) {
        return CLCONST_OK;
    }
    if (op->kind == CLCONST_OP_CONSTANT && bits >= 8) {
        fact->count = (size_t)count;
        fact->element_size = bits / 8U;
        /* An empty value may have no data, and still is known. */
        static const uint8_t nothing;
        fact->data = count > 0 ? op->value.data : &nothing;
        return CLCONST_OK;
    }
    return count <= limit ? read_value(fact, op, bits, error) : CLCONST_OK;
}

clconst_status clconst__fact_of_op(const clconst_op *op,
                                   size_t limit,
                                   clconst__cause cause,
                                   clconst__fact **fact,
                                   clconst_error *error)
{
    const clconst_shape *shape = op->kind == CLCONST_OP_SPARSE_CONSTANT
                                     ? &op->dense_shape
                                     : &op->value.shape;
    clconst__fact *made;
    clconst_status status = clconst__fact_create(cause, &made, error);
    if (status != CLCONST_OK) {
        return status;
    }
    made->dtype = op->value.dtype;
    made->op = clconst__op_retain(op);
    status = clconst__fact_set_rank(made, shape->rank, error);
    for (size_t i = 0; i < shape->rank && status == CLCONST_OK; i++) {
        made->dims[i] = (clconst__cell){shape->dims[i], CLCONST__KNOWN};
    }
    if (status == CLCONST_OK) {
        status = take_value(made, op, limit, error);
    }
    if (status != CLCONST_OK) {
        clconst__fact_release(made);
        return status;
    }
    *fact = made;
    return CLCONST_OK;
}

clconst_status clconst__fact_make_op(const clconst__fact *fact,
                                     clconst_op **op,
                                     clconst_error *error)
{
    if (fact->op != NULL) {
        *op = clconst__op_retain(fact->op);
        return CLCONST_OK;
    }
    int64_t *dims = NULL;
    clconst__storage *storage = NULL;
    void *block = NULL;
    unsigned bits = clconst_dtype_bits(fact->dtype);
    size_t size;
    clconst_status status =
        clconst__alloc(fact->rank, sizeof(*dims), &dims, error);
    for (size_t i = 0; i < fact->rank && status == CLCONST_OK; i++) {
        dims[i] = fact->dims[i].value;
    }
    clconst_shape shape = {dims, fact->rank};
    if (status == CLCONST_OK) {
        status = clconst_byte_size(fact->dtype, &shape, &size, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__storage_create_block(size, NULL, &storage, &block, error);
    }
    if (status == CLCONST_OK) {
        if (bits < 8) {
            pack(fact->data, bits, fact->count, block);
        } else if (size > 0) {
            memcpy(block, fact->data, size);
        }
        clconst_view view = {fact->dtype, shape, block, size};
        status =
            clconst__op_create(CLCONST_OP_CONSTANT, &view, storage, op, error);
    }
    clconst__storage_release(storage);
    clconst__free(dims);
    return status;
}
