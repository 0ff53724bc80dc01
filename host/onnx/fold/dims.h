/*
 * Dims: lists of numbers of which some are unknown, and what follows for the
 * dims that are made of them.
 */
#ifndef CLCONST_ONNX_FOLD_DIMS_H
#define CLCONST_ONNX_FOLD_DIMS_H

#include "onnx/fold/folding.h"

/*
 * A list of integers that is an attribute before an opset, and an input from it
 * on. cells is NULL when the list is there and its length is unknown; cause
 * then says why. is_known: every element is.
 */
typedef struct clconst__cell_list {
    clconst__cell *cells;
    size_t count;
    clconst__cause cause;
    bool is_present;
    bool is_known;
} clconst__cell_list;

/* INVALID_MODEL for more than limit elements. Of a value that is unknown, each
 * element is a number of its own. */
clconst_status clconst__cell_list_read(clconst__folding *folding,
                                       const char *attribute,
                                       size_t input,
                                       int64_t input_since,
                                       size_t limit,
                                       clconst__cell_list *list,
                                       clconst_error *error);

/*
 * The axes of a list that is known, brought to [0, rank - 1] in scratch
 * memory. is_taken, of rank entries, tells which are in the list. INVALID_MODEL
 * for one out of range and for one that is there twice.
 */
clconst_status clconst__axes_read(clconst__folding *folding,
                                  const clconst__cell_list *list,
                                  size_t rank,
                                  size_t **axes,
                                  bool **is_taken,
                                  clconst_error *error);

/* The attribute axis, of this rank. */
clconst_status clconst__axis_read(const clconst__folding *folding,
                                  int64_t fallback,
                                  size_t rank,
                                  size_t *axis,
                                  clconst_error *error);

/* Whether two numbers are sure to be equal. */
static inline bool clconst__cells_equal(clconst__cell a, clconst__cell b)
{
    return a.cause == b.cause &&
           (a.cause != CLCONST__KNOWN || a.value == b.value);
}

static inline bool clconst__cell_is(clconst__cell cell, int64_t value)
{
    return cell.cause == CLCONST__KNOWN && cell.value == value;
}

/* The sum and the product. INVALID_MODEL on overflow. */
clconst_status clconst__cells_add(clconst__folding *folding,
                                  const clconst__cell *cells,
                                  size_t count,
                                  clconst__cell *sum,
                                  clconst_error *error);
clconst_status clconst__cells_multiply(clconst__folding *folding,
                                       const clconst__cell *cells,
                                       size_t count,
                                       clconst__cell *product,
                                       clconst_error *error);

/* Lets a dim, which may be unknown, be another one too. INVALID_MODEL when both
 * are known and differ. */
clconst_status clconst__dim_unify(clconst__cell *dim,
                                  clconst__cell other,
                                  size_t axis,
                                  clconst_error *error);

/* The product of dims that are known, of a tensor that is not empty. */
size_t clconst__dims_count(const clconst__cell *dims, size_t count);

/* The strides of a dense tensor in elements, in scratch memory. */
clconst_status clconst__dims_strides(clconst__folding *folding,
                                     const clconst__cell *dims,
                                     size_t rank,
                                     size_t **strides,
                                     clconst_error *error);

#endif
