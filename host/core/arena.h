/*
 * How an arena is laid out and its image made: see batch.h for what lies where.
 */
#ifndef CLCONST_CORE_ARENA_H
#define CLCONST_CORE_ARENA_H

#include "core/batch.h"

/* Who writes an output. */
typedef enum clconst__writer {
    CLCONST__WRITER_FILL,   /* the fill table */
    CLCONST__WRITER_DIRECT, /* a command of its own */
    CLCONST__WRITER_IMAGE,  /* the command that writes the image */
    CLCONST__WRITER_COUNT,
} clconst__writer;

/* The writer of a plan; outputs up to expand_size bytes are in the image. */
clconst__writer clconst__arena_writer(const clconst_plan *plan,
                                      size_t expand_size);

/* An arena that grows plan by plan, as sizes only. */
typedef struct clconst__arena_sizes {
    size_t alignment;
    /* Where the image and its tables begin, and the arena ends. */
    size_t image_offset;
    size_t tables_offset;
    size_t size;
    /* Of each writer's outputs, from an aligned offset on. */
    size_t ends[CLCONST__WRITER_COUNT];
    size_t counts[CLCONST__WRITER_COUNT];
    size_t scatter_count;
    size_t pairs_size; /* of all indices and units */
} clconst__arena_sizes;

/* Adds a plan. False when the total would exceed max_size; sizes is then
 * meaningless. */
bool clconst__arena_add(clconst__arena_sizes *sizes,
                        const clconst_plan *plan,
                        clconst__writer writer,
                        size_t max_size);

/*
 * Lays out the plans of arena->all, of which filled and direct are set too:
 * sets their offsets and the rest of the arena, and makes the image.
 */
clconst_status clconst__arena_lay_out(clconst__arena *arena,
                                      clconst__placed *placed,
                                      const clconst__arena_sizes *sizes,
                                      clconst_error *error);

/* Some placed plans that are all written straight from where they lie, as an
 * arena without an image. Its size is not set. */
clconst__arena clconst__arena_of_direct(clconst__range range);

/* The arena of a lone plan, which is number 0 of its placed plans: it has no
 * image, and its size is not set. Static. */
const clconst__arena *clconst__arena_of_one(const clconst_plan *plan);

#endif
