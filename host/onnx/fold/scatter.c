/*
 * ScatterElements, which was Scatter, and ScatterND: data of which elements are
 * updated where indices say.
 */
#include <inttypes.h>
#include <stdio.h>

#include "onnx/fold/copy.h"
#include "onnx/fold/dims.h"
#include "onnx/fold/indices.h"
#include "onnx/fold/operation.h"
#include "onnx/fold/operators.h"

enum { DATA, INDICES, UPDATES };

/* What to do with what is there and the update; NULL for only the latter. */
static clconst_status read_reduction(const clconst__folding *folding,
                                     const clconst__operation **operation,
                                     clconst_error *error)
{
    clconst_dtype dtype = folding->inputs[DATA]->dtype;
    bool is_bool = dtype == CLCONST_BOOL;
    const struct {
        const char *name;
        const clconst__operation *operation;
    } reductions[] = {
        {"none", NULL},
        /* Of bool, 1 and 1 is 1. */
        {"add", is_bool ? &clconst__maximum : &clconst__add},
        {"mul", &clconst__multiply},
        {"min", &clconst__minimum},
        {"max", &clconst__maximum},
    };
    clconst__span name;
    clconst_status status =
        clconst__folding_string(folding, "reduction", "none", &name, error);
    for (size_t i = 0; i < sizeof(reductions) / sizeof(reductions[0]); i++) {
        if (status == CLCONST_OK &&
            clconst__span_equals(name, clconst__span_of(reductions[i].name))) {
            *operation = reductions[i].operation;
            return *operation != NULL ? clconst__number_check(dtype, error)
                                      : CLCONST_OK;
        }
    }
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "reduction must be none, add, mul, min or max");
}

/* Updates elements in a row. */
static clconst_status update_run(clconst__folding *folding,
                                 const clconst__operation *operation,
                                 size_t to,
                                 size_t from,
                                 size_t count,
                                 clconst_error *error)
{
    const clconst__fact *updates = folding->inputs[UPDATES];
    clconst__fact *output = folding->outputs[0];
    if (operation == NULL) {
        return clconst__copy_run(folding, 0, to, updates, from, count, error);
    }
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        clconst__element result;
        status =
            clconst__elements_combine(folding,
                                      operation,
                                      output->dtype,
                                      clconst__element_load(output, to + i),
                                      clconst__element_load(updates, from + i),
                                      to + i,
                                      &result,
                                      error);
        if (status == CLCONST_OK) {
            status = clconst__element_store(output, to + i, result, error);
        }
    }
    return status;
}

/* Where an update goes must be known: else any element may be another. */
static clconst_status check_place(const clconst__folding *folding,
                                  clconst__cause cause,
                                  size_t index,
                                  clconst_error *error)
{
    if (cause == CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    char subject[64];
    snprintf(subject, sizeof(subject), "index %zu", index);
    return clconst__cause_tell(folding->causes, cause, subject, error);
}

/* What both have in common: dtypes, and dims as those of the data. */
static clconst_status infer_like_data(clconst__folding *folding,
                                      clconst_error *error)
{
    static const size_t typed[] = {DATA, UPDATES};
    const clconst__fact *data = folding->inputs[DATA];
    const clconst__operation *operation;
    clconst_dtype dtype;
    clconst_status status =
        clconst__copy_dtype(folding, typed, 2, &dtype, error);
    if (status == CLCONST_OK) {
        status = clconst__indices_check(folding, INDICES, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__output_set_like(folding, 0, dtype, data, error);
    }
    if (status == CLCONST_OK && data->dtype != CLCONST_UNDEFINED) {
        status = read_reduction(folding, &operation, error);
        /* What is not computed has dims all the same. */
        status = status == CLCONST_UNSUPPORTED ? CLCONST_OK : status;
    }
    return status;
}

/* The dims of updates from first on must be these. */
static clconst_status check_updates(const clconst__folding *folding,
                                    size_t first,
                                    const clconst__cell *dims,
                                    size_t count,
                                    clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        clconst__cell dim = folding->inputs[UPDATES]->dims[first + i];
        status = clconst__dim_unify(&dim, dims[i], first + i, error);
    }
    return status;
}

static clconst_status
check_rank(const clconst__fact *updates, size_t rank, clconst_error *error)
{
    if (updates->dims != NULL && updates->rank != rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "updates have rank %zu; it must be %zu",
                             updates->rank,
                             rank);
    }
    return CLCONST_OK;
}

static clconst_status infer_elements(clconst__folding *folding,
                                     clconst_error *error)
{
    const clconst__fact *data = folding->inputs[DATA];
    const clconst__fact *indices = folding->inputs[INDICES];
    const clconst__fact *updates = folding->inputs[UPDATES];
    size_t axis;
    clconst_status status = infer_like_data(folding, error);
    if (status != CLCONST_OK || data->dims == NULL) {
        return status;
    }
    status = clconst__axis_read(
        folding, 0, folding->inputs[DATA]->rank, &axis, error);
    if (status == CLCONST_OK) {
        status = check_rank(updates, data->rank, error);
    }
    if (status != CLCONST_OK || indices->dims == NULL) {
        return status;
    }
    status = clconst__indices_check_dims(folding, axis, error);
    return status == CLCONST_OK && updates->dims != NULL
               ? check_updates(folding, 0, indices->dims, data->rank, error)
               : status;
}

static clconst_status compute_elements(clconst__folding *folding,
                                       clconst_error *error)
{
    const clconst__fact *data = folding->inputs[DATA];
    const clconst__fact *indices = folding->inputs[INDICES];
    const clconst__operation *operation;
    size_t axis;
    size_t along;
    clconst__walk walk;
    clconst_status status = clconst__axis_read(
        folding, 0, folding->inputs[DATA]->rank, &axis, error);
    if (status == CLCONST_OK) {
        status = read_reduction(folding, &operation, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__copy_input(folding, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__indices_walk(folding, axis, &walk, &along, error);
    }
    for (size_t i = 0; i < indices->count && status == CLCONST_OK; i++) {
        clconst__cell index;
        status = clconst__index_read(
            folding, INDICES, i, data->dims[axis], &index, error);
        if (status == CLCONST_OK) {
            status = check_place(folding, index.cause, i, error);
        }
        if (status == CLCONST_OK) {
            size_t to = walk.positions[0] + (size_t)index.value * along;
            status = update_run(folding, operation, to, i, 1, error);
        }
        clconst__walk_step(&walk);
    }
    return status;
}

/* How many axes of the data a tuple of indices names, of ranks that are known;
 * *is_known is false when that is open. */
static clconst_status read_tuple_size(const clconst__folding *folding,
                                      size_t *size,
                                      bool *is_known,
                                      clconst_error *error)
{
    const clconst__fact *data = folding->inputs[DATA];
    const clconst__fact *indices = folding->inputs[INDICES];
    if (data->rank == 0 || indices->rank == 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s have rank 0; it must be 1 or more",
                             data->rank == 0 ? "data" : "indices");
    }
    clconst__cell last = indices->dims[indices->rank - 1];
    *is_known = last.cause == CLCONST__KNOWN;
    *size = *is_known ? (size_t)last.value : 0;
    if (*is_known && (last.value < 1 || *size > data->rank)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "last dim of the indices is %" PRId64
                             "; it must be in [1, %zu]",
                             last.value,
                             data->rank);
    }
    return CLCONST_OK;
}

static clconst_status infer_nd(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *data = folding->inputs[DATA];
    const clconst__fact *indices = folding->inputs[INDICES];
    const clconst__fact *updates = folding->inputs[UPDATES];
    size_t size;
    bool is_known;
    clconst_status status = infer_like_data(folding, error);
    if (status != CLCONST_OK || data->dims == NULL || indices->dims == NULL) {
        return status;
    }
    status = read_tuple_size(folding, &size, &is_known, error);
    if (status != CLCONST_OK || !is_known) {
        return status;
    }
    size_t front = indices->rank - 1;
    status = check_rank(updates, front + data->rank - size, error);
    if (status == CLCONST_OK && updates->dims != NULL) {
        status = check_updates(folding, 0, indices->dims, front, error);
    }
    if (status == CLCONST_OK && updates->dims != NULL) {
        status = check_updates(
            folding, front, data->dims + size, data->rank - size, error);
    }
    return status;
}

static clconst_status compute_nd(clconst__folding *folding,
                                 clconst_error *error)
{
    const clconst__fact *data = folding->inputs[DATA];
    size_t count = folding->inputs[UPDATES]->count;
    const clconst__operation *operation;
    size_t size;
    bool is_known;
    size_t *strides;
    clconst_status status = read_tuple_size(folding, &size, &is_known, error);
    if (status == CLCONST_OK) {
        status = read_reduction(folding, &operation, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__copy_input(folding, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__dims_strides(
            folding, data->dims, data->rank, &strides, error);
    }
    if (status != CLCONST_OK || count == 0) {
        return status;
    }
    size_t slice = clconst__dims_count(data->dims + size, data->rank - size);
    for (size_t i = 0; i < count / slice && status == CLCONST_OK; i++) {
        size_t to;
        clconst__cause cause;
        status = clconst__indices_locate(folding,
                                         INDICES,
                                         i * size,
                                         size,
                                         data->dims,
                                         strides,
                                         &to,
                                         &cause,
                                         error);
        if (status == CLCONST_OK) {
            status = check_place(folding, cause, i, error);
        }
        if (status == CLCONST_OK) {
            status =
                update_run(folding, operation, to, i * slice, slice, error);
        }
    }
    return status;
}

const clconst__operator clconst__scatter_operators[] = {
    {"Scatter", 3, CLCONST__ALL_VALUES, true, infer_elements, compute_elements},
    {"ScatterElements",
     3,
     CLCONST__ALL_VALUES,
     true,
     infer_elements,
     compute_elements},
    {"ScatterND", 3, CLCONST__ALL_VALUES, true, infer_nd, compute_nd},
    {NULL, 0, 0, false, NULL, NULL},
};
