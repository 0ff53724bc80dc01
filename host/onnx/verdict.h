/*
 * Verdicts: what became of one constant or output, a plan or a reason.
 */
#ifndef CLCONST_ONNX_VERDICT_H
#define CLCONST_ONNX_VERDICT_H

#include <stdbool.h>

#include <clconst/clconst_model.h>

#include "onnx/fold/fact.h"

/* status and native_code go with the reason. own_reason is the reason when it
 * is not borrowed. dims is on the heap. */
typedef struct clconst__verdict {
    clconst_resolution_state state;
    clconst_plan *plan;
    clconst_status status;
    int32_t native_code;
    const char *reason;
    char *own_reason;
    bool has_rank;
    clconst_dim *dims;
    size_t rank;
} clconst__verdict;

/*
 * Resolved by a plan of the operator; shape as in clconst_plan_create. Not
 * resolved when the operator cannot have that shape.
 */
clconst_status clconst__verdict_plan(clconst__verdict *verdict,
                                     const clconst_op *op,
                                     const clconst_shape *shape,
                                     clconst_error *error);

/*
 * Not resolved: the reason and its status say why. A reason that is no verdict
 * on a constant is returned as the failure that it is.
 */
clconst_status clconst__verdict_refuse(clconst__verdict *verdict,
                                       const clconst_error *reason,
                                       clconst_error *error);

/* Not resolved, for a reason that outlives the verdict. */
void clconst__verdict_borrow(clconst__verdict *verdict,
                             clconst_status status,
                             int32_t native_code,
                             const char *reason);

/* Tells the rank of what is not resolved, and its dims unless dims is NULL. */
clconst_status clconst__verdict_set_dims(clconst__verdict *verdict,
                                         const int64_t *dims,
                                         size_t rank,
                                         clconst_error *error);

/* The same of dims that may be unknown and then have a symbol. */
clconst_status clconst__verdict_set_cells(clconst__verdict *verdict,
                                          const clconst__causes *causes,
                                          const clconst__cell *cells,
                                          size_t rank,
                                          clconst_error *error);

/* Not resolved, since a known condition rules the constant out; its dims stay.
 */
void clconst__verdict_skip(clconst__verdict *verdict);

void clconst__verdict_clear(clconst__verdict *verdict);

#endif
