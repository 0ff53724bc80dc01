/*
 * Operators that combine the elements of two tensors, or of any number.
 */
#include "onnx/fold/broadcast.h"
#include "onnx/fold/copy.h"
#include "onnx/fold/operation.h"
#include "onnx/fold/operators.h"

/* Before opset 7, B was stretched along the axis of an attribute. */
static clconst_status check_broadcast(const clconst__folding *folding,
                                      clconst_error *error)
{
    if (folding->opset >= 7 || !clconst__folding_has(folding, "broadcast")) {
        return CLCONST_OK;
    }
    return clconst__fail(
        error, CLCONST_UNSUPPORTED, "broadcasting as before opset 7");
}

/* result is CLCONST_UNDEFINED for that of the inputs. */
static clconst_status infer(clconst__folding *folding,
                            size_t count,
                            uint32_t dtypes,
                            clconst_dtype result,
                            clconst_error *error)
{
    clconst_dtype dtype;
    clconst_status status =
        clconst__inputs_share_dtype(folding, count, dtypes, &dtype, error);
    if (status == CLCONST_OK) {
        status = check_broadcast(folding, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__output_set_broadcast(folding,
                                         0,
                                         result != CLCONST_UNDEFINED ? result
                                                                     : dtype,
                                         folding->inputs,
                                         count,
                                         error);
}

/* The elements of result are those of a and b combined; a may be result. */
static clconst_status combine(clconst__folding *folding,
                              const clconst__operation *operation,
                              const clconst__fact *a,
                              const clconst__fact *b,
                              clconst__fact *result,
                              clconst_error *error)
{
    clconst__walk walk;
    clconst_status status =
        clconst__walk_create(folding, result->dims, result->rank, &walk, error);
    if (status == CLCONST_OK) {
        status = clconst__walk_add_broadcast(folding, &walk, a, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__walk_add_broadcast(folding, &walk, b, error);
    }
    for (size_t i = 0; i < result->count && status == CLCONST_OK; i++) {
        clconst__element element;
        status = clconst__elements_combine(
            folding,
            operation,
            a->dtype,
            clconst__element_load(a, walk.positions[0]),
            clconst__element_load(b, walk.positions[1]),
            i,
            &element,
            error);
        if (status == CLCONST_OK) {
            status = clconst__element_store(result, i, element, error);
        }
        clconst__walk_step(&walk);
    }
    return status;
}

static clconst_status compute_pair(clconst__folding *folding,
                                   const clconst__operation *operation,
                                   clconst_error *error)
{
    const clconst__fact *a = folding->inputs[0];
    clconst_status status = clconst__number_check(a->dtype, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return combine(
        folding, operation, a, folding->inputs[1], folding->outputs[0], error);
}

/* The functions of an operator of two inputs. */
#define PAIR(operation, dtypes, result)                                        \
    static clconst_status infer_##operation(clconst__folding *folding,         \
                                            clconst_error *error)              \
    {                                                                          \
        return infer(folding, 2, dtypes, result, error);                       \
    }                                                                          \
    static clconst_status compute_##operation(clconst__folding *folding,       \
                                              clconst_error *error)            \
    {                                                                          \
        return compute_pair(folding, &clconst__##operation, error);            \
    }

#define ARITHMETIC(operation)                                                  \
    PAIR(operation, CLCONST__NUMERIC_DTYPES, CLCONST_UNDEFINED)
#define COMPARISON(operation, dtypes) PAIR(operation, dtypes, CLCONST_BOOL)
#define LOGIC(operation)              PAIR(operation, CLCONST__DTYPE_BIT(BOOL), CLCONST_BOOL)

ARITHMETIC(add)
ARITHMETIC(subtract)
ARITHMETIC(multiply)
ARITHMETIC(divide)
COMPARISON(equal,
           CLCONST__NUMERIC_DTYPES | CLCONST__DTYPE_BIT(BOOL) |
               CLCONST__DTYPE_BIT(STRING))
COMPARISON(less, CLCONST__NUMERIC_DTYPES)
COMPARISON(less_or_equal, CLCONST__NUMERIC_DTYPES)
COMPARISON(greater, CLCONST__NUMERIC_DTYPES)
COMPARISON(greater_or_equal, CLCONST__NUMERIC_DTYPES)
LOGIC(logical_and)
LOGIC(logical_or)
LOGIC(logical_xor)

static clconst_status compute_mod(clconst__folding *folding,
                                  clconst_error *error)
{
    int64_t fmod;
    clconst_status status =
        clconst__folding_int(folding, "fmod", 0, &fmod, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return compute_pair(
        folding, fmod == 1 ? &clconst__remainder : &clconst__modulo, error);
}

static clconst_status compute_all(clconst__folding *folding,
                                  const clconst__operation *operation,
                                  clconst_error *error)
{
    if (folding->input_count == 1) {
        return clconst__copy_input(folding, error);
    }
    clconst__fact *result = folding->outputs[0];
    clconst_status status = compute_pair(folding, operation, error);
    for (size_t i = 2; i < folding->input_count && status == CLCONST_OK; i++) {
        status = clconst__folding_work(folding, result->count, error);
        if (status == CLCONST_OK) {
            status = combine(
                folding, operation, result, folding->inputs[i], result, error);
        }
    }
    return status;
}

static clconst_status infer_all(clconst__folding *folding, clconst_error *error)
{
    return infer(folding,
                 folding->input_count,
                 CLCONST__NUMERIC_DTYPES,
                 CLCONST_UNDEFINED,
                 error);
}

static clconst_status compute_min(clconst__folding *folding,
                                  clconst_error *error)
{
    return compute_all(folding, &clconst__minimum, error);
}

static clconst_status compute_max(clconst__folding *folding,
                                  clconst_error *error)
{
    return compute_all(folding, &clconst__maximum, error);
}

/* Of bits, and of strings, only dims are told. */
static clconst_status infer_other(clconst__folding *folding,
                                  clconst_error *error)
{
    return infer(folding, 2, CLCONST__ALL_DTYPES, CLCONST_UNDEFINED, error);
}

/* B is stretched to A, never A to B. */
static clconst_status infer_prelu(clconst__folding *folding,
                                  clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    return clconst__output_set_like(folding, 0, input->dtype, input, error);
}

#define BOTH CLCONST__ALL_VALUES, true

const clconst__operator clconst__arithmetic_operators[] = {
    {"Add", 2, BOTH, infer_add, compute_add},
    {"And", 2, BOTH, infer_logical_and, compute_logical_and},
    {"BitShift", 2, CLCONST__NO_VALUES, false, infer_other, NULL},
    {"BitwiseAnd", 2, CLCONST__NO_VALUES, false, infer_other, NULL},
    {"BitwiseOr", 2, CLCONST__NO_VALUES, false, infer_other, NULL},
    {"BitwiseXor", 2, CLCONST__NO_VALUES, false, infer_other, NULL},
    {"Div", 2, BOTH, infer_divide, compute_divide},
    {"Equal", 2, BOTH, infer_equal, compute_equal},
    {"Greater", 2, BOTH, infer_greater, compute_greater},
    {"GreaterOrEqual",
     2,
     BOTH,
     infer_greater_or_equal,
     compute_greater_or_equal},
    {"Less", 2, BOTH, infer_less, compute_less},
    {"LessOrEqual", 2, BOTH, infer_less_or_equal, compute_less_or_equal},
    {"Max", 1, BOTH, infer_all, compute_max},
    {"Mean", 1, CLCONST__NO_VALUES, false, infer_all, NULL},
    {"Min", 1, BOTH, infer_all, compute_min},
    {"Mod", 2, BOTH, infer_add, compute_mod},
    {"Mul", 2, BOTH, infer_multiply, compute_multiply},
    {"Or", 2, BOTH, infer_logical_or, compute_logical_or},
    {"PRelu", 2, CLCONST__NO_VALUES, false, infer_prelu, NULL},
    {"StringConcat", 2, CLCONST__NO_VALUES, false, infer_other, NULL},
    {"Sub", 2, BOTH, infer_subtract, compute_subtract},
    {"Sum", 1, CLCONST__NO_VALUES, false, infer_all, NULL},
    {"Xor", 2, BOTH, infer_logical_xor, compute_logical_xor},
    {NULL, 0, 0, false, NULL, NULL},
};
