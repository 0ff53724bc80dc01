/*
 * One fill in contiguous pieces, for CPU devices. size bytes at buffer + offset
 * are filled, with byte i of the range set to byte i % 48 of words first,
 * second and third, except the last one, set to last. The host guarantees that
 * the range lies within the buffer and that size is not 0.
 *
 * Work-item i writes words i * chunk_count up to, and without,
 * (i + 1) * chunk_count of the body; the first one writes the head too and the
 * last one the tail. Stores bypass the caches, since a large range would push
 * everything else out of them.
 *
 * The host guarantees that chunk_count is a multiple of 12 and at most
 * 12 * 65535, and that there are work-items for the whole body.
 */
#include "range.clh"

__kernel void clconst_fill_chunked(__global uchar *buffer,
                                   ulong offset,
                                   ulong size,
                                   ulong2 first,
                                   ulong2 second,
                                   ulong2 third,
                                   uint last,
                                   ulong chunk_count)
{
    fill_range range = fill_split(buffer, offset, size, first, second, third);
    ulong item = get_global_id(0);
    ulong begin = item * chunk_count;
    if (item == 0) {
        for (ulong i = 0; i < range.head_size; i++) {
            fill_head(&range, i, first, last);
        }
    }
    fill_body(&range, begin, min(begin + chunk_count, range.word_count));
    if (item + 1 == get_global_size(0)) {
        for (ulong i = 0; i < range.tail_size; i++) {
            fill_tail(&range, i, last);
        }
    }
}
