#include "core/op.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "core/shape.h"

static clconst_status check_value(clconst_op_kind kind,
                                  const clconst_view *value,
                                  clconst_error *error)
{
    uint64_t count;
    size_t size;
    clconst_status status = clconst__shape_measure(
        value->dtype, &value->shape, &count, &size, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (kind == CLCONST_OP_CONSTANT_OF_SHAPE) {
        if (value->dtype == CLCONST_STRING) {
            return clconst__fail(
                error,
                CLCONST_UNSUPPORTED,
                "value has dtype string; ConstantOfShape has no strings");
        }
        if (count != 1) {
            return clconst__fail(error,
                                 CLCONST_INVALID_ARGUMENT,
                                 "value has %" PRIu64
                                 " elements; ConstantOfShape needs exactly 1",
                                 count);
        }
    }
    if (value->size != size) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "value has %zu bytes; %" PRIu64
                             " elements of %s take %zu",
                             value->size,
                             count,
                             clconst_dtype_name(value->dtype),
                             size);
    }
    if (size > 0 && value->data == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "value data is NULL; %zu bytes are needed",
                             size);
    }
    return CLCONST_OK;
}

/* An operator that holds storage and a copy of the value's dims. */
static clconst_status create(clconst_op_kind kind,
                             const clconst_view *value,
                             clconst__storage *storage,
                             clconst_op **op,
                             clconst_error *error)
{
    clconst_op *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = clconst__shape_copy_dims(&value->shape, &created->dims, error);
    if (status != CLCONST_OK) {
        clconst__free(created);
        return status;
    }
    clconst__refs_init(&created->refs);
    created->kind = kind;
    created->value = *value;
    created->value.shape.dims = created->dims;
    created->storage = clconst__storage_retain(storage);
    *op = created;
    return CLCONST_OK;
}

clconst_status clconst__op_create(clconst_op_kind kind,
                                  const clconst_view *value,
                                  clconst__storage *storage,
                                  clconst_op **op,
                                  clconst_error *error)
{
    clconst_status status = check_value(kind, value, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (kind == CLCONST_OP_CONSTANT) {
        return create(kind, value, storage, op, error);
    }
    /* A fill value is copied, so nothing has to keep it. */
    clconst_op *created;
    status = create(kind, value, NULL, &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    memcpy(created->element, value->data, value->size);
    created->element[value->size - 1] &=
        clconst__dtype_last_mask(value->dtype, 1);
    created->value.data = created->element;
    *op = created;
    return CLCONST_OK;
}

clconst_status clconst__op_create_sparse(const clconst_view *values,
                                         const clconst_view *indices,
                                         const clconst_shape *shape,
                                         clconst__storage *storage,
                                         clconst_op **op,
                                         clconst_error *error)
{
    clconst__scatter scatter;
    clconst__storage *scatter_storage;
    clconst_status status = clconst__scatter_create(
        values, indices, shape, &scatter, &scatter_storage, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst_op *created;
    status =
        create(CLCONST_OP_SPARSE_CONSTANT, values, storage, &created, error);
    if (status != CLCONST_OK) {
        clconst__storage_release(scatter_storage);
        return status;
    }
    created->scatter = scatter;
    created->scatter_storage = scatter_storage;
    created->dense_shape.rank = shape->rank;
    status = clconst__shape_copy_dims(shape, &created->dense_dims, error);
    if (status != CLCONST_OK) {
        clconst_op_destroy(created);
        return status;
    }
    created->dense_shape.dims = created->dense_dims;
    *op = created;
    return CLCONST_OK;
}

clconst_status clconst_op_create_constant_of_shape(const clconst_view *value,
                                                   clconst_op **op,
                                                   clconst_error *error)
{
    static const float zero = 0.0F;
    static const clconst_view none = {
        CLCONST_FLOAT, {NULL, 0}, &zero, sizeof(zero)};
    if (op == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_ARGUMENT, "op is NULL; it is required");
    }
    return clconst__op_create(CLCONST_OP_CONSTANT_OF_SHAPE,
                              value != NULL ? value : &none,
                              NULL,
                              op,
                              error);
}

clconst_status clconst_op_create_constant(const clconst_view *value,
                                          clconst_op **op,
                                          clconst_error *error)
{
    if (value == NULL || op == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "value or op is NULL; both are required");
    }
    return clconst__op_create(CLCONST_OP_CONSTANT, value, NULL, op, error);
}

clconst_status clconst_op_create_sparse(const clconst_view *values,
                                        const clconst_view *indices,
                                        const clconst_shape *shape,
                                        clconst_op **op,
                                        clconst_error *error)
{
    if (values == NULL || shape == NULL || op == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "values, shape or op is NULL; all are required");
    }
    return clconst__op_create_sparse(values, indices, shape, NULL, op, error);
}

clconst_op_kind clconst_op_get_kind(const clconst_op *op)
{
    return op->kind;
}

void clconst_op_get_value(const clconst_op *op, clconst_view *value)
{
    *value = op->value;
}

clconst_op *clconst__op_retain(const clconst_op *op)
{
    /* The count is the one thing of an operator that changes. */
    clconst_op *held = (clconst_op *)op;
    clconst__refs_retain(&held->refs);
    return held;
}

void clconst_op_destroy(clconst_op *op)
{
    if (op == NULL || !clconst__refs_release(&op->refs)) {
        return;
    }
    clconst__storage_release(op->storage);
    clconst__storage_release(op->scatter_storage);
    clconst__free(op->dense_dims);
    clconst__free(op->dims);
    clconst__free(op);
}
