/*
 * TensorProto: what of it is legal ONNX, and its values as dense bytes. It
 * knows nothing of the node or graph around it.
 */
#ifndef CLCONST_ONNX_TENSOR_H
#define CLCONST_ONNX_TENSOR_H

#include "onnx/content.h"
#include "onnx/list.h"

/* A TensorProto as read. bytes is the whole message. */
typedef struct clconst__tensor {
    clconst__span bytes;
    clconst__span name;
    clconst__span segment;
    clconst__span raw_data;
    clconst__dims dims;
    clconst__list lists[CLCONST__TENSOR_LIST_COUNT];
    clconst__spans external_data;
    int32_t data_type;
    int32_t data_location;
} clconst__tensor;

/* tensor is zeroed; clconst__tensor_free is due also on failure. */
clconst_status clconst__tensor_read(clconst__span bytes,
                                    clconst__tensor *tensor,
                                    clconst_error *error);

/*
 * Checks all but the values, the count of them included, and sets the
 * content's storage, dtype and dims, which it takes over.
 */
clconst_status clconst__tensor_describe(clconst__tensor *tensor,
                                        const clconst__context *context,
                                        clconst__content *content,
                                        clconst_error *error);

/*
 * The dense bytes of a described tensor, with the dtype and dims of its
 * content. *storage, which may be NULL, owns them; it is to be released.
 */
clconst_status clconst__tensor_view(const clconst__tensor *tensor,
                                    const clconst__content *content,
                                    const clconst__context *context,
                                    clconst_view *value,
                                    clconst__storage **storage,
                                    clconst_error *error);

/* Makes the content's operator of a described tensor. */
clconst_status clconst__tensor_make(const clconst__tensor *tensor,
                                    clconst_op_kind kind,
                                    const clconst__context *context,
                                    clconst__content *content,
                                    clconst_error *error);

/* Both at once, for a tensor that is a Constant. */
clconst_status clconst__tensor_decode(clconst__tensor *tensor,
                                      const clconst__context *context,
                                      clconst__content *content,
                                      clconst_error *error);

void clconst__tensor_free(clconst__tensor *tensor);

#endif
