#include "onnx/fold/operators.h"

const clconst__operator *const clconst__operator_families[] = {
    clconst__shape_operators,      clconst__gather_operators,
    clconst__gather_nd_operators,  clconst__squeeze_operators,
    clconst__concat_operators,     clconst__split_operators,
    clconst__slice_operators,      clconst__reshape_operators,
    clconst__transpose_operators,  clconst__expand_operators,
    clconst__pad_operators,        clconst__scatter_operators,
    clconst__range_operators,      clconst__cast_operators,
    clconst__diagonal_operators,   clconst__one_hot_operators,
    clconst__non_zero_operators,   clconst__arithmetic_operators,
    clconst__unary_operators,      clconst__power_operators,
    clconst__accumulate_operators, clconst__cumulative_operators,
    clconst__reduce_operators,     clconst__elementwise_operators,
    clconst__matrix_operators,     clconst__convolution_operators,
    clconst__pooling_operators,    clconst__selection_operators,
    clconst__resize_operators,     clconst__recurrent_operators,
    clconst__einsum_operators,     clconst__attention_operators,
    clconst__generation_operators, NULL,
};

static const clconst__operator *find_in(const clconst__operator *family,
                                        clconst__span op_type)
{
    for (; family->op_type != NULL; family++) {
        if (clconst__span_equals(op_type, clconst__span_of(family->op_type))) {
            return family;
        }
    }
    return NULL;
}

const clconst__operator *clconst__operator_find(clconst__span op_type)
{
    const clconst__operator *found = NULL;
    for (size_t i = 0; clconst__operator_families[i] != NULL && found == NULL;
         i++) {
        found = find_in(clconst__operator_families[i], op_type);
    }
    return found;
}
