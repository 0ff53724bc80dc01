/*
 * Demands: how a value that is needed becomes a fact, or a task.
 */
#include "base/alloc.h"
#include "core/op.h"
#include "onnx/fold/source.h"
#include "onnx/fold/turns.h"
#include "onnx/quote.h"

/* The value and frame that a value stands for: an input of a function is what
 * its call gives. *value is CLCONST__NONE when the call leaves it out. */
static clconst_status follow(clconst__fold *fold,
                             clconst__frame **frame,
                             size_t *value,
                             clconst_error *error)
{
    const clconst_model *model = fold->model;
    for (;;) {
        const clconst__value *found = &model->values[*value];
        clconst_status status =
            clconst__frame_find_home(*frame, found->graph, frame, error);
        if (status != CLCONST_OK || found->is_duplicate ||
            found->kind != CLCONST__FUNCTION_INPUT ||
            (*frame)->caller == NULL) {
            return status;
        }
        const clconst__model_node *call = &model->nodes[(*frame)->node];
        *value = found->index < call->input_count
                     ? model->links[call->first_link + found->index]
                     : CLCONST__NONE;
        *frame = (*frame)->caller;
        if (*value == CLCONST__NONE) {
            return CLCONST_OK;
        }
        clconst__fold_spend(fold, 1);
    }
}

/* Whether a node has to be evaluated for a value. */
static bool needs_node(const clconst__fold *fold,
                       const clconst__frame *frame,
                       const clconst__value *value)
{
    if (value->is_duplicate) {
        return false;
    }
    if (value->kind != CLCONST__CONSTANT) {
        return value->kind == CLCONST__NODE_OUTPUT;
    }
    const clconst__constant *constant = &fold->model->constants[value->index];
    if (constant->node == CLCONST__NONE) {
        return false;
    }
    bool is_fill = constant->content.op != NULL &&
                   constant->content.op->kind == CLCONST_OP_CONSTANT_OF_SHAPE;
    return is_fill ||
           (constant->content.is_reference && frame->root->caller != NULL);
}

/* The node that defines a value is evaluated first, unless it already waits for
 * this very value. */
static clconst_status demand_node(clconst__fold *fold,
                                  clconst__frame *frame,
                                  const clconst__value *value,
                                  clconst__fact **fact,
                                  clconst_error *error)
{
    size_t node = value->kind == CLCONST__CONSTANT
                      ? fold->model->constants[value->index].node
                      : value->index;
    if (clconst__fold_is_started(frame, node)) {
        return clconst__fold_unknown(fold,
                                     CLCONST_INVALID_MODEL,
                                     fact,
                                     error,
                                     "%s depends on itself",
                                     clconst__quote(value->name).text);
    }
    return clconst__fold_push(fold, CLCONST__TASK_NODE, frame, node, error);
}

/* The fact of a value, unless a task is put on top for it. */
static clconst_status make(clconst__fold *fold,
                           clconst__frame *frame,
                           size_t value,
                           clconst__fact **fact,
                           clconst_error *error)
{
    const clconst__value *found = &fold->model->values[value];
    if (needs_node(fold, frame, found)) {
        return demand_node(fold, frame, found, fact, error);
    }
    bool gives;
    clconst_status status =
        clconst__turns_give(fold, frame, found, &gives, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return gives ? clconst__fold_push(fold,
                                      CLCONST__TASK_TURNS,
                                      frame->parent,
                                      frame->node,
                                      error)
                 : clconst__source_fact(fold, value, fact, error);
}

clconst_status clconst__fold_demand(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t value,
                                    const clconst__fact **fact,
                                    clconst_error *error)
{
    size_t origin = value;
    clconst__frame *origin_frame = frame;
    clconst__fact *made = NULL;
    clconst_status status = follow(fold, &frame, &value, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (value == CLCONST__NONE) {
        /* Remembered where it was asked for. */
        value = origin;
        frame = origin_frame;
        *fact = clconst__frame_get(frame, CLCONST__SLOT_FACT, value);
        if (*fact != NULL) {
            return CLCONST_OK;
        }
        status = clconst__fold_unknown(fold,
                                       CLCONST_UNSUPPORTED,
                                       &made,
                                       error,
                                       "an input that a call leaves out");
        if (status == CLCONST_OK) {
            made->is_absent = true;
        }
    } else {
        *fact = clconst__frame_get(frame, CLCONST__SLOT_FACT, value);
        if (*fact != NULL) {
            return CLCONST_OK;
        }
        status = make(fold, frame, value, &made, error);
    }
    if (status != CLCONST_OK || made == NULL) {
        return status;
    }
    *fact = made;
    return clconst__frame_set(frame, CLCONST__SLOT_FACT, value, made, error);
}

clconst_status clconst__fold_demand_links(clconst__fold *fold,
                                          clconst__frame *frame,
                                          size_t first_link,
                                          size_t count,
                                          const clconst__fact ***facts,
                                          clconst_error *error)
{
    const clconst__fact **found = NULL;
    clconst_status status =
        clconst__alloc(count, sizeof(*found), &found, error);
    size_t task_count = fold->task_count;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        size_t value = fold->model->links[first_link + i];
        if (value == CLCONST__NONE) {
            continue;
        }
        status = clconst__fold_demand(fold, frame, value, &found[i], error);
        if (status == CLCONST_OK && found[i] != NULL && found[i]->is_absent) {
            found[i] = NULL;
        }
    }
    if (status != CLCONST_OK || fold->task_count > task_count) {
        clconst__free(found);
        found = NULL;
    }
    *facts = found;
    return status;
}
