/*
 * Convolutions, of which only dims are told.
 */
#include <inttypes.h>

#include "onnx/fold/dims.h"
#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"
#include "onnx/fold/window.h"

/* X of dims (N, C, spatial axes), and W with as many. */
typedef struct operands {
    const clconst__fact *x;
    const clconst__fact *w;
    int64_t group;
} operands;

/* *are_known: whether the ranks of both are. */
static clconst_status read_operands(clconst__folding *folding,
                                    size_t weight,
                                    operands *read,
                                    bool *are_known,
                                    clconst_error *error)
{
    *read = (operands){.x = folding->inputs[0],
                       .w = clconst__folding_input(folding, weight)};
    clconst_status status =
        clconst__folding_int(folding, "group", 1, &read->group, error);
    *are_known = read->x->dims != NULL && read->w->dims != NULL;
    if (status != CLCONST_OK || !*are_known) {
        return status;
    }
    if (read->x->rank < 3 || read->w->rank != read->x->rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "ranks of X and W are %zu and %zu; they must be "
                             "equal and 3 or more",
                             read->x->rank,
                             read->w->rank);
    }
    if (read->group < 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "group is %" PRId64 "; it must be 1 or more",
                             read->group);
    }
    return CLCONST_OK;
}

/* Each group has an equal share of the channels. */
static clconst_status check_channels(const operands *read,
                                     clconst__cell channels,
                                     clconst__cell of_group,
                                     clconst_error *error)
{
    int64_t wanted;
    if (channels.cause != CLCONST__KNOWN || of_group.cause != CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    if (__builtin_mul_overflow(of_group.value, read->group, &wanted) ||
        wanted != channels.value) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "X has %" PRId64 " channels; W is for %" PRId64
                             " groups of %" PRId64,
                             channels.value,
                             read->group,
                             of_group.value);
    }
    return CLCONST_OK;
}

static clconst_status infer(clconst__folding *folding,
                            size_t weight,
                            clconst_dtype dtype,
                            clconst_error *error)
{
    operands read;
    bool are_known;
    clconst_status status =
        read_operands(folding, weight, &read, &are_known, error);
    clconst__output_set_dtype(folding, 0, dtype);
    if (status != CLCONST_OK || !are_known) {
        return status;
    }
    size_t rank = read.x->rank;
    clconst__cell *dims;
    clconst__window window;
    status = check_channels(&read, read.x->dims[1], read.w->dims[1], error);
    if (status == CLCONST_OK) {
        status = clconst__window_read(
            folding, rank - 2, read.w->dims + 2, &window, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_rank(folding, 0, dtype, rank, &dims, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    dims[0] = read.x->dims[0];
    dims[1] = read.w->dims[0];
    for (size_t i = 0; i < rank - 2 && status == CLCONST_OK; i++) {
        status = clconst__window_count(
            folding, &window, i, read.x->dims[i + 2], &dims[i + 2], error);
    }
    return status;
}

static clconst_status infer_conv(clconst__folding *folding,
                                 clconst_error *error)
{
    return infer(folding, 1, folding->inputs[0]->dtype, error);
}

static clconst_status infer_conv_integer(clconst__folding *folding,
                                         clconst_error *error)
{
    return infer(folding, 1, CLCONST_INT32, error);
}

static clconst_status infer_qlinear_conv(clconst__folding *folding,
                                         clconst_error *error)
{
    return infer(folding, 3, folding->inputs[7]->dtype, error);
}

static clconst_status scale(clconst__folding *folding,
                            clconst__cell dim,
                            int64_t factor,
                            clconst__cell *product,
                            clconst_error *error)
{
    const clconst__cell factors[] = {dim, {factor, CLCONST__KNOWN}};
    return clconst__cells_multiply(folding, factors, 2, product, error);
}

/* output_shape, when it is given, counts over all that tells it. */
static clconst_status cover(clconst__folding *folding,
                            const clconst__window *window,
                            const clconst__fact *x,
                            clconst__cell *dims,
                            clconst_error *error)
{
    size_t count = window->axis_count;
    int64_t *extra;
    int64_t *output_shape;
    clconst_status status = clconst__folding_ints_of(
        folding, "output_padding", count, 0, 0, &extra, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_ints_of(
            folding, "output_shape", count, 0, -1, &output_shape, error);
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        clconst__cell dim = x->dims[i + 2];
        if (output_shape[i] >= 0) {
            dims[i] = (clconst__cell){output_shape[i], CLCONST__KNOWN};
        } else if (window->auto_pad == CLCONST__PAD_SAME) {
            status = scale(folding, dim, window->strides[i], &dims[i], error);
        } else {
            status = clconst__window_cover(
                folding, window, i, dim, extra[i], &dims[i], error);
        }
    }
    return status;
}

static clconst_status infer_conv_transpose(clconst__folding *folding,
                                           clconst_error *error)
{
    operands read;
    bool are_known;
    clconst_dtype dtype = folding->inputs[0]->dtype;
    clconst_status status = read_operands(folding, 1, &read, &are_known, error);
    clconst__output_set_dtype(folding, 0, dtype);
    if (status != CLCONST_OK || !are_known) {
        return status;
    }
    size_t rank = read.x->rank;
    clconst__cell *dims;
    clconst__window window;
    operands whole = {.group = 1};
    status = check_channels(&whole, read.x->dims[1], read.w->dims[0], error);
    if (status == CLCONST_OK) {
        status = clconst__window_read(
            folding, rank - 2, read.w->dims + 2, &window, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_rank(folding, 0, dtype, rank, &dims, error);
    }
    if (status == CLCONST_OK) {
        dims[0] = read.x->dims[0];
        status = scale(folding, read.w->dims[1], read.group, &dims[1], error);
    }
    if (status == CLCONST_OK) {
        status = cover(folding, &window, read.x, dims + 2, error);
    }
    return status;
}

/* The state is what the kernel needs of the past: W is (channels, 1, size). */
static clconst_status infer_causal_conv(clconst__folding *folding,
                                        clconst_error *error)
{
    const clconst__fact *x = folding->inputs[0];
    const clconst__fact *w = folding->inputs[1];
    clconst__cell *dims;
    clconst_status status = clconst__rank_check(x, "input", 3, error);
    if (status == CLCONST_OK) {
        status = clconst__rank_check(w, "weight", 3, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__output_set_like(folding, 0, x->dtype, x, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_rank(folding, 1, x->dtype, 3, &dims, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (x->dims != NULL) {
        dims[0] = x->dims[0];
        dims[1] = x->dims[1];
    }
    if (w->dims == NULL) {
        return CLCONST_OK;
    }
    const clconst__cell terms[] = {w->dims[2], {-1, CLCONST__KNOWN}};
    return clconst__cells_add(folding, terms, 2, &dims[2], error);
}

#define DIMS_ONLY CLCONST__NO_VALUES, false

const clconst__operator clconst__convolution_operators[] = {
    {"CausalConvWithState", 2, DIMS_ONLY, infer_causal_conv, NULL},
    {"Conv", 2, DIMS_ONLY, infer_conv, NULL},
    {"ConvInteger", 2, DIMS_ONLY, infer_conv_integer, NULL},
    {"ConvTranspose", 2, DIMS_ONLY, infer_conv_transpose, NULL},
    {"DeformConv", 3, DIMS_ONLY, infer_conv, NULL},
    {"QLinearConv", 8, DIMS_ONLY, infer_qlinear_conv, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
