/*
 * Indices: elements of an input that name positions along axes of another.
 */
#ifndef CLCONST_ONNX_FOLD_INDICES_H
#define CLCONST_ONNX_FOLD_INDICES_H

#include "onnx/fold/walk.h"

/* INVALID_MODEL unless the input's dtype is int32 or int64, or unknown. */
clconst_status clconst__indices_check(const clconst__folding *folding,
                                      size_t input,
                                      clconst_error *error);

/*
 * Of indices, input 1, that name positions along one axis of the data, input 0:
 * INVALID_MODEL unless both have the same rank, and the indices reach no
 * farther along the other axes. Both ranks are known.
 */
clconst_status clconst__indices_check_dims(const clconst__folding *folding,
                                           size_t axis,
                                           clconst_error *error);

/*
 * An element as an index along an axis of this length, brought to [0, length -
 * 1]. INVALID_MODEL when it is out of range.
 */
clconst_status clconst__index_read(const clconst__folding *folding,
                                   size_t input,
                                   size_t element,
                                   clconst__cell length,
                                   clconst__cell *index,
                                   clconst_error *error);

/*
 * A walk over such indices; its tensor is the data, at index 0 of the axis,
 * along which it has the stride *along.
 */
clconst_status clconst__indices_walk(clconst__folding *folding,
                                     size_t axis,
                                     clconst__walk *walk,
                                     size_t *along,
                                     clconst_error *error);

/*
 * Elements in a row as indices along as many axes: the position that they name
 * in a tensor of these strides. *cause says why it is unknown.
 */
clconst_status clconst__indices_locate(const clconst__folding *folding,
                                       size_t input,
                                       size_t element,
                                       size_t count,
                                       const clconst__cell *lengths,
                                       const size_t *strides,
                                       size_t *position,
                                       clconst__cause *cause,
                                       clconst_error *error);

#endif
