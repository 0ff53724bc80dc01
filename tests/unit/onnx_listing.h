/*
 * Models from text, and what the library lists for them as text: one line per
 * constant, then one per output.
 *
 *   SCOPE|NAME|OP_TYPE|STORAGE|DTYPE|STATE DIMS|REASON
 *   output|NAME|STATE DIMS|REASON
 *
 * STATE is +, ? or ! for resolved, unresolved and invalid; DIMS are [2,n,?],
 * or nothing when the rank is unknown.
 */
#ifndef CLCONST_TESTS_UNIT_ONNX_LISTING_H
#define CLCONST_TESTS_UNIT_ONNX_LISTING_H

#include <clconst/clconst_model.h>

#include "harness/proto.h"

/* A model of IR version 8 and opset 13 with this GraphProto and further fields
 * of ModelProto. */
void model_append(proto_buffer *buffer, const char *graph, const char *rest);

typedef struct listing_text {
    char text[16384];
    size_t size;
} listing_text;

/* Lists a model; bindings may be NULL. */
void listing_make_of(listing_text *list,
                     const clconst_model *model,
                     const clconst_bindings *bindings);

/* Parses the buffer and lists it. */
void listing_make(listing_text *list,
                  const proto_buffer *buffer,
                  const clconst_bindings *bindings);

#endif
