/*
 * Operators that read a tensor's shape, and those that keep all of it.
 */
#include "onnx/fold/dims.h"
#include "onnx/fold/operators.h"

static clconst_status infer_identity(clconst__folding *folding,
                                     clconst_error *error)
{
    (void)error;
    clconst__output_share(folding, folding->inputs[0]);
    return CLCONST_OK;
}

/* The range of dims that Shape gives: from opset 15 on start and end. */
static clconst_status read_range(const clconst__folding *folding,
                                 size_t rank,
                                 size_t *first,
                                 size_t *count,
                                 clconst_error *error)
{
    int64_t limit = (int64_t)rank;
    int64_t ends[2] = {0, limit};
    static const char *const names[2] = {"start", "end"};
    clconst_status status = CLCONST_OK;
    for (int i = 0; i < 2 && status == CLCONST_OK; i++) {
        status =
            clconst__folding_int(folding, names[i], ends[i], &ends[i], error);
        ends[i] += ends[i] < 0 ? limit : 0;
        ends[i] = ends[i] < 0 ? 0 : ends[i];
        ends[i] = ends[i] > limit ? limit : ends[i];
    }
    *first = (size_t)ends[0];
    *count = ends[1] > ends[0] ? (size_t)(ends[1] - ends[0]) : 0;
    return status;
}

static clconst_status infer_shape(clconst__folding *folding,
                                  clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__cell *dims;
    clconst_status status =
        clconst__output_set_rank(folding, 0, CLCONST_INT64, 1, &dims, error);
    if (status == CLCONST_OK && input->dims != NULL) {
        size_t first;
        size_t count;
        status = read_range(folding, input->rank, &first, &count, error);
        dims[0] = (clconst__cell){(int64_t)count, CLCONST__KNOWN};
    }
    return status;
}

static clconst_status compute_shape(clconst__folding *folding,
                                    clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    size_t first;
    size_t count;
    clconst_status status =
        read_range(folding, input->rank, &first, &count, error);
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status = clconst__fact_set_cell(
            folding->outputs[0], i, input->dims[first + i], error);
    }
    return status;
}

static clconst_status infer_size(clconst__folding *folding,
                                 clconst_error *error)
{
    clconst__cell *dims;
    return clconst__output_set_rank(folding, 0, CLCONST_INT64, 0, &dims, error);
}

/* The product of the dims. Without a rank it is a number of its own. */
static clconst_status compute_size(clconst__folding *folding,
                                   clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    const clconst__cell rank = {0, input->cause};
    clconst__cell size;
    clconst_status status =
        input->dims != NULL
            ? clconst__cells_multiply(
                  folding, input->dims, input->rank, &size, error)
            : clconst__cell_derive(folding, &rank, 1, &size, error);
    return status == CLCONST_OK
               ? clconst__fact_set_cell(folding->outputs[0], 0, size, error)
               : status;
}

const clconst__operator clconst__shape_operators[] = {
    {"Identity", 1, CLCONST__ALL_VALUES, true, infer_identity, NULL},
    {"Shape", 1, CLCONST__NO_VALUES, true, infer_shape, compute_shape},
    {"Size", 1, CLCONST__NO_VALUES, true, infer_size, compute_size},
    {NULL, 0, 0, false, NULL, NULL},
};
