/*
 * Operations that write what is no whole tensor in a buffer: a region, a tensor
 * whose shape lies on the device, and memory that a pointer names.
 */
#ifndef CLCONST_TESTS_TARGETS_H
#define CLCONST_TESTS_TARGETS_H

#include "faults/operations.h"

clconst_status
targets_enqueue_region(world *w, const operation *o, clconst_error *error);

/* The shape of the fill and what is enqueued with it, and the result. */
void targets_make_shape(world *w, const operation *o);
clconst_status
targets_enqueue_dynamic(world *w, const operation *o, clconst_error *error);
void targets_check_result(world *w, const operation *o);

/* Memory of guards, where the device has such memory. Elsewhere the operation
 * is to be refused. */
void targets_make_memory(world *w, const operation *o);
clconst_status
targets_enqueue_pointer(world *w, const operation *o, clconst_error *error);
void targets_guard_memory(world *w, const operation *o, const char *row);
void targets_check_memory(world *w, const operation *o);

#endif
