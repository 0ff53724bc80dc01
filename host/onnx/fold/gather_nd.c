/*
 * GatherND: slices that tuples of indices choose.
 */
#include <inttypes.h>

#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/indices.h"
#include "onnx/fold/operators.h"

/*
 * Of data and indices whose ranks are known: how many axes in front are those
 * of batches, and how many a tuple indexes. *is_known tells whether the latter
 * is.
 */
static clconst_status read_counts(const clconst__folding *folding,
                                  size_t *batch_count,
                                  size_t *tuple_size,
                                  bool *is_known,
                                  clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *indices = folding->inputs[1];
    size_t lower = data->rank < indices->rank ? data->rank : indices->rank;
    int64_t batch_dims;
    clconst_status status =
        clconst__folding_int(folding, "batch_dims", 0, &batch_dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (batch_dims < 0 || (uint64_t)batch_dims >= lower) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "batch_dims is %" PRId64
                             "; it must be in [0, %zu), below both ranks",
                             batch_dims,
                             lower);
    }
    *batch_count = (size_t)batch_dims;
    clconst__cell last = indices->dims[indices->rank - 1];
    *is_known = last.cause == CLCONST__KNOWN;
    *tuple_size = *is_known ? (size_t)last.value : 0;
    if (*is_known &&
        (last.value < 1 || *tuple_size > data->rank - *batch_count)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "last dim of the indices is %" PRId64
                             "; it must be in [1, %zu]",
                             last.value,
                             data->rank - *batch_count);
    }
    return CLCONST_OK;
}

static clconst_status infer(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *indices = folding->inputs[1];
    clconst__output_set_dtype(folding, 0, data->dtype);
    clconst_status status = clconst__indices_check(folding, 1, error);
    if (status != CLCONST_OK || data->dims == NULL || indices->dims == NULL) {
        return status;
    }
    size_t batch_count;
    size_t tuple_size;
    bool is_known;
    status = read_counts(folding, &batch_count, &tuple_size, &is_known, error);
    if (status != CLCONST_OK || !is_known) {
        return status;
    }
    size_t front = indices->rank - 1;
    size_t sliced = batch_count + tuple_size;
    clconst__cell *dims;
    status = clconst__output_set_rank(
        folding, 0, data->dtype, front + data->rank - sliced, &dims, error);
    for (size_t i = 0; i < front && status == CLCONST_OK; i++) {
        dims[i] = indices->dims[i];
        if (i < batch_count) {
            status = clconst__dim_unify(&dims[i], data->dims[i], i, error);
        }
    }
    for (size_t i = sliced; i < data->rank && status == CLCONST_OK; i++) {
        dims[front + i - sliced] = data->dims[i];
    }
    return status;
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    size_t count = folding->outputs[0]->count;
    size_t batch_count;
    size_t tuple_size;
    bool is_known;
    size_t *strides;
    clconst_status status =
        read_counts(folding, &batch_count, &tuple_size, &is_known, error);
    if (status == CLCONST_OK) {
        status = clconst__dims_strides(
            folding, data->dims, data->rank, &strides, error);
    }
    if (status != CLCONST_OK || count == 0) {
        return status;
    }
    size_t sliced = batch_count + tuple_size;
    size_t slice =
        clconst__dims_count(data->dims + sliced, data->rank - sliced);
    size_t batch =
        clconst__dims_count(data->dims + batch_count, data->rank - batch_count);
    size_t in_batch =
        count / slice / clconst__dims_count(data->dims, batch_count);
    for (size_t i = 0; i < count / slice && status == CLCONST_OK; i++) {
        size_t position;
        clconst__cause cause;
        status = clconst__indices_locate(folding,
                                         1,
                                         i * tuple_size,
                                         tuple_size,
                                         data->dims + batch_count,
                                         strides + batch_count,
                                         &position,
                                         &cause,
                                         error);
        if (status == CLCONST_OK && cause != CLCONST__KNOWN) {
            status = clconst__copy_unknown(
                folding, 0, i * slice, slice, cause, error);
        } else if (status == CLCONST_OK) {
            position += i / in_batch * batch;
            status = clconst__copy_run(
                folding, 0, i * slice, data, position, slice, error);
        }
    }
    return status;
}

const clconst__operator clconst__gather_nd_operators[] = {
    {"GatherND", 2, CLCONST__ALL_VALUES, true, infer, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
