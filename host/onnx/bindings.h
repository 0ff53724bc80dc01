/*
 * Bindings: the caller's values of a model's inputs. A value is copied when it
 * is first asked for, and not before.
 */
#ifndef CLCONST_ONNX_BINDINGS_H
#define CLCONST_ONNX_BINDINGS_H

#include "onnx/model.h"

/* The value of one input as a Constant; NULL when it is not bound. Until
 * is_copied it borrows the caller's bytes. */
typedef struct clconst__binding {
    clconst_op *op;
    bool is_copied;
} clconst__binding;

/* One for each input of the main graph, in a new array. */
clconst_status clconst__bindings_create(const clconst_model *model,
                                        const clconst_bindings *bindings,
                                        clconst__binding **created,
                                        clconst_error *error);

/* Makes the binding's operator own its bytes. */
clconst_status clconst__binding_copy(clconst__binding *binding,
                                     clconst_error *error);

void clconst__bindings_destroy(clconst__binding *bindings, size_t count);

#endif
