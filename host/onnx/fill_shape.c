#include "onnx/fill_shape.h"

#include <stdio.h>

#include "base/alloc.h"
#include "core/shape.h"
#include "onnx/node.h"
#include "onnx/quote.h"

/* Whom a message is about: the node, or the value when the node has no name. */
typedef struct subject_text {
    char bytes[sizeof(clconst__quoted) + 16];
} subject_text;

static clconst_status describe(const clconst_model *model,
                               const clconst__constant *constant,
                               subject_text *subject,
                               clconst_error *error)
{
    clconst__node node = {.name = {NULL, 0}};
    clconst_status status =
        clconst__node_read(model->nodes[constant->node].bytes, &node, error);
    if (status == CLCONST_OK) {
        snprintf(subject->bytes,
                 sizeof(subject->bytes),
                 "shape of %s",
                 node.name.size > 0 ? clconst__escape(node.name).text
                                    : clconst__quote(constant->name).text);
    }
    clconst__node_free(&node);
    return status;
}

/* The dims as far as they are known; *unknown is the cause of the first that is
 * not. dims has room for rank of them. */
static void read_dims(const clconst__fact *shape,
                      size_t rank,
                      clconst__cell *dims,
                      clconst__cause *unknown)
{
    *unknown = CLCONST__KNOWN;
    for (size_t i = 0; i < rank; i++) {
        dims[i] = shape->data != NULL
                      ? clconst__fact_cell(shape, i)
                      : (clconst__cell){0, clconst__fact_value_cause(shape)};
        if (*unknown == CLCONST__KNOWN) {
            *unknown = dims[i].cause;
        }
    }
}

/* A plan of known dims. */
static clconst_status make_plan(const clconst__constant *constant,
                                const clconst__cell *cells,
                                size_t rank,
                                clconst__verdict *verdict,
                                clconst_error *error)
{
    int64_t *dims = NULL;
    clconst_status status = clconst__alloc(rank, sizeof(*dims), &dims, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        dims[i] = cells[i].value;
    }
    if (status == CLCONST_OK) {
        clconst_shape shape = {dims, rank};
        status =
            clconst__verdict_plan(verdict, constant->content.op, &shape, error);
    }
    clconst__free(dims);
    return status;
}

/* The count of dims is known. A negative one is refused, whatever the others
 * are. */
static clconst_status resolve_ranked(clconst__fold *fold,
                                     const clconst__constant *constant,
                                     const clconst__fact *shape,
                                     size_t rank,
                                     const char *subject,
                                     clconst__verdict *verdict,
                                     clconst_error *error)
{
    clconst__cell *dims;
    clconst__cause unknown;
    clconst_status status = clconst__alloc(rank, sizeof(*dims), &dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    read_dims(shape, rank, dims, &unknown);
    clconst_error reason = {.status = CLCONST_OK};
    for (size_t i = 0; i < rank && unknown != CLCONST__KNOWN; i++) {
        if (dims[i].cause == CLCONST__KNOWN && dims[i].value < 0) {
            clconst__error_set(
                &reason,
                CLCONST_INVALID_MODEL,
                0,
                "dim %zu of the %s is negative; dims must be >= 0",
                i,
                subject);
        }
    }
    if (unknown == CLCONST__KNOWN) {
        status = make_plan(constant, dims, rank, verdict, error);
    } else {
        if (reason.status == CLCONST_OK) {
            clconst__cause_tell(&fold->causes, unknown, subject, &reason);
        }
        status = clconst__verdict_refuse(verdict, &reason, error);
        if (status == CLCONST_OK) {
            status =
                shape->data != NULL
                    ? clconst__verdict_set_cells(
                          verdict, &fold->causes, dims, rank, error)
                    : clconst__verdict_set_dims(verdict, NULL, rank, error);
        }
    }
    clconst__free(dims);
    return status;
}

static clconst_status resolve(clconst__fold *fold,
                              const clconst__constant *constant,
                              const clconst__fact *shape,
                              const char *subject,
                              clconst__verdict *verdict,
                              clconst_error *error)
{
    clconst_error reason;
    if (clconst__fact_check_shape(shape, subject, &reason) != CLCONST_OK) {
        return clconst__verdict_refuse(verdict, &reason, error);
    }
    bool has_rank =
        shape->dims != NULL && shape->dims[0].cause == CLCONST__KNOWN;
    uint64_t rank = shape->data != NULL ? shape->count
                    : has_rank          ? (uint64_t)shape->dims[0].value
                                        : 0;
    if (shape->data == NULL && !has_rank) {
        clconst__cause_tell(
            &fold->causes, clconst__fact_value_cause(shape), subject, &reason);
        return clconst__verdict_refuse(verdict, &reason, error);
    }
    if (rank > CLCONST__RANK_MAX) {
        /* The rank alone decides; the dims are not read. */
        clconst_shape long_shape = {NULL, (size_t)rank};
        return clconst__verdict_plan(
            verdict, constant->content.op, &long_shape, error);
    }
    return resolve_ranked(
        fold, constant, shape, (size_t)rank, subject, verdict, error);
}

clconst_status clconst__fill_resolve(clconst__fold *fold,
                                     clconst__frame *frame,
                                     const clconst__constant *constant,
                                     clconst__verdict *verdict,
                                     clconst_error *error)
{
    subject_text subject;
    clconst_error reason;
    const clconst__fact *shape;
    clconst_status status = describe(fold->model, constant, &subject, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (constant->shape == CLCONST__NONE) {
        clconst__error_set(&reason,
                           CLCONST_INVALID_MODEL,
                           0,
                           "%s is left out; it is required",
                           subject.bytes);
        return clconst__verdict_refuse(verdict, &reason, error);
    }
    status = clconst__fold_value(fold, frame, constant->shape, &shape, &reason);
    return status == CLCONST_OK
               ? resolve(fold, constant, shape, subject.bytes, verdict, error)
               : clconst__verdict_refuse(verdict, &reason, error);
}
