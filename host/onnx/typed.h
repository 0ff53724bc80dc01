/*
 * The typed fields: where onnx.proto puts the values of each dtype.
 */
#ifndef CLCONST_ONNX_TYPED_H
#define CLCONST_ONNX_TYPED_H

#include "onnx/list.h"

/*
 * entry_size is the bytes of the dense form that one entry makes; 0 means one
 * entry per element of less than a byte.
 */
typedef struct clconst__typed_row {
    clconst__list_kind list;
    size_t entry_size;
} clconst__typed_row;

/* By dtype. */
extern const clconst__typed_row clconst__typed_rows[];

#endif
