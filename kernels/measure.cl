/*
 * The shape of a fill that lies in device memory, judged as host/core/shape.c
 * does it. fill_measured.cl writes the bytes that the verdict allows.
 */
#include "table.clh"
#include "verdict.clh"

static void store_int(int value, __global uchar *address)
{
    vstore4(as_uchar4(value), 0, address);
}

/*
 * The one work-item writes a clconst_dynamic_result to result + result_offset.
 *
 * The host guarantees that rank 64-bit dims lie at shape + shape_offset, that
 * the result lies elsewhere, and that both have any alignment.
 */
__kernel void clconst_measure(__global uchar *result,
                              ulong result_offset,
                              __global const uchar *shape,
                              ulong shape_offset,
                              uint rank,
                              uint bits,
                              ulong capacity_size)
{
    __global const uchar *dims = shape + shape_offset;
    int status = STATUS_OK;
    int bad_dim = -1;
    ulong count = 1;
    bool has_zero = false;
    /* A negative dim is refused before a zero makes the count 0. */
    for (uint i = 0; i < rank && status == STATUS_OK; i++) {
        long dim = as_long(table_number(dims + 8 * i));
        has_zero = has_zero || dim == 0;
        if (dim < 0) {
            status = STATUS_INVALID_ARGUMENT;
            bad_dim = (int)i;
        }
    }
    for (uint i = 0; i < rank && status == STATUS_OK && !has_zero; i++) {
        ulong dim = table_number(dims + 8 * i);
        if (is_above_long(count, dim)) {
            status = STATUS_TOO_LARGE;
            bad_dim = (int)i;
        }
        count *= dim;
    }
    if (status != STATUS_OK || has_zero) {
        count = 0;
    } else if (byte_size(count, bits) > capacity_size) {
        status = STATUS_TOO_LARGE;
    }
    __global uchar *target = result + result_offset;
    store_int(status, target + RESULT_STATUS);
    store_int(bad_dim, target + RESULT_BAD_DIM);
    vstore8(as_uchar8(count), 0, target + RESULT_ELEMENT_COUNT);
}
