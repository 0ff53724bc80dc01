/*
 * The content of a constant: the operator that a node or tensor makes, or as
 * much of it as is known when there is none.
 */
#ifndef CLCONST_ONNX_CONTENT_H
#define CLCONST_ONNX_CONTENT_H

#include "onnx/message.h"

/* The first CLCONST__RANK_MAX dims; count goes on, so that it can be named. */
typedef struct clconst__dims {
    int64_t *items;
    size_t count;
    size_t capacity;
} clconst__dims;

/* Appends the dims of an occurrence to a clconst__dims. */
clconst_status clconst__take_dims(const clconst__occurrence *occurrence,
                                  void *target,
                                  clconst_error *error);

/* storage is as in clconst_constant. has_dims says whether dims are known.
 * is_reference says that the call of a function decides the value.
 * attribute_size is that of the AttributeProto that gives it. */
typedef struct clconst__content {
    const char *storage;
    clconst_dtype dtype;
    bool has_dims;
    bool is_reference;
    size_t attribute_size;
    clconst__dims dims;
    clconst_op *op;
} clconst__content;

/* Whether a status judges a content, and is no failure to read it. */
bool clconst__is_verdict(clconst_status status);

/* Frees what it holds and makes it empty. */
void clconst__content_clear(clconst__content *content);

#endif
