/*
 * AttributeProto: a name, a type, and the one field that the type names. It
 * does not know which attributes an operator has.
 */
#ifndef CLCONST_ONNX_ATTRIBUTE_H
#define CLCONST_ONNX_ATTRIBUTE_H

#include "onnx/list.h"

/* An AttributeProto as read. bytes is the whole message. */
typedef struct clconst__attribute {
    clconst__span bytes;
    clconst__span name;
    clconst__span ref_attr_name;
    clconst__span s;
    clconst__span t;
    clconst__span g;
    clconst__span tp;
    clconst__span sparse_tensor;
    clconst__list floats;
    clconst__list ints;
    clconst__list strings;
    clconst__list tensors;
    clconst__list graphs;
    clconst__list type_protos;
    clconst__list sparse_tensors;
    int32_t type;
    bool has_f;
    bool has_i;
    float f;
    int64_t i;
} clconst__attribute;

/* attribute is zeroed. */
clconst_status clconst__attribute_read(clconst__span bytes,
                                       clconst__attribute *attribute,
                                       clconst_error *error);

/*
 * INVALID_MODEL unless the attribute is of this type and holds no value but
 * one of it. A reference to a function's attribute holds none.
 */
clconst_status clconst__attribute_check(const clconst__attribute *attribute,
                                        int32_t type,
                                        clconst_error *error);

/* The graphs that an attribute holds: g, or the graphs of a list. */
typedef struct clconst__bodies {
    clconst__span name;
    clconst__span g;
    clconst__spans graphs;
} clconst__bodies;

/* bodies is zeroed; its graphs are to be freed also on failure. */
clconst_status clconst__bodies_read(clconst__span bytes,
                                    clconst__bodies *bodies,
                                    clconst_error *error);

#endif
