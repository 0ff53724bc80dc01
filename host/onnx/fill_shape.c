#include "onnx/fill_shape.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "core/op.h"
#include "core/shape.h"
#include "onnx/quote.h"

/* The shape of the tensor that a Constant is, dense or sparse. */
static const clconst_shape *shape_of(const clconst_op *op)
{
    return op->kind == CLCONST_OP_SPARSE_CONSTANT ? &op->dense_shape
                                                  : &op->value.shape;
}

/* The elements of a Constant of int64. dims holds zeros. */
static void copy_dims(const clconst_op *op, int64_t *dims)
{
    if (op->kind == CLCONST_OP_SPARSE_CONSTANT) {
        clconst__scatter_apply(&op->scatter, (uint8_t *)dims);
    } else if (op->value.size > 0) {
        memcpy(dims, op->value.data, op->value.size);
    }
}

/* The specification has the input as a tensor of int64 with rank 1. */
static clconst_status check_shape_value(const clconst__value *value,
                                        const clconst_op *op,
                                        clconst_error *reason)
{
    clconst__quoted name = clconst__quote(value->name);
    if (op->value.dtype != CLCONST_INT64) {
        return clconst__fail(reason,
                             CLCONST_INVALID_MODEL,
                             "shape %s has dtype %s; it must be int64",
                             name.text,
                             clconst_dtype_name(op->value.dtype));
    }
    const clconst_shape *shape = shape_of(op);
    if (shape->rank != 1) {
        return clconst__fail(reason,
                             CLCONST_INVALID_MODEL,
                             "shape %s has rank %zu; it must be 1",
                             name.text,
                             shape->rank);
    }
    return CLCONST_OK;
}

/* The input is known. Its elements need not be aligned where they lie. */
static clconst_status resolve_known(const clconst__constant *constant,
                                    const clconst_op *shape_op,
                                    clconst__verdict *verdict,
                                    clconst_error *error)
{
    size_t rank = (size_t)shape_of(shape_op)->dims[0];
    if (rank > CLCONST__RANK_MAX) {
        /* The rank alone decides; the dims are not read. */
        clconst_shape long_shape = {NULL, rank};
        return clconst__verdict_plan(
            verdict, constant->content.op, &long_shape, error);
    }
    int64_t *dims;
    clconst_status status = clconst__alloc(rank, sizeof(*dims), &dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    copy_dims(shape_op, dims);
    clconst_shape shape = {dims, rank};
    status =
        clconst__verdict_plan(verdict, constant->content.op, &shape, error);
    clconst__free(dims);
    return status;
}

static clconst_status check_declaration(const clconst__declaration *declaration,
                                        clconst_error *reason)
{
    clconst__quoted name = clconst__quote(declaration->name);
    if (declaration->elem_type != 0 &&
        declaration->elem_type != CLCONST_INT64) {
        const char *dtype =
            clconst_dtype_name((clconst_dtype)declaration->elem_type);
        return clconst__fail(reason,
                             CLCONST_INVALID_MODEL,
                             "shape %s is declared as %s; it must be int64",
                             name.text,
                             dtype != NULL ? dtype : "no known dtype");
    }
    if (declaration->has_rank && declaration->rank != 1) {
        return clconst__fail(reason,
                             CLCONST_INVALID_MODEL,
                             "shape %s is declared with rank %zu; it must be "
                             "1",
                             name.text,
                             declaration->rank);
    }
    return CLCONST_OK;
}

/*
 * The input has no value, for this reason. Its declared length is the rank of
 * the output, and when that is 0, the output is known.
 */
static clconst_status resolve_unknown(const clconst__evaluation *evaluation,
                                      const clconst__constant *constant,
                                      const clconst_error *unknown,
                                      clconst__verdict *verdict,
                                      clconst_error *error)
{
    const clconst__value *value = &evaluation->model->values[constant->shape];
    if (value->kind != CLCONST__INPUT) {
        return clconst__verdict_refuse(verdict, unknown, error);
    }
    const clconst__declaration *declaration =
        &evaluation->model->inputs[value->index];
    clconst_error reason;
    if (check_declaration(declaration, &reason) != CLCONST_OK) {
        return clconst__verdict_refuse(verdict, &reason, error);
    }
    int64_t rank = declaration->has_rank ? declaration->dims[0].value : -1;
    if (rank == 0) {
        clconst_shape scalar = {NULL, 0};
        return clconst__verdict_plan(
            verdict, constant->content.op, &scalar, error);
    }
    clconst_status status = clconst__verdict_refuse(verdict, unknown, error);
    if (status == CLCONST_OK && rank > 0 && rank <= CLCONST__RANK_MAX) {
        status = clconst__verdict_set_dims(verdict, NULL, (size_t)rank, error);
    }
    return status;
}

clconst_status clconst__fill_resolve(const clconst__evaluation *evaluation,
                                     const clconst__constant *constant,
                                     clconst__verdict *verdict,
                                     clconst_error *error)
{
    const clconst_op *shape_op;
    clconst_error reason;
    clconst_status status = clconst__evaluate(
        evaluation, constant->shape, "shape", &shape_op, &reason);
    if (status == CLCONST_UNSUPPORTED) {
        return resolve_unknown(evaluation, constant, &reason, verdict, error);
    }
    if (status == CLCONST_OK) {
        status = check_shape_value(
            &evaluation->model->values[constant->shape], shape_op, &reason);
    }
    if (status != CLCONST_OK) {
        return clconst__verdict_refuse(verdict, &reason, error);
    }
    return resolve_known(constant, shape_op, verdict, error);
}
