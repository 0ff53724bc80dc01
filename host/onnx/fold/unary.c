/*
 * Operators that give for each element of a tensor one of their own.
 */
#include <float.h>
#include <math.h>

#include "onnx/fold/broadcast.h"
#include "onnx/fold/operation.h"
#include "onnx/fold/operators.h"

typedef clconst__outcome (*unary_function)(clconst__number a,
                                           clconst__number *result);

/* Functions by the kind of number; NULL where there is none. */
typedef unary_function unary_functions[CLCONST__NUMBER_KINDS];

#define TOTAL(name, member, expression)                                        \
    static clconst__outcome name(clconst__number a, clconst__number *result)   \
    {                                                                          \
        result->member = (expression);                                         \
        return CLCONST__DONE;                                                  \
    }

static clconst__outcome negate_signed(clconst__number a,
                                      clconst__number *result)
{
    return __builtin_sub_overflow(0, a.i, &result->i) ? CLCONST__OVERFLOW
                                                      : CLCONST__DONE;
}

static clconst__outcome absolute_signed(clconst__number a,
                                        clconst__number *result)
{
    *result = a;
    return a.i < 0 ? negate_signed(a, result) : CLCONST__DONE;
}

TOTAL(negate_real, d, -a.d)
TOTAL(absolute_unsigned, u, a.u)
TOTAL(absolute_real, d, fabs(a.d))
TOTAL(sign_signed, i, (a.i > 0) - (a.i < 0))
TOTAL(sign_unsigned, u, a.u > 0)
TOTAL(sign_real, d, isnan(a.d) ? a.d : (a.d > 0) - (a.d < 0))
TOTAL(sqrt_real, d, sqrt(a.d))
TOTAL(floor_real, d, floor(a.d))
TOTAL(ceil_real, d, ceil(a.d))
/* Halves go to the even integer. */
TOTAL(round_real, d, rint(a.d))
TOTAL(not_bool, u, a.u == 0)

static clconst_status infer_like(clconst__folding *folding,
                                 uint32_t dtypes,
                                 clconst_dtype result,
                                 clconst_error *error)
{
    clconst_dtype dtype;
    clconst_status status =
        clconst__inputs_share_dtype(folding, 1, dtypes, &dtype, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__output_set_like(folding,
                                    0,
                                    result != CLCONST_UNDEFINED ? result
                                                                : dtype,
                                    folding->inputs[0],
                                    error);
}

static clconst_status compute(clconst__folding *folding,
                              const unary_functions functions,
                              clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst_status status = clconst__number_check(input->dtype, error);
    if (status != CLCONST_OK) {
        return status;
    }
    unary_function function = functions[clconst__number_kind_of(input->dtype)];
    for (size_t i = 0; i < input->count && status == CLCONST_OK; i++) {
        clconst__element element = clconst__element_load(input, i);
        if (element.cause != CLCONST__KNOWN) {
            status = clconst__element_derive(
                folding, element.cause, &element, error);
        } else {
            status = clconst__outcome_check(
                function(element.number, &element.number),
                i,
                input->dtype,
                error);
        }
        if (status == CLCONST_OK) {
            status =
                clconst__element_store(folding->outputs[0], i, element, error);
        }
    }
    return status;
}

/* The functions of an operator with values. */
#define UNARY(name, dtypes, ...)                                               \
    static clconst_status infer_##name(clconst__folding *folding,              \
                                       clconst_error *error)                   \
    {                                                                          \
        return infer_like(folding, dtypes, CLCONST_UNDEFINED, error);          \
    }                                                                          \
    static clconst_status compute_##name(clconst__folding *folding,            \
                                         clconst_error *error)                 \
    {                                                                          \
        static const unary_functions functions = {__VA_ARGS__};                \
        return compute(folding, functions, error);                             \
    }

UNARY(negate,
      CLCONST__SIGNED_DTYPES | CLCONST__REAL_DTYPES,
      negate_signed,
      NULL,
      negate_real)
UNARY(absolute,
      CLCONST__NUMERIC_DTYPES,
      absolute_signed,
      absolute_unsigned,
      absolute_real)
UNARY(sign, CLCONST__NUMERIC_DTYPES, sign_signed, sign_unsigned, sign_real)
UNARY(sqrt, CLCONST__REAL_DTYPES, NULL, NULL, sqrt_real)
UNARY(floor, CLCONST__REAL_DTYPES, NULL, NULL, floor_real)
UNARY(ceil, CLCONST__REAL_DTYPES, NULL, NULL, ceil_real)
UNARY(round, CLCONST__REAL_DTYPES, NULL, NULL, round_real)
UNARY(not, CLCONST__DTYPE_BIT(BOOL), NULL, not_bool, NULL)

/* A bound of Clip: an input from opset 11 on, and an attribute before. */
typedef struct bound {
    bool is_there;
    clconst__element element;
} bound;

static clconst_status read_bound(const clconst__folding *folding,
                                 const char *attribute,
                                 float fallback,
                                 size_t input,
                                 bound *read,
                                 clconst_error *error)
{
    *read = (bound){.is_there = false};
    if (folding->opset < 11) {
        float value;
        clconst_status status =
            clconst__folding_float(folding, attribute, fallback, &value, error);
        read->is_there = true;
        read->element.number.d = (double)value;
        return status;
    }
    const clconst__fact *fact = clconst__folding_input(folding, input);
    if (fact == NULL) {
        return CLCONST_OK;
    }
    if (fact->count != 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s has %zu elements; it must have 1",
                             attribute,
                             fact->count);
    }
    *read = (bound){true, clconst__element_load(fact, 0)};
    return CLCONST_OK;
}

static clconst_status infer_clip(clconst__folding *folding,
                                 clconst_error *error)
{
    /* Integers came with opset 12. */
    uint32_t dtypes =
        folding->opset < 12 ? CLCONST__REAL_DTYPES : CLCONST__NUMERIC_DTYPES;
    clconst_status status =
        infer_like(folding, dtypes, CLCONST_UNDEFINED, error);
    for (size_t i = 1; i < 3 && status == CLCONST_OK; i++) {
        const clconst__fact *fact = clconst__folding_input(folding, i);
        clconst_dtype dtype = folding->inputs[0]->dtype;
        if (fact != NULL && fact->dtype != dtype &&
            fact->dtype != CLCONST_UNDEFINED && dtype != CLCONST_UNDEFINED) {
            status = clconst__fail(error,
                                   CLCONST_INVALID_MODEL,
                                   "input %zu has dtype %s; it must be %s",
                                   i,
                                   clconst_dtype_name(fact->dtype),
                                   clconst_dtype_name(dtype));
        }
    }
    return status;
}

static clconst_status compute_clip(clconst__folding *folding,
                                   clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    static const clconst__operation *const operations[2] = {&clconst__maximum,
                                                            &clconst__minimum};
    bound bounds[2];
    clconst_status status = clconst__number_check(input->dtype, error);
    if (status == CLCONST_OK) {
        status = read_bound(folding, "min", -FLT_MAX, 1, &bounds[0], error);
    }
    if (status == CLCONST_OK) {
        status = read_bound(folding, "max", FLT_MAX, 2, &bounds[1], error);
    }
    for (size_t i = 0; i < input->count && status == CLCONST_OK; i++) {
        clconst__element element = clconst__element_load(input, i);
        for (int j = 0; j < 2 && status == CLCONST_OK; j++) {
            if (bounds[j].is_there) {
                status = clconst__elements_combine(folding,
                                                   operations[j],
                                                   input->dtype,
                                                   element,
                                                   bounds[j].element,
                                                   i,
                                                   &element,
                                                   error);
            }
        }
        if (status == CLCONST_OK) {
            status =
                clconst__element_store(folding->outputs[0], i, element, error);
        }
    }
    return status;
}

const clconst__operator clconst__unary_operators[] = {
    {"Abs", 1, CLCONST__ALL_VALUES, true, infer_absolute, compute_absolute},
    {"Ceil", 1, CLCONST__ALL_VALUES, true, infer_ceil, compute_ceil},
    {"Clip", 1, CLCONST__ALL_VALUES, true, infer_clip, compute_clip},
    {"Floor", 1, CLCONST__ALL_VALUES, true, infer_floor, compute_floor},
    {"Neg", 1, CLCONST__ALL_VALUES, true, infer_negate, compute_negate},
    {"Not", 1, CLCONST__ALL_VALUES, true, infer_not, compute_not},
    {"Round", 1, CLCONST__ALL_VALUES, true, infer_round, compute_round},
    {"Sign", 1, CLCONST__ALL_VALUES, true, infer_sign, compute_sign},
    {"Sqrt", 1, CLCONST__ALL_VALUES, true, infer_sqrt, compute_sqrt},
    {NULL, 0, 0, false, NULL, NULL},
};
