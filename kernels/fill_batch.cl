/*
 * All fills of an arena in one launch, listed in a table.
 */
#include "range.clh"
#include "share.clh"
#include "table.clh"

/* clconst__fill_row. */
#define ROW_SIZE       80
#define ROW_OFFSET     48
#define ROW_BYTES      56
#define ROW_FLAT_BEGIN 64
#define ROW_LAST       72

static ulong2 row_word(__global const uchar *row, ulong index)
{
    __global const uchar *word = row + index * WORD_SIZE;
    return (ulong2)(table_number(word), table_number(word + 8));
}

/* Writes bytes from up to, and without, end of the row's tensor. */
static void fill_row_part(__global uchar *arena,
                          __global const uchar *row,
                          ulong from,
                          ulong end)
{
    fill_part(arena + table_number(row + ROW_OFFSET),
              table_number(row + ROW_BYTES),
              row_word(row, 0),
              row_word(row, 1),
              row_word(row, 2),
              (uint)table_number(row + ROW_LAST),
              from,
              end);
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
        ulong end = min(flat_begin + flat_size_of(size), chunk_end);
        fill_row_part(arena + arena_offset,
                      row,
                      position - flat_begin,
                      min(end - flat_begin, size));
        position = end;
        index++;
    }
}
