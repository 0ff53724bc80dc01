#include "onnx/fold/scans.h"

#include "base/alloc.h"
#include "onnx/fold/folding.h"
#include "onnx/fold/loops.h"
#include "onnx/fold/merge.h"

/* One slice of an input: its dims without the axis. */
static clconst_status slice(clconst__fold *fold,
                            const clconst__fact *input,
                            int64_t axis,
                            clconst__cause why,
                            clconst__fact **fact,
                            clconst_error *error)
{
    clconst__fact *made;
    clconst_status status = clconst__fact_create(why, &made, error);
    if (status != CLCONST_OK) {
        return status;
    }
    *fact = made;
    made->dtype = input->dtype;
    if (input->dims == NULL) {
        made->cause = input->cause;
        return CLCONST_OK;
    }
    size_t skipped;
    status = clconst__axis_normalize(axis, input->rank, &skipped, error);
    if (status == CLCONST_OK) {
        status = clconst__fact_set_rank(made, input->rank - 1, error);
    }
    for (size_t i = 0; i < made->rank && status == CLCONST_OK; i++) {
        made->dims[i] = input->dims[i < skipped ? i : i + 1];
    }
    return status == CLCONST_OK ? clconst__fold_hold(fold, made, error)
                                : status;
}

clconst_status clconst__scans_take_apart(clconst__fold *fold,
                                         clconst__frame *frame,
                                         size_t node,
                                         const clconst__layout *layout,
                                         const clconst__fact *const *given,
                                         clconst__cause why,
                                         clconst__fact **inputs,
                                         clconst_error *error)
{
    size_t first = layout->carried_count;
    size_t count = fold->model->nodes[node].input_count - first;
    int64_t *axes = NULL;
    clconst_status status = clconst__layout_axes(
        fold, frame, node, "scan_input_axes", count, &axes, error);
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        if (given[first + i] != NULL) {
            status = slice(fold,
                           given[first + i],
                           axes[i],
                           why,
                           &inputs[first + i],
                           error);
        }
    }
    clconst__free(axes);
    return status;
}

/* Of no elements, all are known. */
static clconst_status set_if_empty(clconst__fact *fact, clconst_error *error)
{
    uint64_t count;
    bool is_empty = clconst__fact_element_size(fact->dtype) > 0 &&
                    clconst__fact_count(fact, &count) && count == 0;
    return is_empty ? clconst__fact_set_value(fact, error) : CLCONST_OK;
}

/*
 * A new fact of what turns add up along an axis: the dims of one turn's output
 * with the count of turns put in, and no value but an empty one.
 */
static clconst_status add_up(clconst__fold *fold,
                             const clconst__fact *turn,
                             int64_t axis,
                             clconst__cell count,
                             clconst__cause why,
                             clconst__fact **fact,
                             clconst_error *error)
{
    clconst__fact *made;
    clconst_status status = clconst__fact_create(why, &made, error);
    if (status != CLCONST_OK) {
        return status;
    }
    *fact = made;
    if (turn == NULL || turn->dims == NULL) {
        made->cause = turn != NULL ? turn->cause : why;
        return CLCONST_OK;
    }
    made->dtype = turn->dtype;
    size_t at;
    status = clconst__axis_normalize(axis, turn->rank + 1, &at, error);
    if (status == CLCONST_OK) {
        status = clconst__fact_set_rank(made, turn->rank + 1, error);
    }
    for (size_t i = 0; i < made->rank && status == CLCONST_OK; i++) {
        made->dims[i] = i == at ? count : turn->dims[i < at ? i : i - 1];
    }
    if (status == CLCONST_OK) {
        status = set_if_empty(made, error);
    }
    return status == CLCONST_OK ? clconst__fold_hold(fold, made, error)
                                : status;
}

/* The length of the sequence, which all taken apart inputs have. Where the rank
 * is unknown it is a number of its own, whatever the rank lacks. */
static clconst_status find_length(clconst__fold *fold,
                                  const clconst__fact *input,
                                  int64_t axis,
                                  clconst__cell *length,
                                  clconst_error *error)
{
    *length = (clconst__cell){0, CLCONST__KNOWN};
    if (input->dims == NULL) {
        return clconst__cause_derive(
            &fold->causes, input->cause, &length->cause, error);
    }
    size_t at;
    clconst_status status =
        clconst__axis_normalize(axis, input->rank, &at, error);
    if (status == CLCONST_OK) {
        *length = input->dims[at];
    }
    return status;
}

static clconst_status set_apart(clconst__fold *fold,
                                const clconst__fact *fact,
                                clconst__cause since,
                                clconst__fact **apart,
                                clconst_error *error)
{
    clconst__fold_spend(fold, clconst__fact_copy_steps(fact));
    clconst_status status =
        clconst__merge_apart(&fold->causes, fact, since, apart, error);
    return status == CLCONST_OK ? clconst__fold_hold(fold, *apart, error)
                                : status;
}

static bool is_zero(clconst__cell length)
{
    return length.cause == CLCONST__KNOWN && length.value == 0;
}

/* The outputs, from what holds in any turn; since as in clconst__turns_demand.
 * Of no turns, what is carried is what the node is given. */
static clconst_status make_outputs(clconst__fold *fold,
                                   const clconst__layout *layout,
                                   const int64_t *axes,
                                   size_t count,
                                   clconst__cell length,
                                   clconst__cause since,
                                   const clconst__fact *const *carried,
                                   const clconst__fact *const *turn,
                                   clconst__fact **facts,
                                   clconst_error *error)
{
    clconst__cause why;
    clconst_status status = clconst__cause_add(
        &fold->causes,
        CLCONST_UNSUPPORTED,
        &why,
        error,
        "what the turns of a loop add up to, which is not computed");
    for (size_t i = 0; i < layout->carried_count && status == CLCONST_OK; i++) {
        if (carried[i] == NULL) {
            status = clconst__fact_create(why, &facts[i], error);
        } else if (is_zero(length)) {
            facts[i] = clconst__fact_retain(carried[i]);
        } else {
            status = set_apart(fold, carried[i], since, &facts[i], error);
        }
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        clconst__fact *apart = NULL;
        if (turn[i] != NULL) {
            status = set_apart(fold, turn[i], since, &apart, error);
        }
        if (status == CLCONST_OK) {
            status = add_up(fold,
                            apart,
                            axes[i],
                            length,
                            why,
                            &facts[layout->carried_count + i],
                            error);
        }
        clconst__fact_release(apart);
    }
    return status;
}

static clconst_status finish(clconst__fold *fold,
                             clconst__frame *frame,
                             size_t node,
                             const clconst__layout *layout,
                             clconst__cell length,
                             clconst__cause since,
                             const clconst__fact *const *carried,
                             const clconst__fact *const *turn,
                             clconst_error *error)
{
    size_t total = fold->model->nodes[node].output_count;
    size_t count = total - layout->carried_count;
    int64_t *axes = NULL;
    clconst__fact **facts = NULL;
    clconst_error complaint;
    clconst_status status = clconst__layout_axes(
        fold, frame, node, "scan_output_axes", count, &axes, &complaint);
    if (status == CLCONST_OK) {
        status = clconst__alloc(total, sizeof(*facts), &facts, &complaint);
    }
    if (status == CLCONST_OK) {
        status = make_outputs(fold,
                              layout,
                              axes,
                              count,
                              length,
                              since,
                              carried,
                              turn,
                              facts,
                              &complaint);
    }
    if (status == CLCONST_OK) {
        status = clconst__fold_finish(fold, frame, node, facts, error);
    } else {
        clconst__facts_release(facts, total);
        status =
            clconst__loops_refuse(fold, frame, node, status, &complaint, error);
    }
    clconst__free(facts);
    clconst__free(axes);
    return status;
}

clconst_status clconst__scans_tell(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   const clconst__layout *layout,
                                   clconst__cell length,
                                   clconst_error *error)
{
    const clconst__graph *graph = &fold->model->graphs[layout->graph];
    clconst__frame *body;
    const clconst__fact **carried = NULL;
    const clconst__fact **turn = NULL;
    clconst__cause since;
    clconst_error complaint;
    clconst_status status = clconst__turns_demand(
        fold, frame, node, layout, &body, &since, &complaint);
    if (status != CLCONST_OK) {
        return clconst__loops_refuse(
            fold, frame, node, status, &complaint, error);
    }
    if (body == NULL) {
        return CLCONST_OK;
    }
    const clconst__model_node *entry = &fold->model->nodes[node];
    status = clconst__fold_demand_links(
        fold,
        is_zero(length) ? frame : body,
        is_zero(length) ? entry->first_link + layout->first_input
                        : graph->first_input + layout->body_input,
        layout->carried_count,
        &carried,
        error);
    if (status == CLCONST_OK && carried != NULL) {
        status = clconst__fold_demand_links(
            fold,
            body,
            graph->first_link + layout->body_output + layout->carried_count,
            entry->output_count - layout->carried_count,
            &turn,
            error);
    }
    if (status == CLCONST_OK && carried != NULL && turn != NULL) {
        status = finish(
            fold, frame, node, layout, length, since, carried, turn, error);
    }
    clconst__free(carried);
    clconst__free(turn);
    return status;
}

clconst_status clconst__scans_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    const clconst__fact **given;
    clconst_status status = clconst__fold_demand_links(
        fold, frame, entry->first_link, entry->input_count, &given, error);
    if (status != CLCONST_OK || given == NULL) {
        return status;
    }
    clconst__layout layout;
    int64_t *axes = NULL;
    clconst_error complaint;
    status = clconst__layout_read(fold, frame, node, &layout, &complaint);
    size_t count = entry->input_count;
    if (status == CLCONST_OK) {
        count -= layout.carried_count;
        status = clconst__layout_axes(
            fold, frame, node, "scan_input_axes", count, &axes, &complaint);
    }
    if (status == CLCONST_OK && given[layout.carried_count] == NULL) {
        status = clconst__fail(
            &complaint, CLCONST_INVALID_MODEL, "a Scan has no sequence");
    }
    clconst__cell length;
    if (status == CLCONST_OK) {
        status = find_length(
            fold, given[layout.carried_count], axes[0], &length, &complaint);
    }
    if (status == CLCONST_OK) {
        status = clconst__scans_tell(fold, frame, node, &layout, length, error);
    } else {
        status =
            clconst__loops_refuse(fold, frame, node, status, &complaint, error);
    }
    clconst__free(axes);
    clconst__free(given);
    return status;
}
