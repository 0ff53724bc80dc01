/*
 * Squeeze and Unsqueeze: axes of length 1 that go and come.
 */
#include <inttypes.h>

#include "core/shape.h"
#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/operators.h"

enum { AXES_ARE_INPUT_SINCE = 13 };

static clconst_status read_axes(clconst__folding *folding,
                                clconst__cell_list *axes,
                                clconst_error *error)
{
    return clconst__cell_list_read(folding,
                                   "axes",
                                   1,
                                   AXES_ARE_INPUT_SINCE,
                                   CLCONST__RANK_MAX,
                                   axes,
                                   error);
}

/* Marks the axes of length 1; false when that is not known of one. */
static bool find_ones(const clconst__fact *data, bool *is_taken, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < data->rank; i++) {
        if (data->dims[i].cause != CLCONST__KNOWN) {
            return false;
        }
        is_taken[i] = data->dims[i].value == 1;
        *count += is_taken[i] ? 1 : 0;
    }
    return true;
}

/* Which axes go, and how many; *is_known is false when that is open. */
static clconst_status find_squeezed(clconst__folding *folding,
                                    const clconst__cell_list *axes,
                                    bool **is_taken,
                                    size_t *count,
                                    bool *is_known,
                                    clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    /* The reference evaluator takes an empty attribute as none. */
    bool is_list = axes->is_present &&
                   (axes->count > 0 || folding->opset >= AXES_ARE_INPUT_SINCE);
    *count = axes->count;
    *is_known = axes->is_known;
    if (!is_list) {
        clconst_status status = clconst__folding_scratch(
            folding, data->rank, sizeof(**is_taken), is_taken, error);
        *is_known = status == CLCONST_OK && find_ones(data, *is_taken, count);
        return status;
    }
    size_t *normal;
    return axes->is_known
               ? clconst__axes_read(
                     folding, axes, data->rank, &normal, is_taken, error)
               : CLCONST_OK;
}

static clconst_status infer_squeeze(clconst__folding *folding,
                                    clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, data->dtype);
    clconst__cell_list axes;
    clconst_status status = read_axes(folding, &axes, error);
    if (status != CLCONST_OK || data->dims == NULL) {
        return status;
    }
    bool *is_taken;
    size_t count;
    bool is_known;
    status = find_squeezed(folding, &axes, &is_taken, &count, &is_known, error);
    clconst__cell *dims = NULL;
    if (status == CLCONST_OK && is_known) {
        status = clconst__output_set_rank(
            folding, 0, data->dtype, data->rank - count, &dims, error);
    }
    size_t to = 0;
    for (size_t i = 0; i < data->rank && status == CLCONST_OK && is_known;
         i++) {
        if (!is_taken[i]) {
            dims[to++] = data->dims[i];
        } else if (data->dims[i].cause == CLCONST__KNOWN &&
                   data->dims[i].value != 1) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "dim %zu is %" PRId64
                                 "; it must be 1 to be squeezed",
                                 i,
                                 data->dims[i].value);
        }
    }
    return status;
}

static clconst_status infer_unsqueeze(clconst__folding *folding,
                                      clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, data->dtype);
    clconst__cell_list axes;
    clconst_status status = read_axes(folding, &axes, error);
    if (status == CLCONST_OK && !axes.is_present) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "axes are left out; they must not");
    }
    if (status != CLCONST_OK || data->dims == NULL || axes.cells == NULL) {
        return status;
    }
    size_t rank = data->rank + axes.count;
    clconst__cell *dims;
    status =
        clconst__output_set_rank(folding, 0, data->dtype, rank, &dims, error);
    bool *is_taken = NULL;
    size_t *normal;
    if (status == CLCONST_OK && axes.is_known) {
        status =
            clconst__axes_read(folding, &axes, rank, &normal, &is_taken, error);
    }
    size_t from = 0;
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        if (data->rank == 0 || (is_taken != NULL && is_taken[i])) {
            dims[i] = (clconst__cell){1, CLCONST__KNOWN};
        } else if (is_taken != NULL) {
            dims[i] = data->dims[from++];
        } else {
            status = clconst__cause_derive(
                folding->causes, axes.cause, &dims[i].cause, error);
        }
    }
    return status;
}

const clconst__operator clconst__squeeze_operators[] = {
    {"Squeeze",
     1,
     CLCONST__ALL_VALUES,
     true,
     infer_squeeze,
     clconst__copy_input},
    {"Unsqueeze",
     1,
     CLCONST__ALL_VALUES,
     true,
     infer_unsqueeze,
     clconst__copy_input},
    {NULL, 0, 0, false, NULL, NULL},
};
