/*
 * Operations: what arithmetic does with two numbers, and what stays
 * known when one of them is not.
 */
#ifndef CLCONST_ONNX_FOLD_OPERATION_H
#define CLCONST_ONNX_FOLD_OPERATION_H

#include "onnx/fold/number.h"

typedef enum clconst__outcome {
    CLCONST__DONE,
    CLCONST__OVERFLOW,
    CLCONST__ZERO_DIVISOR
} clconst__outcome;

typedef clconst__outcome (*clconst__binary_function)(clconst__number a,
                                                     clconst__number b,
                                                     clconst__number *result);

/* What holds of every integer x, one that is unknown included. */
typedef enum clconst__laws {
    CLCONST__LEFT_NEUTRAL = 1,  /* neutral o x = x */
    CLCONST__RIGHT_NEUTRAL = 2, /* x o neutral = x */
    CLCONST__NEUTRAL = CLCONST__LEFT_NEUTRAL | CLCONST__RIGHT_NEUTRAL,
    CLCONST__ABSORBING = 4, /* absorbing o x = x o absorbing = absorbing */
    CLCONST__SAME_SELF = 8, /* x o x = x */
    CLCONST__SAME = 16      /* x o x = same */
} clconst__laws;

/* functions by the kind of number; NULL where there is none. */
typedef struct clconst__operation {
    clconst__binary_function functions[CLCONST__NUMBER_KINDS];
    unsigned laws;
    uint8_t neutral;
    uint8_t absorbing;
    uint8_t same;
} clconst__operation;

extern const clconst__operation clconst__add;
extern const clconst__operation clconst__subtract;
extern const clconst__operation clconst__multiply;
extern const clconst__operation clconst__divide;
extern const clconst__operation clconst__modulo;    /* of b's sign */
extern const clconst__operation clconst__remainder; /* of a's sign */
extern const clconst__operation clconst__minimum;
extern const clconst__operation clconst__maximum;
extern const clconst__operation clconst__equal;
extern const clconst__operation clconst__less;
extern const clconst__operation clconst__less_or_equal;
extern const clconst__operation clconst__greater;
extern const clconst__operation clconst__greater_or_equal;
extern const clconst__operation clconst__logical_and;
extern const clconst__operation clconst__logical_or;
extern const clconst__operation clconst__logical_xor;

/* INVALID_MODEL for a failure at an element. */
clconst_status clconst__outcome_check(clconst__outcome outcome,
                                      size_t index,
                                      clconst_dtype dtype,
                                      clconst_error *error);

/*
 * a o b for elements of a dtype that the operation has a function for. index,
 * for messages, is the element of the result.
 */
clconst_status clconst__elements_combine(clconst__folding *folding,
                                         const clconst__operation *operation,
                                         clconst_dtype dtype,
                                         clconst__element a,
                                         clconst__element b,
                                         size_t index,
                                         clconst__element *result,
                                         clconst_error *error);

#endif
