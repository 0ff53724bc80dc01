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
    made->budget = (clconst__budget){model->steps_max, CLCONST__BYTES_MAX};
    made->causes.budget = &made->budget;
    clconst__names_init(&made->symbols);
    status = clconst__alloc(
        model->graph_count, sizeof(*made->frames), &made->frames, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(
            model->chain_count, sizeof(*made->chains), &made->chains, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__frame_create(&made->budget,
                                       NULL,
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
    status = clconst__source_symbols(made, error);
    if (status != CLCONST_OK) {
        clconst__fold_destroy(made);
        return status;
    }
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
    return clconst__budget_spend(&fold->budget, steps);
}

clconst_status clconst__fold_hold(clconst__fold *fold,
                                  clconst__fact *fact,
                                  clconst_error *error)
{
    clconst__fact_charge(fact, &fold->budget);
    return clconst__budget_check(&fold->budget, error);
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

/* Twice, since the array doubles. */
enum { TASK_BYTES = 2 * sizeof(clconst__task) };

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
    if (status != CLCONST_OK) {
        return status;
    }
    fold->tasks[fold->task_count++] = (clconst__task){kind, frame, node};
    clconst__budget_take(&fold->budget, TASK_BYTES);
    return clconst__budget_check(&fold->budget, error);
}

void clconst__fold_pop(clconst__fold *fold)
{
    fold->task_count--;
    clconst__budget_return(&fold->budget, TASK_BYTES);
}

bool clconst__fold_is_started(const clconst__frame *frame, size_t node)
{
    return clconst__frame_get(frame, CLCONST__SLOT_MARK, node) == &started;
}

static clconst_status set_fact(clconst__frame *frame,
                               size_t value,
                               const clconst__fact *fact,
                               clconst_error *error)
{
    return clconst__frame_set(
        frame, CLCONST__SLOT_FACT, value, clconst__fact_retain(fact), error);
}

/* Makes a fact that others have too one of its own. */
static clconst_status
part(clconst__fold *fold, clconst__fact **fact, clconst_error *error)
{
    if ((*fact)->refs == 1) {
        return CLCONST_OK;
    }
    clconst__fact *copy;
    clconst__fold_spend(fold, clconst__fact_copy_steps(*fact));
    clconst_status status = clconst__fact_copy(*fact, &copy, error);
    if (status == CLCONST_OK) {
        clconst__fact_release(*fact);
        *fact = copy;
    }
    return status;
}

/* Adds what the graph's value_info says of an output, to a fact of its own. One
 * that cannot be read makes the output wrong. */
static clconst_status declare(clconst__fold *fold,
                              size_t value,
                              clconst__fact **fact,
                              clconst_error *error)
{
    clconst__span information = fold->model->values[value].information;
    if (information.data == NULL ||
        clconst__fact_find_unknown(*fact, false) == CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    clconst__declaration declaration = {.elem_type = 0};
    clconst_error complaint;
    clconst__fold_spend(fold, information.size);
    clconst_status status =
        clconst__declaration_read(information, &declaration, &complaint);
    if (status == CLCONST_OK) {
        status = part(fold, fact, error);
        if (status == CLCONST_OK) {
            status = clconst__source_declare(fold, &declaration, *fact, error);
        }
    } else if (status == CLCONST_MALFORMED) {
        clconst__fact_release(*fact);
        *fact = NULL;
        status = clconst__fold_unknown(
            fold, CLCONST_INVALID_MODEL, fact, error, "%s", complaint.message);
    } else {
        status = clconst__fail_as(error, &complaint);
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
        /* A name that is defined twice has no value. */
        bool is_told = links[i] != CLCONST__NONE &&
                       !fold->model->values[links[i]].is_duplicate;
        if (is_told && status == CLCONST_OK) {
            status = declare(fold, links[i], &facts[i], error);
        }
        if (is_told && status == CLCONST_OK) {
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

/* ------------------------------ running ------------------------------ */

/* What it costs to look at a node. Where it is done but once, its bytes are the
 * file's own. */
static uint64_t count_steps(const clconst__frame *frame,
                            const clconst__model_node *node)
{
    uint64_t steps = CLCONST__NODE_STEPS +
                     node->input_count * CLCONST__INPUT_STEPS +
                     node->output_count * CLCONST__OUTPUT_STEPS;
    return frame->is_repeated ? steps + node->bytes.size / 16 : steps;
}

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
        uint64_t steps = count_steps(task->frame, node);
        if (!clconst__fold_spend(fold, steps)) {
            return clconst__fold_give_up(fold,
                                         task->frame,
                                         task->node,
                                         CLCONST_UNSUPPORTED,
                                         "more work than an evaluation may do",
                                         error);
        }
    }
    return node->body_count > 0 && node->function == 0
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

/* The tasks were left half done. */
clconst_status clconst__fold_fail(clconst__fold *fold,
                                  clconst_status status,
                                  const clconst_error *failure,
                                  clconst_error *error)
{
    if (fold->failure.status == CLCONST_OK) {
        fold->failure = *failure;
        if (status == CLCONST_TOO_LARGE) {
            fold->failure.status = CLCONST_UNSUPPORTED;
        } else if (status == CLCONST_MALFORMED) {
            fold->failure.status = CLCONST_INVALID_MODEL;
        }
    }
    return clconst__fail_as(error, &fold->failure);
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
    return status == CLCONST_OK
               ? CLCONST_OK
               : clconst__fold_fail(fold, status, &failure, error);
}
