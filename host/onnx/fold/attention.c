/*
 * Attention, of which only dims are told.
 */
#include "onnx/fold/dims.h"
#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"

/*
 * The sizes of Q, K and V: of dims (batch, heads, length, size), or, of rank 3,
 * (batch, length, heads times size) with the heads as attributes.
 */
typedef struct operand {
    clconst__cell batch;
    clconst__cell heads;
    clconst__cell length;
    clconst__cell size;
} operand;

static clconst_status read_operand(clconst__folding *folding,
                                   const clconst__fact *fact,
                                   const char *heads_name,
                                   operand *read,
                                   clconst_error *error)
{
    const clconst__cell *dims = fact->dims;
    if (fact->rank == 4) {
        *read = (operand){dims[0], dims[1], dims[2], dims[3]};
        return CLCONST_OK;
    }
    int64_t heads;
    clconst_status status =
        clconst__folding_int(folding, heads_name, 0, &heads, error);
    if (status == CLCONST_OK && (fact->rank != 3 || heads < 1)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "an input has rank %zu; it must be 4, or 3 with "
                             "%s of 1 or more",
                             fact->rank,
                             heads_name);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    *read = (operand){dims[0], {heads, CLCONST__KNOWN}, dims[1], dims[2]};
    return clconst__cell_divide(folding, dims[2], heads, &read->size, error);
}

/* The result has the dims of Q, with V's size. */
static clconst_status set_result(clconst__folding *folding,
                                 const operand *q,
                                 const operand *v,
                                 clconst_error *error)
{
    size_t rank = folding->inputs[0]->rank;
    clconst__cell *dims;
    clconst_status status = clconst__output_set_rank(
        folding, 0, folding->inputs[0]->dtype, rank, &dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    dims[0] = q->batch;
    dims[rank - 2] = q->length;
    if (rank == 4) {
        dims[1] = q->heads;
        dims[3] = v->size;
        return CLCONST_OK;
    }
    const clconst__cell factors[] = {q->heads, v->size};
    return clconst__cells_multiply(folding, factors, 2, &dims[2], error);
}

static clconst_status set_dims(clconst__folding *folding,
                               size_t output,
                               clconst_dtype dtype,
                               const operand *from,
                               clconst_error *error)
{
    clconst__cell *dims;
    clconst_status status =
        clconst__output_set_rank(folding, output, dtype, 4, &dims, error);
    if (status == CLCONST_OK) {
        dims[0] = from->batch;
        dims[1] = from->heads;
        dims[2] = from->length;
        dims[3] = from->size;
    }
    return status;
}

/* Adds the length of what was before; *length is an unknown number when its
 * rank is unknown. */
static clconst_status add_past(clconst__folding *folding,
                               const clconst__fact *past,
                               clconst__cell *length,
                               clconst_error *error)
{
    if (past == NULL) {
        return CLCONST_OK;
    }
    clconst_status status = clconst__rank_check(past, "past_key", 4, error);
    if (status != CLCONST_OK) {
        return status;
    }
    const clconst__cell unknown = {0, past->cause};
    if (past->dims == NULL) {
        return clconst__cell_derive(folding, &unknown, 1, length, error);
    }
    const clconst__cell lengths[] = {past->dims[2], *length};
    return clconst__cells_add(folding, lengths, 2, length, error);
}

static clconst_status infer_attention(clconst__folding *folding,
                                      clconst_error *error)
{
    static const char *const heads_names[] = {
        "q_num_heads", "kv_num_heads", "kv_num_heads"};
    operand read[3];
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < 4; i++) {
        clconst__output_set_dtype(
            folding, i, folding->inputs[i == 2 ? 2 : 0]->dtype);
    }
    for (size_t i = 0; i < 3 && status == CLCONST_OK; i++) {
        if (folding->inputs[i]->dims == NULL) {
            return CLCONST_OK;
        }
        status = read_operand(
            folding, folding->inputs[i], heads_names[i], &read[i], error);
    }
    if (status == CLCONST_OK) {
        status = set_result(folding, &read[0], &read[2], error);
    }
    if (status == CLCONST_OK) {
        status = add_past(folding,
                          clconst__folding_input(folding, 4),
                          &read[1].length,
                          error);
        read[2].length = read[1].length;
    }
    for (size_t i = 1; i < 3 && status == CLCONST_OK; i++) {
        status =
            set_dims(folding, i, folding->inputs[i]->dtype, &read[i], error);
    }
    if (status == CLCONST_OK) {
        operand scores = read[0];
        scores.size = read[1].length;
        status =
            set_dims(folding, 3, folding->inputs[0]->dtype, &scores, error);
    }
    return status;
}

const clconst__operator clconst__attention_operators[] = {
    {"Attention", 3, CLCONST__NO_VALUES, false, infer_attention, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
