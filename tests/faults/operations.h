/*
 * The public operations that reach OpenCL, as a table: tests run each of them
 * with something failing underneath.
 */
#ifndef CLCONST_TESTS_OPERATIONS_H
#define CLCONST_TESTS_OPERATIONS_H

#include "faults/failing.h"
#include "faults/world.h"

typedef struct operation {
    const char *name;
    /* What comes before the call, and is never failed; may be NULL. */
    void (*begin)(world *w, const struct operation *operation);
    clconst_status (*call)(world *w,
                           const struct operation *operation,
                           clconst_error *error);
    /* After a call that succeeded: its bytes are right. Gives back what it
     * made. */
    void (*check)(world *w, const struct operation *operation);
    /* After a call that failed, with its queue finished: guards around what it
     * may have written. NULL: it writes no memory of the caller's. */
    void (*guard)(world *w, const struct operation *operation, const char *row);
    clconst_fill_path path;
    int output;       /* a plan or a batch of the world's */
    bool is_first;    /* the first call of a new engine */
    bool uses_folder; /* of programs */
    /* On PoCL, whose large buffers lie in memory of this library, and whose
     * native kernels share their work out to threads. */
    failing_needs needs;
} operation;

extern const operation operations[];
extern const size_t operation_count;

/* Before the first call of an operation and after the last one. Unless each
 * call is the first one of a new engine, all have one engine. */
void operations_open(world *w, const operation *o);
void operations_close(world *w);

/* Before and after each call. */
void operation_begin(world *w, const operation *o);
void operation_end(world *w, const operation *o);

#endif
