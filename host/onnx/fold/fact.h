/*
 * Facts: what is known of a tensor. A fact is made by one operator and then
 * never changes.
 */
#ifndef CLCONST_ONNX_FOLD_FACT_H
#define CLCONST_ONNX_FOLD_FACT_H

#include <clconst/clconst.h>

#include "base/storage.h"
#include "onnx/fold/budget.h"
#include "onnx/fold/cause.h"

/* A dim, or an element of int64: value when cause is CLCONST__KNOWN. */
typedef struct clconst__cell {
    int64_t value;
    clconst__cause cause;
} clconst__cell;

/*
 * dtype is CLCONST_UNDEFINED when it is unknown, dims are NULL when the rank
 * is. data has, when the value is known, count elements of element_size bytes,
 * not packed: the bits of a narrow element fill its lowest bits. They need not
 * be aligned. causes has one entry for each element, and is NULL when all are
 * known. cause says why the rank is unknown, and else why the value is;
 * value_cause, if not 0, why the value is when the rank has another reason.
 *
 * is_absent: an optional input of a function that its call leaves out.
 * op is the Constant that the fact is of, or that was made of it, if any; it
 * owns the data unless own_data, in storage, does. budget, once it is set, has
 * given size bytes. Below first_unknown no element is unknown.
 */
typedef struct clconst__fact {
    size_t refs;
    clconst_dtype dtype;
    bool is_absent;
    clconst__cause cause;
    clconst__cause value_cause;
    size_t rank;
    clconst__cell *dims;
    size_t count;
    size_t element_size;
    const uint8_t *data;
    clconst__cause *causes;
    uint8_t *own_data;
    clconst__storage *storage;
    clconst_op *op;
    size_t first_unknown;
    clconst__budget *budget;
    size_t size;
} clconst__fact;

/* A fact of unknown dtype and rank. */
clconst_status clconst__fact_create(clconst__cause cause,
                                    clconst__fact **fact,
                                    clconst_error *error);

/* Lets a budget pay for the fact, unless one does. */
void clconst__fact_charge(clconst__fact *fact, clconst__budget *budget);

clconst__fact *clconst__fact_retain(const clconst__fact *fact);

/* Accepts NULL. */
void clconst__fact_release(const clconst__fact *fact);

/* Releases facts of an array, which may be NULL, and so may they. */
void clconst__facts_release(clconst__fact *const *facts, size_t count);

/* Bytes of an element that is not packed. 0 for strings and unknown dtypes. */
size_t clconst__fact_element_size(clconst_dtype dtype);

/* Takes the rank away. */
void clconst__fact_clear_rank(clconst__fact *fact);

/* Makes the rank known; the dims get the fact's cause. */
clconst_status
clconst__fact_set_rank(clconst__fact *fact, size_t rank, clconst_error *error);

/*
 * Whether all dims are known, and the count of elements then. False also when
 * the product is 2^63 or more.
 */
bool clconst__fact_count(const clconst__fact *fact, uint64_t *count);

/* Makes a value of zeros: the dims are known, the dtype has a size. */
clconst_status clconst__fact_set_value(clconst__fact *fact,
                                       clconst_error *error);

/* Takes the value away. */
void clconst__fact_clear_value(clconst__fact *fact);

/* What it costs to copy a fact. */
uint64_t clconst__fact_copy_steps(const clconst__fact *fact);

/* A new fact that says the same; elements are shared, causes are not. */
clconst_status clconst__fact_copy(const clconst__fact *fact,
                                  clconst__fact **copy,
                                  clconst_error *error);

/* The cause of the first thing that is unknown: the rank, a dim, and with_value
 * the value or an element. CLCONST__KNOWN when nothing is. */
clconst__cause clconst__fact_find_unknown(const clconst__fact *fact,
                                          bool with_value);

/* Makes one element of a value unknown. */
clconst_status clconst__fact_set_cause(clconst__fact *fact,
                                       size_t element,
                                       clconst__cause cause,
                                       clconst_error *error);

static inline clconst__cause clconst__fact_cause(const clconst__fact *fact,
                                                 size_t element)
{
    return fact->causes == NULL ? CLCONST__KNOWN : fact->causes[element];
}

/* Drops the causes of a value whose elements all turned out to be known. */
void clconst__fact_settle(clconst__fact *fact);

/* Why there is no value. */
static inline clconst__cause
clconst__fact_value_cause(const clconst__fact *fact)
{
    return fact->value_cause != CLCONST__KNOWN ? fact->value_cause
                                               : fact->cause;
}

/* Whether a value is there, with every element. */
static inline bool clconst__fact_is_known(const clconst__fact *fact)
{
    return fact->data != NULL && fact->causes == NULL;
}

/* An element of a value of int64. */
clconst__cell clconst__fact_cell(const clconst__fact *fact, size_t element);

/* Sets an element of an own value of int64. */
clconst_status clconst__fact_set_cell(clconst__fact *fact,
                                      size_t element,
                                      clconst__cell cell,
                                      clconst_error *error);

/* A new fact of a scalar. */
clconst_status clconst__fact_scalar(clconst_dtype dtype,
                                    clconst__cell cell,
                                    clconst__fact **fact,
                                    clconst_error *error);

/* INVALID_MODEL unless it may be a tensor of int64 with rank 1, as the shape of
 * a ConstantOfShape is. subject names it. */
clconst_status clconst__fact_check_shape(const clconst__fact *fact,
                                         const char *subject,
                                         clconst_error *error);

/*
 * Makes each element of a short list of integers, of which only the dims are
 * known, an unknown number of its own, so that those that are added to it stay
 * known.
 */
clconst_status clconst__fact_itemize(clconst__fact *fact,
                                     clconst__causes *causes,
                                     clconst_error *error);

/*
 * What a Constant tells, which is retained. cause is for a value that is not
 * used: of strings, or of more than limit elements where they must be unpacked.
 */
clconst_status clconst__fact_of_op(const clconst_op *op,
                                   size_t limit,
                                   clconst__cause cause,
                                   clconst__fact **fact,
                                   clconst_error *error);

/* A Constant of a value that is known, or of a fact that is of one. */
clconst_status clconst__fact_make_op(const clconst__fact *fact,
                                     clconst_op **op,
                                     clconst_error *error);

#endif
