/*
 * Bindings: what a caller tells of a model's inputs, joined with what the
 * model declares of them.
 */
#ifndef CLCONST_ONNX_BINDINGS_H
#define CLCONST_ONNX_BINDINGS_H

#include "onnx/binding.h"
#include "onnx/model.h"

/* items has one for each input of the main graph. */
typedef struct clconst__bindings {
    clconst__binding *items;
    size_t count;
    clconst__symbols symbols;
} clconst__bindings;

/*
 * given may be NULL. INVALID_ARGUMENT for what fits no input or symbol, is
 * bound twice, or contradicts the model or another binding.
 */
clconst_status clconst__bindings_create(const clconst_model *model,
                                        const clconst_bindings *given,
                                        clconst__bindings **bindings,
                                        clconst_error *error);

void clconst__bindings_destroy(clconst__bindings *bindings);

#endif
