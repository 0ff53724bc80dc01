/*
 * Evaluation: the value that a name stands for, as far as a model and its
 * bindings tell.
 */
#ifndef CLCONST_ONNX_EVALUATE_H
#define CLCONST_ONNX_EVALUATE_H

#include "onnx/bindings.h"
#include "onnx/model.h"

/* What values are computed from. */
typedef struct clconst__evaluation {
    const clconst_model *model;
    clconst__binding *bindings;
} clconst__evaluation;

/*
 * The value as a Constant, borrowed from the model or the bindings. UNSUPPORTED
 * when it is not known, INVALID_MODEL or TOO_LARGE when it cannot be; role,
 * such as "shape", begins the message. Any other failure is no verdict on the
 * value.
 */
clconst_status clconst__evaluate(const clconst__evaluation *evaluation,
                                 size_t value,
                                 const char *role,
                                 const clconst_op **op,
                                 clconst_error *error);

#endif
