/*
 * Links: the values that nodes read and define and that graphs give out. A name
 * is looked up when its graph is complete, since a later node may define it.
 */
#ifndef CLCONST_ONNX_LINKS_H
#define CLCONST_ONNX_LINKS_H

#include "onnx/index.h"

/* Appends a link to a value that is known. */
clconst_status
clconst__link_add(clconst_model *model, size_t value, clconst_error *error);

/* Appends links to what the names stand for when the graph is complete. */
clconst_status clconst__links_add_names(clconst__indexing *indexing,
                                        const clconst__spans *names,
                                        clconst_error *error);

/* Looks up the names that were added since the last time. */
clconst_status clconst__links_find(clconst__indexing *indexing,
                                   clconst_error *error);

/*
 * Decides which values of a function's graph, or of a graph in a function,
 * depend on its call, and with them the constants from first_constant on. The
 * graph's links are found. A node that lies before one that it reads from,
 * which ONNX forbids, may seem not to.
 */
clconst_status clconst__links_depend(clconst_model *model,
                                     size_t graph,
                                     size_t first_constant,
                                     clconst_error *error);

/* A graph's value of this name that a node defines is described by the bytes of
 * a ValueInfoProto. */
clconst_status clconst__links_inform(clconst__indexing *indexing,
                                     size_t first_value,
                                     clconst__span information,
                                     clconst_error *error);

#endif
