/*
 * A box inside a larger row-major tensor: rows of bytes that lie at regular
 * distances, all with the same fill.
 */
#include "range.clh"
#include "share.clh"

/* CLCONST__BOX_RANK_MAX. */
#define RANK_MAX 8

/*
 * Where a row begins, as clconst__box_row_offset tells. The unused dims are
 * never reached. There is no remainder, since compilers freeze what is divided
 * twice, and Oclgrind 21.10 does not know that instruction when it checks for
 * uninitialized values.
 */
static ulong
row_offset(ulong row, __local const ulong *counts, __local const ulong *strides)
{
    ulong offset = 0;
    for (uint dim = 0; row > 0; dim++) {
        ulong above = row / counts[dim];
        offset += (row - above * counts[dim]) * strides[dim];
        row = above;
    }
    return offset;
}

/*
 * Work-item i writes what lies on flat bytes i * chunk_size up to, and without,
 * (i + 1) * chunk_size, where each row takes row_size bytes rounded up to 64.
 *
 * The host guarantees that all rows lie within the buffer and do not overlap,
 * that row_size is not 0, that row_count is the product of the counts, of
 * which the dim whose rows lie closest comes first, that last is the pattern's
 * own byte, and that chunk_size is a multiple of 64 and at most 65,535 times
 * that.
 */
__kernel void clconst_fill_region(__global uchar *buffer,
                                  ulong offset,
                                  ulong row_size,
                                  ulong row_count,
                                  ulong8 count_values,
                                  ulong8 stride_values,
                                  ulong2 first,
                                  ulong2 second,
                                  ulong2 third,
                                  uint last,
                                  ulong chunk_size)
{
    /* Indexed by dim, which registers cannot be: as vectors these numbers take
     * more of them than AMD's GPUs have. */
    __local ulong counts[RANK_MAX];
    __local ulong strides[RANK_MAX];
    if (get_local_id(0) == 0) {
        vstore8(count_values, 0, counts);
        vstore8(stride_values, 0, strides);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong flat_row_size = flat_size_of(row_size);
    ulong position = get_global_id(0) * chunk_size;
    ulong chunk_end = min(position + chunk_size, row_count * flat_row_size);
    while (position < chunk_end) {
        ulong row = position / flat_row_size;
        ulong row_begin = row * flat_row_size;
        ulong end = min(row_begin + flat_row_size, chunk_end);
        fill_part(buffer + offset + row_offset(row, counts, strides),
                  row_size,
                  first,
                  second,
                  third,
                  last,
                  position - row_begin,
                  min(end - row_begin, row_size));
        position = end;
    }
}
