/*
 * Copies: elements that outputs take from inputs as they are, known or not.
 * They know no dtype, only that both have elements of one size.
 */
#ifndef CLCONST_ONNX_FOLD_COPY_H
#define CLCONST_ONNX_FOLD_COPY_H

#include "onnx/fold/walk.h"

/* Elements in a row. */
clconst_status clconst__copy_run(clconst__folding *folding,
                                 size_t output,
                                 size_t to,
                                 const clconst__fact *from,
                                 size_t first,
                                 size_t count,
                                 clconst_error *error);

/* All elements of input 0 to output 0, in order. */
clconst_status clconst__copy_input(clconst__folding *folding,
                                   clconst_error *error);

/* To output 0, in order, the elements of a fact at the positions of the walk's
 * first tensor. */
clconst_status clconst__copy_walk(clconst__folding *folding,
                                  clconst__walk *walk,
                                  const clconst__fact *from,
                                  clconst_error *error);

/* Makes elements in a row unknown, each a number of its own. UNSUPPORTED when
 * an evaluation has too many of them. */
clconst_status clconst__copy_unknown(clconst__folding *folding,
                                     size_t output,
                                     size_t to,
                                     size_t count,
                                     clconst__cause cause,
                                     clconst_error *error);

/* The dtype that these inputs have, all the same; CLCONST_UNDEFINED
 * when none is known. Inputs that are left out count for nothing. */
clconst_status clconst__copy_dtype(const clconst__folding *folding,
                                   const size_t *inputs,
                                   size_t count,
                                   clconst_dtype *dtype,
                                   clconst_error *error);

#endif
