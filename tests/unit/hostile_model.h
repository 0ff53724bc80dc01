/*
 * Models that are made to cost memory, resolved with what is promised.
 */
#ifndef CLCONST_TESTS_UNIT_HOSTILE_MODEL_H
#define CLCONST_TESTS_UNIT_HOSTILE_MODEL_H

#include "harness/proto.h"

/* Puts bytes before those that begin at *start, and frees them. */
void hostile_prepend(uint8_t *block, size_t *start, proto_buffer *bytes);

/*
 * Resolves a model of a graph and of functions, which may be NULL, and compares
 * what is said of output 0: reason is how that begins, and NULL for a plan. The
 * process has no more memory than is promised from then on. Frees the buffers.
 */
void hostile_check_output(proto_buffer *graph,
                          proto_buffer *functions,
                          const char *reason);

#endif
