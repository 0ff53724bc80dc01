/*
 * Indexing: one walk over a model's bytes, which fills the model. Graphs are
 * visited from a list of work, not by recursion, so the depth of a file costs
 * no stack.
 *
 * Each byte is read a fixed number of times, and each name is looked up once
 * where it is used. Time is in proportion to the size of the file; memory,
 * too, at most about 150 bytes for each byte of a file made of nothing but
 * empty initializers, and a few bytes in the files that tools write.
 */
#ifndef CLCONST_ONNX_INDEX_H
#define CLCONST_ONNX_INDEX_H

#include "onnx/context.h"
#include "onnx/functions.h"
#include "onnx/model.h"

/* A graph to visit, or to leave when body has no data. */
typedef struct clconst__visit {
    clconst__span body;
    clconst__graph graph;
    size_t mark;
} clconst__visit;

typedef struct clconst__visits {
    clconst__visit *items;
    size_t count;
    size_t capacity;
} clconst__visits;

/* A link whose name is looked up when its graph is complete. */
typedef struct clconst__use {
    size_t link;
    clconst__span name;
} clconst__use;

/* What the walk has in hand. context is that of the main graph or function
 * being visited, function its index in the model's functions; children are the
 * bodies found in the present graph. */
typedef struct clconst__indexing {
    clconst_model *model;
    clconst__context context;
    size_t function;
    clconst__names names;
    clconst__visits work;
    clconst__visits children;
    clconst__use *uses;
    size_t use_count;
    size_t use_capacity;
    size_t scope_size;
} clconst__indexing;

/*
 * Fills a zeroed model from the bytes of a ModelProto. context has no opset.
 * On failure the model holds what was built so far.
 */
clconst_status clconst__index_model(clconst_model *model,
                                    clconst__span bytes,
                                    const clconst__context *context,
                                    clconst_error *error);

#endif
