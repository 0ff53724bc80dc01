/*
 * One fill. Arguments that both kernels share: size bytes at buffer + offset
 * are filled, with byte i of the range set to byte i % 48 of words first,
 * second and third, except the last one, set to last. The host guarantees that
 * the range lies within the buffer and that size is not 0.
 */
#include "range.clh"

/*
 * For CPU devices. Work-item i writes words i * chunk_count up to, and without,
 * (i + 1) * chunk_count of the body; the first one writes the head too and the
 * last one the tail. Stores bypass the caches, since a large range would push
 * everything else out of them.
 *
 * The host guarantees that chunk_count is a multiple of 12 and at most
 * 12 * 65535, and that there are work-items for the whole body.
 */
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

/*
 * For GPUs. Work-item i writes words i, i + n, i + 2n and so on of the body,
 * where n is the number of work-items, so that neighbours write neighbouring
 * words; the first ones write a byte of the head and one of the tail each.
 *
 * The host guarantees that n is a multiple of 3, so that all words of a
 * work-item are the same, at least 16, and so large that no work-item writes
 * more than 65,535 words.
 */
__kernel void clconst_fill_coalesced(__global uchar *buffer,
                                     ulong offset,
                                     ulong size,
                                     ulong2 first,
                                     ulong2 second,
                                     ulong2 third,
                                     uint last)
{
    fill_range range = fill_split(buffer, offset, size, first, second, third);
    __global ulong2 *body = (__global ulong2 *)(range.bytes + range.head_size);
    ulong item = get_global_id(0);
    ulong item_count = get_global_size(0);
    ulong2 word = fill_word(&range, item);
    if (item < range.head_size) {
        fill_head(&range, item, first, last);
    }
    for (ulong index = item; index < range.word_count; index += item_count) {
        body[index] = word;
    }
    if (item < range.tail_size) {
        fill_tail(&range, item, last);
    }
}
