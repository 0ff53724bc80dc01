/*
 * SparseTensorProto: what of it is legal ONNX, and its values and indices as
 * dense bytes. It knows nothing of the node or graph around it.
 */
#ifndef CLCONST_ONNX_SPARSE_H
#define CLCONST_ONNX_SPARSE_H

#include "onnx/tensor.h"

/*
 * One of the two tensors of a sparse tensor. bytes has no data when the tensor
 * is missing.
 */
typedef struct clconst__sparse_part {
    const char *name;
    clconst__span bytes;
    clconst__tensor tensor;
    clconst__content content;
} clconst__sparse_part;

/* A SparseTensorProto as read. */
typedef struct clconst__sparse {
    clconst__sparse_part values;
    clconst__sparse_part indices;
    clconst__dims dims;
} clconst__sparse;

/* sparse is zeroed; clconst__sparse_free is due also on failure. */
clconst_status clconst__sparse_read(clconst__span bytes,
                                    clconst__sparse *sparse,
                                    clconst_error *error);

/*
 * Checks all but the values and indices themselves, and sets the content's
 * storage, dtype and dense dims, which it takes over.
 */
clconst_status clconst__sparse_describe(clconst__sparse *sparse,
                                        const clconst__context *context,
                                        clconst__content *content,
                                        clconst_error *error);

/* Makes the content's operator of a described sparse tensor. */
clconst_status clconst__sparse_make(const clconst__sparse *sparse,
                                    const clconst__context *context,
                                    clconst__content *content,
                                    clconst_error *error);

void clconst__sparse_free(clconst__sparse *sparse);

#endif
