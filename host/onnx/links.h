/*
 * Links: the values that nodes read and define and that graphs give out. A name
 * is looked up when its graph is complete, since a later node may define it.
 */
#ifndef CLCONST_ONNX_LINKS_H
#define CLCONST_ONNX_LINKS_H

#include "onnx/graph.h"

/* Appends a link to a value that is known. */
clconst_status
clconst__link_add(clconst_model *model, size_t value, clconst_error *error);

/* Appends links to what the names stand for when the graph is complete. */
clconst_status clconst__links_add_names(clconst__indexing *indexing,
                                        const clconst__spans *names,
                                        clconst_error *error);

/*
 * Completes the model's last graph, when all of its parts are added, and its
 * values and constants begin at these: its outputs become links, the names of
 * its links are looked up, constants get their shapes and values what its
 * ValueInfoProtos say. In a function, it is decided what depends on the call.
 */
clconst_status clconst__links_complete(clconst__indexing *indexing,
                                       const clconst__graph_parts *parts,
                                       size_t first_value,
                                       size_t first_constant,
                                       bool is_function,
                                       clconst_error *error);

#endif
