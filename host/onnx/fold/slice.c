/*
 * Slice: ranges along axes, with steps.
 */
#include <inttypes.h>

#include "core/shape.h"
#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/operators.h"

enum { RANGES_ARE_INPUTS_SINCE = 10 };

/* A range along an axis as the node writes it. */
typedef struct slice_range {
    bool is_there;
    clconst__cell start;
    clconst__cell end;
    clconst__cell step;
} slice_range;

/* A range with all that it asks for known: from first, count elements. */
typedef struct slice_run {
    int64_t first;
    int64_t count;
} slice_run;

enum { STARTS, ENDS, AXES, STEPS, LISTS };

static clconst_status read_lists(clconst__folding *folding,
                                 clconst__cell_list *lists,
                                 clconst_error *error)
{
    static const char *const names[LISTS] = {"starts", "ends", "axes", "steps"};
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < LISTS && status == CLCONST_OK; i++) {
        status = clconst__cell_list_read(folding,
                                         names[i],
                                         i + 1,
                                         RANGES_ARE_INPUTS_SINCE,
                                         CLCONST__RANK_MAX,
                                         &lists[i],
                                         error);
        if (status == CLCONST_OK && i <= ENDS && !lists[i].is_present) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "%s are left out; they must not",
                                 names[i]);
        }
    }
    for (size_t i = 0; i < LISTS && status == CLCONST_OK; i++) {
        bool has_count = lists[i].cells != NULL && lists[STARTS].cells != NULL;
        if (has_count && lists[i].count != lists[STARTS].count) {
            return clconst__fail(
                error,
                CLCONST_INVALID_MODEL,
                "%s have %zu elements; there must be %zu as of "
                "the starts",
                names[i],
                lists[i].count,
                lists[STARTS].count);
        }
    }
    return status;
}

/* Without axes, the ranges are those of the first ones. */
static clconst_status find_axes(clconst__folding *folding,
                                const clconst__cell_list *lists,
                                size_t rank,
                                size_t **axes,
                                clconst_error *error)
{
    bool *is_taken;
    size_t count = lists[STARTS].count;
    if (lists[AXES].is_present) {
        return clconst__axes_read(
            folding, &lists[AXES], rank, axes, &is_taken, error);
    }
    if (count > rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "starts have %zu elements; data of rank %zu has "
                             "no such axes",
                             count,
                             rank);
    }
    clconst_status status =
        clconst__folding_scratch(folding, count, sizeof(**axes), axes, error);
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        (*axes)[i] = i;
    }
    return status;
}

/*
 * The ranges of all axes of the data, whose rank is known. *cause, if not
 * CLCONST__KNOWN, says why it is open which axes have a range.
 */
static clconst_status read_ranges(clconst__folding *folding,
                                  slice_range **ranges,
                                  clconst__cause *cause,
                                  clconst_error *error)
{
    size_t rank = folding->inputs[0]->rank;
    clconst__cell_list lists[LISTS];
    clconst_status status = read_lists(folding, lists, error);
    *cause = CLCONST__KNOWN;
    for (size_t i = 0; i < LISTS && status == CLCONST_OK; i++) {
        const clconst__cell_list *list = &lists[i];
        bool is_open = list->is_present &&
                       (i == AXES ? !list->is_known : list->cells == NULL);
        if (is_open) {
            *cause = list->cause;
            return CLCONST_OK;
        }
    }
    size_t *axes = NULL;
    if (status == CLCONST_OK) {
        status = find_axes(folding, lists, rank, &axes, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, rank, sizeof(**ranges), ranges, error);
    }
    for (size_t i = 0; i < lists[STARTS].count && status == CLCONST_OK; i++) {
        slice_range *range = &(*ranges)[axes[i]];
        range->is_there = true;
        range->start = lists[STARTS].cells[i];
        range->end = lists[ENDS].cells[i];
        range->step = lists[STEPS].is_present
                          ? lists[STEPS].cells[i]
                          : (clconst__cell){1, CLCONST__KNOWN};
        if (clconst__cell_is(range->step, 0)) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "step %zu is 0; steps must not be",
                                 i);
        }
    }
    return status;
}

static int64_t clamp(int64_t value, int64_t lowest, int64_t highest)
{
    value = value < lowest ? lowest : value;
    return value > highest ? highest : value;
}

/* A position as written, of an axis of this length, negative ones from its
 * end. */
static int64_t
place(int64_t value, int64_t length, int64_t lowest, int64_t highest)
{
    return clamp(value < 0 ? value + length : value, lowest, highest);
}

static slice_run run_of(int64_t length, const slice_range *range)
{
    int64_t step = range->step.value;
    bool is_forward = step > 0;
    int64_t first =
        place(range->start.value, length, 0, is_forward ? length : length - 1);
    int64_t end = place(range->end.value,
                        length,
                        is_forward ? 0 : -1,
                        is_forward ? length : length - 1);
    int64_t distance = is_forward ? end - first : first - end;
    /* As unsigned, the lowest step has a magnitude too. */
    uint64_t stride = is_forward ? (uint64_t)step : 0 - (uint64_t)step;
    slice_run run = {first, 0};
    if (length > 0 && distance > 0) {
        run.count = (int64_t)(((uint64_t)distance - 1) / stride + 1);
    }
    return run;
}

/* Whether a range takes an axis of unknown length whole. */
static bool is_whole(clconst__cell dim, const slice_range *range)
{
    if (clconst__cell_is(range->step, 1)) {
        return clconst__cell_is(range->start, 0) &&
               (clconst__cell_is(range->end, INT64_MAX) ||
                clconst__cells_equal(range->end, dim));
    }
    return clconst__cell_is(range->step, -1) &&
           clconst__cell_is(range->end, INT64_MIN) &&
           (clconst__cell_is(range->start, -1) ||
            clconst__cell_is(range->start, INT64_MAX));
}

/*
 * Whether a range is empty, whatever the length of its axis. Backward, a start
 * that is too low is brought to 0 and an end to -1, so that positions from the
 * end tell nothing.
 */
static bool is_empty(const slice_range *range)
{
    if (range->step.cause != CLCONST__KNOWN) {
        return false;
    }
    bool is_forward = range->step.value > 0;
    if (range->start.cause != CLCONST__KNOWN ||
        range->end.cause != CLCONST__KNOWN) {
        return is_forward && clconst__cells_equal(range->start, range->end);
    }
    int64_t start = range->start.value;
    int64_t end = range->end.value;
    return is_forward ? (start < 0) == (end < 0) && start >= end
                      : start >= 0 && start <= end;
}

static clconst_status infer_dim(clconst__folding *folding,
                                clconst__cell dim,
                                const slice_range *range,
                                clconst__cell *result,
                                clconst_error *error)
{
    const clconst__cell from[] = {dim, range->start, range->end, range->step};
    *result = dim;
    if (!range->is_there || clconst__cell_is(dim, 0) || is_whole(dim, range)) {
        return CLCONST_OK;
    }
    if (is_empty(range)) {
        *result = (clconst__cell){0, CLCONST__KNOWN};
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__cell_derive(folding, from, 4, result, error);
    if (status == CLCONST_OK && result->cause == CLCONST__KNOWN) {
        result->value = run_of(dim.value, range).count;
    }
    return status;
}

static clconst_status infer(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, data->dtype);
    if (data->dims == NULL) {
        return CLCONST_OK;
    }
    slice_range *ranges;
    clconst__cause cause;
    clconst__cell *dims;
    clconst_status status = read_ranges(folding, &ranges, &cause, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, 0, data->dtype, data->rank, &dims, error);
    }
    for (size_t i = 0; i < data->rank && status == CLCONST_OK; i++) {
        if (cause == CLCONST__KNOWN) {
            status =
                infer_dim(folding, data->dims[i], &ranges[i], &dims[i], error);
        } else if (clconst__cell_is(data->dims[i], 0)) {
            dims[i] = data->dims[i];
        } else {
            status = clconst__cause_derive(
                folding->causes, cause, &dims[i].cause, error);
        }
    }
    return status;
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *output = folding->outputs[0];
    slice_range *ranges = NULL;
    clconst__cause cause;
    size_t *strides;
    clconst__walk walk;
    clconst_status status = CLCONST_OK;
    if (output->count == 0) {
        return status;
    }
    status = read_ranges(folding, &ranges, &cause, error);
    if (status == CLCONST_OK && ranges == NULL) {
        return clconst__cause_tell(folding->causes, cause, "slice", error);
    }
    if (status == CLCONST_OK) {
        status = clconst__dims_strides(
            folding, data->dims, data->rank, &strides, error);
    }
    size_t first = 0;
    for (size_t i = 0; i < data->rank && status == CLCONST_OK; i++) {
        if (ranges[i].is_there) {
            slice_run run = run_of(data->dims[i].value, &ranges[i]);
            first += (size_t)run.first * strides[i];
            /* A negative step goes round the end of size_t. */
            strides[i] *= (size_t)ranges[i].step.value;
        }
    }
    if (status == CLCONST_OK) {
        status = clconst__walk_create(
            folding, output->dims, output->rank, &walk, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__walk_add(folding, &walk, strides, error);
    }
    if (status == CLCONST_OK) {
        walk.positions[0] = first;
        status = clconst__copy_walk(folding, &walk, data, error);
    }
    return status;
}

const clconst__operator clconst__slice_operators[] = {
    {"Slice", 1, CLCONST__ALL_VALUES, true, infer, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
