#include "onnx/fold/nodes.h"

#include "base/alloc.h"
#include "core/op.h"
#include "core/shape.h"
#include "onnx/decode.h"
#include "onnx/fold/apply.h"
#include "onnx/fold/calls.h"
#include "onnx/fold/source.h"
#include "onnx/quote.h"

/* The elements of a ConstantOfShape, when they are few enough. */
static clconst_status fill(clconst__fold *fold,
                           const clconst_view *value,
                           clconst__fact *fact,
                           clconst_error *error)
{
    uint64_t count;
    size_t size = clconst__fact_element_size(value->dtype);
    if (fact->cause != CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    if (size == 0 || !clconst__fact_count(fact, &count) ||
        count > CLCONST__ELEMENTS_MAX ||
        !clconst__budget_allows(&fold->budget, count, size) ||
        !clconst__fold_spend(fold, count)) {
        return clconst__cause_add(&fold->causes,
                                  CLCONST_UNSUPPORTED,
                                  &fact->cause,
                                  error,
                                  "the value of a ConstantOfShape that is too "
                                  "large");
    }
    clconst_status status = clconst__fact_set_value(fact, error);
    for (size_t i = 0; i < fact->count && status == CLCONST_OK; i++) {
        memcpy(fact->own_data + i * fact->element_size,
               value->data,
               fact->element_size);
    }
    return status;
}

static clconst_status check_shape(const clconst__fact *shape,
                                  clconst_error *error)
{
    if (shape == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "input 0 is left out");
    }
    clconst_status status = clconst__fact_check_shape(shape, "shape", error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (shape->count > CLCONST__RANK_MAX) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "shape has %zu dims; at most %d are read",
                             shape->count,
                             CLCONST__RANK_MAX);
    }
    for (size_t i = 0; i < shape->count; i++) {
        clconst__cell cell = clconst__fact_cell(shape, i);
        if (cell.cause == CLCONST__KNOWN && cell.value < 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "dim %zu is negative; dims must be >= 0",
                                 i);
        }
    }
    return CLCONST_OK;
}

/* What a ConstantOfShape makes of a shape that was checked. */
static clconst_status fill_shape(clconst__fold *fold,
                                 const clconst_view *value,
                                 const clconst__fact *shape,
                                 clconst__fact *fact,
                                 clconst_error *error)
{
    bool is_counted =
        shape->data != NULL ||
        (shape->dims != NULL && shape->dims[0].cause == CLCONST__KNOWN &&
         shape->dims[0].value <= CLCONST__RANK_MAX);
    fact->dtype = value->dtype;
    if (!is_counted) {
        return CLCONST_OK;
    }
    size_t rank =
        shape->data != NULL ? shape->count : (size_t)shape->dims[0].value;
    clconst_status status = clconst__fact_set_rank(fact, rank, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        if (shape->data != NULL) {
            fact->dims[i] = clconst__fact_cell(shape, i);
        } else {
            status = clconst__cause_derive(
                &fold->causes, fact->cause, &fact->dims[i].cause, error);
        }
    }
    return status == CLCONST_OK ? fill(fold, value, fact, error) : status;
}

/* The fact of a constant's node. shape is the input of a ConstantOfShape. */
static clconst_status make_fact(clconst__fold *fold,
                                const clconst_op *op,
                                const clconst__fact *shape,
                                clconst__fact **fact,
                                clconst_error *error)
{
    if (op->kind != CLCONST_OP_CONSTANT_OF_SHAPE) {
        return clconst__source_constant(fold, op, fact, error);
    }
    clconst_error complaint;
    if (check_shape(shape, &complaint) != CLCONST_OK) {
        return clconst__fold_unknown(fold,
                                     (clconst_status)complaint.status,
                                     fact,
                                     error,
                                     "%s",
                                     complaint.message);
    }
    clconst__fact *made;
    clconst_status status = clconst__fact_create(
        clconst__fact_find_unknown(shape, true), &made, error);
    if (status == CLCONST_OK) {
        status = fill_shape(fold, &op->value, shape, made, error);
        if (status != CLCONST_OK) {
            clconst__fact_release(made);
        }
    }
    if (status == CLCONST_OK) {
        *fact = made;
    }
    return status;
}

/* Decodes a node whose attribute the call of its function gives. */
static clconst_status decode(const clconst__fold *fold,
                             const clconst__frame *frame,
                             const clconst__node *node,
                             clconst_op_kind kind,
                             clconst__content *content,
                             clconst_error *error)
{
    clconst__arguments arguments = clconst__calls_arguments(fold, frame);
    clconst__context context = {.strictness = fold->model->strictness,
                                .opset =
                                    clconst__calls_function(fold, frame)->opset,
                                .is_in_function = true,
                                .storage = fold->model->storage,
                                .arguments = &arguments};
    return clconst__node_decode(node, kind, &context, content, error);
}

static clconst_status step_constant(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t index,
                                    const clconst__node *node,
                                    clconst_op_kind kind,
                                    const clconst__fact *shape,
                                    clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[index];
    size_t value = fold->model->links[entry->first_link + entry->input_count];
    const clconst__constant *constant =
        &fold->model->constants[fold->model->values[value].index];
    clconst__content content = {.op = NULL};
    const clconst_op *op = constant->content.op;
    clconst_status status = CLCONST_OK;
    clconst_error complaint;
    if (constant->content.is_reference) {
        status = decode(fold, frame, node, kind, &content, &complaint);
        op = content.op;
    }
    clconst__fact *fact = NULL;
    if (clconst__is_verdict(status)) {
        status = clconst__fold_give_up(
            fold, frame, index, status, complaint.message, error);
    } else if (status == CLCONST_OK) {
        status = make_fact(fold, op, shape, &fact, error);
        if (status == CLCONST_OK) {
            /* A second output, which is illegal, is known by no one. */
            clconst__fact *facts[] = {fact};
            status = clconst__fold_finish(fold, frame, index, facts, error);
        }
    } else {
        status = clconst__fail_as(error, &complaint);
    }
    clconst__content_clear(&content);
    return status;
}

clconst_status clconst__nodes_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    if (entry->function > 0) {
        return clconst__calls_step(fold, frame, node, error);
    }
    const clconst__fact **inputs;
    clconst_status status = clconst__fold_demand_links(
        fold, frame, entry->first_link, entry->input_count, &inputs, error);
    if (status != CLCONST_OK || inputs == NULL) {
        return status;
    }
    clconst__node read = {.name = {NULL, 0}};
    clconst_op_kind kind;
    status = clconst__node_read(entry->bytes, &read, error);
    if (status == CLCONST_OK) {
        const clconst__fact *shape = read.input.count > 0 ? inputs[0] : NULL;
        status =
            clconst__node_is_constant(&read, &kind) && read.output.count == 1
                ? step_constant(fold, frame, node, &read, kind, shape, error)
                : clconst__apply(fold, frame, node, &read, inputs, error);
    }
    clconst__node_free(&read);
    clconst__free(inputs);
    return status;
}
