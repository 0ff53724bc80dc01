/*
 * Nodes that have no bodies: constants, calls of functions, and operators.
 */
#ifndef CLCONST_ONNX_FOLD_NODES_H
#define CLCONST_ONNX_FOLD_NODES_H

#include "onnx/fold/fold.h"

/* One step of a node's task: its inputs are demanded, or its outputs told. */
clconst_status clconst__nodes_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error);

#endif
