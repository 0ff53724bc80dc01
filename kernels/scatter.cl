/*
 * Units put at indices: the elements of sparse constants, over zeros that an
 * earlier command has written. Elements below a byte come merged into bytes,
 * so that no two work-items write the same byte.
 */
#include "table.clh"

/* clconst__scatter_row. */
#define ROW_SIZE       48
#define ROW_OFFSET     0
#define ROW_UNIT_SIZE  8
#define ROW_INDICES    16
#define ROW_UNITS      24
#define ROW_FLAT_BEGIN 32

/*
 * Work-item i writes the unit of pair i, counted over all rows.
 *
 * The host guarantees that row_count rows, with pair_count pairs in all, lie at
 * table + table_offset + rows_offset, their indices and units at offsets from
 * table + table_offset, and that all units go into the bytes from buffer +
 * buffer_offset on that the call may write. table may be buffer.
 */
__kernel void clconst_scatter(__global uchar *buffer,
                              ulong buffer_offset,
                              __global const uchar *table,
                              ulong table_offset,
                              ulong rows_offset,
                              ulong row_count,
                              ulong pair_count)
{
    ulong pair = get_global_id(0);
    if (pair >= pair_count) {
        return;
    }
    __global const uchar *base = table + table_offset;
    __global const uchar *rows = base + rows_offset;
    __global const uchar *row =
        rows +
        table_find(rows, row_count, ROW_SIZE, ROW_FLAT_BEGIN, pair) * ROW_SIZE;
    ulong number = pair - table_number(row + ROW_FLAT_BEGIN);
    ulong unit_size = table_number(row + ROW_UNIT_SIZE);
    ulong index =
        table_number(base + table_number(row + ROW_INDICES) + 8 * number);
    __global const uchar *unit =
        base + table_number(row + ROW_UNITS) + number * unit_size;
    __global uchar *target = buffer + buffer_offset +
                             table_number(row + ROW_OFFSET) + index * unit_size;
    for (ulong i = 0; i < unit_size; i++) {
        target[i] = unit[i];
    }
}
