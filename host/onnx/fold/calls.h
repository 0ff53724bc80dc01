/*
 * Calls: nodes that call functions, and what the calls give to them.
 */
#ifndef CLCONST_ONNX_FOLD_CALLS_H
#define CLCONST_ONNX_FOLD_CALLS_H

#include "onnx/fold/fold.h"
#include "onnx/node.h"

/* One step of a calling node's task. */
clconst_status clconst__calls_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error);

/* The frame of the function that a node calls, in the frame of the node. */
clconst_status clconst__calls_enter(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    clconst__frame **callee,
                                    clconst_error *error);

/* The function that a frame is in, or the main graph's entry. */
const clconst__function *clconst__calls_function(const clconst__fold *fold,
                                                 const clconst__frame *frame);

/* What the call that a frame is in gives to its function. */
clconst__arguments clconst__calls_arguments(const clconst__fold *fold,
                                            const clconst__frame *frame);

/*
 * A node's attributes, in a new array. A reference to an attribute of the
 * function that the frame is in is replaced by what the call gives, or by the
 * function's default; without either the node has no such attribute. *is_open:
 * some are left out because the call is not known. TOO_LARGE when an evaluation
 * has looked at too many.
 */
clconst_status clconst__calls_attributes(clconst__fold *fold,
                                         const clconst__frame *frame,
                                         const clconst__node *node,
                                         clconst__argument **attributes,
                                         size_t *count,
                                         bool *is_open,
                                         clconst_error *error);

#endif
