#include "onnx/fold/window.h"

#include <inttypes.h>

clconst_status clconst__folding_ints_of(clconst__folding *folding,
                                        const char *name,
                                        size_t count,
                                        int64_t minimum,
                                        int64_t fallback,
                                        int64_t **items,
                                        clconst_error *error)
{
    size_t found;
    clconst_status status =
        clconst__folding_ints(folding, name, items, &found, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (*items == NULL) {
        status = clconst__folding_scratch(
            folding, count, sizeof(**items), items, error);
        for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
            (*items)[i] = fallback;
        }
        return status;
    }
    if (found != count) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s has %zu entries; it must have %zu",
                             name,
                             found,
                             count);
    }
    for (size_t i = 0; i < count; i++) {
        if ((*items)[i] < minimum) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "entry %zu of %s is %" PRId64
                                 "; it must be %" PRId64 " or more",
                                 i,
                                 name,
                                 (*items)[i],
                                 minimum);
        }
    }
    return CLCONST_OK;
}

static clconst_status read_auto_pad(const clconst__folding *folding,
                                    clconst__auto_pad *auto_pad,
                                    clconst_error *error)
{
    static const struct {
        const char *name;
        clconst__auto_pad value;
    } names[] = {
        {"NOTSET", CLCONST__PAD_NOTSET},
        {"VALID", CLCONST__PAD_VALID},
        {"SAME_UPPER", CLCONST__PAD_SAME},
        {"SAME_LOWER", CLCONST__PAD_SAME},
    };
    clconst__span text;
    clconst_status status =
        clconst__folding_string(folding, "auto_pad", "NOTSET", &text, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (clconst__span_equals(text, clconst__span_of(names[i].name))) {
            *auto_pad = names[i].value;
            return CLCONST_OK;
        }
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "auto_pad is none of NOTSET, VALID, SAME_UPPER and "
                         "SAME_LOWER");
}

/* The pads of both ends, which auto_pad replaces. */
static clconst_status read_pads(clconst__folding *folding,
                                clconst__window *window,
                                clconst_error *error)
{
    int64_t *ends;
    size_t count = window->axis_count;
    clconst_status status = clconst__folding_ints_of(
        folding, "pads", 2 * count, 0, 0, &ends, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, count, sizeof(*window->pads), &window->pads, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    window->pads_begin = ends;
    for (size_t i = 0; i < count; i++) {
        if (window->auto_pad != CLCONST__PAD_NOTSET) {
            ends[i] = 0;
        } else if (__builtin_add_overflow(
                       ends[i], ends[count + i], &window->pads[i])) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "pads of axis %zu overflow; int64 must hold "
                                 "their sum",
                                 i);
        }
    }
    return CLCONST_OK;
}

static clconst_status read_kernel(clconst__folding *folding,
                                  const clconst__cell *weight_dims,
                                  clconst__window *window,
                                  clconst_error *error)
{
    bool is_given = clconst__folding_has(folding, "kernel_shape");
    if (!is_given && weight_dims == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "kernel_shape is missing; it must be there");
    }
    int64_t *given;
    clconst_status status = clconst__folding_ints_of(
        folding, "kernel_shape", window->axis_count, 1, 1, &given, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(folding,
                                          window->axis_count,
                                          sizeof(*window->kernel),
                                          &window->kernel,
                                          error);
    }
    for (size_t i = 0; i < window->axis_count && status == CLCONST_OK; i++) {
        window->kernel[i] = is_given ? (clconst__cell){given[i], CLCONST__KNOWN}
                                     : weight_dims[i];
        if (window->kernel[i].cause == CLCONST__KNOWN &&
            window->kernel[i].value < 1) {
            status = clconst__fail(error,
                                   CLCONST_INVALID_MODEL,
                                   "spatial dim %zu of the kernel is 0; it "
                                   "must be 1 or more",
                                   i);
        }
    }
    return status;
}

clconst_status clconst__window_read(clconst__folding *folding,
                                    size_t axis_count,
                                    const clconst__cell *weight_dims,
                                    clconst__window *window,
                                    clconst_error *error)
{
    *window = (clconst__window){.axis_count = axis_count};
    int64_t ceil_mode;
    clconst_status status = read_auto_pad(folding, &window->auto_pad, error);
    if (status == CLCONST_OK) {
        status = read_kernel(folding, weight_dims, window, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_ints_of(
            folding, "strides", axis_count, 1, 1, &window->strides, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_ints_of(
            folding, "dilations", axis_count, 1, 1, &window->dilations, error);
    }
    if (status == CLCONST_OK) {
        status = read_pads(folding, window, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__folding_int(folding, "ceil_mode", 0, &ceil_mode, error);
        window->is_ceil = ceil_mode != 0;
        window->skips_padding = folding->opset >= 22;
    }
    return status;
}

static clconst_status overflow(clconst_error *error)
{
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "a dim of the result overflows; int64 must hold it");
}

/* How many elements a known kernel spans, less one. */
static bool
find_reach(const clconst__window *window, size_t axis, int64_t *reach)
{
    return !__builtin_mul_overflow(
        window->kernel[axis].value - 1, window->dilations[axis], reach);
}

/* Of a divisor above 0. */
static int64_t divide_up(int64_t dividend, int64_t divisor)
{
    return dividend / divisor + (dividend % divisor > 0);
}

static int64_t divide_down(int64_t dividend, int64_t divisor)
{
    return dividend / divisor - (dividend % divisor < 0);
}

/* The places where room is what a dim leaves beyond the first one. */
static int64_t count_places(const clconst__window *window,
                            size_t axis,
                            int64_t room,
                            int64_t dim)
{
    int64_t stride = window->strides[axis];
    if (!window->is_ceil) {
        return divide_down(room, stride) + 1;
    }
    int64_t count = divide_up(room, stride) + 1;
    if (!window->skips_padding || count < 2) {
        return count;
    }
    int64_t start;
    bool is_beyond = __builtin_mul_overflow(count - 1, stride, &start) ||
                     start >= dim + window->pads_begin[axis];
    return is_beyond ? count - 1 : count;
}

/* The places when as much padding is added as they need. */
static clconst_status count_padded(clconst__folding *folding,
                                   int64_t stride,
                                   clconst__cell dim,
                                   clconst__cell *count,
                                   clconst_error *error)
{
    *count = dim;
    if (stride == 1) {
        return CLCONST_OK;
    }
    if (dim.cause != CLCONST__KNOWN) {
        return clconst__cell_derive(folding, &dim, 1, count, error);
    }
    count->value = divide_up(dim.value, stride);
    return CLCONST_OK;
}

clconst_status clconst__window_count(clconst__folding *folding,
                                     const clconst__window *window,
                                     size_t axis,
                                     clconst__cell dim,
                                     clconst__cell *count,
                                     clconst_error *error)
{
    int64_t stride = window->strides[axis];
    if (window->auto_pad == CLCONST__PAD_SAME) {
        return count_padded(folding, stride, dim, count, error);
    }
    const clconst__cell from[] = {dim, window->kernel[axis]};
    int64_t reach = 0;
    if (from[1].cause == CLCONST__KNOWN && !find_reach(window, axis, &reach)) {
        return overflow(error);
    }
    if (from[1].cause == CLCONST__KNOWN && stride == 1 &&
        reach == window->pads[axis]) {
        *count = dim;
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__cell_derive(folding, from, 2, count, error);
    if (status != CLCONST_OK || count->cause != CLCONST__KNOWN) {
        return status;
    }
    int64_t room;
    if (__builtin_add_overflow(dim.value, window->pads[axis], &room) ||
        __builtin_sub_overflow(room, reach + 1, &room)) {
        return overflow(error);
    }
    count->value = count_places(window, axis, room, dim.value);
    if (count->value < 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "spatial dim %zu is %" PRId64
                             "; the kernel must fit",
                             axis,
                             dim.value);
    }
    return CLCONST_OK;
}

clconst_status clconst__window_cover(clconst__folding *folding,
                                     const clconst__window *window,
                                     size_t axis,
                                     clconst__cell dim,
                                     int64_t extra,
                                     clconst__cell *covered,
                                     clconst_error *error)
{
    const clconst__cell from[] = {dim, window->kernel[axis]};
    int64_t stride = window->strides[axis];
    int64_t reach = 0;
    int64_t more; /* beyond the first place, and the others' strides */
    if (from[1].cause == CLCONST__KNOWN && !find_reach(window, axis, &reach)) {
        return overflow(error);
    }
    if (__builtin_add_overflow(reach, extra, &more) ||
        __builtin_sub_overflow(more, window->pads[axis], &more)) {
        return overflow(error);
    }
    if (from[1].cause == CLCONST__KNOWN && stride == 1 && more == 0) {
        *covered = dim;
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__cell_derive(folding, from, 2, covered, error);
    if (status != CLCONST_OK || covered->cause != CLCONST__KNOWN) {
        return status;
    }
    int64_t size;
    if (__builtin_mul_overflow(dim.value - 1, stride, &size) ||
        __builtin_add_overflow(size, 1, &size) ||
        __builtin_add_overflow(size, more, &size)) {
        return overflow(error);
    }
    if (size < 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "spatial dim %zu of the result is %" PRId64
                             "; dims must be >= 0",
                             axis,
                             size);
    }
    covered->value = size;
    return CLCONST_OK;
}
