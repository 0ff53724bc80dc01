#include "core/shape.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/dtype.h"

clconst_status clconst__shape_count(const clconst_shape *shape,
                                    uint64_t *element_count,
                                    clconst_error *error)
{
    if (shape->rank > CLCONST__RANK_MAX) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "rank is %zu; it must be at most %d",
                             shape->rank,
                             CLCONST__RANK_MAX);
    }
    if (shape->rank > 0 && shape->dims == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "dims is NULL; rank %zu needs dims",
                             shape->rank);
    }
    bool has_zero = false;
    for (size_t i = 0; i < shape->rank; i++) {
        if (shape->dims[i] < 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_ARGUMENT,
                                 "dim %zu is %" PRId64 "; dims must be >= 0",
                                 i,
                                 shape->dims[i]);
        }
        has_zero = has_zero || shape->dims[i] == 0;
    }
    int64_t count = has_zero ? 0 : 1;
    for (size_t i = 0; i < shape->rank && !has_zero; i++) {
        if (!clconst__mul_int64(count, shape->dims[i], &count)) {
            return clconst__fail(error,
                                 CLCONST_TOO_LARGE,
                                 "dim %zu is %" PRId64
                                 "; the product of the dims must be below "
                                 "2^63",
                                 i,
                                 shape->dims[i]);
        }
    }
    *element_count = (uint64_t)count;
    return CLCONST_OK;
}

/* Bytes of count elements of bits each, rounded up; false from 2^63 on. */
static bool measure_bytes(uint64_t count, uint64_t bits, size_t *size)
{
    /* Whole groups of 8 elements take bits bytes each. */
    uint64_t groups;
    if (__builtin_mul_overflow(count / 8, bits, &groups)) {
        return false;
    }
    uint64_t rest = (count % 8 * bits + 7) / 8;
    int64_t bytes;
    if (__builtin_add_overflow(groups, rest, &bytes) ||
        (uint64_t)bytes > SIZE_MAX) {
        return false;
    }
    *size = (size_t)bytes;
    return true;
}

clconst_status clconst__shape_measure(clconst_dtype dtype,
                                      const clconst_shape *shape,
                                      uint64_t *element_count,
                                      size_t *size,
                                      clconst_error *error)
{
    clconst_status status = clconst__dtype_check(dtype, error);
    if (status != CLCONST_OK) {
        return status;
    }
    uint64_t count;
    status = clconst__shape_count(shape, &count, error);
    if (status != CLCONST_OK) {
        return status;
    }
    uint64_t bits = dtype == CLCONST_STRING ? sizeof(clconst_string) * 8
                                            : clconst_dtype_bits(dtype);
    if (!measure_bytes(count, bits, size)) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "shape has %" PRIu64
                             " elements of %s; their size must be below 2^63 "
                             "bytes",
                             count,
                             clconst_dtype_name(dtype));
    }
    *element_count = count;
    return CLCONST_OK;
}

clconst_status clconst_byte_size(clconst_dtype dtype,
                                 const clconst_shape *shape,
                                 size_t *size,
                                 clconst_error *error)
{
    if (shape == NULL || size == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "shape or size is NULL; both are required");
    }
    uint64_t count;
    return clconst__shape_measure(dtype, shape, &count, size, error);
}

clconst_status clconst__shape_copy_dims(const clconst_shape *shape,
                                        int64_t **dims,
                                        clconst_error *error)
{
    int64_t *copy;
    clconst_status status =
        clconst__alloc(shape->rank, sizeof(*copy), &copy, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (shape->rank > 0) {
        memcpy(copy, shape->dims, shape->rank * sizeof(*copy));
    }
    *dims = copy;
    return CLCONST_OK;
}
