/*
 * The interface of a backend: a table of functions, none optional. A backend
 * sees plans and offsets, never a dtype or a model.
 */
#ifndef CLCONST_BACKEND_BACKEND_H
#define CLCONST_BACKEND_BACKEND_H

#include "base/error.h"
#include "base/refs.h"
#include "core/batch.h"

/*
 * A block of a backend's memory. Backends put it first in a struct of their
 * own. host is NULL unless the host may read the bytes there.
 */
typedef struct clconst__memory {
    size_t size;
    const void *host;
} clconst__memory;

/* Public structs are filled whole; the caller has set struct_size. */
typedef struct clconst__backend {
    void (*get_info)(const clconst_engine *engine, clconst_engine_info *info);
    void (*get_counters)(const clconst_engine *engine,
                         clconst_engine_counters *counters);
    clconst_status (*prepare)(clconst_engine *engine, clconst_error *error);
    /* Memory of 0 bytes is valid. Of size, copied_size bytes will come from
     * sources in host memory. TOO_LARGE above the largest allocation. */
    clconst_status (*allocate)(clconst_engine *engine,
                               size_t size,
                               size_t copied_size,
                               clconst__memory **memory,
                               clconst_error *error);
    /*
     * Begins to write an arena, or a part of one: only outputs that its ranges,
     * which are ranges of placed, hold. Parts that are on their way at a time
     * do not meet. *work is NULL when all is complete, and is to be finished
     * otherwise; until then the plans and the arena's image stay. On failure
     * nothing is left running. Strings are for the CPU engine alone.
     */
    clconst_status (*start)(clconst_engine *engine,
                            const clconst__arena *arena,
                            const clconst__placed *placed,
                            clconst__memory *memory,
                            void **work,
                            clconst_error *error);
    /* Complete on return, in success and in failure. */
    clconst_status (*finish)(clconst_engine *engine,
                             void *work,
                             clconst_error *error);
    /* Complete on return. The range lies within memory. */
    clconst_status (*read)(clconst_engine *engine,
                           const clconst__memory *memory,
                           size_t offset,
                           void *dst,
                           size_t size,
                           clconst_error *error);
    void (*release)(clconst_engine *engine, clconst__memory *memory);
    void (*destroy)(clconst_engine *engine);
} clconst__backend;

/* Backends put it first in a struct of their own. */
struct clconst_engine {
    clconst__refs refs;
    const clconst__backend *backend;
};

/* What a tensor is made of. */
struct clconst_tensor {
    clconst_engine *engine;
    clconst__memory *memory;
    clconst_plan *plan; /* NULL for an arena */
    int64_t arena_dim;
};

#endif
