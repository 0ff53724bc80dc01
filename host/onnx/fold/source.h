/*
 * Sources: facts that no node computes, of constants, inputs and declarations.
 */
#ifndef CLCONST_ONNX_FOLD_SOURCE_H
#define CLCONST_ONNX_FOLD_SOURCE_H

#include "onnx/fold/fold.h"

/*
 * A new fact of a value that is no output of a node, in a frame of its graph:
 * a constant, an input of the main graph or of a function without a call, a
 * name that nothing or too much defines, an input of a body of which only the
 * declaration is known.
 */
clconst_status clconst__source_fact(clconst__fold *fold,
                                    size_t value,
                                    clconst__fact **fact,
                                    clconst_error *error);

/* Gives each symbol of the main graph's inputs its cause. */
clconst_status clconst__source_symbols(clconst__fold *fold,
                                       clconst_error *error);

/* Adds to an unshared fact what a declaration says and the fact does not. */
clconst_status clconst__source_declare(clconst__fold *fold,
                                       const clconst__declaration *declaration,
                                       clconst__fact *fact,
                                       clconst_error *error);

/* A new fact of a Constant's operator. */
clconst_status clconst__source_constant(clconst__fold *fold,
                                        const clconst_op *op,
                                        clconst__fact **fact,
                                        clconst_error *error);

#endif
