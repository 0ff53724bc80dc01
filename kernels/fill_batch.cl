/*
 * All fills of an arena in one launch. The work is one line of flat bytes, on
 * which each tensor takes its size rounded up to 64; work-items share the line
 * out evenly, so that one large tensor among many small ones stalls nobody.
 */
#include "range.clh"
#include "table.clh"

/* clconst__fill_row. */
#define ROW_SIZE       80
#define ROW_OFFSET     48
#define ROW_BYTES      56
#define ROW_FLAT_BEGIN 64
#define ROW_LAST       72
#define FLAT_STEP      64

static ulong2 row_word(__global const uchar *row, ulong index)
{
    __global const uchar *word = row + index % 3 * WORD_SIZE;
    return (ulong2)(table_number(word), table_number(word + 8));
}

/* Writes bytes from up to, and without, end of the row's tensor; from is a
 * multiple of FLAT_STEP, so of a word. */
static void fill_part(__global uchar *arena,
                      ulong arena_offset,
                      __global const uchar *row,
                      ulong from,
                      ulong end)
{
    ulong size = table_number(row + ROW_BYTES);
    ulong phase = from / WORD_SIZE;
    ulong2 first = row_word(row, phase);
    ulong last_index = end - from - 1;
    uint last = end == size
                    ? (uint)table_number(row + ROW_LAST)
                    : fill_byte(row_word(row, phase + last_index / WORD_SIZE),
                                last_index % WORD_SIZE);
    fill_range range =
        fill_split(arena,
                   arena_offset + table_number(row + ROW_OFFSET) + from,
                   end - from,
                   first,
                   row_word(row, phase + 1),
                   row_word(row, phase + 2));
    for (ulong i = 0; i < range.head_size; i++) {
        fill_head(&range, i, first, last);
    }
    fill_body(&range, 0, range.word_count);
    for (ulong i = 0; i < range.tail_size; i++) {
        fill_tail(&range, i, last);
    }
}

/*
 * Work-item i writes what lies on flat bytes i * chunk_size up to, and without,
 * (i + 1) * chunk_size.
 *
 * The host guarantees that row_count rows lie at arena + arena_offset +
 * rows_offset and are not written meanwhile, that their tensors lie within the
 * arena, that flat_size is the sum of their flat sizes, and that chunk_size is
 * a multiple of 64 and at most 65,535 times that.
 */
__kernel void clconst_fill_batch(__global uchar *arena,
                                 ulong arena_offset,
                                 ulong rows_offset,
                                 ulong row_count,
                                 ulong flat_size,
                                 ulong chunk_size)
{
    __global const uchar *rows = arena + arena_offset + rows_offset;
    ulong position = get_global_id(0) * chunk_size;
    ulong chunk_end = min(position + chunk_size, flat_size);
    if (position >= chunk_end) {
        return;
    }
    ulong index =
        table_find(rows, row_count, ROW_SIZE, ROW_FLAT_BEGIN, position);
    while (position < chunk_end) {
        __global const uchar *row = rows + index * ROW_SIZE;
        ulong flat_begin = table_number(row + ROW_FLAT_BEGIN);
        ulong size = table_number(row + ROW_BYTES);
        ulong flat_end =
            flat_begin + (size + FLAT_STEP - 1) / FLAT_STEP * FLAT_STEP;
        ulong end = min(flat_end, chunk_end);
        fill_part(arena,
                  arena_offset,
                  row,
                  position - flat_begin,
                  min(end - flat_begin, size));
        position = end;
        index++;
    }
}
