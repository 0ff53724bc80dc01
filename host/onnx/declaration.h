/*
 * Declarations: what a ValueInfoProto says of a value's type.
 */
#ifndef CLCONST_ONNX_DECLARATION_H
#define CLCONST_ONNX_DECLARATION_H

#include <clconst/clconst_model.h>

#include "onnx/message.h"

/* elem_type is 0 when it is not declared. dims is on the heap. */
typedef struct clconst__declaration {
    clconst__span name;
    int32_t elem_type;
    bool has_rank;
    clconst_dim *dims;
    size_t rank;
} clconst__declaration;

/* declaration is zeroed; its dims are to be freed also on failure. */
clconst_status clconst__declaration_read(clconst__span bytes,
                                         clconst__declaration *declaration,
                                         clconst_error *error);

/* Reads the name alone. */
clconst_status clconst__declaration_read_name(clconst__span bytes,
                                              clconst__span *name,
                                              clconst_error *error);

#endif
