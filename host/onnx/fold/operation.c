#include "onnx/fold/operation.h"

#include <math.h>

/* A function of two numbers of one kind that gives any two of them a value. */
#define TOTAL(name, member, expression)                                        \
    static clconst__outcome name(                                              \
        clconst__number a, clconst__number b, clconst__number *result)         \
    {                                                                          \
        result->member = (expression);                                         \
        return CLCONST__DONE;                                                  \
    }

/* One of integers that may overflow. */
#define CHECKED(name, builtin, member)                                         \
    static clconst__outcome name(                                              \
        clconst__number a, clconst__number b, clconst__number *result)         \
    {                                                                          \
        return builtin(a.member, b.member, &result->member)                    \
                   ? CLCONST__OVERFLOW                                         \
                   : CLCONST__DONE;                                            \
    }

/* One of integers that has no value where b is 0. */
#define DIVISION(name, member, expression)                                     \
    static clconst__outcome name(                                              \
        clconst__number a, clconst__number b, clconst__number *result)         \
    {                                                                          \
        if (b.member == 0) {                                                   \
            return CLCONST__ZERO_DIVISOR;                                      \
        }                                                                      \
        result->member = (expression);                                         \
        return CLCONST__DONE;                                                  \
    }

/* The functions name_signed, name_unsigned and name_real, and the laws. */
#define OPERATION(name, ...)                                                   \
    const clconst__operation clconst__##name = {                               \
        {name##_signed, name##_unsigned, name##_real}, __VA_ARGS__}

CHECKED(add_signed, __builtin_add_overflow, i)
CHECKED(add_unsigned, __builtin_add_overflow, u)
TOTAL(add_real, d, a.d + b.d)
OPERATION(add, CLCONST__NEUTRAL, 0, 0, 0);

CHECKED(subtract_signed, __builtin_sub_overflow, i)
CHECKED(subtract_unsigned, __builtin_sub_overflow, u)
TOTAL(subtract_real, d, a.d - b.d)
OPERATION(subtract, CLCONST__RIGHT_NEUTRAL | CLCONST__SAME, 0, 0, 0);

CHECKED(multiply_signed, __builtin_mul_overflow, i)
CHECKED(multiply_unsigned, __builtin_mul_overflow, u)
TOTAL(multiply_real, d, (a.d * b.d))
OPERATION(multiply, CLCONST__NEUTRAL | CLCONST__ABSORBING, 1, 0, 0);

/* The processor traps where a quotient overflows: the lowest number by -1. */
DIVISION(divide_other, i, a.i / b.i)
DIVISION(divide_unsigned, u, a.u / b.u)
TOTAL(divide_real, d, a.d / b.d)

static clconst__outcome
divide_signed(clconst__number a, clconst__number b, clconst__number *result)
{
    return b.i == -1 ? subtract_signed((clconst__number){.i = 0}, a, result)
                     : divide_other(a, b, result);
}

OPERATION(divide, CLCONST__RIGHT_NEUTRAL, 1, 0, 0);

DIVISION(remainder_signed, i, b.i == -1 ? 0 : a.i % b.i)
DIVISION(remainder_unsigned, u, a.u % b.u)
TOTAL(remainder_real, d, fmod(a.d, b.d))
OPERATION(remainder, 0, 0, 0, 0);

static clconst__outcome
modulo_signed(clconst__number a, clconst__number b, clconst__number *result)
{
    clconst__outcome outcome = remainder_signed(a, b, result);
    if (outcome == CLCONST__DONE && result->i != 0 &&
        (result->i < 0) != (b.i < 0)) {
        result->i += b.i;
    }
    return outcome;
}

static clconst__outcome
modulo_real(clconst__number a, clconst__number b, clconst__number *result)
{
    result->d = fmod(a.d, b.d);
    if (result->d == 0) {
        result->d = copysign(0, b.d);
    } else if ((result->d < 0) != (b.d < 0)) {
        result->d += b.d;
    }
    return CLCONST__DONE;
}

const clconst__operation clconst__modulo = {
    {modulo_signed, remainder_unsigned, modulo_real}, 0, 0, 0, 0};

/* A NaN wins, as in NumPy. */
#define EXTREME(name, sign)                                                    \
    TOTAL(name##_signed, i, b.i sign a.i ? b.i : a.i)                          \
    TOTAL(name##_unsigned, u, b.u sign a.u ? b.u : a.u)                        \
    TOTAL(name##_real, d, isnan(b.d) || b.d sign a.d ? b.d : a.d)              \
    OPERATION(name, CLCONST__SAME_SELF, 0, 0, 0)

EXTREME(minimum, <);
EXTREME(maximum, >);

#define COMPARISON(name, sign, same)                                           \
    TOTAL(name##_signed, u, a.i sign b.i)                                      \
    TOTAL(name##_unsigned, u, a.u sign b.u)                                    \
    TOTAL(name##_real, u, a.d sign b.d)                                        \
    OPERATION(name, CLCONST__SAME, 0, 0, same)

COMPARISON(equal, ==, 1);
COMPARISON(less, <, 0);
COMPARISON(less_or_equal, <=, 1);
COMPARISON(greater, >, 0);
COMPARISON(greater_or_equal, >=, 1);

/* Bool is unsigned, and 0 or 1. */
#define LOGIC(name, sign, ...)                                                 \
    TOTAL(name##_bool, u, a.u sign b.u)                                        \
    const clconst__operation clconst__##name = {{NULL, name##_bool, NULL},     \
                                                __VA_ARGS__}

LOGIC(logical_and,
          &,
      CLCONST__NEUTRAL | CLCONST__ABSORBING | CLCONST__SAME_SELF,
      1,
      0,
      0);
LOGIC(logical_or,
      |
      , CLCONST__NEUTRAL | CLCONST__ABSORBING | CLCONST__SAME_SELF, 0, 1, 0);
LOGIC(logical_xor, ^, CLCONST__NEUTRAL | CLCONST__SAME, 0, 0, 0);

clconst_status clconst__outcome_check(clconst__outcome outcome,
                                      size_t index,
                                      clconst_dtype dtype,
                                      clconst_error *error)
{
    if (outcome == CLCONST__DONE) {
        return CLCONST_OK;
    }
    if (outcome == CLCONST__ZERO_DIVISOR) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "element %zu is a division by 0; %s has no such "
                             "quotient",
                             index,
                             clconst_dtype_name(dtype));
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "element %zu overflows; %s must hold it",
                         index,
                         clconst_dtype_name(dtype));
}

static bool is_known(const clconst__element *element, uint8_t value)
{
    return element->cause == CLCONST__KNOWN && element->number.u == value;
}

/* Whether the laws tell the result of integers that are not both known. */
static bool apply_laws(const clconst__operation *operation,
                       const clconst__element *a,
                       const clconst__element *b,
                       clconst__element *result)
{
    unsigned laws = operation->laws;
    if ((laws & CLCONST__ABSORBING) != 0 &&
        (is_known(a, operation->absorbing) ||
         is_known(b, operation->absorbing))) {
        *result =
            (clconst__element){{.u = operation->absorbing}, CLCONST__KNOWN};
        return true;
    }
    if ((laws & CLCONST__LEFT_NEUTRAL) != 0 &&
        is_known(a, operation->neutral)) {
        *result = *b;
        return true;
    }
    bool is_same = a->cause == b->cause;
    if (((laws & CLCONST__RIGHT_NEUTRAL) != 0 &&
         is_known(b, operation->neutral)) ||
        (is_same && (laws & CLCONST__SAME_SELF) != 0)) {
        *result = *a;
        return true;
    }
    *result = (clconst__element){{.u = operation->same}, CLCONST__KNOWN};
    return is_same && (laws & CLCONST__SAME) != 0;
}

clconst_status clconst__elements_combine(clconst__folding *folding,
                                         const clconst__operation *operation,
                                         clconst_dtype dtype,
                                         clconst__element a,
                                         clconst__element b,
                                         size_t index,
                                         clconst__element *result,
                                         clconst_error *error)
{
    clconst__number_kind kind = clconst__number_kind_of(dtype);
    if (a.cause == CLCONST__KNOWN && b.cause == CLCONST__KNOWN) {
        clconst__outcome outcome =
            operation->functions[kind](a.number, b.number, &result->number);
        result->cause = CLCONST__KNOWN;
        return clconst__outcome_check(outcome, index, dtype, error);
    }
    if (kind != CLCONST__REAL && apply_laws(operation, &a, &b, result)) {
        return CLCONST_OK;
    }
    return clconst__element_derive(
        folding, a.cause != CLCONST__KNOWN ? a.cause : b.cause, result, error);
}
