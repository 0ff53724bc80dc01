#include "core/scatter.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/dtype.h"
#include "core/shape.h"

/* What the checks of one sparse tensor share. */
typedef struct sparse_parts {
    const clconst_view *values;
    const uint8_t *indices; /* of int64, at any address */
    size_t columns;         /* of the indices: 0 when they are linear */
    size_t count;
    const clconst_shape *shape;
    uint64_t element_count;
} sparse_parts;

static clconst_status
check_view(const clconst_view *view, const char *name, clconst_error *error)
{
    uint64_t count;
    size_t size;
    clconst_status status =
        clconst__shape_measure(view->dtype, &view->shape, &count, &size, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (view->size != size || (size > 0 && view->data == NULL)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s has %zu bytes; its dtype and shape take %zu",
                             name,
                             view->data == NULL ? 0 : view->size,
                             size);
    }
    return CLCONST_OK;
}

static clconst_status check_shape(const clconst_shape *shape,
                                  clconst_error *error)
{
    if (shape->rank == 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "dense shape has rank 0; a sparse tensor needs "
                             "rank 1 or more");
    }
    for (size_t i = 0; i < shape->rank; i++) {
        if (shape->dims[i] == 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_ARGUMENT,
                                 "dim %zu is 0; dims of a sparse tensor must "
                                 "be > 0",
                                 i);
        }
    }
    return CLCONST_OK;
}

/* The indices' dtype and shape: [count] or [count, rank]. */
static clconst_status check_indices(const clconst_view *indices,
                                    sparse_parts *parts,
                                    clconst_error *error)
{
    if (indices == NULL) {
        return parts->count == 0
                   ? CLCONST_OK
                   : clconst__fail(error,
                                   CLCONST_INVALID_ARGUMENT,
                                   "indices are missing; %zu values need them",
                                   parts->count);
    }
    const clconst_shape *shape = &indices->shape;
    if (indices->dtype != CLCONST_INT64) {
        const char *name = clconst_dtype_name(indices->dtype);
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "indices have dtype %s; they must be int64",
                             name != NULL ? name : "undefined");
    }
    if (shape->rank != 1 && shape->rank != 2) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "indices have rank %zu; it must be 1 or 2",
                             shape->rank);
    }
    clconst_status status = check_view(indices, "indices", error);
    if (status != CLCONST_OK) {
        return status;
    }
    if ((uint64_t)shape->dims[0] != parts->count) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "indices have %" PRId64
                             " entries; there are %zu values",
                             shape->dims[0],
                             parts->count);
    }
    parts->columns = shape->rank == 2 ? parts->shape->rank : 0;
    if (shape->rank == 2 && (uint64_t)shape->dims[1] != parts->columns) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "indices have %" PRId64
                             " columns; the dense rank is %zu",
                             shape->dims[1],
                             parts->columns);
    }
    parts->indices = indices->data;
    return CLCONST_OK;
}

/* The linear index of value number i, in range. */
static clconst_status read_index(const sparse_parts *parts,
                                 size_t i,
                                 uint64_t *index,
                                 clconst_error *error)
{
    int64_t entry;
    if (parts->columns == 0) {
        memcpy(&entry, parts->indices + i * sizeof(entry), sizeof(entry));
        if (entry < 0 || (uint64_t)entry >= parts->element_count) {
            return clconst__fail(error,
                                 CLCONST_INVALID_ARGUMENT,
                                 "index %zu is %" PRId64
                                 "; it must be >= 0 and below %" PRIu64,
                                 i,
                                 entry,
                                 parts->element_count);
        }
        *index = (uint64_t)entry;
        return CLCONST_OK;
    }
    uint64_t linear = 0;
    for (size_t j = 0; j < parts->columns; j++) {
        int64_t dim = parts->shape->dims[j];
        size_t at = (i * parts->columns + j) * sizeof(entry);
        memcpy(&entry, parts->indices + at, sizeof(entry));
        if (entry < 0 || entry >= dim) {
            return clconst__fail(error,
                                 CLCONST_INVALID_ARGUMENT,
                                 "index %zu has coordinate %" PRId64
                                 " in dim %zu; it must be >= 0 and below "
                                 "%" PRId64,
                                 i,
                                 entry,
                                 j,
                                 dim);
        }
        linear = linear * (uint64_t)dim + (uint64_t)entry;
    }
    *index = linear;
    return CLCONST_OK;
}

/* All indices: in range, ascending, each once. linear may be NULL. */
static clconst_status
read_indices(const sparse_parts *parts, uint64_t *linear, clconst_error *error)
{
    uint64_t previous = 0;
    for (size_t i = 0; i < parts->count; i++) {
        uint64_t index;
        clconst_status status = read_index(parts, i, &index, error);
        if (status != CLCONST_OK) {
            return status;
        }
        if (i > 0 && index <= previous) {
            return clconst__fail(error,
                                 CLCONST_INVALID_ARGUMENT,
                                 "index %zu is element %" PRIu64
                                 " after element %" PRIu64
                                 "; indices must ascend without repetition",
                                 i,
                                 index,
                                 previous);
        }
        previous = index;
        if (linear != NULL) {
            linear[i] = index;
        }
    }
    return CLCONST_OK;
}

/* Bytes that hold elements of fewer bits than 8, one unit each. */
typedef struct byte_units {
    uint64_t *indices;
    uint8_t *units;
    size_t count;
} byte_units;

static void add_bits(byte_units *bytes, uint64_t index, unsigned bits)
{
    if (bytes->count == 0 || bytes->indices[bytes->count - 1] != index) {
        bytes->indices[bytes->count] = index;
        bytes->units[bytes->count] = 0;
        bytes->count++;
    }
    uint8_t *unit = &bytes->units[bytes->count - 1];
    *unit = (uint8_t)(*unit | bits);
}

/* Where element number index begins; the product of index and bits could wrap.
 */
static uint64_t locate_bits(uint64_t index, unsigned bits, unsigned *shift)
{
    unsigned rest = (unsigned)(index % 8) * bits;
    *shift = rest % 8;
    return index / 8 * bits + rest / 8;
}

static void merge_bits(const sparse_parts *parts,
                       unsigned bits,
                       uint64_t *linear,
                       byte_units *bytes)
{
    const uint8_t *values = parts->values->data;
    for (size_t i = 0; i < parts->count; i++) {
        unsigned shift;
        size_t at = (size_t)locate_bits(i, bits, &shift);
        unsigned code = (unsigned)values[at] >> shift;
        if (shift + bits > 8) {
            code |= (unsigned)values[at + 1] << (8 - shift);
        }
        code &= (1U << bits) - 1U;
        uint64_t index = locate_bits(linear[i], bits, &shift);
        add_bits(bytes, index, (code << shift) & 0xffU);
        if (shift + bits > 8) {
            add_bits(bytes, index + 1, code >> (8 - shift));
        }
    }
}

/* Linear indices of whole elements stay where they are. */
static clconst_status borrow(const sparse_parts *parts,
                             clconst__scatter *scatter,
                             clconst_error *error)
{
    clconst_status status = read_indices(parts, NULL, error);
    if (status == CLCONST_OK) {
        scatter->count = parts->count;
        scatter->indices = (const uint64_t *)(const void *)parts->indices;
        scatter->units = parts->values->data;
    }
    return status;
}

static clconst_status convert(const sparse_parts *parts,
                              unsigned bits,
                              clconst__scatter *scatter,
                              clconst__storage **storage,
                              clconst_error *error)
{
    /* A 6-bit element may need two bytes; whole elements need no units. */
    size_t unit_max = 0;
    size_t size;
    uint64_t *linear;
    if (!clconst__mul_size(parts->count, bits < 8 ? 2 : 0, &unit_max) ||
        !clconst__add_size(parts->count, unit_max, &size) ||
        !clconst__mul_size(size, sizeof(*linear), &size) ||
        !clconst__add_size(size, unit_max, &size)) {
        return clconst__fail(error,
                             CLCONST_OUT_OF_MEMORY,
                             "no memory for %zu indices",
                             parts->count);
    }
    clconst__storage *created;
    clconst_status status = clconst__storage_create_block(
        size, NULL, &created, (void **)&linear, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = read_indices(parts, linear, error);
    if (status != CLCONST_OK) {
        clconst__storage_release(created);
        return status;
    }
    scatter->count = parts->count;
    scatter->indices = linear;
    scatter->units = parts->values->data;
    if (bits < 8) {
        byte_units bytes = {.indices = linear + parts->count};
        bytes.units = (uint8_t *)(bytes.indices + unit_max);
        merge_bits(parts, bits, linear, &bytes);
        scatter->count = bytes.count;
        scatter->indices = bytes.indices;
        scatter->units = bytes.units;
    }
    *storage = created;
    return CLCONST_OK;
}

clconst_status clconst__scatter_create(const clconst_view *values,
                                       const clconst_view *indices,
                                       const clconst_shape *shape,
                                       clconst__scatter *scatter,
                                       clconst__storage **storage,
                                       clconst_error *error)
{
    sparse_parts parts = {.values = values, .shape = shape};
    size_t size;
    clconst_status status = clconst__shape_measure(
        values->dtype, shape, &parts.element_count, &size, error);
    if (status == CLCONST_OK) {
        status = check_shape(shape, error);
    }
    if (status == CLCONST_OK) {
        status = check_view(values, "values", error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (values->shape.rank != 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "values have rank %zu; it must be 1",
                             values->shape.rank);
    }
    parts.count = (size_t)values->shape.dims[0];
    status = check_indices(indices, &parts, error);
    if (status != CLCONST_OK) {
        return status;
    }
    unsigned bits = values->dtype == CLCONST_STRING
                        ? 8 * (unsigned)sizeof(clconst_string)
                        : clconst_dtype_bits(values->dtype);
    clconst__scatter created = {.unit_size = bits < 8 ? 1 : bits / 8};
    *storage = NULL;
    bool is_aligned = (uintptr_t)parts.indices % _Alignof(uint64_t) == 0;
    status = parts.columns == 0 && bits >= 8 && is_aligned
                 ? borrow(&parts, &created, error)
                 : convert(&parts, bits, &created, storage, error);
    if (status == CLCONST_OK) {
        *scatter = created;
    }
    return status;
}

void clconst__scatter_apply(const clconst__scatter *scatter, uint8_t *dst)
{
    size_t size = scatter->unit_size;
    for (size_t i = 0; i < scatter->count; i++) {
        memcpy(
            dst + scatter->indices[i] * size, scatter->units + i * size, size);
    }
}
