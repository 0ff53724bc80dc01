/*
 * A fill whose shape lies in device memory, as measure.cl has judged it.
 */
#include "range.clh"
#include "share.clh"
#include "table.clh"
#include "verdict.clh"

/*
 * Work-item i writes bytes i * chunk_size up to, and without, (i + 1) *
 * chunk_size of what the result allows.
 *
 * The host guarantees that clconst_measure has written the result, with a
 * capacity that lies at buffer + offset and for which there are work-items, and
 * that chunk_size is a multiple of 64 and at most 65,535 times that.
 */
__kernel void clconst_fill_measured(__global uchar *buffer,
                                    ulong offset,
                                    __global const uchar *result,
                                    ulong result_offset,
                                    uint bits,
                                    ulong2 first,
                                    ulong2 second,
                                    ulong2 third,
                                    ulong chunk_size)
{
    __global const uchar *verdict = result + result_offset;
    int status = as_int(vload4(0, verdict + RESULT_STATUS));
    ulong count = table_number(verdict + RESULT_ELEMENT_COUNT);
    ulong size = status == STATUS_OK ? byte_size(count, bits) : 0;
    ulong position = get_global_id(0) * chunk_size;
    if (position >= size) {
        return;
    }
    ulong index = size - 1;
    uint used = (uint)(count * bits) % 8;
    uint mask = used == 0 ? 0xff : (1u << used) - 1;
    uint last = fill_byte(fill_pick(first, second, third, index / WORD_SIZE),
                          index % WORD_SIZE) &
                mask;
    fill_part(buffer + offset,
              size,
              first,
              second,
              third,
              last,
              position,
              min(position + chunk_size, size));
}
