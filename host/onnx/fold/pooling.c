/*
 * Pools, of which only dims are told.
 */
#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"
#include "onnx/fold/window.h"

/* Of dims (N, C, spatial axes). */
static clconst_status check_rank(const clconst__fact *input,
                                 clconst_error *error)
{
    if (input->dims == NULL || input->rank >= 3) {
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "input 0 has rank %zu; it must be 3 or more",
                         input->rank);
}

static clconst_status infer_pool(clconst__folding *folding,
                                 clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, input->dtype);
    clconst__output_set_dtype(folding, 1, CLCONST_INT64);
    clconst_status status = check_rank(input, error);
    if (status != CLCONST_OK || input->dims == NULL) {
        return status;
    }
    size_t count = input->rank - 2;
    clconst__cell *dims;
    clconst__window window;
    status = clconst__window_read(folding, count, NULL, &window, error);
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_like(folding, 0, input->dtype, input, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    dims = folding->outputs[0]->dims;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status = clconst__window_count(
            folding, &window, i, input->dims[i + 2], &dims[i + 2], error);
    }
    if (status == CLCONST_OK) {
        status = clconst__output_set_like(
            folding, 1, CLCONST_INT64, folding->outputs[0], error);
    }
    return status;
}

static clconst_status infer_global_pool(clconst__folding *folding,
                                        clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst_status status = check_rank(input, error);
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_like(folding, 0, input->dtype, input, error);
    }
    if (status != CLCONST_OK || input->dims == NULL) {
        return status;
    }
    for (size_t i = 2; i < input->rank; i++) {
        folding->outputs[0]->dims[i] = (clconst__cell){1, CLCONST__KNOWN};
    }
    return CLCONST_OK;
}

/* The dims that the pool had whose places these are. */
static clconst_status cover(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    size_t count = input->rank - 2;
    clconst__window window;
    clconst_status status =
        clconst__window_read(folding, count, NULL, &window, error);
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_like(folding, 0, input->dtype, input, error);
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status = clconst__window_cover(folding,
                                       &window,
                                       i,
                                       input->dims[i + 2],
                                       0,
                                       &folding->outputs[0]->dims[i + 2],
                                       error);
    }
    return status;
}

static clconst_status infer_max_unpool(clconst__folding *folding,
                                       clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, input->dtype);
    clconst_status status = check_rank(input, error);
    if (status != CLCONST_OK || input->dims == NULL) {
        return status;
    }
    if (clconst__folding_input(folding, 2) == NULL) {
        return cover(folding, error);
    }
    clconst__cell *dims;
    clconst__cell *cells;
    size_t count;
    status = clconst__folding_cells(folding, 2, &cells, &count, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, 0, input->dtype, input->rank, &dims, error);
    }
    if (status != CLCONST_OK || cells == NULL) {
        return status;
    }
    if (count != input->rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "output_shape has %zu entries; it must have %zu",
                             count,
                             input->rank);
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status = clconst__cell_check_dim(cells[i], i, error);
        dims[i] = cells[i];
    }
    return status;
}

/* The dims (regions, C, height, width), of which the last two are given. */
static clconst_status set_regions(clconst__folding *folding,
                                  const int64_t *sizes,
                                  clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    const clconst__fact *regions = folding->inputs[1];
    clconst__cell *dims;
    clconst_status status = clconst__rank_check(input, "X", 4, error);
    if (status == CLCONST_OK) {
        status = clconst__rank_check(regions, "rois", 2, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_rank(folding, 0, input->dtype, 4, &dims, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (regions->dims != NULL) {
        dims[0] = regions->dims[0];
    }
    if (input->dims != NULL) {
        dims[1] = input->dims[1];
    }
    for (size_t i = 0; i < 2 && status == CLCONST_OK; i++) {
        dims[2 + i] = (clconst__cell){sizes[i], CLCONST__KNOWN};
        status = clconst__cell_check_dim(dims[2 + i], 2 + i, error);
    }
    return status;
}

static clconst_status infer_roi_align(clconst__folding *folding,
                                      clconst_error *error)
{
    int64_t sizes[2];
    static const char *const names[2] = {"output_height", "output_width"};
    clconst_status status = CLCONST_OK;
    for (int i = 0; i < 2 && status == CLCONST_OK; i++) {
        status = clconst__folding_int(folding, names[i], 1, &sizes[i], error);
    }
    return status == CLCONST_OK ? set_regions(folding, sizes, error) : status;
}

static clconst_status infer_max_roi_pool(clconst__folding *folding,
                                         clconst_error *error)
{
    int64_t *sizes;
    clconst_status status = clconst__folding_ints_of(
        folding, "pooled_shape", 2, 1, 1, &sizes, error);
    return status == CLCONST_OK ? set_regions(folding, sizes, error) : status;
}

#define DIMS_ONLY CLCONST__NO_VALUES, false

const clconst__operator clconst__pooling_operators[] = {
    {"AveragePool", 1, DIMS_ONLY, infer_pool, NULL},
    {"GlobalAveragePool", 1, DIMS_ONLY, infer_global_pool, NULL},
    {"GlobalLpPool", 1, DIMS_ONLY, infer_global_pool, NULL},
    {"GlobalMaxPool", 1, DIMS_ONLY, infer_global_pool, NULL},
    {"LpPool", 1, DIMS_ONLY, infer_pool, NULL},
    {"MaxPool", 1, DIMS_ONLY, infer_pool, NULL},
    {"MaxRoiPool", 2, DIMS_ONLY, infer_max_roi_pool, NULL},
    {"MaxUnpool", 2, DIMS_ONLY, infer_max_unpool, NULL},
    {"RoiAlign", 3, DIMS_ONLY, infer_roi_align, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
