/*
 * The operators of this library, from nodes: Constant and ConstantOfShape in
 * the version that the opset binds. It does not know the graph around a node.
 */
#ifndef CLCONST_ONNX_DECODE_H
#define CLCONST_ONNX_DECODE_H

#include "onnx/content.h"
#include "onnx/context.h"
#include "onnx/node.h"

/*
 * Whether a node is Constant or ConstantOfShape of the default domain, and
 * which.
 */
bool clconst__node_is_constant(const clconst__node *node,
                               clconst_op_kind *kind);

/*
 * Makes the content of such a node. UNSUPPORTED for a form that is legal but
 * not read; content then holds what is known. Clear the content in any case.
 */
clconst_status clconst__node_decode(const clconst__node *node,
                                    clconst_op_kind kind,
                                    const clconst__context *context,
                                    clconst__content *content,
                                    clconst_error *error);

/* Notes an opset from the future; STRICT refuses it. */
clconst_status clconst__opset_check(const clconst__context *context,
                                    clconst_error *error);

#endif
