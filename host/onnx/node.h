/*
 * NodeProto: names, and attributes that are not read yet. It does not know
 * any operator.
 */
#ifndef CLCONST_ONNX_NODE_H
#define CLCONST_ONNX_NODE_H

#include "onnx/message.h"

/* A NodeProto as read. */
typedef struct clconst__node {
    clconst__span name;
    clconst__span op_type;
    clconst__span domain;
    clconst__span overload;
    clconst__spans input;
    clconst__spans output;
    clconst__spans attribute;
} clconst__node;

/* node is zeroed; clconst__node_free is due also on failure. */
clconst_status clconst__node_read(clconst__span bytes,
                                  clconst__node *node,
                                  clconst_error *error);

void clconst__node_free(clconst__node *node);

/* Whether a domain is ONNX's own, which is written "" and "ai.onnx". */
bool clconst__is_default_domain(clconst__span domain);

#endif
