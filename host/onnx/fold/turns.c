#include "onnx/fold/turns.h"

#include "base/alloc.h"
#include "onnx/fold/calls.h"
#include "onnx/fold/folding.h"
#include "onnx/fold/merge.h"
#include "onnx/fold/scans.h"
#include "onnx/fold/source.h"
#include "onnx/quote.h"

/* Each changes something, but a value may have many elements. */
enum { ROUNDS_MAX = 16 };

/* frame is that of the round in hand, inputs what is known of its body's. why
 * is the cause of what turns change. */
typedef struct turns {
    clconst__progress base;
    clconst__layout layout;
    bool is_done;
    int round;
    clconst__cause why;
    clconst__frame *frame;
    clconst__fact **inputs;
    size_t count;
} turns;

static void destroy_turns(clconst__progress *progress)
{
    turns *own = (turns *)progress;
    clconst__facts_release(own->inputs, own->count);
    clconst__free(own->inputs);
    clconst__free(own);
}

clconst_status clconst__turns_give(clconst__fold *fold,
                                   const clconst__frame *frame,
                                   const clconst__value *value,
                                   bool *gives,
                                   clconst_error *error)
{
    *gives = false;
    if (value->kind != CLCONST__INPUT || value->is_duplicate ||
        frame->parent == NULL ||
        clconst__frame_get(frame->parent, CLCONST__SLOT_ANY, frame->node) !=
            NULL) {
        return CLCONST_OK;
    }
    clconst__block_kind kind;
    clconst_status status =
        clconst__blocks_kind(fold, frame->node, &kind, error);
    *gives = kind == CLCONST__BLOCK_LOOP || kind == CLCONST__BLOCK_SCAN;
    return status;
}

clconst_status clconst__turns_demand(clconst__fold *fold,
                                     clconst__frame *frame,
                                     size_t node,
                                     const clconst__layout *layout,
                                     clconst__frame **body,
                                     clconst__cause *since,
                                     clconst_error *error)
{
    const turns *own = clconst__frame_get(frame, CLCONST__SLOT_ANY, node);
    *body = NULL;
    if (own == NULL) {
        return clconst__fold_push(
            fold, CLCONST__TASK_TURNS, frame, node, error);
    }
    if (!own->is_done) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "a loop whose body depends on its result");
    }
    *since = own->why;
    return clconst__blocks_enter(fold, frame, layout->graph, body, error);
}

clconst_status clconst__turns_enter(clconst__fold *fold,
                                    clconst__frame *frame,
                                    const clconst__layout *layout,
                                    clconst__fact *const *inputs,
                                    size_t count,
                                    clconst__frame **body,
                                    clconst_error *error)
{
    const clconst__graph *graph = &fold->model->graphs[layout->graph];
    clconst_status status = CLCONST_OK;
    if (*body == NULL) {
        status = clconst__frame_create(&fold->budget,
                                       frame,
                                       NULL,
                                       layout->graph,
                                       graph->node,
                                       body,
                                       error);
        if (status == CLCONST_OK) {
            (*body)->is_repeated = true;
        }
    }
    for (size_t i = 0;
         i < count && i < graph->input_count && status == CLCONST_OK;
         i++) {
        size_t value = fold->model->links[graph->first_input + i];
        if (value != CLCONST__NONE && inputs[i] != NULL &&
            !fold->model->values[value].is_duplicate) {
            status = clconst__frame_set(*body,
                                        CLCONST__SLOT_FACT,
                                        value,
                                        clconst__fact_retain(inputs[i]),
                                        error);
        }
    }
    return status;
}

/* What the body's inputs are in the first turn. given are the node's. */
static clconst_status begin_inputs(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   turns *own,
                                   const clconst__fact *const *given,
                                   clconst_error *error)
{
    const clconst__layout *layout = &own->layout;
    clconst_status status = CLCONST_OK;
    if (layout->kind == CLCONST__BLOCK_LOOP) {
        clconst__cell turn = {0, own->why};
        clconst__cell yes = {1, CLCONST__KNOWN};
        status =
            clconst__fact_scalar(CLCONST_INT64, turn, &own->inputs[0], error);
        if (status == CLCONST_OK) {
            status =
                clconst__fact_scalar(CLCONST_BOOL, yes, &own->inputs[1], error);
        }
    }
    for (size_t i = 0; i < layout->carried_count; i++) {
        const clconst__fact *fact = given[layout->first_input + i];
        if (fact != NULL) {
            own->inputs[layout->body_input + i] = clconst__fact_retain(fact);
        }
    }
    return layout->kind == CLCONST__BLOCK_SCAN && status == CLCONST_OK
               ? clconst__scans_take_apart(fold,
                                           frame,
                                           node,
                                           layout,
                                           given,
                                           own->why,
                                           own->inputs,
                                           error)
               : status;
}

/* What a loop is known by: its first output that has a name. */
static clconst__span node_output(const clconst__fold *fold, size_t node)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    clconst__span name = {NULL, 0};
    for (size_t i = 0; i < entry->output_count && name.size == 0; i++) {
        size_t value =
            fold->model->links[entry->first_link + entry->input_count + i];
        if (value != CLCONST__NONE) {
            name = fold->model->values[value].name;
        }
    }
    return name;
}

static clconst_status begin(clconst__fold *fold,
                            clconst__frame *frame,
                            size_t node,
                            const clconst__fact *const *given,
                            turns **begun,
                            clconst_error *error)
{
    turns *own;
    clconst_status status = clconst__alloc(1, sizeof(*own), &own, error);
    if (status != CLCONST_OK) {
        return status;
    }
    own->base.destroy = destroy_turns;
    status =
        clconst__frame_set(frame, CLCONST__SLOT_ANY, node, &own->base, error);
    if (status == CLCONST_OK) {
        status = clconst__layout_read(fold, frame, node, &own->layout, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__cause_add(&fold->causes,
                               CLCONST_UNSUPPORTED,
                               &own->why,
                               error,
                               "what the loop of %s changes from turn to "
                               "turn",
                               clconst__quote(node_output(fold, node)).text);
    }
    if (status == CLCONST_OK) {
        const clconst__graph *graph = &fold->model->graphs[own->layout.graph];
        status = clconst__alloc(
            graph->input_count, sizeof(*own->inputs), &own->inputs, error);
        own->count = graph->input_count;
    }
    if (status == CLCONST_OK) {
        status = begin_inputs(fold, frame, node, own, given, error);
    }
    *begun = own;
    return status;
}

/* Nothing is known of what is carried. */
static clconst_status drop_all(turns *own, clconst_error *error)
{
    const clconst__layout *layout = &own->layout;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < layout->carried_count && status == CLCONST_OK; i++) {
        clconst__fact **input = &own->inputs[layout->body_input + i];
        clconst__fact_release(*input);
        *input = NULL;
        status = clconst__fact_create(own->why, input, error);
    }
    return status;
}

/* Merges what the body makes of its inputs into these. */
static clconst_status widen(clconst__fold *fold,
                            turns *own,
                            const clconst__fact *const *outputs,
                            bool *is_changed,
                            clconst_error *error)
{
    const clconst__layout *layout = &own->layout;
    clconst_status status = CLCONST_OK;
    *is_changed = false;
    for (size_t i = 0; i < layout->carried_count && status == CLCONST_OK; i++) {
        clconst__fact **input = &own->inputs[layout->body_input + i];
        const clconst__fact *output = outputs[i];
        clconst__fact *merged = NULL;
        if (*input == NULL || *input == output) {
            continue;
        }
        if (output == NULL) {
            *is_changed = true;
            status = clconst__fact_create(own->why, &merged, error);
        } else {
            clconst__fold_spend(fold, clconst__merge_steps(*input));
            status = clconst__merge(&fold->causes,
                                    *input,
                                    output,
                                    own->why,
                                    &merged,
                                    is_changed,
                                    error);
        }
        if (status == CLCONST_OK) {
            clconst__fact_release(*input);
            *input = merged;
            status = clconst__fold_hold(fold, merged, error);
        }
    }
    return status;
}

/* What is known of the inputs goes to the frame of any turn; what is not, is as
 * the body declares it. */
static clconst_status end(clconst__fold *fold,
                          clconst__frame *frame,
                          turns *own,
                          clconst_error *error)
{
    const clconst__graph *graph = &fold->model->graphs[own->layout.graph];
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < own->count && status == CLCONST_OK; i++) {
        size_t value = fold->model->links[graph->first_input + i];
        if (value != CLCONST__NONE && own->inputs[i] != NULL &&
            own->inputs[i]->refs == 1 && own->inputs[i]->dims == NULL) {
            status = clconst__source_declare(
                fold,
                &fold->model->inputs[fold->model->values[value].index],
                own->inputs[i],
                error);
        }
    }
    clconst__frame *body = NULL;
    if (status == CLCONST_OK) {
        status =
            clconst__blocks_enter(fold, frame, own->layout.graph, &body, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__turns_enter(
            fold, frame, &own->layout, own->inputs, own->count, &body, error);
    }
    own->is_done = true;
    clconst__fold_pop(fold);
    return status;
}

/* One round: the body's outputs are demanded, or merged into its inputs. */
static clconst_status step_round(clconst__fold *fold,
                                 clconst__frame *frame,
                                 turns *own,
                                 clconst_error *error)
{
    const clconst__layout *layout = &own->layout;
    const clconst__graph *graph = &fold->model->graphs[layout->graph];
    clconst_status status = CLCONST_OK;
    if (own->frame == NULL &&
        (own->round == ROUNDS_MAX ||
         !clconst__fold_spend(fold, CLCONST__TURN_STEPS + own->count))) {
        status = drop_all(own, error);
        return status == CLCONST_OK ? end(fold, frame, own, error) : status;
    }
    if (own->frame == NULL) {
        status = clconst__turns_enter(
            fold, frame, layout, own->inputs, own->count, &own->frame, error);
    }
    const clconst__fact **outputs = NULL;
    if (status == CLCONST_OK) {
        status =
            clconst__fold_demand_links(fold,
                                       own->frame,
                                       graph->first_link + layout->body_output,
                                       layout->carried_count,
                                       &outputs,
                                       error);
    }
    if (status != CLCONST_OK || outputs == NULL) {
        return status;
    }
    bool is_changed;
    own->round++;
    status = widen(fold, own, outputs, &is_changed, error);
    clconst__free(outputs);
    clconst__frame_destroy(own->frame);
    own->frame = NULL;
    if (status == CLCONST_OK && !is_changed) {
        status = end(fold, frame, own, error);
    }
    return status;
}

clconst_status clconst__turns_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error)
{
    turns *own = clconst__frame_get(frame, CLCONST__SLOT_ANY, node);
    if (own != NULL && own->is_done) {
        clconst__fold_pop(fold);
        return CLCONST_OK;
    }
    if (own != NULL) {
        return step_round(fold, frame, own, error);
    }
    const clconst__model_node *entry = &fold->model->nodes[node];
    const clconst__fact **given;
    clconst_status status = clconst__fold_demand_links(
        fold, frame, entry->first_link, entry->input_count, &given, error);
    if (status != CLCONST_OK || given == NULL) {
        return status;
    }
    clconst_error complaint;
    status = begin(fold, frame, node, given, &own, &complaint);
    clconst__free(given);
    if (own != NULL && clconst__fold_is_verdict(status)) {
        /* The node itself says what is wrong; its body's inputs stay as they
         * are declared. */
        own->is_done = true;
        clconst__fold_pop(fold);
        return CLCONST_OK;
    }
    return status == CLCONST_OK ? status : clconst__fail_as(error, &complaint);
}
