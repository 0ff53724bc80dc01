/*
 * The operator: what a node makes, without its size. It ends the world of
 * ONNX encodings: its value is dense bytes.
 */
#ifndef CLCONST_CORE_OP_H
#define CLCONST_CORE_OP_H

#include "base/dtype.h"
#include "base/refs.h"
#include "base/storage.h"
#include "core/scatter.h"

struct clconst_op {
    clconst__refs refs;
    clconst_op_kind kind;
    clconst_view value;
    int64_t *dims; /* of the value */
    uint8_t element[CLCONST__ELEMENT_SIZE_MAX];
    clconst__storage *storage;
    /* Of a sparse constant. */
    clconst__scatter scatter;
    clconst__storage *scatter_storage;
    clconst_shape dense_shape;
    int64_t *dense_dims;
};

/*
 * A dense operator. value obeys the public rules of its kind. storage, which
 * may be NULL, owns the value's data and is retained.
 */
clconst_status clconst__op_create(clconst_op_kind kind,
                                  const clconst_view *value,
                                  clconst__storage *storage,
                                  clconst_op **op,
                                  clconst_error *error);

/* A sparse constant; storage owns the data of values and indices. */
clconst_status clconst__op_create_sparse(const clconst_view *values,
                                         const clconst_view *indices,
                                         const clconst_shape *shape,
                                         clconst__storage *storage,
                                         clconst_op **op,
                                         clconst_error *error);

/* One more reference, given back with clconst_op_destroy. */
clconst_op *clconst__op_retain(const clconst_op *op);

#endif
