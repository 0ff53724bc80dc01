/*
 * Lists: the repeated fields that hold elements, of TensorProto and of
 * AttributeProto. A list is counted while its message is read; only when the
 * count is right are its elements made dense. It knows no shape.
 */
#ifndef CLCONST_ONNX_LIST_H
#define CLCONST_ONNX_LIST_H

#include "onnx/context.h"
#include "onnx/message.h"

typedef enum clconst__list_kind {
    CLCONST__FLOAT_DATA,
    CLCONST__INT32_DATA,
    CLCONST__STRING_DATA,
    CLCONST__INT64_DATA,
    CLCONST__DOUBLE_DATA,
    CLCONST__UINT64_DATA,
    CLCONST__TENSOR_LIST_COUNT,
    CLCONST__FLOATS = CLCONST__TENSOR_LIST_COUNT,
    CLCONST__INTS,
    CLCONST__STRINGS,
} clconst__list_kind;

/* chunk is the first run of entries, which chunk_count says is the only one. */
typedef struct clconst__list {
    size_t count;
    size_t chunk_count;
    clconst__span chunk;
} clconst__list;

/* Counts an occurrence into a clconst__list. */
clconst_status clconst__take_list(const clconst__occurrence *occurrence,
                                  void *target,
                                  clconst_error *error);

/* The field's name in onnx.proto. */
const char *clconst__list_name(clconst__list_kind kind);

/*
 * Makes size dense bytes of dtype from a list that has the right count.
 * message is the message that holds it. The bytes are borrowed from the input
 * where its encoding is the dense one; *storage is then NULL and else owns
 * them. Entries that do not fit the dtype are faults.
 */
clconst_status clconst__list_densify(clconst__list_kind kind,
                                     const clconst__list *list,
                                     clconst__span message,
                                     clconst_dtype dtype,
                                     size_t size,
                                     const clconst__context *context,
                                     const void **data,
                                     clconst__storage **storage,
                                     clconst_error *error);

#endif
