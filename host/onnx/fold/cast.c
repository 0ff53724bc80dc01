/*
 * Cast and CastLike: elements as those of another dtype.
 */
#include "onnx/fold/copy.h"
#include "onnx/fold/half.h"
#include "onnx/fold/operators.h"

static clconst_status infer_cast(clconst__folding *folding,
                                 clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst_dtype dtype;
    clconst_status status =
        clconst__folding_dtype(folding, "to", CLCONST_UNDEFINED, &dtype, error);
    if (status == CLCONST_OK && dtype == CLCONST_UNDEFINED) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "to is left out; it must not");
    }
    return status == CLCONST_OK
               ? clconst__output_set_like(folding, 0, dtype, input, error)
               : status;
}

static clconst_status infer_cast_like(clconst__folding *folding,
                                      clconst_error *error)
{
    return clconst__output_set_like(
        folding, 0, folding->inputs[1]->dtype, folding->inputs[0], error);
}

/* An integer of 64 bits as a double that rounds to fewer bits as it would: of
 * what a double cannot hold, one bit stays. */
static double reduce(uint64_t magnitude)
{
    enum { SPARE_BITS = 11 };
    if (magnitude >> (64 - SPARE_BITS) != 0) {
        uint64_t rest = magnitude & ((UINT64_C(1) << SPARE_BITS) - 1);
        magnitude = (magnitude - rest) | (rest != 0 ? 1U << SPARE_BITS : 0U);
    }
    return (double)magnitude;
}

static bool integer_to_real(clconst__number_kind kind,
                            clconst__number number,
                            clconst_dtype dtype,
                            uint8_t *bytes)
{
    if (dtype == CLCONST_DOUBLE) {
        double real =
            kind == CLCONST__SIGNED ? (double)number.i : (double)number.u;
        memcpy(bytes, &real, sizeof(real));
        return true;
    }
    bool is_negative = kind == CLCONST__SIGNED && number.i < 0;
    double real = reduce(is_negative ? 0 - number.u : number.u);
    return clconst__number_narrow(dtype, is_negative ? -real : real, bytes);
}

/* Towards zero; false for what the dtype cannot hold. */
static bool
real_to_integer(double real, clconst_dtype dtype, clconst__number *number)
{
    /* Powers of two, so that a double holds them. */
    bool is_signed = clconst__number_kind_of(dtype) == CLCONST__SIGNED;
    double lowest = is_signed ? (double)clconst__number_lowest(dtype).i : 0.0;
    uint64_t half = clconst__number_highest(dtype).u / 2 + 1;
    double beyond = is_signed ? -lowest : (double)half * 2;
    if (!(real < beyond) || !(real >= lowest || real > lowest - 1)) {
        return false;
    }
    if (is_signed) {
        number->i = (int64_t)real;
    } else {
        number->u = (uint64_t)real;
    }
    return true;
}

static bool integer_to_integer(clconst__number_kind kind,
                               clconst__number number,
                               clconst_dtype dtype,
                               uint8_t *bytes)
{
    /* The same bits mean another number, where the top one is set. */
    return (kind == clconst__number_kind_of(dtype) || number.i >= 0) &&
           clconst__number_store(dtype, number, bytes);
}

/* False when the dtype cannot hold the number. */
static bool convert(clconst__number_kind kind,
                    clconst__number number,
                    clconst_dtype dtype,
                    uint8_t *bytes)
{
    bool is_real = kind == CLCONST__REAL;
    if (dtype == CLCONST_BOOL) {
        bytes[0] = is_real ? number.d != 0 : number.u != 0;
        return true;
    }
    clconst__number_kind wanted = clconst__number_kind_of(dtype);
    if (wanted == CLCONST__REAL || wanted == CLCONST__NO_NUMBER) {
        return is_real ? clconst__number_narrow(dtype, number.d, bytes)
                       : integer_to_real(kind, number, dtype, bytes);
    }
    if (is_real) {
        return real_to_integer(number.d, dtype, &number) &&
               clconst__number_store(dtype, number, bytes);
    }
    return integer_to_integer(kind, number, dtype, bytes);
}

static bool is_computed(clconst_dtype dtype)
{
    return clconst__number_kind_of(dtype) != CLCONST__NO_NUMBER ||
           dtype == CLCONST_FLOAT16 || dtype == CLCONST_BFLOAT16;
}

static bool is_integer(clconst_dtype dtype)
{
    clconst__number_kind kind = clconst__number_kind_of(dtype);
    return dtype != CLCONST_BOOL &&
           (kind == CLCONST__SIGNED || kind == CLCONST__UNSIGNED);
}

static clconst_status
cast_element(clconst__folding *folding, size_t index, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__fact *output = folding->outputs[0];
    clconst__cause cause = clconst__fact_cause(input, index);
    if (cause != CLCONST__KNOWN) {
        /* An integer stays the same number. */
        return is_integer(input->dtype) && is_integer(output->dtype)
                   ? clconst__fact_set_cause(output, index, cause, error)
                   : clconst__copy_unknown(folding, 0, index, 1, cause, error);
    }
    clconst__number number;
    clconst__number_kind kind = clconst__number_widen(
        input->dtype, input->data + index * input->element_size, &number);
    if (!convert(kind,
                 number,
                 output->dtype,
                 output->own_data + index * output->element_size)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "element %zu is out of range; %s must hold it",
                             index,
                             clconst_dtype_name(output->dtype));
    }
    return clconst__fact_set_cause(output, index, CLCONST__KNOWN, error);
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst_dtype dtype = folding->outputs[0]->dtype;
    if (input->dtype == dtype) {
        return clconst__copy_input(folding, error);
    }
    if (!is_computed(input->dtype) || !is_computed(dtype)) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "a cast from %s to %s",
                             clconst_dtype_name(input->dtype),
                             clconst_dtype_name(dtype));
    }
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < input->count && status == CLCONST_OK; i++) {
        status = cast_element(folding, i, error);
    }
    return status;
}

const clconst__operator clconst__cast_operators[] = {
    {"Cast", 1, CLCONST__ALL_VALUES, true, infer_cast, compute},
    /* Of the second input only the dtype counts. */
    {"CastLike", 2, 1, true, infer_cast_like, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
