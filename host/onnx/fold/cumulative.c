/*
 * Operators that give each element what those before it along an axis come to.
 */
#include "onnx/fold/broadcast.h"
#include "onnx/fold/copy.h"
#include "onnx/fold/operation.h"
#include "onnx/fold/operators.h"

static clconst_status infer_cumulative(clconst__folding *folding,
                                       clconst_error *error)
{
    clconst_dtype dtype;
    clconst_status status = clconst__inputs_share_dtype(
        folding, 1, CLCONST__NUMERIC_DTYPES, &dtype, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__output_set_like(
        folding, 0, dtype, folding->inputs[0], error);
}

/* The elements along an axis: from first on, count of them, stride apart. */
typedef struct line {
    size_t first;
    size_t stride;
    size_t count;
    bool is_reverse;
    bool is_exclusive;
} line;

static size_t place(const line *along, size_t step)
{
    size_t at = along->is_reverse ? along->count - 1 - step : step;
    return along->first + at * along->stride;
}

static clconst_status
sum_line(clconst__folding *folding, const line *along, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__element sum = {{0}, CLCONST__KNOWN};
    clconst_status status = CLCONST_OK;
    size_t skipped = along->is_exclusive ? 1 : 0;
    for (size_t i = 0; i < along->count && status == CLCONST_OK; i++) {
        size_t at = place(along, i);
        if (i >= skipped) {
            clconst__element next =
                clconst__element_load(input, place(along, i - skipped));
            /* The first stays what it is, also a negative zero. */
            if (i == skipped) {
                sum = next;
            } else {
                status = clconst__elements_combine(folding,
                                                   &clconst__add,
                                                   input->dtype,
                                                   sum,
                                                   next,
                                                   at,
                                                   &sum,
                                                   error);
            }
            sum.number = clconst__number_round(input->dtype, sum.number);
        }
        if (status == CLCONST_OK) {
            status =
                clconst__element_store(folding->outputs[0], at, sum, error);
        }
    }
    return status;
}

/* Reads the attributes, and the axis as its stride and its length. */
static clconst_status read_line(clconst__folding *folding,
                                int64_t axis,
                                line *along,
                                clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    int64_t flags[2];
    static const char *const names[2] = {"reverse", "exclusive"};
    size_t normal;
    clconst_status status =
        clconst__axis_normalize(axis, input->rank, &normal, error);
    for (int i = 0; i < 2 && status == CLCONST_OK; i++) {
        status = clconst__folding_int(folding, names[i], 0, &flags[i], error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    *along = (line){.stride = 1,
                    .count = (size_t)input->dims[normal].value,
                    .is_reverse = flags[0] != 0,
                    .is_exclusive = flags[1] != 0};
    for (size_t i = normal + 1; i < input->rank; i++) {
        along->stride *= (size_t)input->dims[i].value;
    }
    return CLCONST_OK;
}

static clconst_status compute_cumsum(clconst__folding *folding,
                                     clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__cell *axis;
    size_t count;
    clconst_status status = clconst__number_check(input->dtype, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_cells(folding, 1, &axis, &count, error);
    }
    if (status == CLCONST_OK && count != 1) {
        status = clconst__fail(error,
                               CLCONST_INVALID_MODEL,
                               "axis has %zu elements; it must have 1",
                               count);
    }
    if (status != CLCONST_OK || input->count == 0) {
        return status;
    }
    if (axis->cause != CLCONST__KNOWN) {
        return clconst__copy_unknown(
            folding, 0, 0, input->count, axis->cause, error);
    }
    line along;
    status = read_line(folding, axis->value, &along, error);
    size_t block = 0;
    for (size_t i = 0; status == CLCONST_OK && i < input->count / along.count;
         i++) {
        block = i / along.stride * along.stride * along.count;
        along.first = block + i % along.stride;
        status = sum_line(folding, &along, error);
    }
    return status;
}

const clconst__operator clconst__cumulative_operators[] = {
    {"CumProd", 2, CLCONST__NO_VALUES, false, infer_cumulative, NULL},
    {"CumSum", 2, CLCONST__ALL_VALUES, true, infer_cumulative, compute_cumsum},
    {NULL, 0, 0, false, NULL, NULL},
};
