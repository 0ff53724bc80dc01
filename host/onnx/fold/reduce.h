/*
 * Reductions: which axes a node reduces, and the dims that are left.
 */
#ifndef CLCONST_ONNX_FOLD_REDUCE_H
#define CLCONST_ONNX_FOLD_REDUCE_H

#include "onnx/fold/folding.h"

/*
 * How input 0, of known rank, is reduced: is_reduced, which is scratch, has an
 * entry for each axis, and is NULL when the axes are not known.
 */
typedef struct clconst__reduction {
    bool keeps_dims;
    bool *is_reduced;
} clconst__reduction;

/* axes is an input from the opset on, and an attribute before. */
clconst_status clconst__reduction_read(clconst__folding *folding,
                                       int64_t input_since,
                                       clconst__reduction *reduction,
                                       clconst_error *error);

/* The functions of operators with dims alone, by where axes are. */
clconst_status clconst__infer_reduce_13(clconst__folding *folding,
                                        clconst_error *error);
clconst_status clconst__infer_reduce_18(clconst__folding *folding,
                                        clconst_error *error);

#endif
