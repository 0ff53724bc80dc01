/*
 * Scopes: the text that says where in a model a graph is, as the path of the
 * nodes or the function around it.
 */
#ifndef CLCONST_ONNX_SCOPE_H
#define CLCONST_ONNX_SCOPE_H

#include "onnx/model.h"

/*
 * Texts of all graphs together. A name may be long and have many graphs below
 * it, so that without a limit a small file could ask for any amount of
 * memory.
 */
#define CLCONST__SCOPE_SIZE_MAX ((size_t)16 << 20)

/*
 * Gives a graph its scope, if it has none: NODE.ATTRIBUTE for each node around
 * it, joined by slashes, behind the scope of the function that it is in. NODE
 * is the node's name, or OPTYPE_INDEX; graphs of a list have their place in
 * brackets. *total counts the texts' bytes. TOO_LARGE above the limit.
 */
clconst_status clconst__scope_make(clconst_model *model,
                                   size_t graph,
                                   size_t *total,
                                   clconst_error *error);

/* Gives a function's graph its scope: DOMAIN.NAME, and .OVERLOAD if any. */
clconst_status clconst__scope_make_function(clconst_model *model,
                                            size_t graph,
                                            clconst__span domain,
                                            clconst__span name,
                                            clconst__span overload,
                                            size_t *total,
                                            clconst_error *error);

/*
 * A new text that leads to a call: the caller's prefix and the scope of the
 * graph that the calling node is in, the node, and a colon.
 */
clconst_status clconst__scope_make_call(clconst_model *model,
                                        clconst__span prefix,
                                        size_t graph,
                                        size_t node,
                                        size_t *total,
                                        clconst__span *text,
                                        clconst_error *error);

/* Gives a graph the scope of another behind a prefix. */
clconst_status clconst__scope_make_instance(clconst_model *model,
                                            size_t graph,
                                            clconst__span prefix,
                                            size_t source,
                                            size_t *total,
                                            clconst_error *error);

#endif
