#include "onnx/fold/fold.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "core/op.h"
#include "onnx/fold/blocks.h"
#include "onnx/fold/nodes.h"
#include "onnx/fold/source.h"
#include "onnx/fold/turns.h"
#include "onnx/quote.h"

/* What a frame's mark of a node points to. */
static char started;
static char done;

clconst_status clconst__fold_create(const clconst_model *model,
                                    clconst__bindings *bindings,
                                    clconst__fold **fold,
                                    clconst_error *error)
{
    clconst__fold *made;
    clconst_status status = clconst__alloc(1, sizeof(*made), &made, error);
    if (status != CLCONST_OK) {
        return status;
    }
    made->model = model;
    made->bindings = bindings;
    made->steps_left = CLCONST__STEPS_MAX;
    clconst__names_init(&made->symbols);
    status = clconst__alloc(
        model->graph_count, sizeof(*made->frames), &made->frames, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(
            model->chain_count, sizeof(*made->chains), &made->chains, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__frame_create(NULL,
                                       NULL,
                                       CLCONST__MAIN_GRAPH,
                                       CLCONST__NONE,
                                       &made->frames[CLCONST__MAIN_GRAPH],
                                       error);
    }
    if (status != CLCONST_OK) {
        clconst__fold_destroy(made);
        return status;
    }
    made->frames[CLCONST__MAIN_GRAPH]->is_decided = true;
    *fold = made;
    return CLCONST_OK;
}

void clconst__fold_destroy(clconst__fold *fold)
{
    if (fold == NULL) {
        return;
    }
    for (size_t i = 0; fold->frames != NULL && i < fold->model->graph_count;
         i++) {
        const clconst__graph *graph = &fold->model->graphs[i];
        /* The frames of bodies go with those around them. */
        if (graph->node == CLCONST__NONE && graph->source == CLCONST__NONE) {
            clconst__frame_destroy(fold->frames[i]);
        }
    }
    clconst__causes_free(&fold->causes);
    clconst__names_free(&fold->symbols);
    clconst__free(fold->frames);
    clconst__free(fold->chains);
    clconst__free(fold->tasks);
    clconst__free(fold);
}

bool clconst__fold_spend(clconst__fold *fold, uint64_t steps)
{
    bool is_enough = steps <= fold->steps_left;
    fold->steps_left -= is_enough ? steps : fold->steps_left;
    return is_enough;
}

clconst_status clconst__fold_unknown(clconst__fold *fold,
                                     clconst_status status,
                                     clconst__fact **fact,
                                     clconst_error *error,
                                     const char *format,
                                     ...)
{
    char text[sizeof(error->message)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    clconst__cause cause;
    clconst_status made =
        clconst__cause_add(&fold->causes, status, &cause, error, "%s", text);
    return made == CLCONST_OK ? clconst__fact_create(cause, fact, error) : made;
}

/* ------------------------------- tasks ------------------------------- */

clconst_status clconst__fold_push(clconst__fold *fold,
                                  clconst__task_kind kind,
                                  clconst__frame *frame,
                                  size_t node,
                                  clconst_error *error)
{
    clconst_status status = clconst__grow(&fold->tasks,
                                          &fold->task_capacity,
                                          fold->task_count + 1,
                                          sizeof(*fold->tasks),
                                          error);
    if (status == CLCONST_OK) {
        fold->tasks[fold->task_count++] = (clconst__task){kind, frame, node};
    }
    return status;
}

void clconst__fold_pop(clconst__fold *fold)
{
    fold->task_count--;
}

static clconst_status set_fact(clconst__frame *frame,
                               size_t value,
                               const clconst__fact *fact,
                               clconst_error *error)
{
    return clconst__frame_set(
        frame, CLCONST__SLOT_FACT, value, clconst__fact_retain(fact), error);
}

/* What the graph's value_info says of an output that only one node has seen. */
static clconst_status declare(clconst__fold *fold,
                              size_t value,
                              clconst__fact *fact,
                              clconst_error *error)
{
    clconst__span information = fold->model->values[value].information;
    if (information.data == NULL || fact->refs > 1) {
        return CLCONST_OK;
    }
    clconst__declaration declaration = {.elem_type = 0};
    clconst_status status =
        clconst__declaration_read(information, &declaration, error);
    if (status == CLCONST_OK) {
        status = clconst__source_declare(fold, &declaration, fact, error);
    }
    clconst__free(declaration.dims);
    return status;
}

clconst_status clconst__fold_finish(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    clconst__fact **facts,
                                    clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    const size_t *links =
        fold->model->links + entry->first_link + entry->input_count;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < entry->output_count; i++) {
        if (facts[i] != NULL) {
            clconst__fact_settle(facts[i]);
        }
        if (links[i] != CLCONST__NONE && status == CLCONST_OK) {
            status = declare(fold, links[i], facts[i], error);
        }
        if (links[i] != CLCONST__NONE && status == CLCONST_OK) {
            status = set_fact(frame, links[i], facts[i], error);
        }
        clconst__fact_release(facts[i]);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__frame_set(frame, CLCONST__SLOT_MARK, node, &done, error);
    }
    clconst__fold_pop(fold);
    return status;
}

clconst_status clconst__fold_give_up(clconst__fold *fold,
                                     clconst__frame *frame,
                                     size_t node,
                                     clconst_status reason,
                                     const char *text,
                                     clconst_error *error)
{
    size_t count = fold->model->nodes[node].output_count;
    clconst__fact **facts = NULL;
    clconst_status status =
        clconst__alloc(count, sizeof(*facts), &facts, error);
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status =
            clconst__fold_unknown(fold, reason, &facts[i], error, "%s", text);
    }
    if (status == CLCONST_OK) {
        status = clconst__fold_finish(fold, frame, node, facts, error);
    } else {
        clconst__facts_release(facts, count);
    }
    clconst__free(facts);
    return status;
}

/* ------------------------------ demands ------------------------------ */

/* The value and frame that a value stands for: an input of a function is what
 * its call gives. *value is CLCONST__NONE when the call leaves it out. */
static void follow(clconst__fold *fold, clconst__frame **frame, size_t *value)
{
    const clconst_model *model = fold->model;
    for (;;) {
        const clconst__value *found = &model->values[*value];
        while ((*frame)->graph != found->graph && (*frame)->parent != NULL) {
            *frame = (*frame)->parent;
        }
        if (found->kind != CLCONST__FUNCTION_INPUT || found->is_duplicate ||
            (*frame)->caller == NULL) {
            return;
        }
        const clconst__model_node *call = &model->nodes[(*frame)->node];
        *value = found->position < call->input_count
                     ? model->links[call->first_link + found->position]
                     : CLCONST__NONE;
        *frame = (*frame)->caller;
        if (*value == CLCONST__NONE) {
            return;
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
    return is_fill || (constant->content.is_reference &&
                       clconst__frame_root(frame)->caller != NULL);
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
    if (clconst__frame_get(frame, CLCONST__SLOT_MARK, node) == &started) {
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
    follow(fold, &frame, &value);
    clconst__fact *made = NULL;
    clconst_status status = CLCONST_OK;
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

/* ------------------------------ running ------------------------------ */

static clconst_status
step_node(clconst__fold *fold, const clconst__task *task, clconst_error *error)
{
    const clconst__model_node *node = &fold->model->nodes[task->node];
    const void *mark =
        clconst__frame_get(task->frame, CLCONST__SLOT_MARK, task->node);
    if (mark == &done) {
        clconst__fold_pop(fold);
        return CLCONST_OK;
    }
    if (mark == NULL) {
        clconst_status status = clconst__frame_set(
            task->frame, CLCONST__SLOT_MARK, task->node, &started, error);
        if (status != CLCONST_OK) {
            return status;
        }
        if (!clconst__fold_spend(fold, CLCONST__NODE_STEPS)) {
            return clconst__fold_give_up(fold,
                                         task->frame,
                                         task->node,
                                         CLCONST_UNSUPPORTED,
                                         "more work than an evaluation may do",
                                         error);
        }
    }
    return node->has_bodies && node->function == 0
               ? clconst__blocks_step(fold, task->frame, task->node, error)
               : clconst__nodes_step(fold, task->frame, task->node, error);
}

/* Works until all tasks are done. */
static clconst_status run(clconst__fold *fold, clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    while (fold->task_count > 0 && status == CLCONST_OK) {
        clconst__task task = fold->tasks[fold->task_count - 1];
        status = task.kind == CLCONST__TASK_NODE
                     ? step_node(fold, &task, error)
                     : clconst__turns_step(fold, task.frame, task.node, error);
    }
    return status;
}

/* A failure is the same for all that is asked from then on: the tasks were left
 * half done. A limit is no failure of the call. */
static clconst_status fail(clconst__fold *fold,
                           clconst_status status,
                           const clconst_error *failure,
                           clconst_error *error)
{
    if (fold->failure.status == CLCONST_OK) {
        fold->failure = *failure;
        if (status == CLCONST_TOO_LARGE) {
            fold->failure.status = CLCONST_UNSUPPORTED;
        }
    }
    if (error != NULL) {
        *error = fold->failure;
    }
    return (clconst_status)fold->failure.status;
}

clconst_status clconst__fold_value(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t value,
                                   const clconst__fact **fact,
                                   clconst_error *error)
{
    clconst_error failure;
    clconst_status status = (clconst_status)fold->failure.status;
    *fact = NULL;
    while (*fact == NULL && status == CLCONST_OK) {
        status = clconst__fold_demand(fold, frame, value, fact, &failure);
        if (status == CLCONST_OK) {
            status = run(fold, &failure);
        }
    }
    return status == CLCONST_OK ? CLCONST_OK
                                : fail(fold, status, &failure, error);
}
