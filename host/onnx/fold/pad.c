/*
 * Pad: elements in front of an axis and behind it, or fewer of them.
 */
#include <inttypes.h>

#include "core/shape.h"
#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/half.h"
#include "onnx/fold/operators.h"

enum { PADS_ARE_INPUT_SINCE = 11, AXES_ARE_INPUT_SINCE = 18 };

/* What is put on both ends of an axis. */
typedef struct pad_ends {
    clconst__cell begin;
    clconst__cell end;
} pad_ends;

/* Which element of an axis, cut already, is put where the axis has none: at
 * index, which may be beyond both ends. length is positive. */
typedef int64_t (*source_function)(int64_t index, int64_t length);

static int64_t edge(int64_t index, int64_t length)
{
    if (index < 0) {
        return 0;
    }
    return index < length ? index : length - 1;
}

static int64_t wrap(int64_t index, int64_t length)
{
    int64_t rest = index % length;
    return rest < 0 ? rest + length : rest;
}

/* As between two mirrors, which stand on the first and the last element. */
static int64_t reflect(int64_t index, int64_t length)
{
    if (length == 1) {
        return 0;
    }
    int64_t last = length - 1;
    int64_t turns = index / last;
    int64_t rest = index % last;
    if (rest < 0) {
        rest += last;
        turns--;
    }
    return turns % 2 == 0 ? rest : last - rest;
}

/* *source is NULL for the mode constant. */
static clconst_status read_mode(const clconst__folding *folding,
                                source_function *source,
                                clconst_error *error)
{
    static const struct {
        const char *name;
        source_function source;
    } modes[] = {
        {"constant", NULL},
        {"edge", edge},
        {"reflect", reflect},
        {"wrap", wrap},
    };
    clconst__span name;
    clconst_status status =
        clconst__folding_string(folding, "mode", "constant", &name, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (clconst__span_equals(name, clconst__span_of(modes[i].name))) {
            *source = modes[i].source;
            return CLCONST_OK;
        }
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "mode must be constant, edge, reflect or wrap");
}

/* So that sums with positions stay within int64. */
static clconst_status check_pads(const clconst__cell_list *pads,
                                 clconst_error *error)
{
    const int64_t limit = INT64_MAX / 4;
    for (size_t i = 0; i < pads->count; i++) {
        int64_t value = pads->cells[i].value;
        if (value < -limit || value > limit) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "pad %zu is %" PRId64
                                 "; it must be in [-%" PRId64 ", %" PRId64 "]",
                                 i,
                                 value,
                                 limit,
                                 limit);
        }
    }
    return CLCONST_OK;
}

/* *cause, if not CLCONST__KNOWN, says why pads or axes are open. */
static clconst_status read_lists(clconst__folding *folding,
                                 clconst__cell_list *pads,
                                 clconst__cell_list *axes,
                                 clconst__cause *cause,
                                 clconst_error *error)
{
    const size_t limit = CLCONST__RANK_MAX;
    *axes = (clconst__cell_list){.is_present = false};
    clconst_status status = clconst__cell_list_read(
        folding, "pads", 1, PADS_ARE_INPUT_SINCE, 2 * limit, pads, error);
    if (status == CLCONST_OK && !pads->is_present) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "pads are left out; they must not");
    }
    if (status == CLCONST_OK && folding->opset >= AXES_ARE_INPUT_SINCE) {
        status =
            clconst__cell_list_read(folding, NULL, 3, 0, limit, axes, error);
    }
    *cause = pads->cells == NULL ? pads->cause : CLCONST__KNOWN;
    if (axes->is_present && !axes->is_known) {
        *cause = axes->cause;
    }
    return status;
}

/*
 * What the node puts on each axis of the data, whose rank is known. *cause, if
 * not CLCONST__KNOWN, says why it is open for all of them.
 */
static clconst_status read_pads(clconst__folding *folding,
                                pad_ends **ends,
                                clconst__cause *cause,
                                clconst_error *error)
{
    size_t rank = folding->inputs[0]->rank;
    clconst__cell_list pads;
    clconst__cell_list axes;
    clconst_status status = read_lists(folding, &pads, &axes, cause, error);
    if (status != CLCONST_OK || pads.cells == NULL ||
        *cause != CLCONST__KNOWN) {
        return status;
    }
    size_t count = axes.is_present ? axes.count : rank;
    if (pads.count != 2 * count) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "pads have %zu elements; they must have %zu, two "
                             "for each axis",
                             pads.count,
                             2 * count);
    }
    size_t *chosen = NULL;
    bool *is_taken;
    status = check_pads(&pads, error);
    if (status == CLCONST_OK && axes.is_present) {
        status =
            clconst__axes_read(folding, &axes, rank, &chosen, &is_taken, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, rank, sizeof(**ends), ends, error);
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        size_t axis = chosen != NULL ? chosen[i] : i;
        (*ends)[axis] = (pad_ends){pads.cells[i], pads.cells[count + i]};
    }
    return status;
}

static clconst_status infer(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    static const size_t typed[] = {0, 2};
    clconst_dtype dtype;
    source_function source;
    clconst_status status =
        clconst__copy_dtype(folding, typed, 2, &dtype, error);
    if (status == CLCONST_OK) {
        status = read_mode(folding, &source, error);
    }
    clconst__output_set_dtype(folding, 0, dtype);
    if (status != CLCONST_OK || data->dims == NULL) {
        return status;
    }
    pad_ends *ends;
    clconst__cause cause;
    clconst__cell *dims;
    status = read_pads(folding, &ends, &cause, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, 0, dtype, data->rank, &dims, error);
    }
    for (size_t i = 0; i < data->rank && status == CLCONST_OK; i++) {
        if (cause != CLCONST__KNOWN) {
            status = clconst__cause_derive(
                folding->causes, cause, &dims[i].cause, error);
            continue;
        }
        const clconst__cell parts[] = {
            data->dims[i], ends[i].begin, ends[i].end};
        status = clconst__cells_add(folding, parts, 3, &dims[i], error);
        if (status == CLCONST_OK && dims[i].cause == CLCONST__KNOWN &&
            dims[i].value < 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "dim %zu is %" PRId64
                                 " with its pads; it must "
                                 "be >= 0",
                                 i,
                                 dims[i].value);
        }
    }
    return status;
}

/* What constant mode puts: an input, an attribute, or 0. */
static clconst_status read_value(clconst__folding *folding,
                                 clconst__fact *value,
                                 clconst_error *error)
{
    const clconst__fact *output = folding->outputs[0];
    const clconst__fact *input = clconst__folding_input(folding, 2);
    *value = (clconst__fact){.dtype = output->dtype,
                             .element_size = output->element_size};
    if (folding->opset >= PADS_ARE_INPUT_SINCE && input != NULL) {
        if (input->count != 1) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "constant_value has %zu elements; it must "
                                 "have one",
                                 input->count);
        }
        value->data = input->data;
        value->causes = input->causes;
        return CLCONST_OK;
    }
    if (output->dtype == CLCONST_FLOAT8E8M0) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "a constant_value, as float8e8m0 has no zero");
    }
    clconst_status status = clconst__folding_scratch(
        folding, 1, output->element_size, &value->own_data, error);
    value->data = value->own_data;
    if (status != CLCONST_OK || !clconst__folding_has(folding, "value")) {
        return status;
    }
    float number;
    status = clconst__folding_float(folding, "value", 0, &number, error);
    if (status == CLCONST_OK && !clconst__number_narrow(output->dtype,
                                                        (double)number,
                                                        value->own_data)) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "a value of dtype %s",
                             clconst_dtype_name(output->dtype));
    }
    return status;
}

/* Of an axis: where in the data the element at an index of the output is; -1
 * when it is nowhere. */
static int64_t find_source(source_function source,
                           const pad_ends *ends,
                           int64_t length,
                           int64_t index)
{
    int64_t begin = ends->begin.value;
    int64_t end = ends->end.value;
    if (source == NULL) {
        int64_t position = index - begin;
        return position < length ? position : -1;
    }
    int64_t cut = begin < 0 ? -begin : 0;
    int64_t left = length - cut + (end < 0 ? end : 0);
    return cut + source(index - (begin > 0 ? begin : 0), left);
}

/* An axis that the output needs elements of must have some left. */
static clconst_status check_axes(const clconst__fact *data,
                                 source_function source,
                                 const pad_ends *ends,
                                 clconst_error *error)
{
    for (size_t i = 0; i < data->rank && source != NULL; i++) {
        int64_t begin = ends[i].begin.value;
        int64_t end = ends[i].end.value;
        int64_t left = data->dims[i].value + (begin < 0 ? begin : 0);
        if (left <= 0 || left <= -(end < 0 ? end : 0)) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "dim %zu is %" PRId64
                                 " and cut to nothing; there is nothing to "
                                 "pad it with",
                                 i,
                                 data->dims[i].value);
        }
    }
    return CLCONST_OK;
}

/* The position in the data that an element of the output is taken from; false
 * when there is none. */
static bool locate(const clconst__folding *folding,
                   source_function source,
                   const pad_ends *ends,
                   const size_t *strides,
                   size_t element,
                   size_t *position)
{
    const clconst__fact *data = folding->inputs[0];
    bool is_there = true;
    *position = 0;
    for (size_t axis = data->rank; axis-- > 0;) {
        size_t length = (size_t)folding->outputs[0]->dims[axis].value;
        int64_t found = find_source(source,
                                    &ends[axis],
                                    data->dims[axis].value,
                                    (int64_t)(element % length));
        is_there = is_there && found >= 0;
        *position += (size_t)found * strides[axis];
        element /= length;
    }
    return is_there;
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *output = folding->outputs[0];
    source_function source;
    pad_ends *ends = NULL;
    clconst__cause cause;
    size_t *strides;
    clconst__fact value = {.refs = 0};
    if (output->count == 0) {
        return CLCONST_OK;
    }
    clconst_status status = read_mode(folding, &source, error);
    if (status == CLCONST_OK) {
        status = read_pads(folding, &ends, &cause, error);
    }
    if (status == CLCONST_OK && ends == NULL) {
        return clconst__cause_tell(folding->causes, cause, "pad", error);
    }
    if (status == CLCONST_OK && source == NULL) {
        status = read_value(folding, &value, error);
    }
    if (status == CLCONST_OK) {
        status = check_axes(data, source, ends, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__dims_strides(
            folding, data->dims, data->rank, &strides, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_work(
            folding, (uint64_t)output->count * data->rank, error);
    }
    for (size_t i = 0; i < output->count && status == CLCONST_OK; i++) {
        size_t position;
        bool is_there = locate(folding, source, ends, strides, i, &position);
        status = clconst__element_move(folding,
                                       0,
                                       i,
                                       is_there ? data : &value,
                                       is_there ? position : 0,
                                       error);
    }
    return status;
}

const clconst__operator clconst__pad_operators[] = {
    {"Pad", 1, CLCONST__ALL_VALUES, true, infer, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
