/*
 * A sparse tensor as units to be scattered over zeros: the pairs of index and
 * element that the specification lists, with indices made linear and elements
 * below a byte merged into the bytes that hold them. It knows no device.
 */
#ifndef CLCONST_CORE_SCATTER_H
#define CLCONST_CORE_SCATTER_H

#include "base/storage.h"

/*
 * Unit i goes to byte indices[i] * unit_size of the output. unit_size is that
 * of an element, and 1 for elements below a byte. indices ascend.
 */
typedef struct clconst__scatter {
    size_t unit_size;
    size_t count;
    const uint64_t *indices;
    const uint8_t *units;
} clconst__scatter;

/*
 * Checks the parts of a sparse tensor (SparseTensorProto in onnx.proto) and
 * makes its scatter. indices may be NULL when there are no values. What cannot
 * be borrowed lies in *storage, which is NULL when nothing does; it is at most
 * 24 bytes per value.
 */
clconst_status clconst__scatter_create(const clconst_view *values,
                                       const clconst_view *indices,
                                       const clconst_shape *shape,
                                       clconst__scatter *scatter,
                                       clconst__storage **storage,
                                       clconst_error *error);

/* Puts the units into dst, which holds the zeros. */
void clconst__scatter_apply(const clconst__scatter *scatter, uint8_t *dst);

#endif
