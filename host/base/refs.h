/*
 * A count of an object's users, safe across threads.
 */
#ifndef CLCONST_BASE_REFS_H
#define CLCONST_BASE_REFS_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct clconst__refs {
    atomic_size_t count;
} clconst__refs;

static inline void clconst__refs_init(clconst__refs *refs)
{
    atomic_init(&refs->count, 1);
}

static inline void clconst__refs_retain(clconst__refs *refs)
{
    atomic_fetch_add_explicit(&refs->count, 1, memory_order_relaxed);
}

/* True when the caller held the last reference and must free the object. */
static inline bool clconst__refs_release(clconst__refs *refs)
{
    return atomic_fetch_sub_explicit(&refs->count, 1, memory_order_acq_rel) ==
           1;
}

#endif
