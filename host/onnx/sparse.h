/*
 * SparseTensorProto: the name, dtype and dense dims of a sparse tensor.
 */
#ifndef CLCONST_ONNX_SPARSE_H
#define CLCONST_ONNX_SPARSE_H

#include "onnx/content.h"

/*
 * Sets the content's storage, dtype and dims, and the name of the values. The
 * status is UNSUPPORTED for a sparse tensor that can be read, since none can
 * be made dense.
 */
clconst_status clconst__sparse_describe(clconst__span bytes,
                                        clconst__span *name,
                                        clconst__content *content,
                                        clconst_error *error);

#endif
