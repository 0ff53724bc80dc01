/*
 * Operators: what can be folded, in one table.
 */
#ifndef CLCONST_ONNX_FOLD_OPERATORS_H
#define CLCONST_ONNX_FOLD_OPERATORS_H

#include "onnx/fold/folding.h"

/* Inputs whose values compute asks for, as bits. */
#define CLCONST__ALL_VALUES UINT32_MAX
#define CLCONST__NO_VALUES  UINT32_C(0)

/*
 * compute is NULL for an operator of which only dims are told. It gets values
 * of the inputs in values that are there; with takes_unknown also those with
 * unknown elements, whose causes it hands on.
 */
typedef struct clconst__operator {
    const char *op_type;
    uint32_t input_min;
    uint32_t values;
    bool takes_unknown;
    clconst__folding_function infer;
    clconst__folding_function compute;
} clconst__operator;

/* The families; each ends with an entry without a name. */
extern const clconst__operator clconst__shape_operators[];
extern const clconst__operator clconst__gather_operators[];
extern const clconst__operator clconst__gather_nd_operators[];
extern const clconst__operator clconst__squeeze_operators[];
extern const clconst__operator clconst__concat_operators[];
extern const clconst__operator clconst__split_operators[];
extern const clconst__operator clconst__slice_operators[];
extern const clconst__operator clconst__reshape_operators[];
extern const clconst__operator clconst__transpose_operators[];
extern const clconst__operator clconst__expand_operators[];
extern const clconst__operator clconst__pad_operators[];
extern const clconst__operator clconst__scatter_operators[];
extern const clconst__operator clconst__range_operators[];
extern const clconst__operator clconst__cast_operators[];
extern const clconst__operator clconst__diagonal_operators[];
extern const clconst__operator clconst__one_hot_operators[];
extern const clconst__operator clconst__non_zero_operators[];
extern const clconst__operator clconst__arithmetic_operators[];
extern const clconst__operator clconst__unary_operators[];
extern const clconst__operator clconst__power_operators[];
extern const clconst__operator clconst__accumulate_operators[];
extern const clconst__operator clconst__cumulative_operators[];
extern const clconst__operator clconst__reduce_operators[];
extern const clconst__operator clconst__elementwise_operators[];
extern const clconst__operator clconst__matrix_operators[];
extern const clconst__operator clconst__convolution_operators[];
extern const clconst__operator clconst__pooling_operators[];
extern const clconst__operator clconst__selection_operators[];
extern const clconst__operator clconst__resize_operators[];
extern const clconst__operator clconst__recurrent_operators[];
extern const clconst__operator clconst__einsum_operators[];
extern const clconst__operator clconst__attention_operators[];
extern const clconst__operator clconst__generation_operators[];

/* All of them; NULL ends the list. */
extern const clconst__operator *const clconst__operator_families[];

/* The operator of the default domain, or NULL. */
const clconst__operator *clconst__operator_find(clconst__span op_type);

#endif
