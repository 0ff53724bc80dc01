#include "base/dtype.h"

#include "base/error.h"

typedef struct dtype_row {
    const char *name;
    unsigned bits;
} dtype_row;

static const dtype_row rows[] = {
#define CLCONST_X(name, number, bits, text) [number] = {text, bits},
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
};

static const dtype_row *find_row(clconst_dtype dtype)
{
    static const dtype_row none = {NULL, 0};
    size_t number = (size_t)dtype;
    return number < sizeof(rows) / sizeof(rows[0]) ? &rows[number] : &none;
}

const char *clconst_dtype_name(clconst_dtype dtype)
{
    return find_row(dtype)->name;
}

unsigned clconst_dtype_bits(clconst_dtype dtype)
{
    return find_row(dtype)->bits;
}

clconst_status clconst__dtype_check(clconst_dtype dtype, clconst_error *error)
{
    if (clconst_dtype_name(dtype) == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "dtype %d is not a TensorProto.DataType",
                             (int)dtype);
    }
    return CLCONST_OK;
}

uint8_t clconst__dtype_last_mask(clconst_dtype dtype, uint64_t element_count)
{
    /* Only the low three bits of the product matter, so it may wrap. */
    unsigned used = (unsigned)(element_count * clconst_dtype_bits(dtype)) & 7U;
    return (uint8_t)(used == 0 ? 0xffU : (1U << used) - 1U);
}
