/*
 * Work shared by threads that live as long as the call. There is no pool: a
 * pool would outlive the call, and hang in a forked child.
 */
#ifndef CLCONST_BACKEND_CPU_PARALLEL_H
#define CLCONST_BACKEND_CPU_PARALLEL_H

#include <clconst/clconst.h>

/* Who runs the parts: the caller's function, or up to this many threads. */
typedef struct clconst__workers {
    unsigned thread_count;
    clconst_parallel_for parallel_for;
    void *context;
} clconst__workers;

/* The workers that an engine's options ask for. */
clconst__workers clconst__workers_from(const clconst_engine_options *options);

/*
 * Runs body for each index below count, and returns when all are done. A
 * thread that cannot be started costs time only: the caller runs its part.
 */
void clconst__parallel_run(const clconst__workers *workers,
                           size_t count,
                           clconst_parallel_body body,
                           void *context);

#endif
