/*
 * The operator: what a node makes, without its size. It ends the world of
 * ONNX encodings: its value is dense bytes.
 */
#ifndef CLCONST_CORE_OP_H
#define CLCONST_CORE_OP_H

#include "base/dtype.h"
#include "base/refs.h"
#include "base/storage.h"

struct clconst_op {
    clconst__refs refs;
    clconst_op_kind kind;
    clconst_view value;
    int64_t *dims;
    uint8_t element[CLCONST__ELEMENT_SIZE_MAX];
    clconst__storage *storage;
};

/*
 * The one constructor. value obeys the public rules of its kind. storage, which
 * may be NULL, owns the value's data and is retained.
 */
clconst_status clconst__op_create(clconst_op_kind kind,
                                  const clconst_view *value,
                                  clconst__storage *storage,
                                  clconst_op **op,
                                  clconst_error *error);

/* One more reference, given back with clconst_op_destroy. */
clconst_op *clconst__op_retain(const clconst_op *op);

#endif
