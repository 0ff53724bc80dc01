/*
 * Functions: how nodes that call them find them, and what calls what. It knows
 * nothing of what is in their bodies.
 */
#ifndef CLCONST_ONNX_FUNCTIONS_H
#define CLCONST_ONNX_FUNCTIONS_H

#include "onnx/names.h"
#include "onnx/node.h"

/* An attribute of a call, or a default: bytes is its AttributeProto.
 * reference is the attribute of the calling function that it stands for. */
typedef struct clconst__argument {
    clconst__span name;
    clconst__span reference;
    clconst__span bytes;
} clconst__argument;

/* Reads name and reference from the argument's bytes. */
clconst_status clconst__argument_read(clconst__argument *argument,
                                      clconst_error *error);

/* What a call gives to a function, and the function's defaults. */
typedef struct clconst__arguments {
    const clconst__argument *given;
    size_t given_count;
    const clconst__argument *defaults;
    size_t default_count;
} clconst__arguments;

/* A node that calls a function; the graph and node are indexes in the model. */
typedef struct clconst__call {
    size_t graph;
    size_t node;
    size_t function;
    size_t first_argument;
    size_t argument_count;
} clconst__call;

/*
 * A function, or the main graph, which is the first. graph is the index of its
 * body in the model. Its calls, the constants
 * that depend on its call, and its defaults are ranges. is_needed says whether
 * it or a function that it calls has such constants.
 */
typedef struct clconst__function {
    uint8_t *id; /* on the heap */
    clconst__span name;
    int64_t opset;
    size_t graph;
    size_t first_call;
    size_t call_count;
    size_t first_template;
    size_t template_count;
    size_t first_default;
    size_t default_count;
    bool is_needed;
    bool is_called;
} clconst__function;

typedef struct clconst__functions {
    clconst__names ids;
    clconst__function *items;
    size_t count;
    size_t capacity;
    clconst__call *calls;
    size_t call_count;
    size_t call_capacity;
    clconst__argument *arguments;
    size_t argument_count;
    size_t argument_capacity;
} clconst__functions;

/* With the main graph. functions is zeroed; free it also on failure. */
clconst_status clconst__functions_init(clconst__functions *functions,
                                       clconst_error *error);

void clconst__functions_free(clconst__functions *functions);

/* Appends the function of a FunctionProto. INVALID_MODEL for a second one of
 * the same domain, name and overload. */
clconst_status clconst__functions_add(clconst__functions *functions,
                                      clconst__span bytes,
                                      clconst_error *error);

/* Appends a call, if the node calls a function; *function is 0 if not. */
clconst_status clconst__functions_add_call(clconst__functions *functions,
                                           size_t graph,
                                           size_t index,
                                           const clconst__node *node,
                                           size_t *function,
                                           clconst_error *error);

/*
 * Decides which functions are needed, from those that have templates.
 * INVALID_MODEL for a function that calls itself, also through others.
 */
clconst_status clconst__functions_sort(clconst__functions *functions,
                                       clconst_error *error);

#endif
