/*
 * Facts of Constants, and Constants of facts.
 */
#include <string.h>

#include "base/alloc.h"
#include "core/op.h"
#include "onnx/fold/fact.h"

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

static clconst_status copy_sparse(clconst__fact *fact,
                                  const clconst_op *op,
                                  unsigned bits,
                                  clconst_error *error)
{
    size_t size;
    clconst_status status = clconst__fact_set_value(fact, error);
    if (status != CLCONST_OK || bits >= 8) {
        if (status == CLCONST_OK) {
            clconst__scatter_apply(&op->scatter, fact->own_data);
        }
        return status;
    }
    uint8_t *packed = NULL;
    status = clconst_byte_size(fact->dtype, &op->dense_shape, &size, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(1, size, &packed, error);
    }
    if (status == CLCONST_OK) {
        clconst__scatter_apply(&op->scatter, packed);
        unpack(packed, bits, fact->count, fact->own_data);
    }
    clconst__free(packed);
    return status;
}

static clconst_status copy_value(clconst__fact *fact,
                                 const clconst_op *op,
                                 unsigned bits,
                                 clconst_error *error)
{
    if (op->kind == CLCONST_OP_SPARSE_CONSTANT) {
        return copy_sparse(fact, op, bits, error);
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
    return count <= limit ? copy_value(fact, op, bits, error) : CLCONST_OK;
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

/* The bytes of a known value as a Constant has them: the fact's own, or packed
 * ones. */
static clconst_status make_storage(const clconst__fact *fact,
                                   size_t size,
                                   clconst__storage **storage,
                                   const void **bytes,
                                   clconst_error *error)
{
    unsigned bits = clconst_dtype_bits(fact->dtype);
    if (bits >= 8 && fact->storage != NULL) {
        *storage = clconst__storage_retain(fact->storage);
        *bytes = fact->own_data;
        return CLCONST_OK;
    }
    void *block = NULL;
    clconst_status status =
        clconst__storage_create_block(size, NULL, storage, &block, error);
    if (status == CLCONST_OK && bits < 8) {
        pack(fact->data, bits, fact->count, block);
    } else if (status == CLCONST_OK && size > 0) {
        memcpy(block, fact->data, size);
    }
    *bytes = block;
    return status;
}

/* A Constant of a value that is known. */
static clconst_status
make_op(const clconst__fact *fact, clconst_op **op, clconst_error *error)
{
    int64_t *dims = NULL;
    clconst__storage *storage = NULL;
    const void *bytes = NULL;
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
        status = make_storage(fact, size, &storage, &bytes, error);
    }
    if (status == CLCONST_OK) {
        clconst_view view = {fact->dtype, shape, bytes, size};
        status =
            clconst__op_create(CLCONST_OP_CONSTANT, &view, storage, op, error);
    }
    clconst__storage_release(storage);
    clconst__free(dims);
    return status;
}

clconst_status clconst__fact_make_op(const clconst__fact *fact,
                                     clconst_op **op,
                                     clconst_error *error)
{
    /* Remembered, since any number of outputs may be this value. */
    clconst__fact *held = (clconst__fact *)fact;
    clconst_status status =
        held->op == NULL ? make_op(fact, &held->op, error) : CLCONST_OK;
    if (status == CLCONST_OK) {
        *op = clconst__op_retain(held->op);
    }
    return status;
}
