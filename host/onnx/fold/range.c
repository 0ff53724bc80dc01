/*
 * Range: numbers from a start on, in steps. Their number is a dim, so that dims
 * too need the values.
 */
#include <math.h>

#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/half.h"
#include "onnx/fold/operators.h"

enum { START, LIMIT, DELTA, INPUTS };

/* Why one of the inputs is unknown. */
static clconst_status find_unknown(const clconst__folding *folding,
                                   clconst__cause *cause,
                                   clconst_error *error)
{
    *cause = CLCONST__KNOWN;
    for (size_t i = 0; i < INPUTS; i++) {
        const clconst__fact *input = folding->inputs[i];
        uint64_t count;
        if (clconst__fact_count(input, &count) &&
            (input->rank > 1 || count != 1)) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "input %zu is no scalar; it must be one",
                                 i);
        }
        if (*cause == CLCONST__KNOWN) {
            *cause = input->data != NULL ? clconst__fact_cause(input, 0)
                                         : clconst__fact_value_cause(input);
        }
    }
    return CLCONST_OK;
}

static clconst_status load(const clconst__folding *folding,
                           clconst__number *numbers,
                           clconst__number_kind *kind,
                           clconst_error *error)
{
    for (size_t i = 0; i < INPUTS; i++) {
        const clconst__fact *input = folding->inputs[i];
        *kind = clconst__number_widen(input->dtype, input->data, &numbers[i]);
    }
    return *kind == CLCONST__SIGNED || *kind == CLCONST__REAL
               ? CLCONST_OK
               : clconst__fail(error,
                               CLCONST_UNSUPPORTED,
                               "a range of dtype %s",
                               clconst_dtype_name(folding->inputs[0]->dtype));
}

static clconst_status count_integers(const clconst__number *numbers,
                                     int64_t *count,
                                     clconst_error *error)
{
    int64_t delta = numbers[DELTA].i;
    bool is_forward = delta > 0;
    const clconst__number *low = &numbers[is_forward ? START : LIMIT];
    const clconst__number *high = &numbers[is_forward ? LIMIT : START];
    uint64_t step = is_forward ? numbers[DELTA].u : 0 - numbers[DELTA].u;
    uint64_t steps = low->i < high->i ? (high->u - low->u - 1) / step + 1 : 0;
    if (steps > INT64_MAX) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "range has 2^63 elements or more; int64 must hold "
                             "their number");
    }
    *count = (int64_t)steps;
    return CLCONST_OK;
}

static clconst_status count_reals(const clconst__number *numbers,
                                  int64_t *count,
                                  clconst_error *error)
{
    double distance = numbers[LIMIT].d - numbers[START].d;
    double steps = ceil(distance / numbers[DELTA].d);
    if (!(steps < (double)(UINT64_C(1) << 63))) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "range has 2^63 elements or more, or no number of "
                             "them; int64 must hold it");
    }
    *count = steps > 0 ? (int64_t)steps : 0;
    return CLCONST_OK;
}

static bool is_zero(clconst__number_kind kind, clconst__number number)
{
    return kind == CLCONST__REAL ? number.d == 0 : number.i == 0;
}

/* Whether from 0 in steps of 1 to a number that the model names as a dim, so
 * that it is not negative. */
static bool counts_to_dim(const clconst__folding *folding, clconst__cell *dim)
{
    const clconst__fact *const *inputs = folding->inputs;
    for (size_t i = 0; i < INPUTS; i++) {
        if (inputs[i]->data == NULL || inputs[i]->dtype != CLCONST_INT64) {
            return false;
        }
    }
    *dim = clconst__fact_cell(inputs[LIMIT], 0);
    return clconst__cell_is(clconst__fact_cell(inputs[START], 0), 0) &&
           clconst__cell_is(clconst__fact_cell(inputs[DELTA], 0), 1) &&
           folding->causes->items[dim->cause].symbol.data != NULL;
}

static clconst_status infer(clconst__folding *folding, clconst_error *error)
{
    static const size_t inputs[] = {START, LIMIT, DELTA};
    clconst_dtype dtype;
    clconst__cell *dims;
    clconst__cause cause = CLCONST__KNOWN;
    clconst__number_kind kind;
    clconst__number numbers[INPUTS];
    clconst_status status =
        clconst__copy_dtype(folding, inputs, INPUTS, &dtype, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(folding, 0, dtype, 1, &dims, error);
    }
    if (status == CLCONST_OK) {
        status = find_unknown(folding, &cause, error);
    }
    if (status == CLCONST_OK && cause != CLCONST__KNOWN) {
        return counts_to_dim(folding, &dims[0])
                   ? CLCONST_OK
                   : clconst__cause_derive(
                         folding->causes, cause, &dims[0].cause, error);
    }
    if (status == CLCONST_OK) {
        status = load(folding, numbers, &kind, error);
    }
    if (status == CLCONST_OK && is_zero(kind, numbers[DELTA])) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "delta is 0; it must not be");
    }
    if (status == CLCONST_OK) {
        dims[0].cause = CLCONST__KNOWN;
        status = kind == CLCONST__REAL
                     ? count_reals(numbers, &dims[0].value, error)
                     : count_integers(numbers, &dims[0].value, error);
    }
    return status;
}

/*
 * As NumPy counts, and with it the reference evaluator: each step is as long as
 * the first, which is rounded. Halves are counted in float, unless stash_type
 * asks for double.
 */
static double
count_real(const clconst__number *numbers, double i, bool in_float)
{
    double second = numbers[START].d + numbers[DELTA].d;
    if (in_float) {
        float start = (float)numbers[START].d;
        float step = (float)second - start;
        float way = (float)i * step;
        return i == 1 ? (double)(float)second : (double)(start + way);
    }
    double step = second - numbers[START].d;
    double way = i * step;
    return i == 1 ? second : numbers[START].d + way;
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    clconst__fact *output = folding->outputs[0];
    clconst__number_kind kind;
    clconst__number numbers[INPUTS];
    int64_t stash_type;
    clconst_status status = clconst__folding_int(
        folding, "stash_type", CLCONST_FLOAT, &stash_type, error);
    if (status == CLCONST_OK) {
        status = load(folding, numbers, &kind, error);
    }
    bool is_half =
        output->dtype == CLCONST_FLOAT16 || output->dtype == CLCONST_BFLOAT16;
    if (status == CLCONST_OK && is_half && stash_type != CLCONST_FLOAT &&
        stash_type != CLCONST_DOUBLE) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "stash_type must be float or double");
    }
    for (size_t i = 0; i < output->count && status == CLCONST_OK; i++) {
        uint8_t *bytes = output->own_data + i * output->element_size;
        if (kind == CLCONST__REAL) {
            clconst__number_narrow(
                output->dtype,
                count_real(
                    numbers, (double)i, is_half && stash_type == CLCONST_FLOAT),
                bytes);
        } else {
            /* Between start and limit, whatever a product does on the way. */
            clconst__number number = {.u = numbers[START].u +
                                           (uint64_t)i * numbers[DELTA].u};
            clconst__number_store(output->dtype, number, bytes);
        }
    }
    return status;
}

const clconst__operator clconst__range_operators[] = {
    {"Range", 3, CLCONST__ALL_VALUES, false, infer, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
