/*
 * Transpose, DepthToSpace and SpaceToDepth: elements in another order of axes.
 */
#include <inttypes.h>

#include "core/shape.h"
#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/operators.h"

/* The node's permutation, or the reverse of all axes. */
static clconst_status read_permutation(clconst__folding *folding,
                                       size_t rank,
                                       size_t **axes,
                                       clconst_error *error)
{
    int64_t *items;
    size_t count;
    bool *is_taken;
    clconst_status status =
        clconst__folding_ints(folding, "perm", &items, &count, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, rank, sizeof(**axes), axes, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, rank, sizeof(*is_taken), &is_taken, error);
    }
    if (status == CLCONST_OK && count > 0 && count != rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "perm has %zu axes; it must have %zu",
                             count,
                             rank);
    }
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        int64_t axis = count > 0 ? items[i] : (int64_t)(rank - 1 - i);
        if (axis < 0 || (uint64_t)axis >= rank || is_taken[axis]) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "perm %zu is %" PRId64
                                 "; each axis below %zu must be there once",
                                 i,
                                 axis,
                                 rank);
        }
        is_taken[axis] = true;
        (*axes)[i] = (size_t)axis;
    }
    return status;
}

static clconst_status infer_transpose(clconst__folding *folding,
                                      clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, data->dtype);
    if (data->dims == NULL) {
        return CLCONST_OK;
    }
    size_t *axes;
    clconst__cell *dims;
    clconst_status status = read_permutation(folding, data->rank, &axes, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, 0, data->dtype, data->rank, &dims, error);
    }
    for (size_t i = 0; i < data->rank && status == CLCONST_OK; i++) {
        dims[i] = data->dims[axes[i]];
    }
    return status;
}

/* Dims in another order of axes. */
static clconst_status copy_permuted(clconst__folding *folding,
                                    const clconst__cell *dims,
                                    const size_t *axes,
                                    size_t rank,
                                    clconst_error *error)
{
    size_t *strides;
    size_t *permuted;
    clconst__cell *lengths;
    clconst__walk walk;
    clconst_status status =
        clconst__dims_strides(folding, dims, rank, &strides, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, rank, sizeof(*permuted), &permuted, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, rank, sizeof(*lengths), &lengths, error);
    }
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        permuted[i] = strides[axes[i]];
        lengths[i] = dims[axes[i]];
    }
    if (status == CLCONST_OK) {
        status = clconst__walk_create(folding, lengths, rank, &walk, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__walk_add(folding, &walk, permuted, error);
    }
    return status == CLCONST_OK
               ? clconst__copy_walk(folding, &walk, folding->inputs[0], error)
               : status;
}

static clconst_status compute_transpose(clconst__folding *folding,
                                        clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    size_t *axes;
    clconst_status status = read_permutation(folding, data->rank, &axes, error);
    return status == CLCONST_OK
               ? copy_permuted(folding, data->dims, axes, data->rank, error)
               : status;
}

enum { BATCH, DEPTH, HEIGHT, WIDTH, IMAGE_RANK, SPLIT_RANK = 6 };

/* The length of a block, of data that are images. */
static clconst_status read_block(const clconst__folding *folding,
                                 int64_t *length,
                                 clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst_status status =
        clconst__folding_int(folding, "blocksize", 0, length, error);
    if (status == CLCONST_OK && (*length <= 0 || *length > INT32_MAX)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "blocksize is %" PRId64
                             "; it must be positive and below 2^31",
                             *length);
    }
    if (status == CLCONST_OK && data->dims != NULL &&
        data->rank != IMAGE_RANK) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "data have rank %zu; it must be 4",
                             data->rank);
    }
    return status;
}

/* A dim divided by a number, which must divide it. */
static clconst_status divide(clconst__folding *folding,
                             clconst__cell dim,
                             int64_t divisor,
                             clconst__cell *quotient,
                             clconst_error *error)
{
    *quotient = dim;
    if (divisor == 1) {
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__cell_derive(folding, &dim, 1, quotient, error);
    if (status == CLCONST_OK && dim.cause == CLCONST__KNOWN &&
        dim.value % divisor != 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "dim is %" PRId64
                             "; it must be a multiple of %" PRId64,
                             dim.value,
                             divisor);
    }
    quotient->value = dim.cause == CLCONST__KNOWN ? dim.value / divisor : 0;
    return status;
}

static clconst_status multiply(clconst__folding *folding,
                               clconst__cell dim,
                               int64_t factor,
                               clconst__cell *product,
                               clconst_error *error)
{
    const clconst__cell factors[] = {dim, {factor, CLCONST__KNOWN}};
    return clconst__cells_multiply(folding, factors, 2, product, error);
}

typedef clconst_status (*resize_function)(clconst__folding *folding,
                                          clconst__cell dim,
                                          int64_t factor,
                                          clconst__cell *result,
                                          clconst_error *error);

static clconst_status infer_images(clconst__folding *folding,
                                   resize_function resize_depth,
                                   resize_function resize_space,
                                   clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst__cell *dims;
    int64_t block;
    clconst_status status = clconst__output_set_rank(
        folding, 0, data->dtype, IMAGE_RANK, &dims, error);
    if (status == CLCONST_OK) {
        status = read_block(folding, &block, error);
    }
    if (status != CLCONST_OK || data->dims == NULL) {
        return status;
    }
    dims[BATCH] = data->dims[BATCH];
    status = resize_depth(
        folding, data->dims[DEPTH], block * block, &dims[DEPTH], error);
    for (int i = HEIGHT; i <= WIDTH && status == CLCONST_OK; i++) {
        status = resize_space(folding, data->dims[i], block, &dims[i], error);
    }
    return status;
}

static clconst_status infer_depth_to_space(clconst__folding *folding,
                                           clconst_error *error)
{
    return infer_images(folding, divide, multiply, error);
}

static clconst_status infer_space_to_depth(clconst__folding *folding,
                                           clconst_error *error)
{
    return infer_images(folding, multiply, divide, error);
}

/* Whether blocks come before depth in the order of the deep side. */
static clconst_status read_mode(const clconst__folding *folding,
                                bool *is_block_first,
                                clconst_error *error)
{
    clconst__span mode;
    clconst_status status =
        clconst__folding_string(folding, "mode", "DCR", &mode, error);
    *is_block_first = clconst__span_equals(mode, clconst__span_of("DCR"));
    if (status == CLCONST_OK && !*is_block_first &&
        !clconst__span_equals(mode, clconst__span_of("CRD"))) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "mode must be DCR or CRD");
    }
    return status;
}

static clconst_status compute_depth_to_space(clconst__folding *folding,
                                             clconst_error *error)
{
    const clconst__cell *from = folding->inputs[0]->dims;
    int64_t length = 0;
    bool is_block_first = false;
    clconst_status status = read_block(folding, &length, error);
    if (status == CLCONST_OK) {
        status = read_mode(folding, &is_block_first, error);
    }
    const clconst__cell block = {length, CLCONST__KNOWN};
    const clconst__cell depth = folding->outputs[0]->dims[DEPTH];
    const clconst__cell dcr[] = {
        from[BATCH], block, block, depth, from[HEIGHT], from[WIDTH]};
    const clconst__cell crd[] = {
        from[BATCH], depth, block, block, from[HEIGHT], from[WIDTH]};
    static const size_t dcr_axes[] = {0, 3, 4, 1, 5, 2};
    static const size_t crd_axes[] = {0, 1, 4, 2, 5, 3};
    return status == CLCONST_OK
               ? copy_permuted(folding,
                               is_block_first ? dcr : crd,
                               is_block_first ? dcr_axes : crd_axes,
                               SPLIT_RANK,
                               error)
               : status;
}

static clconst_status compute_space_to_depth(clconst__folding *folding,
                                             clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__cell *to = folding->outputs[0]->dims;
    int64_t length = 0;
    bool is_block_first = false;
    clconst_status status = read_block(folding, &length, error);
    if (status == CLCONST_OK) {
        status = read_mode(folding, &is_block_first, error);
    }
    const clconst__cell block = {length, CLCONST__KNOWN};
    const clconst__cell dims[] = {data->dims[BATCH],
                                  data->dims[DEPTH],
                                  to[HEIGHT],
                                  block,
                                  to[WIDTH],
                                  block};
    static const size_t dcr_axes[] = {0, 3, 5, 1, 2, 4};
    static const size_t crd_axes[] = {0, 1, 3, 5, 2, 4};
    return status == CLCONST_OK
               ? copy_permuted(folding,
                               dims,
                               is_block_first ? dcr_axes : crd_axes,
                               SPLIT_RANK,
                               error)
               : status;
}

const clconst__operator clconst__transpose_operators[] = {
    {"DepthToSpace",
     1,
     CLCONST__ALL_VALUES,
     true,
     infer_depth_to_space,
     compute_depth_to_space},
    {"SpaceToDepth",
     1,
     CLCONST__ALL_VALUES,
     true,
     infer_space_to_depth,
     compute_space_to_depth},
    {"Transpose",
     1,
     CLCONST__ALL_VALUES,
     true,
     infer_transpose,
     compute_transpose},
    {NULL, 0, 0, false, NULL, NULL},
};
