/*
 * Graphs and functions: their parts, and how they enter the index. A graph's
 * bodies are found here and visited later.
 */
#ifndef CLCONST_ONNX_GRAPH_H
#define CLCONST_ONNX_GRAPH_H

#include "onnx/index.h"

/* What a GraphProto or FunctionProto consists of. */
typedef struct clconst__graph_parts {
    clconst__spans node;
    clconst__spans initializer;
    clconst__spans sparse_initializer;
    clconst__spans input;
    clconst__spans output;
    clconst__spans value_info;
} clconst__graph_parts;

/* parts is zeroed; clconst__graph_parts_free is due also on failure. */
clconst_status clconst__graph_read(clconst__span bytes,
                                   clconst__graph_parts *parts,
                                   clconst_error *error);

void clconst__graph_parts_free(clconst__graph_parts *parts);

/*
 * Adds the parts of the model's last graph to the index: first the inputs,
 * then the constants in the order of the listing. A function's inputs are
 * names only. The indexing's children are then the graph's bodies.
 */
clconst_status clconst__graph_enter(clconst__indexing *indexing,
                                    const clconst__graph_parts *parts,
                                    bool is_function,
                                    clconst_error *error);

#endif
