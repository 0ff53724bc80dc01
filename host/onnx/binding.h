/*
 * A binding: what is known of one input of a model's main graph. A value is
 * copied when it is first asked for, and not before.
 */
#ifndef CLCONST_ONNX_BINDING_H
#define CLCONST_ONNX_BINDING_H

#include "onnx/symbols.h"

/*
 * op is the value as a Constant, NULL when it is not bound; until is_copied it
 * borrows the caller's bytes. elem_type is 0, and has_rank false, when neither
 * the model nor a binding tells. dims, on the heap, are those of the model and
 * of what is bound, with numbers for symbols that are bound.
 */
typedef struct clconst__binding {
    clconst_op *op;
    bool is_copied;
    bool has_bound_shape;
    int32_t elem_type;
    bool has_rank;
    clconst_dim *dims;
    size_t rank;
} clconst__binding;

/* Takes over what the model declares. The binding is zeroed. */
clconst_status clconst__binding_declare(clconst__binding *binding,
                                        const clconst__declaration *declaration,
                                        clconst_error *error);

/*
 * Takes over a shape, and binds the symbols of the dims that it gives.
 * INVALID_ARGUMENT when it contradicts what is known; subject, such as "shape
 * of input "x"", begins the message.
 */
clconst_status clconst__binding_merge(clconst__binding *binding,
                                      clconst__symbols *symbols,
                                      const char *subject,
                                      const clconst_shape *shape,
                                      clconst_error *error);

/* Gives dims whose symbols are bound their numbers. */
void clconst__binding_settle(clconst__binding *binding,
                             const clconst__symbols *symbols);

/* Makes the binding's operator own its bytes. */
clconst_status clconst__binding_copy(clconst__binding *binding,
                                     clconst_error *error);

void clconst__binding_clear(clconst__binding *binding);

#endif
