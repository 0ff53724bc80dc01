/*
 * LSTM, GRU and RNN, of which only dims are told.
 */
#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"

/* What the dims of the outputs are made of. */
typedef struct sizes {
    clconst__cell length;
    clconst__cell batch;
    clconst__cell directions;
    clconst__cell hidden;
    bool is_batch_first;
} sizes;

static clconst_status read_directions(const clconst__folding *folding,
                                      clconst__cell *directions,
                                      clconst_error *error)
{
    clconst__span direction;
    clconst_status status = clconst__folding_string(
        folding, "direction", "forward", &direction, error);
    bool is_both =
        clconst__span_equals(direction, clconst__span_of("bidirectional"));
    *directions = (clconst__cell){is_both ? 2 : 1, CLCONST__KNOWN};
    return status;
}

/* hidden_size is optional; R is (directions, gates * hidden, hidden). */
static clconst_status read_hidden(clconst__folding *folding,
                                  clconst__cell *hidden,
                                  clconst_error *error)
{
    const clconst__fact *recurrence = folding->inputs[2];
    clconst_status status = clconst__rank_check(recurrence, "R", 3, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (clconst__folding_has(folding, "hidden_size")) {
        *hidden = (clconst__cell){0, CLCONST__KNOWN};
        status = clconst__folding_int(
            folding, "hidden_size", 0, &hidden->value, error);
        return status == CLCONST_OK ? clconst__cell_check_dim(*hidden, 0, error)
                                    : status;
    }
    const clconst__cell unknown = {0, recurrence->cause};
    if (recurrence->dims != NULL) {
        *hidden = recurrence->dims[2];
        return CLCONST_OK;
    }
    return clconst__cell_derive(folding, &unknown, 1, hidden, error);
}

static clconst_status
read_sizes(clconst__folding *folding, sizes *read, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    int64_t layout;
    clconst_status status =
        clconst__folding_int(folding, "layout", 0, &layout, error);
    if (status == CLCONST_OK) {
        status = read_directions(folding, &read->directions, error);
    }
    if (status == CLCONST_OK) {
        status = read_hidden(folding, &read->hidden, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__rank_check(input, "X", 3, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    read->is_batch_first = layout != 0;
    if (input->dims != NULL) {
        read->length = input->dims[read->is_batch_first ? 1 : 0];
        read->batch = input->dims[read->is_batch_first ? 0 : 1];
        return CLCONST_OK;
    }
    const clconst__cell unknown = {0, input->cause};
    status = clconst__cell_derive(folding, &unknown, 1, &read->length, error);
    if (status == CLCONST_OK) {
        status =
            clconst__cell_derive(folding, &unknown, 1, &read->batch, error);
    }
    return status;
}

static clconst_status infer_recurrent(clconst__folding *folding,
                                      clconst_error *error)
{
    sizes read;
    clconst_dtype dtype = folding->inputs[0]->dtype;
    clconst_status status = read_sizes(folding, &read, error);
    if (status != CLCONST_OK) {
        return status;
    }
    const clconst__cell all[2][4] = {
        {read.length, read.directions, read.batch, read.hidden},
        {read.batch, read.length, read.directions, read.hidden},
    };
    const clconst__cell last[2][3] = {
        {read.directions, read.batch, read.hidden},
        {read.batch, read.directions, read.hidden},
    };
    for (size_t i = 0; i < folding->output_count && status == CLCONST_OK; i++) {
        size_t rank = i == 0 ? 4 : 3;
        const clconst__cell *from =
            i == 0 ? all[read.is_batch_first] : last[read.is_batch_first];
        clconst__cell *dims;
        status =
            clconst__output_set_rank(folding, i, dtype, rank, &dims, error);
        for (size_t axis = 0; axis < rank && status == CLCONST_OK; axis++) {
            dims[axis] = from[axis];
        }
    }
    return status;
}

#define DIMS_ONLY CLCONST__NO_VALUES, false

const clconst__operator clconst__recurrent_operators[] = {
    {"GRU", 3, DIMS_ONLY, infer_recurrent, NULL},
    {"LSTM", 3, DIMS_ONLY, infer_recurrent, NULL},
    {"RNN", 3, DIMS_ONLY, infer_recurrent, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
