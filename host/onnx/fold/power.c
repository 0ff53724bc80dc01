/*
 * Pow: the one operator whose two inputs have dtypes of their own.
 */
#include <math.h>

#include "onnx/fold/broadcast.h"
#include "onnx/fold/operation.h"
#include "onnx/fold/operators.h"
#include "onnx/fold/walk.h"

static clconst_status infer_pow(clconst__folding *folding, clconst_error *error)
{
    uint32_t dtypes = CLCONST__REAL_DTYPES | CLCONST__DTYPE_BIT(INT32) |
                      CLCONST__DTYPE_BIT(INT64);
    clconst_dtype dtype;
    clconst_status status =
        clconst__inputs_share_dtype(folding, 1, dtypes, &dtype, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__output_set_broadcast(
        folding, 0, dtype, folding->inputs, 2, error);
}

static double as_real(clconst__number number, clconst__number_kind kind)
{
    switch (kind) {
    case CLCONST__SIGNED:
        return (double)number.i;
    case CLCONST__UNSIGNED:
        return (double)number.u;
    default:
        return number.d;
    }
}

/* By squares of the base, of which the last is not needed and may overflow. */
static clconst__outcome
raise_integer(int64_t base, uint64_t exponent, int64_t *result)
{
    bool is_large = false;
    *result = 1;
    while (exponent > 0) {
        if ((exponent & 1U) != 0) {
            if (is_large || __builtin_mul_overflow(*result, base, result)) {
                return CLCONST__OVERFLOW;
            }
        }
        exponent >>= 1U;
        is_large = is_large || __builtin_mul_overflow(base, base, &base);
    }
    return CLCONST__DONE;
}

/* What an integer to a negative power leaves when its fraction is cut off is
 * not the same everywhere; only powers that are whole are told. */
static clconst_status raise_negative(int64_t base,
                                     int64_t exponent,
                                     size_t index,
                                     int64_t *result,
                                     clconst_error *error)
{
    if (base != 1 && base != -1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "element %zu is a negative power of an integer; "
                             "it must be whole",
                             index);
    }
    *result = base == -1 && exponent % 2 != 0 ? -1 : 1;
    return CLCONST_OK;
}

/* The power of an integer to a real one, cut off to an integer. */
static clconst_status cut_off(double power,
                              clconst_dtype dtype,
                              size_t index,
                              int64_t *result,
                              clconst_error *error)
{
    /* 2^63 itself is beyond int64, and NaN beyond all. */
    if (!(power >= (double)INT64_MIN && power < -(double)INT64_MIN)) {
        return clconst__outcome_check(CLCONST__OVERFLOW, index, dtype, error);
    }
    *result = (int64_t)power;
    return CLCONST_OK;
}

static clconst_status raise(const clconst__fact *base,
                            clconst__number a,
                            const clconst__fact *exponent,
                            clconst__number b,
                            size_t index,
                            clconst__number *result,
                            clconst_error *error)
{
    clconst__number_kind base_kind = clconst__number_kind_of(base->dtype);
    clconst__number_kind kind = clconst__number_kind_of(exponent->dtype);
    double real = as_real(b, kind);
    if (base_kind == CLCONST__REAL) {
        result->d = pow(a.d, real);
        return CLCONST_OK;
    }
    if (kind == CLCONST__REAL) {
        return cut_off(
            pow((double)a.i, real), base->dtype, index, &result->i, error);
    }
    if (kind == CLCONST__SIGNED && b.i < 0) {
        return raise_negative(a.i, b.i, index, &result->i, error);
    }
    return clconst__outcome_check(
        raise_integer(a.i, b.u, &result->i), index, base->dtype, error);
}

static clconst_status compute_element(clconst__folding *folding,
                                      const clconst__walk *walk,
                                      size_t index,
                                      clconst_error *error)
{
    const clconst__fact *base = folding->inputs[0];
    const clconst__fact *exponent = folding->inputs[1];
    clconst__element a = clconst__element_load(base, walk->positions[0]);
    clconst__element b = clconst__element_load(exponent, walk->positions[1]);
    clconst__element power = {.cause = CLCONST__KNOWN};
    clconst__cause unknown = a.cause != CLCONST__KNOWN ? a.cause : b.cause;
    clconst_status status;
    if (unknown != CLCONST__KNOWN) {
        status = clconst__element_derive(folding, unknown, &power, error);
    } else {
        status = raise(
            base, a.number, exponent, b.number, index, &power.number, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__element_store(folding->outputs[0], index, power, error);
}

static clconst_status compute_pow(clconst__folding *folding,
                                  clconst_error *error)
{
    const clconst__fact *result = folding->outputs[0];
    clconst__walk walk;
    clconst_status status =
        clconst__walk_create(folding, result->dims, result->rank, &walk, error);
    for (size_t i = 0; i < 2 && status == CLCONST_OK; i++) {
        status = clconst__number_check(folding->inputs[i]->dtype, error);
        if (status == CLCONST_OK) {
            status = clconst__walk_add_broadcast(
                folding, &walk, folding->inputs[i], error);
        }
    }
    for (size_t i = 0; i < result->count && status == CLCONST_OK; i++) {
        status = compute_element(folding, &walk, i, error);
        clconst__walk_step(&walk);
    }
    return status;
}

const clconst__operator clconst__power_operators[] = {
    {"Pow", 2, CLCONST__ALL_VALUES, true, infer_pow, compute_pow},
    {NULL, 0, 0, false, NULL, NULL},
};
