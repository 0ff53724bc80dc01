/*
 * Applying an operator: from what is known of a node's inputs to what is known
 * of its outputs.
 */
#ifndef CLCONST_ONNX_FOLD_APPLY_H
#define CLCONST_ONNX_FOLD_APPLY_H

#include "onnx/fold/fold.h"
#include "onnx/node.h"

/* Finishes the node. inputs has one fact for each of the node's inputs. */
clconst_status clconst__apply(clconst__fold *fold,
                              clconst__frame *frame,
                              size_t index,
                              const clconst__node *node,
                              const clconst__fact *const *inputs,
                              clconst_error *error);

#endif
