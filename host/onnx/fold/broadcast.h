/*
 * Broadcasting: the dims that tensors have together when axes of length 1
 * stretch, as in NumPy. Broadcasting.md of onnx.
 */
#ifndef CLCONST_ONNX_FOLD_BROADCAST_H
#define CLCONST_ONNX_FOLD_BROADCAST_H

#include "onnx/fold/folding.h"

/*
 * Stretches dims that are merged already by the dims of one more tensor, whose
 * rank is at most merged_rank; dims that are all 1 begin. An unknown dim stays
 * the same number beside 1 and beside itself.
 */
clconst_status clconst__dims_broadcast(clconst__folding *folding,
                                       const clconst__cell *dims,
                                       size_t rank,
                                       clconst__cell *merged,
                                       size_t merged_rank,
                                       clconst_error *error);

/*
 * Sets dtype, and rank and dims as those that the facts have together. Facts
 * that are NULL count for nothing.
 */
clconst_status clconst__output_set_broadcast(clconst__folding *folding,
                                             size_t output,
                                             clconst_dtype dtype,
                                             const clconst__fact *const *facts,
                                             size_t count,
                                             clconst_error *error);

/*
 * The dtype of the node's first count inputs, which must be one of dtypes, as
 * bits, and the same for all; CLCONST_UNDEFINED when none is known.
 */
clconst_status clconst__inputs_share_dtype(const clconst__folding *folding,
                                           size_t count,
                                           uint32_t dtypes,
                                           clconst_dtype *dtype,
                                           clconst_error *error);

#endif
