/*
 * Split: parts of a tensor along an axis, of which each is an output.
 */
#include <inttypes.h>

#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/operators.h"

enum {
    LENGTHS_ARE_INPUT_SINCE = 13,
    /* From here on the node says how many parts, and the last may be shorter.
     */
    COUNT_IS_GIVEN_SINCE = 18
};

static clconst_status check_sum(const clconst__cell_list *lengths,
                                clconst__cell whole,
                                clconst_error *error)
{
    int64_t sum = 0;
    bool is_known = lengths->is_known && whole.cause == CLCONST__KNOWN;
    for (size_t i = 0; i < lengths->count && lengths->is_known; i++) {
        int64_t length = lengths->cells[i].value;
        if (length < 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "length %zu is %" PRId64
                                 "; lengths must be >= 0",
                                 i,
                                 length);
        }
        if (__builtin_add_overflow(sum, length, &sum)) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "sum of the lengths overflows; int64 must "
                                 "hold it");
        }
    }
    if (is_known && sum != whole.value) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "sum of the lengths is %" PRId64
                             "; it must be %" PRId64 " as the dim",
                             sum,
                             whole.value);
    }
    return CLCONST_OK;
}

/* The lengths of parts that are equal but for the last. */
static clconst_status divide(clconst__folding *folding,
                             clconst__cell whole,
                             clconst__cell *lengths,
                             clconst_error *error)
{
    size_t count = folding->output_count;
    bool may_differ = folding->opset >= COUNT_IS_GIVEN_SINCE;
    clconst__cell length = whole;
    clconst__cell last = whole;
    clconst_status status = CLCONST_OK;
    if (whole.cause == CLCONST__KNOWN) {
        int64_t parts = (int64_t)count;
        length.value = whole.value / parts + (whole.value % parts != 0 ? 1 : 0);
        last.value = whole.value - length.value * (parts - 1);
        if (last.value < 0 || (!may_differ && last.value != length.value)) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "dim is %" PRId64
                                 "; it cannot be split into %zu parts",
                                 whole.value,
                                 count);
        }
    } else if (count > 1) {
        status = clconst__cell_derive(folding, &whole, 1, &length, error);
        last = length;
        if (status == CLCONST_OK && may_differ) {
            status = clconst__cell_derive(folding, &whole, 1, &last, error);
        }
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        lengths[i] = i + 1 < count ? length : last;
    }
    return status;
}

static clconst_status check_count(const clconst__folding *folding,
                                  const clconst__cell_list *lengths,
                                  clconst_error *error)
{
    if (lengths->cells != NULL && lengths->count != folding->output_count) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "split has %zu lengths; it must have %zu, as many "
                             "as outputs",
                             lengths->count,
                             folding->output_count);
    }
    if (folding->opset < COUNT_IS_GIVEN_SINCE) {
        return CLCONST_OK;
    }
    bool has_count = clconst__folding_has(folding, "num_outputs");
    if (has_count == lengths->is_present) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "split and num_outputs are %s; one of them must "
                             "be",
                             has_count ? "both there" : "both left out");
    }
    int64_t count;
    clconst_status status = clconst__folding_int(
        folding, "num_outputs", (int64_t)folding->output_count, &count, error);
    if (status == CLCONST_OK &&
        (count < 0 || (uint64_t)count != folding->output_count)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "num_outputs is %" PRId64
                             "; it must be %zu, as many as outputs",
                             count,
                             folding->output_count);
    }
    return status;
}

/* The lengths of all outputs along the axis, in scratch memory. */
static clconst_status find_lengths(clconst__folding *folding,
                                   clconst__cell whole,
                                   clconst__cell **cells,
                                   clconst_error *error)
{
    clconst__cell_list lengths;
    clconst_status status = clconst__cell_list_read(folding,
                                                    "split",
                                                    1,
                                                    LENGTHS_ARE_INPUT_SINCE,
                                                    folding->output_count,
                                                    &lengths,
                                                    error);
    if (status == CLCONST_OK) {
        status = check_count(folding, &lengths, error);
    }
    if (status == CLCONST_OK) {
        status = check_sum(&lengths, whole, error);
    }
    if (status != CLCONST_OK || lengths.cells != NULL) {
        *cells = lengths.cells;
        return status;
    }
    status = clconst__folding_scratch(
        folding, folding->output_count, sizeof(**cells), cells, error);
    if (status == CLCONST_OK && !lengths.is_present) {
        return divide(folding, whole, *cells, error);
    }
    for (size_t i = 0; i < folding->output_count && status == CLCONST_OK; i++) {
        status = clconst__cause_derive(
            folding->causes, lengths.cause, &(*cells)[i].cause, error);
    }
    return status;
}

static clconst_status infer(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    for (size_t i = 0; i < folding->output_count; i++) {
        clconst__output_set_dtype(folding, i, input->dtype);
    }
    if (input->dims == NULL || folding->output_count == 0) {
        return CLCONST_OK;
    }
    size_t axis;
    clconst__cell *lengths;
    clconst_status status =
        clconst__axis_read(folding, 0, folding->inputs[0]->rank, &axis, error);
    if (status == CLCONST_OK) {
        status = find_lengths(folding, input->dims[axis], &lengths, error);
    }
    for (size_t i = 0; i < folding->output_count && status == CLCONST_OK; i++) {
        status =
            clconst__output_set_like(folding, i, input->dtype, input, error);
        if (status == CLCONST_OK) {
            folding->outputs[i]->dims[axis] = lengths[i];
        }
    }
    return status;
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    size_t axis;
    clconst_status status =
        clconst__axis_read(folding, 0, folding->inputs[0]->rank, &axis, error);
    if (status != CLCONST_OK || input->count == 0) {
        return status;
    }
    size_t outer = clconst__dims_count(input->dims, axis);
    size_t row = input->count / outer;
    size_t start = 0;
    for (size_t i = 0; i < folding->output_count; i++) {
        size_t own_row = folding->outputs[i]->count / outer;
        for (size_t j = 0; j < outer && own_row > 0 && status == CLCONST_OK;
             j++) {
            status = clconst__copy_run(folding,
                                       i,
                                       j * own_row,
                                       input,
                                       j * row + start,
                                       own_row,
                                       error);
        }
        start += own_row;
    }
    return status;
}

const clconst__operator clconst__split_operators[] = {
    {"Split", 1, CLCONST__ALL_VALUES, true, infer, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
