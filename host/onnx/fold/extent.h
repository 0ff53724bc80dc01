/*
 * Extents: arithmetic on dims that may be unknown. What a factor or a term
 * leaves as it is, stays the same number.
 */
#ifndef CLCONST_ONNX_FOLD_EXTENT_H
#define CLCONST_ONNX_FOLD_EXTENT_H

#include "onnx/fold/folding.h"

/* The whole part of a quotient by 1 or more. */
clconst_status clconst__cell_divide(clconst__folding *folding,
                                    clconst__cell dim,
                                    int64_t divisor,
                                    clconst__cell *quotient,
                                    clconst_error *error);

/* INVALID_MODEL when both are known and differ; names say what they are. The
 * one that is known, or else *dim, remains in *dim. */
clconst_status clconst__cell_match(clconst__cell *dim,
                                   clconst__cell other,
                                   const char *name,
                                   const char *other_name,
                                   clconst_error *error);

/* INVALID_MODEL for a dim that is known and negative. */
clconst_status
clconst__cell_check_dim(clconst__cell dim, size_t axis, clconst_error *error);

/* INVALID_MODEL unless the rank is unknown or what it must be. */
clconst_status clconst__rank_check(const clconst__fact *fact,
                                   const char *name,
                                   size_t rank,
                                   clconst_error *error);

/* INVALID_MODEL for a result of more than CLCONST__RANK_MAX dims. */
clconst_status clconst__rank_limit(size_t rank, clconst_error *error);

#endif
