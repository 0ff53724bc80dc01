/*
 * Shapes: how many elements and bytes they name, and which are refused.
 */
#ifndef CLCONST_CORE_SHAPE_H
#define CLCONST_CORE_SHAPE_H

#include "base/error.h"

#define CLCONST__RANK_MAX 1024

/*
 * The number of elements, below 2^63. Errors as clconst_byte_size. A negative
 * dim is refused before a zero dim makes the count 0, so that the answer does
 * not depend on the order of the dims.
 */
clconst_status clconst__shape_count(const clconst_shape *shape,
                                    uint64_t *element_count,
                                    clconst_error *error);

/* Elements and bytes of a dense tensor. */
clconst_status clconst__shape_measure(clconst_dtype dtype,
                                      const clconst_shape *shape,
                                      uint64_t *element_count,
                                      size_t *size,
                                      clconst_error *error);

/*
 * A copy of the shape's dims on the heap, freed with clconst__free. It is not
 * NULL for rank 0.
 */
clconst_status clconst__shape_copy_dims(const clconst_shape *shape,
                                        int64_t **dims,
                                        clconst_error *error);

#endif
