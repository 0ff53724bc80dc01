/*
 * A walk over the elements of a shape in order, with the positions of elements
 * in tensors that are laid along it with strides.
 */
#ifndef CLCONST_ONNX_FOLD_WALK_H
#define CLCONST_ONNX_FOLD_WALK_H

#include "onnx/fold/folding.h"

enum { CLCONST__WALK_TENSORS = 3 };

/*
 * positions: the elements of the tensors at the present step. axes are those of
 * the shape that are not 1 long, so that a step does not visit the others.
 */
typedef struct clconst__walk {
    size_t rank;
    size_t axis_count;
    size_t tensor_count;
    size_t *axes;
    size_t *lengths;
    size_t *index;
    size_t *strides[CLCONST__WALK_TENSORS];
    size_t positions[CLCONST__WALK_TENSORS];
} clconst__walk;

/* A walk over dims that are known and have fewer than 2^63 elements. Its memory
 * is scratch. */
clconst_status clconst__walk_create(clconst__folding *folding,
                                    const clconst__cell *dims,
                                    size_t rank,
                                    clconst__walk *walk,
                                    clconst_error *error);

/* Adds a tensor: a stride, in elements, for each axis of the shape. */
clconst_status clconst__walk_add(clconst__folding *folding,
                                 clconst__walk *walk,
                                 const size_t *strides,
                                 clconst_error *error);

/* Adds a dense tensor that is broadcast to the shape. */
clconst_status clconst__walk_add_broadcast(clconst__folding *folding,
                                           clconst__walk *walk,
                                           const clconst__fact *fact,
                                           clconst_error *error);

/* To the next element; behind the last, to the first. */
void clconst__walk_step(clconst__walk *walk);

#endif
