#include "core/arena.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"

/*
 * A copy up to this size goes through the image, a larger one is written
 * straight from where it lies: about there, one command more costs as much as
 * copying the bytes (2 to 3 microseconds against 10 GB/s).
 */
#define GATHER_SIZE ((size_t)32 << 10)

/* What the kernels of the tables read at once. */
enum { TABLE_ALIGNMENT = 16 };

clconst__writer clconst__arena_writer(const clconst_plan *plan,
                                      size_t expand_size)
{
    if (plan->size <= expand_size) {
        return CLCONST__WRITER_IMAGE;
    }
    if (plan->content != CLCONST__CONTENT_BYTES) {
        return CLCONST__WRITER_FILL;
    }
    return plan->size <= GATHER_SIZE ? CLCONST__WRITER_IMAGE
                                     : CLCONST__WRITER_DIRECT;
}

/* Indices and units of one scatter. */
static bool measure_pairs(const clconst__scatter *scatter, size_t *size)
{
    return clconst__mul_size(
               scatter->count, sizeof(uint64_t) + scatter->unit_size, size) &&
           clconst__align_size(*size, TABLE_ALIGNMENT, size);
}

/* A lone fill needs no table: a command of its own writes it. */
static bool needs_table(const clconst__arena_sizes *sizes)
{
    return sizes->counts[CLCONST__WRITER_FILL] > 1;
}

/* Sets the offsets and the size that follow from the rest; false when they
 * overflow. */
static bool measure(clconst__arena_sizes *sizes)
{
    const size_t *ends = sizes->ends;
    size_t body = ends[CLCONST__WRITER_FILL];
    /* As they are laid out: all fills, and behind them the direct ones. */
    if (sizes->counts[CLCONST__WRITER_DIRECT] > 0 &&
        (!clconst__align_size(body, sizes->alignment, &body) ||
         !clconst__add_size(body, ends[CLCONST__WRITER_DIRECT], &body))) {
        return false;
    }
    sizes->image_offset = body;
    if (sizes->counts[CLCONST__WRITER_IMAGE] > 0 &&
        !clconst__align_size(body, sizes->alignment, &sizes->image_offset)) {
        return false;
    }
    if (!clconst__add_size(sizes->image_offset,
                           ends[CLCONST__WRITER_IMAGE],
                           &sizes->tables_offset)) {
        return false;
    }
    sizes->size = sizes->tables_offset;
    if (!needs_table(sizes)) {
        return true;
    }
    /* Row counts are counts of plans in memory, so their sizes fit. */
    size_t rows =
        sizes->counts[CLCONST__WRITER_FILL] * sizeof(clconst__fill_row) +
        sizes->scatter_count * sizeof(clconst__scatter_row);
    return clconst__align_size(
               sizes->tables_offset, TABLE_ALIGNMENT, &sizes->tables_offset) &&
           clconst__add_size(sizes->tables_offset, rows, &sizes->size) &&
           clconst__add_size(sizes->size, sizes->pairs_size, &sizes->size);
}

/* Room for size bytes more at an aligned offset. */
static bool append(size_t *end, size_t size, size_t alignment)
{
    return clconst__align_size(*end, alignment, end) &&
           clconst__add_size(*end, size, end);
}

bool clconst__arena_add(clconst__arena_sizes *sizes,
                        const clconst_plan *plan,
                        clconst__writer writer,
                        size_t max_size)
{
    if (!append(&sizes->ends[writer], plan->size, sizes->alignment)) {
        return false;
    }
    sizes->counts[writer]++;
    if (writer == CLCONST__WRITER_FILL &&
        plan->content == CLCONST__CONTENT_PAIRS) {
        size_t pairs_size;
        if (!measure_pairs(plan->scatter, &pairs_size) ||
            !clconst__add_size(
                sizes->pairs_size, pairs_size, &sizes->pairs_size)) {
            return false;
        }
        sizes->scatter_count++;
    }
    return measure(sizes) && sizes->size <= max_size;
}

/* Offsets of some plans from a begin on, each aligned; sums checked before.
 * Returns where they end. */
static size_t place_all(clconst__placed *placed,
                        clconst__range range,
                        size_t begin,
                        size_t alignment)
{
    size_t end = begin;
    for (size_t i = range.first; i < range.first + range.count; i++) {
        append(&end, placed[i].plan->size, alignment);
        placed[i].offset = end - placed[i].plan->size;
    }
    return end;
}

static uint64_t flat_size(uint64_t size)
{
    return (size + CLCONST__FLAT_STEP - 1) / CLCONST__FLAT_STEP *
           CLCONST__FLAT_STEP;
}

/* The image's byte at an offset from the arena's begin. */
static uint8_t *image_at(const clconst__arena *arena, size_t offset)
{
    return arena->image + (offset - arena->image_offset);
}

static void write_fill_rows(clconst__arena *arena,
                            const clconst__placed *filled)
{
    for (size_t i = 0; i < arena->filled.count; i++) {
        const clconst_plan *plan = filled[i].plan;
        clconst__fill_row row = {
            .pattern = plan->pattern,
            .offset = filled[i].offset,
            .size = plan->size,
            .flat_begin = arena->fills.flat_size,
            .last_byte = plan->last_byte,
        };
        memcpy(image_at(arena, arena->fills.offset + i * sizeof(row)),
               &row,
               sizeof(row));
        arena->fills.flat_size += flat_size(row.size);
    }
    arena->fills.row_count = arena->filled.count;
}

/* One row, its indices and units at pairs_offset. */
static void write_scatter_row(clconst__arena *arena,
                              const clconst__placed *output,
                              size_t pairs_offset)
{
    const clconst__scatter *scatter = output->plan->scatter;
    clconst__scatter_row row = clconst__scatter_row_of(
        scatter, output->offset, pairs_offset, arena->scatters.flat_size);
    size_t row_offset =
        arena->scatters.offset + arena->scatters.row_count * sizeof(row);
    memcpy(image_at(arena, row_offset), &row, sizeof(row));
    memcpy(image_at(arena, row.indices_offset),
           scatter->indices,
           scatter->count * sizeof(uint64_t));
    memcpy(image_at(arena, row.units_offset),
           scatter->units,
           scatter->count * scatter->unit_size);
    arena->scatters.row_count++;
    arena->scatters.flat_size += row.count;
}

static void write_scatter_rows(clconst__arena *arena,
                               const clconst__placed *filled,
                               size_t pairs_offset)
{
    for (size_t i = 0; i < arena->filled.count; i++) {
        const clconst_plan *plan = filled[i].plan;
        if (plan->content == CLCONST__CONTENT_PAIRS &&
            plan->scatter->count > 0) {
            write_scatter_row(arena, &filled[i], pairs_offset);
            size_t pairs_size;
            measure_pairs(plan->scatter, &pairs_size);
            pairs_offset += pairs_size;
        }
    }
}

clconst_status clconst__arena_lay_out(clconst__arena *arena,
                                      clconst__placed *placed,
                                      const clconst__arena_sizes *sizes,
                                      clconst_error *error)
{
    size_t small_begin = arena->filled.first + arena->filled.count;
    clconst__range small = {small_begin, arena->direct.first - small_begin};
    size_t filled_end = place_all(placed, arena->filled, 0, sizes->alignment);
    place_all(placed, arena->direct, filled_end, sizes->alignment);
    place_all(placed, small, sizes->image_offset, sizes->alignment);
    arena->size = sizes->size;
    arena->image_offset = sizes->image_offset;
    arena->outputs_size = sizes->ends[CLCONST__WRITER_IMAGE];
    arena->image_size = sizes->size - sizes->image_offset;
    if (arena->image_size == 0) {
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__alloc(arena->image_size, 1, &arena->image, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = small.first; i < small.first + small.count; i++) {
        clconst__plan_expand(placed[i].plan,
                             arena->image +
                                 (placed[i].offset - sizes->image_offset));
    }
    if (needs_table(sizes)) {
        const clconst__placed *filled = placed + arena->filled.first;
        arena->fills.offset = sizes->tables_offset;
        write_fill_rows(arena, filled);
        arena->scatters.offset =
            sizes->tables_offset +
            arena->filled.count * sizeof(clconst__fill_row);
        write_scatter_rows(arena,
                           filled,
                           arena->scatters.offset +
                               sizes->scatter_count *
                                   sizeof(clconst__scatter_row));
    }
    return CLCONST_OK;
}

clconst__arena clconst__arena_of_direct(clconst__range range)
{
    return (clconst__arena){
        .all = range,
        .filled = {range.first, 0},
        .direct = range,
    };
}

const clconst__arena *clconst__arena_of_one(const clconst_plan *plan)
{
    static const clconst__arena filled = {.all = {0, 1}, .filled = {0, 1}};
    static const clconst__arena direct = {.all = {0, 1}, .direct = {0, 1}};
    return plan->content == CLCONST__CONTENT_BYTES ? &direct : &filled;
}
