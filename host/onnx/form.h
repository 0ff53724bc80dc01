/*
 * Forms: the attributes that carry the value of Constant and ConstantOfShape,
 * and how each becomes an operator. One table.
 */
#ifndef CLCONST_ONNX_FORM_H
#define CLCONST_ONNX_FORM_H

#include "onnx/attribute.h"
#include "onnx/content.h"
#include "onnx/schema.h"

/* What a form is made from: an attribute of its type. */
typedef struct clconst__making {
    const clconst__attribute *attribute;
    const clconst__schema *schema;
    const clconst__context *context;
} clconst__making;

/*
 * type is the AttributeProto.AttributeType. dtype is UNDEFINED where the
 * attribute holds a tensor. source is where in a clconst__attribute the
 * elements are, list the field that holds them when there are many.
 */
typedef struct clconst__form_row {
    const char *name;
    clconst__form form;
    int32_t type;
    bool is_scalar;
    clconst_dtype dtype;
    size_t source;
    clconst__list_kind list;
    clconst_status (*make)(const struct clconst__form_row *row,
                           const clconst__making *making,
                           clconst__content *content,
                           clconst_error *error);
} clconst__form_row;

/* The row of an attribute's name, or NULL. */
const clconst__form_row *clconst__form_find(clconst__span name);

#endif
