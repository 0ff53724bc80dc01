/*
 * One fill in neighbouring words, for GPUs. size bytes at buffer + offset are
 * filled, with byte i of the range set to byte i % 48 of words first, second
 * and third, except the last one, set to last. The host guarantees that the
 * range lies within the buffer and that size is not 0.
 *
 * Work-item i writes words i, i + n, i + 2n and so on of the body,
 * where n is the number of work-items, so that neighbours write neighbouring
 * words; the first ones write a byte of the head and one of the tail each.
 *
 * The host guarantees that n is a multiple of 3, so that all words of a
 * work-item are the same, at least 16, and so large that no work-item writes
 * more than 65,535 words.
 */
#include "range.clh"

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
