/*
 * Resolutions: for each constant and each output of a model a plan, or the
 * reason why there is none.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "base/options.h"
#include "onnx/bindings.h"
#include "onnx/fill_shape.h"
#include "onnx/quote.h"
#include "onnx/verdict.h"

/* An output that is a constant has the constant's verdict, and else its own. */
typedef struct output_verdict {
    size_t constant;
    clconst__verdict own;
} output_verdict;

struct clconst_resolution {
    clconst_model *model;
    clconst__bindings *bindings;
    clconst__verdict *constants;
    output_verdict *outputs;
};

static clconst_status resolve_listed(clconst__fold *fold,
                                     clconst__frame *frame,
                                     const clconst__constant *constant,
                                     clconst__verdict *verdict,
                                     clconst_error *error)
{
    const clconst__content *content = &constant->content;
    if (constant->status != CLCONST_OK) {
        clconst__verdict_borrow(
            verdict, constant->status, constant->native_code, constant->reason);
        return content->has_dims
                   ? clconst__verdict_set_dims(verdict,
                                               content->dims.items,
                                               content->dims.count,
                                               error)
                   : CLCONST_OK;
    }
    if (clconst_op_get_kind(content->op) != CLCONST_OP_CONSTANT_OF_SHAPE) {
        return clconst__verdict_plan(verdict, content->op, NULL, error);
    }
    return frame != NULL
               ? clconst__fill_resolve(fold, frame, constant, verdict, error)
               : CLCONST_OK;
}

static clconst_status resolve_constant(clconst__fold *fold,
                                       const clconst__constant *constant,
                                       clconst__verdict *verdict,
                                       clconst_error *error)
{
    clconst__frame *frame;
    clconst_error reason;
    clconst_status status =
        clconst__fold_enter(fold, constant->graph, &frame, &reason);
    if (status != CLCONST_OK) {
        return clconst__verdict_refuse(verdict, &reason, error);
    }
    status = resolve_listed(fold, frame, constant, verdict, error);
    /* What no input can make right stays wrong. */
    if (status == CLCONST_OK && frame == NULL &&
        verdict->state != CLCONST_INVALID) {
        clconst__verdict_skip(verdict);
    }
    return status;
}

/* The constant that an output is; a bound input hides its default. */
static size_t find_constant(const clconst_resolution *resolution,
                            const clconst__value *value)
{
    if (value->is_duplicate) {
        return CLCONST__NONE;
    }
    if (value->kind == CLCONST__CONSTANT) {
        return value->index;
    }
    if (value->kind == CLCONST__INPUT &&
        resolution->bindings->items[value->index].op == NULL) {
        return value->default_constant;
    }
    return CLCONST__NONE;
}

/* An output with a value, which becomes a Constant. */
static clconst_status plan_output(const clconst__fact *fact,
                                  clconst__verdict *verdict,
                                  clconst_error *error)
{
    clconst_op *op;
    clconst_status status = clconst__fact_make_op(fact, &op, error);
    if (status == CLCONST_OK) {
        status = clconst__verdict_plan(verdict, op, NULL, error);
        clconst_op_destroy(op);
    }
    return status;
}

/* Why an output has no value: for the value itself, or for its shape. */
static clconst__cause find_reason(const clconst__fact *fact)
{
    clconst__cause cause = clconst__fact_value_cause(fact);
    return fact->data == NULL && cause != CLCONST__KNOWN
               ? cause
               : clconst__fact_find_unknown(fact, true);
}

static clconst_status resolve_output(clconst_resolution *resolution,
                                     clconst__fold *fold,
                                     const clconst__model_output *output,
                                     output_verdict *verdict,
                                     clconst_error *error)
{
    const clconst_model *model = resolution->model;
    verdict->constant =
        find_constant(resolution, &model->values[output->value]);
    if (verdict->constant != CLCONST__NONE) {
        return CLCONST_OK;
    }
    char subject[sizeof(clconst__quoted) + 16];
    snprintf(subject,
             sizeof(subject),
             "output %s",
             clconst__quote(output->declaration.name).text);
    const clconst__fact *fact;
    clconst_error reason;
    clconst_status status = clconst__fold_value(
        fold, fold->frames[CLCONST__MAIN_GRAPH], output->value, &fact, &reason);
    if (status != CLCONST_OK) {
        return clconst__verdict_refuse(&verdict->own, &reason, error);
    }
    if (fact->op != NULL || clconst__fact_is_known(fact)) {
        return plan_output(fact, &verdict->own, error);
    }
    clconst__cause_tell(&fold->causes, find_reason(fact), subject, &reason);
    status = clconst__verdict_refuse(&verdict->own, &reason, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (fact->dims != NULL) {
        return clconst__verdict_set_cells(
            &verdict->own, &fold->causes, fact->dims, fact->rank, error);
    }
    const clconst__declaration *declaration = &output->declaration;
    if (!declaration->has_rank) {
        return CLCONST_OK;
    }
    status = clconst__verdict_set_dims(
        &verdict->own, NULL, declaration->rank, error);
    for (size_t i = 0; i < declaration->rank && status == CLCONST_OK; i++) {
        int64_t value;
        verdict->own.dims[i] = declaration->dims[i];
        if (clconst__symbols_know(&resolution->bindings->symbols,
                                  &declaration->dims[i],
                                  &value)) {
            verdict->own.dims[i] = (clconst_dim){value, {NULL, 0}};
        }
    }
    return status;
}

/*
 * Of all constants and outputs together. A call of a function costs a file two
 * bytes where calls double, but 33 KiB here when its shape has 1024 dims.
 */
enum { DIMS_MAX = 1 << 22 };

static clconst_status
count_dims(const clconst__verdict *verdict, size_t *count, clconst_error *error)
{
    *count += verdict->rank;
    if (*count > DIMS_MAX) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "shapes have more than %d dims together; they "
                             "must not",
                             DIMS_MAX);
    }
    return CLCONST_OK;
}

static clconst_status resolve_all(clconst_resolution *resolution,
                                  clconst_error *error)
{
    const clconst_model *model = resolution->model;
    clconst__fold *fold;
    size_t dim_count = 0;
    clconst_status status =
        clconst__fold_create(model, resolution->bindings, &fold, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < model->constant_count && status == CLCONST_OK; i++) {
        clconst__verdict *verdict = &resolution->constants[i];
        status = resolve_constant(fold, &model->constants[i], verdict, error);
        if (status == CLCONST_OK) {
            status = count_dims(verdict, &dim_count, error);
        }
    }
    for (size_t i = 0; i < model->output_count && status == CLCONST_OK; i++) {
        output_verdict *verdict = &resolution->outputs[i];
        status = resolve_output(
            resolution, fold, &model->outputs[i], verdict, error);
        if (status == CLCONST_OK) {
            status = count_dims(&verdict->own, &dim_count, error);
        }
    }
    clconst__fold_destroy(fold);
    return status;
}

static clconst_status allocate(clconst_resolution *resolution,
                               clconst_error *error)
{
    const clconst_model *model = resolution->model;
    clconst_status status = clconst__alloc(model->constant_count,
                                           sizeof(*resolution->constants),
                                           &resolution->constants,
                                           error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(model->output_count,
                                sizeof(*resolution->outputs),
                                &resolution->outputs,
                                error);
    }
    return status;
}

clconst_status clconst_resolution_create(const clconst_model *model,
                                         const clconst_bindings *bindings,
                                         clconst_resolution **resolution,
                                         clconst_error *error)
{
    if (model == NULL || resolution == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "model or resolution is NULL; both are required");
    }
    clconst_resolution *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    created->model = clconst__model_retain(model);
    status =
        clconst__bindings_create(model, bindings, &created->bindings, error);
    if (status == CLCONST_OK) {
        status = allocate(created, error);
    }
    if (status == CLCONST_OK) {
        status = resolve_all(created, error);
    }
    if (status != CLCONST_OK) {
        clconst_resolution_destroy(created);
        return status;
    }
    *resolution = created;
    return CLCONST_OK;
}

static void write_verdict(const clconst__verdict *verdict,
                          clconst_resolved *resolved)
{
    clconst_resolved own = {sizeof(own),
                            verdict->state,
                            verdict->plan,
                            verdict->reason,
                            verdict->has_rank,
                            verdict->has_rank ? verdict->dims : NULL,
                            verdict->rank,
                            verdict->status,
                            verdict->native_code};
    clconst__output_write(resolved, &own, sizeof(own));
}
clconst_status
clconst_resolution_get_constant(const clconst_resolution *resolution,
                                size_t index,
                                clconst_resolved *resolved,
                                clconst_error *error)
{
    clconst_status status = clconst__both_check(
        resolution, resolved, "resolution or resolved", error);
    if (status == CLCONST_OK) {
        status = clconst__index_check(
            index, resolution->model->constant_count, "constants", error);
    }
    if (status == CLCONST_OK) {
        write_verdict(&resolution->constants[index], resolved);
    }
    return status;
}

clconst_status
clconst_resolution_get_output(const clconst_resolution *resolution,
                              size_t index,
                              clconst_resolved *resolved,
                              clconst_error *error)
{
    clconst_status status = clconst__both_check(
        resolution, resolved, "resolution or resolved", error);
    if (status == CLCONST_OK) {
        status = clconst__index_check(
            index, resolution->model->output_count, "outputs", error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    const output_verdict *output = &resolution->outputs[index];
    write_verdict(output->constant != CLCONST__NONE
                      ? &resolution->constants[output->constant]
                      : &output->own,
                  resolved);
    return CLCONST_OK;
}

void clconst_resolution_destroy(clconst_resolution *resolution)
{
    if (resolution == NULL) {
        return;
    }
    const clconst_model *model = resolution->model;
    for (size_t i = 0;
         i < model->constant_count && resolution->constants != NULL;
         i++) {
        clconst__verdict_clear(&resolution->constants[i]);
    }
    for (size_t i = 0; i < model->output_count && resolution->outputs != NULL;
         i++) {
        clconst__verdict_clear(&resolution->outputs[i].own);
    }
    clconst__free(resolution->constants);
    clconst__free(resolution->outputs);
    clconst__bindings_destroy(resolution->bindings);
    clconst_model_destroy(resolution->model);
    clconst__free(resolution);
}
