/*
 * Products of matrices, and what else is told of their dims alone.
 */
#include "onnx/fold/broadcast.h"
#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"

/* A fact's dims as a stack of matrices: a vector is a matrix of one row, when
 * it is A, or of one column. */
typedef struct operand {
    size_t batch_rank;
    const clconst__cell *batch;
    clconst__cell rows;
    clconst__cell columns;
} operand;

static operand read_operand(const clconst__fact *fact, bool is_left)
{
    const clconst__cell one = {1, CLCONST__KNOWN};
    const clconst__cell *dims = fact->dims;
    if (fact->rank == 1) {
        return is_left ? (operand){0, dims, one, dims[0]}
                       : (operand){0, dims, dims[0], one};
    }
    return (operand){
        fact->rank - 2, dims, dims[fact->rank - 2], dims[fact->rank - 1]};
}

/* Dims of the product: those of the batches, the rows of A unless it is a
 * vector, and the columns of B unless it is. */
static clconst_status set_product(clconst__folding *folding,
                                  clconst_dtype dtype,
                                  const clconst__fact *a,
                                  const clconst__fact *b,
                                  clconst_error *error)
{
    operand left = read_operand(a, true);
    operand right = read_operand(b, false);
    clconst_status status = clconst__cell_match(
        &left.columns, right.rows, "columns of A", "rows of B", error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t batch_rank =
        left.batch_rank > right.batch_rank ? left.batch_rank : right.batch_rank;
    size_t rank = batch_rank + (a->rank > 1) + (b->rank > 1);
    clconst__cell *dims;
    status = clconst__output_set_rank(folding, 0, dtype, rank, &dims, error);
    for (size_t i = 0; i < batch_rank && status == CLCONST_OK; i++) {
        dims[i] = (clconst__cell){1, CLCONST__KNOWN};
    }
    if (status == CLCONST_OK) {
        status = clconst__dims_broadcast(
            folding, left.batch, left.batch_rank, dims, batch_rank, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__dims_broadcast(
            folding, right.batch, right.batch_rank, dims, batch_rank, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (a->rank > 1) {
        dims[batch_rank] = left.rows;
    }
    if (b->rank > 1) {
        dims[rank - 1] = right.columns;
    }
    return CLCONST_OK;
}

static clconst_status infer_product(clconst__folding *folding,
                                    size_t second,
                                    clconst_dtype dtype,
                                    clconst_error *error)
{
    const clconst__fact *const facts[] = {folding->inputs[0],
                                          folding->inputs[second]};
    clconst__output_set_dtype(folding, 0, dtype);
    for (size_t i = 0; i < 2; i++) {
        if (facts[i]->dims != NULL && facts[i]->rank == 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "%s has rank 0; it must be 1 or more",
                                 i == 0 ? "A" : "B");
        }
    }
    if (facts[0]->dims == NULL || facts[1]->dims == NULL) {
        return CLCONST_OK;
    }
    return set_product(folding, dtype, facts[0], facts[1], error);
}

static clconst_status infer_matmul(clconst__folding *folding,
                                   clconst_error *error)
{
    return infer_product(folding, 1, folding->inputs[0]->dtype, error);
}

static clconst_status infer_matmul_integer(clconst__folding *folding,
                                           clconst_error *error)
{
    return infer_product(folding, 1, CLCONST_INT32, error);
}

static clconst_status infer_qlinear_matmul(clconst__folding *folding,
                                           clconst_error *error)
{
    return infer_product(folding, 3, folding->inputs[7]->dtype, error);
}

/* The dims of A or B, with a transposition undone; unknown ones stay 0. */
static clconst_status read_matrix(const clconst__folding *folding,
                                  size_t input,
                                  const char *transposed,
                                  clconst__cell *rows,
                                  clconst__cell *columns,
                                  clconst_error *error)
{
    const clconst__fact *fact = folding->inputs[input];
    int64_t is_transposed;
    clconst_status status =
        clconst__folding_int(folding, transposed, 0, &is_transposed, error);
    if (status == CLCONST_OK) {
        status = clconst__rank_check(fact, input == 0 ? "A" : "B", 2, error);
    }
    if (status == CLCONST_OK && fact->dims != NULL) {
        *rows = fact->dims[is_transposed != 0];
        *columns = fact->dims[is_transposed == 0];
    }
    return status;
}

static clconst_status infer_gemm(clconst__folding *folding,
                                 clconst_error *error)
{
    clconst__cell *dims;
    clconst_status status = clconst__output_set_rank(
        folding, 0, folding->inputs[0]->dtype, 2, &dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__cell depth[2] = {{0, folding->inputs[0]->cause},
                              {0, folding->inputs[1]->cause}};
    status = read_matrix(folding, 0, "transA", &dims[0], &depth[0], error);
    if (status == CLCONST_OK) {
        status = read_matrix(folding, 1, "transB", &depth[1], &dims[1], error);
    }
    if (status == CLCONST_OK && folding->inputs[0]->dims != NULL &&
        folding->inputs[1]->dims != NULL) {
        status = clconst__cell_match(
            &depth[0], depth[1], "columns of A", "rows of B", error);
    }
    return status;
}

/* The last two dims are those of a square matrix. */
static clconst_status infer_det(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__output_set_dtype(folding, 0, input->dtype);
    if (input->dims == NULL) {
        return CLCONST_OK;
    }
    if (input->rank < 2) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "input 0 has rank %zu; it must be 2 or more",
                             input->rank);
    }
    size_t rank = input->rank - 2;
    clconst__cell side = input->dims[rank];
    clconst__cell *dims;
    clconst_status status = clconst__cell_match(
        &side, input->dims[rank + 1], "rows", "columns", error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, 0, input->dtype, rank, &dims, error);
    }
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        dims[i] = input->dims[i];
    }
    return status;
}

#define DIMS_ONLY CLCONST__NO_VALUES, false

const clconst__operator clconst__matrix_operators[] = {
    {"Det", 1, DIMS_ONLY, infer_det, NULL},
    {"Gemm", 2, DIMS_ONLY, infer_gemm, NULL},
    {"MatMul", 2, DIMS_ONLY, infer_matmul, NULL},
    {"MatMulInteger", 2, DIMS_ONLY, infer_matmul_integer, NULL},
    {"QLinearMatMul", 8, DIMS_ONLY, infer_qlinear_matmul, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
