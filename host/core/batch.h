/*
 * The batch: many plans laid out in arenas. It knows offsets, not devices.
 *
 * An arena begins with the outputs that commands of their own, or the fill
 * table, write. Behind them lies the image: bytes that the host has ready and
 * that one command writes. It holds the small outputs, expanded, and the
 * tables.
 */
#ifndef CLCONST_CORE_BATCH_H
#define CLCONST_CORE_BATCH_H

#include "core/plan.h"
#include "core/table.h"

/* Some plans of an arena, as a range of the batch's placed plans. */
typedef struct clconst__range {
    size_t first;
    size_t count;
} clconst__range;

/* Rows of one kind in an arena's image. */
typedef struct clconst__table {
    size_t offset; /* from the arena's begin */
    size_t row_count;
    uint64_t flat_size;
} clconst__table;

typedef struct clconst__arena {
    size_t size;
    clconst__range all;
    /* all in this order: what the fill table writes (its pairs aside), then
     * what is in the image, then what is written straight from where it lies.
     */
    clconst__range filled;
    clconst__range direct;
    size_t image_offset;
    size_t outputs_size; /* of the image's begin: outputs, without the tables */
    size_t image_size;
    uint8_t *image;
    clconst__table fills;
    clconst__table scatters;
} clconst__arena;

struct clconst_batch {
    size_t count;            /* of the caller's plans */
    size_t placed_count;     /* fewer where plans share a place */
    clconst__placed *placed; /* arena by arena */
    size_t *order;           /* plan number -> index of placed */
    clconst__arena *arenas;
    size_t arena_count;
};

#endif
