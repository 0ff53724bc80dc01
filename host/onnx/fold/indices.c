#include "onnx/fold/indices.h"

#include <inttypes.h>

#include "onnx/fold/dims.h"

clconst_status clconst__indices_check(const clconst__folding *folding,
                                      size_t input,
                                      clconst_error *error)
{
    clconst_dtype dtype = folding->inputs[input]->dtype;
    if (dtype != CLCONST_UNDEFINED && dtype != CLCONST_INT32 &&
        dtype != CLCONST_INT64) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "input %zu has dtype %s; indices are int32 or "
                             "int64",
                             input,
                             clconst_dtype_name(dtype));
    }
    return CLCONST_OK;
}

clconst_status clconst__indices_check_dims(const clconst__folding *folding,
                                           size_t axis,
                                           clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *indices = folding->inputs[1];
    if (data->rank != indices->rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "indices have rank %zu; it must be %zu as of the "
                             "data",
                             indices->rank,
                             data->rank);
    }
    for (size_t i = 0; i < data->rank; i++) {
        clconst__cell limit = data->dims[i];
        clconst__cell dim = indices->dims[i];
        if (i != axis && limit.cause == CLCONST__KNOWN &&
            dim.cause == CLCONST__KNOWN && dim.value > limit.value) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "dim %zu of the indices is %" PRId64
                                 "; it must be at most %" PRId64
                                 " as of the data",
                                 i,
                                 dim.value,
                                 limit.value);
        }
    }
    return CLCONST_OK;
}

static clconst__cell load(const clconst__fact *fact, size_t element)
{
    if (fact->dtype == CLCONST_INT64) {
        return clconst__fact_cell(fact, element);
    }
    int32_t value;
    memcpy(&value, fact->data + element * sizeof(value), sizeof(value));
    return (clconst__cell){value, clconst__fact_cause(fact, element)};
}

clconst_status clconst__index_read(const clconst__folding *folding,
                                   size_t input,
                                   size_t element,
                                   clconst__cell length,
                                   clconst__cell *index,
                                   clconst_error *error)
{
    *index = load(folding->inputs[input], element);
    if (index->cause != CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    if (index->value < -length.value || index->value >= length.value) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "index %zu is %" PRId64
                             "; along an axis of %" PRId64
                             " it must be in [-%" PRId64 ", %" PRId64 "]",
                             element,
                             index->value,
                             length.value,
                             length.value,
                             length.value - 1);
    }
    index->value += index->value < 0 ? length.value : 0;
    return CLCONST_OK;
}

clconst_status clconst__indices_walk(clconst__folding *folding,
                                     size_t axis,
                                     clconst__walk *walk,
                                     size_t *along,
                                     clconst_error *error)
{
    const clconst__fact *data = folding->inputs[0];
    const clconst__fact *indices = folding->inputs[1];
    size_t *strides;
    clconst_status status =
        clconst__dims_strides(folding, data->dims, data->rank, &strides, error);
    if (status == CLCONST_OK) {
        status = clconst__walk_create(
            folding, indices->dims, indices->rank, walk, error);
    }
    if (status == CLCONST_OK) {
        *along = strides[axis];
        strides[axis] = 0;
        status = clconst__walk_add(folding, walk, strides, error);
    }
    return status;
}

clconst_status clconst__indices_locate(const clconst__folding *folding,
                                       size_t input,
                                       size_t element,
                                       size_t count,
                                       const clconst__cell *lengths,
                                       const size_t *strides,
                                       size_t *position,
                                       clconst__cause *cause,
                                       clconst_error *error)
{
    *position = 0;
    *cause = CLCONST__KNOWN;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        clconst__cell index;
        status = clconst__index_read(
            folding, input, element + i, lengths[i], &index, error);
        if (status == CLCONST_OK && index.cause != CLCONST__KNOWN) {
            *cause = index.cause;
        } else if (status == CLCONST_OK) {
            *position += (size_t)index.value * strides[i];
        }
    }
    return status;
}
