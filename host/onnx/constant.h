/*
 * Constants: how initializers and nodes become entries of a model's listing.
 */
#ifndef CLCONST_ONNX_CONSTANT_H
#define CLCONST_ONNX_CONSTANT_H

#include "core/op.h"
#include "onnx/index.h"
#include "onnx/node.h"

/*
 * Each appends an entry to the model's constants. A constant that is not legal
 * ONNX, or not supported, is an entry with a reason and no failure; bytes that
 * are no protobuf are a failure.
 */
clconst_status clconst__constant_add_tensor(clconst__indexing *indexing,
                                            size_t graph,
                                            clconst__span bytes,
                                            clconst_error *error);
clconst_status clconst__constant_add_sparse(clconst__indexing *indexing,
                                            size_t graph,
                                            clconst__span bytes,
                                            clconst_error *error);

/* index is the node's in the model. */
clconst_status clconst__constant_add_node(clconst__indexing *indexing,
                                          size_t graph,
                                          size_t index,
                                          const clconst__node *node,
                                          clconst_op_kind kind,
                                          clconst_error *error);

/*
 * An instance, in this graph, of a constant that depends on the call of its
 * function. The context's arguments are the call's. *copied counts the bytes
 * of attributes that are not borrowed.
 */
clconst_status clconst__constant_add_instance(clconst__indexing *indexing,
                                              size_t graph,
                                              size_t source,
                                              size_t *copied,
                                              clconst_error *error);

/* Makes the entry invalid for this reason. OUT_OF_MEMORY. */
clconst_status clconst__constant_invalidate(clconst__constant *constant,
                                            const char *reason,
                                            clconst_error *error);

#endif
