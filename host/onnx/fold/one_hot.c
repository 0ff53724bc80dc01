/*
 * OneHot: a tensor of two values, by where indices point along a new axis.
 */
#include <inttypes.h>

#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/half.h"
#include "onnx/fold/operators.h"

enum { NEGATIVE_IS_FROM_END_SINCE = 11 };

/* A number as int64, towards zero; false when it is beyond. */
static bool
load_integer(const clconst__fact *fact, size_t element, int64_t *integer)
{
    const double limit = (double)(UINT64_C(1) << 63);
    clconst__number number;
    switch (clconst__number_widen(
        fact->dtype, fact->data + element * fact->element_size, &number)) {
    case CLCONST__REAL:
        if (!(number.d >= -limit && number.d < limit)) {
            return false;
        }
        *integer = (int64_t)number.d;
        return true;
    case CLCONST__UNSIGNED:
        *integer = number.i;
        return number.i >= 0;
    case CLCONST__SIGNED:
        *integer = number.i;
        return true;
    default:
        return false;
    }
}

/* The length of the new axis; *dim stays as it is when it is unknown. */
static clconst_status
read_depth(clconst__folding *folding, clconst__cell *dim, clconst_error *error)
{
    const clconst__fact *depth = folding->inputs[1];
    if (depth->data == NULL) {
        return clconst__cause_derive(folding->causes,
                                     clconst__fact_value_cause(depth),
                                     &dim->cause,
                                     error);
    }
    if (depth->count != 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "depth has %zu elements; it must have one",
                             depth->count);
    }
    clconst__cause cause = clconst__fact_cause(depth, 0);
    if (cause != CLCONST__KNOWN && depth->dtype == CLCONST_INT64) {
        *dim = (clconst__cell){0, cause};
        return CLCONST_OK;
    }
    if (cause != CLCONST__KNOWN) {
        return clconst__cause_derive(
            folding->causes, cause, &dim->cause, error);
    }
    int64_t length;
    if (!load_integer(depth, 0, &length) || length < 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "depth is out of range; it must be >= 0 and below "
                             "2^63");
    }
    *dim = (clconst__cell){length, CLCONST__KNOWN};
    return CLCONST_OK;
}

static clconst_status infer(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *indices = folding->inputs[0];
    clconst_dtype dtype = folding->inputs[2]->dtype;
    clconst__output_set_dtype(folding, 0, dtype);
    if (indices->dims == NULL) {
        return CLCONST_OK;
    }
    size_t axis;
    clconst__cell *dims;
    clconst_status status = clconst__axis_read(
        folding, -1, folding->inputs[0]->rank + 1, &axis, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, 0, dtype, indices->rank + 1, &dims, error);
    }
    for (size_t i = 0; i < indices->rank && status == CLCONST_OK; i++) {
        dims[i < axis ? i : i + 1] = indices->dims[i];
    }
    return status == CLCONST_OK ? read_depth(folding, &dims[axis], error)
                                : status;
}

/* Which of the two values an element is: 1 where its index points to its place
 * along the axis. */
static size_t choose(const clconst__folding *folding,
                     size_t index,
                     int64_t place,
                     int64_t length)
{
    int64_t pointed;
    if (!load_integer(folding->inputs[0], index, &pointed)) {
        return 0;
    }
    if (pointed < 0 && folding->opset >= NEGATIVE_IS_FROM_END_SINCE) {
        pointed += length;
    }
    return pointed == place ? 1 : 0;
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *indices = folding->inputs[0];
    const clconst__fact *values = folding->inputs[2];
    const clconst__fact *output = folding->outputs[0];
    size_t axis;
    clconst_status status = clconst__axis_read(
        folding, -1, folding->inputs[0]->rank + 1, &axis, error);
    if (status == CLCONST_OK && values->count != 2) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "values have %zu elements; they must have two",
                             values->count);
    }
    if (status != CLCONST_OK || output->count == 0) {
        return status;
    }
    size_t length = (size_t)output->dims[axis].value;
    size_t inner =
        clconst__dims_count(output->dims + axis + 1, output->rank - axis - 1);
    for (size_t i = 0; i < output->count && status == CLCONST_OK; i++) {
        size_t index = i / (length * inner) * inner + i % inner;
        int64_t place = (int64_t)(i / inner % length);
        clconst__cause cause = clconst__fact_cause(indices, index);
        status = cause == CLCONST__KNOWN
                     ? clconst__element_move(
                           folding,
                           0,
                           i,
                           values,
                           choose(folding, index, place, (int64_t)length),
                           error)
                     : clconst__copy_unknown(folding, 0, i, 1, cause, error);
    }
    return status;
}

const clconst__operator clconst__one_hot_operators[] = {
    {"OneHot", 3, CLCONST__ALL_VALUES, true, infer, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
