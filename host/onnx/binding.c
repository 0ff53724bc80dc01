#include "onnx/binding.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "core/op.h"
#include "core/shape.h"
#include "onnx/quote.h"

clconst_status clconst__binding_declare(clconst__binding *binding,
                                        const clconst__declaration *declaration,
                                        clconst_error *error)
{
    binding->elem_type = declaration->elem_type;
    if (!declaration->has_rank) {
        return CLCONST_OK;
    }
    size_t rank = declaration->rank;
    clconst_status status =
        clconst__alloc(rank, sizeof(*binding->dims), &binding->dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (rank > 0) {
        memcpy(binding->dims, declaration->dims, rank * sizeof(*binding->dims));
    }
    binding->has_rank = true;
    binding->rank = rank;
    return CLCONST_OK;
}

static clconst_status check_rank(const clconst__binding *binding,
                                 const char *subject,
                                 const clconst_shape *shape,
                                 clconst_error *error)
{
    if (shape->rank > 0 && shape->dims == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "dims of the %s is NULL; rank %zu needs dims",
                             subject,
                             shape->rank);
    }
    if (shape->rank > CLCONST__RANK_MAX) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "%s has rank %zu; it must be at most %d",
                             subject,
                             shape->rank,
                             CLCONST__RANK_MAX);
    }
    if (binding->has_rank && binding->rank != shape->rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s has rank %zu; it must be %zu",
                             subject,
                             shape->rank,
                             binding->rank);
    }
    return CLCONST_OK;
}

/* A dim that is known already has one value only. */
static clconst_status check_dim(const clconst_dim *dim,
                                int64_t known,
                                const char *subject,
                                size_t index,
                                int64_t value,
                                clconst_error *error)
{
    if (value == known) {
        return CLCONST_OK;
    }
    bool is_number = dim->value >= 0;
    return clconst__fail(
        error,
        CLCONST_INVALID_ARGUMENT,
        "%s has dim %zu of %" PRId64 "; %s%s %s %" PRId64,
        subject,
        index,
        value,
        is_number ? "it" : "symbol ",
        is_number ? "" : clconst__quote(clconst__symbol_of(dim)).text,
        is_number ? "must be" : "is",
        known);
}

static clconst_status merge_dim(clconst__binding *binding,
                                clconst__symbols *symbols,
                                const char *subject,
                                size_t index,
                                int64_t value,
                                clconst_error *error)
{
    clconst_dim *dim = &binding->dims[index];
    if (value < 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s has dim %zu of %" PRId64 "; dims must be >= 0",
                             subject,
                             index,
                             value);
    }
    int64_t known;
    if (clconst__symbols_know(symbols, dim, &known)) {
        return check_dim(dim, known, subject, index, value, error);
    }
    if (dim->symbol.size > 0) {
        *clconst__symbols_find(symbols, clconst__symbol_of(dim)) =
            (clconst__symbol){true, value};
    } else {
        dim->value = value;
    }
    return CLCONST_OK;
}

clconst_status clconst__binding_merge(clconst__binding *binding,
                                      clconst__symbols *symbols,
                                      const char *subject,
                                      const clconst_shape *shape,
                                      clconst_error *error)
{
    clconst_status status = check_rank(binding, subject, shape, error);
    if (status == CLCONST_OK && !binding->has_rank) {
        status = clconst__alloc(
            shape->rank, sizeof(*binding->dims), &binding->dims, error);
        if (status == CLCONST_OK) {
            binding->has_rank = true;
            binding->rank = shape->rank;
            for (size_t i = 0; i < shape->rank; i++) {
                binding->dims[i].value = -1;
            }
        }
    }
    for (size_t i = 0; i < shape->rank && status == CLCONST_OK; i++) {
        status = merge_dim(binding, symbols, subject, i, shape->dims[i], error);
    }
    return status;
}

void clconst__binding_settle(clconst__binding *binding,
                             const clconst__symbols *symbols)
{
    for (size_t i = 0; i < binding->rank; i++) {
        int64_t value;
        if (clconst__symbols_know(symbols, &binding->dims[i], &value)) {
            binding->dims[i] = (clconst_dim){.value = value};
        }
    }
}

/* Bytes of a copy: the value's own, and those its strings point to. */
static clconst_status
measure_copy(const clconst_view *value, size_t *size, clconst_error *error)
{
    *size = value->size;
    if (value->dtype != CLCONST_STRING) {
        return CLCONST_OK;
    }
    const clconst_string *strings = value->data;
    for (size_t i = 0; i < value->size / sizeof(*strings); i++) {
        if (!clconst__add_size(*size, strings[i].size, size)) {
            return clconst__fail(error,
                                 CLCONST_OUT_OF_MEMORY,
                                 "no memory for string %zu of %zu bytes",
                                 i,
                                 strings[i].size);
        }
    }
    return CLCONST_OK;
}

/* Moves the bytes of a copied array's strings behind the array. */
static void copy_strings(clconst_string *strings, size_t count)
{
    char *next = (char *)(strings + count);
    for (size_t i = 0; i < count; i++) {
        if (strings[i].size > 0) {
            memcpy(next, strings[i].data, strings[i].size);
        }
        strings[i].data = next;
        next += strings[i].size;
    }
}

clconst_status clconst__binding_copy(clconst__binding *binding,
                                     clconst_error *error)
{
    if (binding->is_copied) {
        return CLCONST_OK;
    }
    clconst_view value;
    clconst_op_get_value(binding->op, &value);
    size_t size;
    clconst_status status = measure_copy(&value, &size, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__storage *storage;
    void *block;
    status = clconst__storage_create_block(size, NULL, &storage, &block, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (value.size > 0) {
        memcpy(block, value.data, value.size);
    }
    if (value.dtype == CLCONST_STRING) {
        copy_strings(block, value.size / sizeof(clconst_string));
    }
    value.data = block;
    clconst_op *copy;
    status =
        clconst__op_create(CLCONST_OP_CONSTANT, &value, storage, &copy, error);
    clconst__storage_release(storage);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst_op_destroy(binding->op);
    binding->op = copy;
    binding->is_copied = true;
    return CLCONST_OK;
}

void clconst__binding_clear(clconst__binding *binding)
{
    clconst_op_destroy(binding->op);
    clconst__free(binding->dims);
}
