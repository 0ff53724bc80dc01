/*
 * A folding: one node whose inputs are as known as they can be, as the
 * functions of an operator see it. They tell what follows for its outputs.
 *
 * An operator has two functions. infer tells dtype, rank and dims of each
 * output, as far as they are known. compute tells the elements; it is called
 * when all dims of all outputs are known, small enough, and the inputs have the
 * values that the operator asks for; the outputs' elements are then zeros.
 *
 * What is wrong with a node is a failure with INVALID_MODEL, and what is legal
 * but not done one with UNSUPPORTED; both become the outputs' causes: of
 * everything when infer fails, of the value when compute does. The message says
 * what is wrong without naming the node. Other failures end the evaluation.
 */
#ifndef CLCONST_ONNX_FOLD_FOLDING_H
#define CLCONST_ONNX_FOLD_FOLDING_H

#include "onnx/attribute.h"
#include "onnx/fold/fact.h"
#include "onnx/functions.h"

typedef struct clconst__scratch clconst__scratch;

/*
 * opset is the version of the default domain. The attributes are the node's,
 * with references of functions followed. Of the inputs those that the node
 * leaves out, also in the middle, are NULL, and input_count may be 0. An output
 * that has no name is computed like any other.
 */
typedef struct clconst__folding {
    int64_t opset;
    const clconst__fact *const *inputs;
    size_t input_count;
    clconst__fact **outputs;
    size_t output_count;
    const clconst__argument *attributes;
    size_t attribute_count;
    bool is_shared;
    clconst__causes *causes;
    clconst__scratch *scratch; /* a list */
    clconst__budget *budget;
} clconst__folding;

typedef clconst_status (*clconst__folding_function)(clconst__folding *folding,
                                                    clconst_error *error);

/* The input, or NULL when the node leaves it out. */
static inline const clconst__fact *
clconst__folding_input(const clconst__folding *folding, size_t index)
{
    return index < folding->input_count ? folding->inputs[index] : NULL;
}

/*
 * Counts work beyond one pass over inputs and outputs, such as the terms of a
 * sum: UNSUPPORTED when the evaluation has done too much.
 */
clconst_status clconst__folding_work(clconst__folding *folding,
                                     uint64_t steps,
                                     clconst_error *error);

/* Zeroed memory that lives until the node is folded. UNSUPPORTED when it is
 * more than an evaluation may use. */
clconst_status clconst__folding_scratch(clconst__folding *folding,
                                        size_t count,
                                        size_t size,
                                        void *memory,
                                        clconst_error *error);

/* For the evaluator, when the node is folded. */
void clconst__folding_free_scratch(clconst__folding *folding);

/* -- attributes: INVALID_MODEL for one of another type -- */

bool clconst__folding_has(const clconst__folding *folding, const char *name);

clconst_status clconst__folding_int(const clconst__folding *folding,
                                    const char *name,
                                    int64_t fallback,
                                    int64_t *value,
                                    clconst_error *error);

clconst_status clconst__folding_float(const clconst__folding *folding,
                                      const char *name,
                                      float fallback,
                                      float *value,
                                      clconst_error *error);

/* fallback may be NULL; the value borrows it or the model. */
clconst_status clconst__folding_string(const clconst__folding *folding,
                                       const char *name,
                                       const char *fallback,
                                       clconst__span *value,
                                       clconst_error *error);

/* *items is scratch, NULL when the attribute is absent. */
clconst_status clconst__folding_ints(clconst__folding *folding,
                                     const char *name,
                                     int64_t **items,
                                     size_t *count,
                                     clconst_error *error);

/* *items is scratch, NULL when the attribute is absent. */
clconst_status clconst__folding_floats(clconst__folding *folding,
                                       const char *name,
                                       float **items,
                                       size_t *count,
                                       clconst_error *error);

/* The dtype that an attribute names: CLCONST_UNDEFINED for 0, INVALID_MODEL for
 * a number that names none. */
clconst_status clconst__folding_dtype(const clconst__folding *folding,
                                      const char *name,
                                      clconst_dtype fallback,
                                      clconst_dtype *dtype,
                                      clconst_error *error);

/*
 * INVALID_MODEL for an attribute that other versions of the operator have and
 * that decides what is told there: it is not known which version was meant.
 */
clconst_status clconst__folding_check_lifetimes(const clconst__folding *folding,
                                                clconst__span op_type,
                                                clconst_error *error);

/* ---------------------------- inputs ---------------------------- */

/*
 * The elements of an input of int32 or int64 as cells, which are scratch; a
 * tensor of any rank below 2. Cells is NULL, with no failure, when the input is
 * absent or nothing of the value is known. INVALID_MODEL for another dtype or
 * rank.
 */
clconst_status clconst__folding_cells(clconst__folding *folding,
                                      size_t input,
                                      clconst__cell **cells,
                                      size_t *count,
                                      clconst_error *error);

/*
 * A list of int64 that is an attribute before an opset, and an input from it
 * on, as axes of Squeeze are. present: whether the node has it. items is NULL
 * when it is present and not, or not wholly, known; *cause then says why.
 */
typedef struct clconst__folding_list {
    bool is_present;
    int64_t *items;
    size_t count;
    clconst__cause cause;
} clconst__folding_list;

clconst_status clconst__folding_list_read(clconst__folding *folding,
                                          const char *attribute,
                                          size_t input,
                                          int64_t input_since,
                                          clconst__folding_list *list,
                                          clconst_error *error);

/* Brings an axis of [-rank, rank - 1] to [0, rank - 1], else INVALID_MODEL. */
clconst_status clconst__axis_normalize(int64_t axis,
                                       size_t rank,
                                       size_t *normal,
                                       clconst_error *error);

/* ---------------------------- outputs ---------------------------- */

/* Makes the only output the very tensor that an input is. */
void clconst__output_share(clconst__folding *folding,
                           const clconst__fact *input);

/* Sets the dtype alone. */
void clconst__output_set_dtype(clconst__folding *folding,
                               size_t output,
                               clconst_dtype dtype);

/*
 * Sets dtype and rank. *dims are to be filled in; one that stays as it is, is
 * unknown and a number of its own. An output that the node does not have gets
 * scratch dims.
 */
clconst_status clconst__output_set_rank(clconst__folding *folding,
                                        size_t output,
                                        clconst_dtype dtype,
                                        size_t rank,
                                        clconst__cell **dims,
                                        clconst_error *error);

/* Sets dtype, and rank and dims as those of the fact. */
clconst_status clconst__output_set_like(clconst__folding *folding,
                                        size_t output,
                                        clconst_dtype dtype,
                                        const clconst__fact *fact,
                                        clconst_error *error);

/* An unknown number that follows from others, of which the first unknown one
 * gives the reason. */
clconst_status clconst__cell_derive(clconst__folding *folding,
                                    const clconst__cell *from,
                                    size_t count,
                                    clconst__cell *cell,
                                    clconst_error *error);

/*
 * Copies an element of an input's value to an output's, known or not. Both have
 * elements of the same size.
 */
clconst_status clconst__element_move(clconst__folding *folding,
                                     size_t output,
                                     size_t to,
                                     const clconst__fact *from,
                                     size_t element,
                                     clconst_error *error);

#endif
