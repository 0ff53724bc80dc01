/*
 * The box: a fill inside a larger row-major tensor, as rows of whole bytes at
 * regular distances. Bytes without gaps are one row, and gaps of one distance
 * one dim, so that little is left of a high rank. It knows no device.
 */
#ifndef CLCONST_CORE_BOX_H
#define CLCONST_CORE_BOX_H

#include "core/plan.h"

/* Dims of the rows; kernels/fill_region.cl takes as many. */
#define CLCONST__BOX_RANK_MAX 8

/* counts and strides, in bytes, begin with the dim whose rows lie closest;
 * the product of the counts is row_count. */
typedef struct clconst__box {
    size_t row_size;
    size_t row_count; /* 0 when the output is empty, 1 when it has no gaps */
    size_t rank;
    size_t counts[CLCONST__BOX_RANK_MAX];
    size_t strides[CLCONST__BOX_RANK_MAX];
    size_t extent; /* from the first row's begin to the last one's end */
} clconst__box;

/*
 * The box of a plan's output. strides are those of all dims but the last; of a
 * dim of 1 it is ignored. UNSUPPORTED for a plan that is no fill, for rows that
 * end inside a byte and for more than CLCONST__BOX_RANK_MAX dims that cannot be
 * merged; INVALID_ARGUMENT for rows that overlap.
 */
clconst_status clconst__box_create(const clconst_plan *plan,
                                   const size_t *strides,
                                   clconst__box *box,
                                   clconst_error *error);

/* Bytes from the begin of the box to that of a row. */
size_t clconst__box_row_offset(const clconst__box *box, size_t row);

#endif
