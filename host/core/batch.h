/*
 * The batch: many plans laid out in arenas. It knows offsets, not devices.
 */
#ifndef CLCONST_CORE_BATCH_H
#define CLCONST_CORE_BATCH_H

#include "core/plan.h"

/* An arena holds the plans of a contiguous range of the batch. */
typedef struct clconst__arena {
    size_t first;
    size_t count;
    size_t size;
} clconst__arena;

struct clconst_batch {
    clconst__placed *placed;
    size_t count;
    clconst__arena *arenas;
    size_t arena_count;
};

#endif
