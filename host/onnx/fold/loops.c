#include "onnx/fold/loops.h"

#include "base/alloc.h"
#include "onnx/fold/scans.h"

/*
 * A Loop whose turns are run. next has what goes into the next turn: the turn's
 * number, the condition, and what is carried. It is given up for why, if that
 * is a cause, or when no more than steps_kept are left. frame is that of the
 * turn in hand; sums, which budget pays for, has what each turn added to each
 * of sum_count outputs.
 */
typedef struct loop_run {
    clconst__progress base;
    clconst__budget *budget;
    clconst__layout layout;
    bool is_given_up;
    bool has_condition;
    clconst__cause why;
    uint64_t steps_kept;
    int64_t turn;
    int64_t limit;
    int64_t condition;
    clconst__frame *frame;
    clconst__fact **next;
    size_t next_count;
    clconst__fact **sums;
    size_t sum_count;
    size_t fact_count;
    size_t fact_capacity;
} loop_run;

/* Twice, since the array doubles. */
enum { SUM_BYTES = 2 * sizeof(clconst__fact *) };

static void destroy_run(clconst__progress *progress)
{
    loop_run *run = (loop_run *)progress;
    clconst__budget_return(run->budget, run->fact_count * SUM_BYTES);
    clconst__facts_release(run->next, run->next_count);
    clconst__facts_release(run->sums, run->fact_count);
    clconst__free(run->next);
    clconst__free(run->sums);
    clconst__free(run);
}

clconst_status clconst__loops_refuse(clconst__fold *fold,
                                     clconst__frame *frame,
                                     size_t node,
                                     clconst_status status,
                                     const clconst_error *complaint,
                                     clconst_error *error)
{
    if (clconst__fold_is_verdict(status)) {
        return clconst__fold_give_up(
            fold, frame, node, status, complaint->message, error);
    }
    return clconst__fail_as(error, complaint);
}

/* Trip count and condition of a run, as far as they are known. It is given up
 * when one that the node has is not, or when nothing would end the loop. */
static void read_limits(const clconst__model_node *entry,
                        const clconst__fact *const *given,
                        loop_run *run)
{
    const clconst__fact *trips = entry->input_count > 0 ? given[0] : NULL;
    const clconst__fact *start = entry->input_count > 1 ? given[1] : NULL;
    run->limit = INT64_MAX;
    run->condition = 1;
    run->has_condition = start != NULL;
    run->is_given_up = trips == NULL && start == NULL;
    if (start != NULL &&
        !clconst__blocks_scalar(start, CLCONST_BOOL, &run->condition)) {
        run->is_given_up = true;
        run->why = clconst__fact_find_unknown(start, true);
    }
    if (trips != NULL &&
        !clconst__blocks_scalar(trips, CLCONST_INT64, &run->limit)) {
        run->is_given_up = true;
        run->why = clconst__fact_find_unknown(trips, true);
    }
}

/* Sets up a run, from the node's inputs. */
static clconst_status begin(clconst__fold *fold,
                            clconst__frame *frame,
                            size_t node,
                            const clconst__fact *const *given,
                            clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    loop_run *run;
    clconst_status status = clconst__alloc(1, sizeof(*run), &run, error);
    if (status != CLCONST_OK) {
        return status;
    }
    run->base.destroy = destroy_run;
    run->budget = &fold->budget;
    /* The rest is for what else the model has. */
    run->steps_kept = fold->budget.steps / 2;
    status =
        clconst__frame_set(frame, CLCONST__SLOT_LOOP, node, &run->base, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = clconst__layout_read(fold, frame, node, &run->layout, error);
    if (status == CLCONST_OK) {
        run->next_count = run->layout.carried_count + 2;
        run->sum_count = entry->output_count - run->layout.carried_count;
        status = clconst__alloc(
            run->next_count, sizeof(*run->next), &run->next, error);
    }
    for (size_t i = 2; i < run->next_count && status == CLCONST_OK; i++) {
        run->next[i] = given[i] != NULL ? clconst__fact_retain(given[i]) : NULL;
    }
    read_limits(entry, given, run);
    return status;
}

static clconst_status replace(clconst__fact **fact,
                              clconst_dtype dtype,
                              int64_t value,
                              clconst_error *error)
{
    clconst__fact_release(*fact);
    *fact = NULL;
    clconst__cell cell = {value, CLCONST__KNOWN};
    return clconst__fact_scalar(dtype, cell, fact, error);
}

static clconst_status begin_turn(clconst__fold *fold,
                                 clconst__frame *frame,
                                 loop_run *run,
                                 clconst_error *error)
{
    clconst_status status =
        replace(&run->next[0], CLCONST_INT64, run->turn, error);
    if (status == CLCONST_OK) {
        status = replace(&run->next[1], CLCONST_BOOL, run->condition, error);
    }
    return status == CLCONST_OK ? clconst__turns_enter(fold,
                                                       frame,
                                                       &run->layout,
                                                       run->next,
                                                       run->next_count,
                                                       &run->frame,
                                                       error)
                                : status;
}

/* Takes what the turn made: the condition, what is carried, and the rest. */
static clconst_status end_turn(clconst__fold *fold,
                               loop_run *run,
                               const clconst__fact *const *outputs,
                               clconst_error *error)
{
    size_t carried = run->layout.carried_count;
    bool is_known =
        clconst__blocks_scalar(outputs[0], CLCONST_BOOL, &run->condition);
    /* Operators.md has the body's condition count only beside one that the node
     * has. Implementations stop for it all the same, so that one that does not
     * hold leaves open how many turns there are. */
    run->is_given_up =
        run->has_condition ? !is_known : is_known && run->condition == 0;
    if (!run->has_condition) {
        run->condition = 1;
    }
    clconst_status status = clconst__grow(&run->sums,
                                          &run->fact_capacity,
                                          run->fact_count + run->sum_count,
                                          sizeof(*run->sums),
                                          error);
    for (size_t i = 0; i < carried + run->sum_count && status == CLCONST_OK;
         i++) {
        clconst__fact *output = outputs[1 + i] != NULL
                                    ? clconst__fact_retain(outputs[1 + i])
                                    : NULL;
        if (i < carried) {
            clconst__fact_release(run->next[2 + i]);
            run->next[2 + i] = output;
        } else {
            run->sums[run->fact_count++] = output;
            clconst__budget_take(run->budget, SUM_BYTES);
        }
        run->is_given_up = run->is_given_up || output == NULL;
    }
    run->turn++;
    if (!clconst__fold_spend(fold, run->sum_count * CLCONST__OUTPUT_STEPS)) {
        run->is_given_up = true;
    }
    return status;
}

/* Runs one turn, or as much of it as is known. */
static clconst_status step_turn(clconst__fold *fold,
                                clconst__frame *frame,
                                loop_run *run,
                                clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    if (run->frame == NULL &&
        (fold->budget.steps <= run->steps_kept ||
         !clconst__fold_spend(fold, CLCONST__TURN_STEPS + run->next_count))) {
        run->is_given_up = true;
        return CLCONST_OK;
    }
    if (run->frame == NULL) {
        status = begin_turn(fold, frame, run, error);
    }
    const clconst__fact **outputs = NULL;
    const clconst__graph *graph = &fold->model->graphs[run->layout.graph];
    if (status == CLCONST_OK) {
        status = clconst__fold_demand_links(fold,
                                            run->frame,
                                            graph->first_link,
                                            graph->output_count,
                                            &outputs,
                                            error);
    }
    if (status == CLCONST_OK && outputs != NULL) {
        status = end_turn(fold, run, outputs, error);
        clconst__frame_destroy(run->frame);
        run->frame = NULL;
    }
    clconst__free(outputs);
    return status;
}

/* Whether each turn added a value of the same dtype and dims. */
static bool are_alike(const clconst__fact *a, const clconst__fact *b)
{
    uint64_t count;
    bool are = a->data != NULL && b->data != NULL && a->dtype == b->dtype &&
               a->rank == b->rank && clconst__fact_count(a, &count) &&
               clconst__fact_count(b, &count);
    for (size_t i = 0; i < a->rank && are; i++) {
        are = a->dims[i].value == b->dims[i].value;
    }
    return are;
}

/* Whether so many turns may add up what one of them made. */
static bool
allows_sum(clconst__fold *fold, const clconst__fact *turn, int64_t count)
{
    uint64_t total;
    return !__builtin_mul_overflow(turn->count, (uint64_t)count, &total) &&
           clconst__budget_allows(
               &fold->budget, total, turn->element_size + turn->rank) &&
           clconst__fold_spend(fold, total);
}

/* One output that turns add up to, with a new first dim. */
static clconst_status add_up(clconst__fold *fold,
                             const loop_run *run,
                             size_t sum,
                             clconst__fact **fact,
                             clconst_error *error)
{
    const clconst__fact *first = run->turn > 0 ? run->sums[sum] : NULL;
    bool are = first != NULL;
    for (size_t i = sum; i < run->fact_count && are; i += run->sum_count) {
        are = are_alike(first, run->sums[i]);
    }
    if (!are || !allows_sum(fold, first, run->turn)) {
        return clconst__fold_unknown(
            fold,
            CLCONST_UNSUPPORTED,
            fact,
            error,
            "what the turns of a loop add up to, of which one is not known");
    }
    clconst__fact *made;
    clconst_status status = clconst__fact_create(CLCONST__KNOWN, &made, error);
    if (status != CLCONST_OK) {
        return status;
    }
    *fact = made;
    clconst__fact_charge(made, &fold->budget);
    made->dtype = first->dtype;
    status = clconst__fact_set_rank(made, first->rank + 1, error);
    if (status == CLCONST_OK) {
        made->dims[0] = (clconst__cell){run->turn, CLCONST__KNOWN};
        for (size_t i = 0; i < first->rank; i++) {
            made->dims[i + 1] = first->dims[i];
        }
        status = clconst__fact_set_value(made, error);
    }
    size_t to = 0;
    for (size_t i = sum; i < run->fact_count && status == CLCONST_OK;
         i += run->sum_count) {
        const clconst__fact *turn = run->sums[i];
        size_t size = made->element_size;
        for (size_t j = 0; j < turn->count && status == CLCONST_OK; j++) {
            memcpy(made->own_data + to * size, turn->data + j * size, size);
            status = clconst__fact_set_cause(
                made, to++, clconst__fact_cause(turn, j), error);
        }
    }
    return status;
}

static clconst_status finish(clconst__fold *fold,
                             clconst__frame *frame,
                             size_t node,
                             loop_run *run,
                             clconst_error *error)
{
    size_t count = fold->model->nodes[node].output_count;
    size_t carried = run->layout.carried_count;
    clconst__fact **facts = NULL;
    clconst_status status =
        clconst__alloc(count, sizeof(*facts), &facts, error);
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        if (i < carried && run->next[2 + i] != NULL) {
            facts[i] = clconst__fact_retain(run->next[2 + i]);
        } else if (i < carried) {
            status = clconst__fold_unknown(fold,
                                           CLCONST_INVALID_MODEL,
                                           &facts[i],
                                           error,
                                           "an input of a loop is left out");
        } else {
            status = add_up(fold, run, i - carried, &facts[i], error);
        }
    }
    if (status == CLCONST_OK) {
        status = clconst__fold_finish(fold, frame, node, facts, error);
    } else {
        clconst__facts_release(facts, count);
    }
    clconst__free(facts);
    return status;
}

/* The outputs when the turns are not run, or not all, or when there are none.
 */
static clconst_status tell(clconst__fold *fold,
                           clconst__frame *frame,
                           size_t node,
                           const loop_run *run,
                           clconst_error *error)
{
    clconst__cell length = {0, CLCONST__KNOWN};
    clconst_status status = CLCONST_OK;
    if (run->why != CLCONST__KNOWN) {
        status = clconst__cause_derive(
            &fold->causes, run->why, &length.cause, error);
    } else if (run->is_given_up) {
        status = clconst__cause_add(&fold->causes,
                                    CLCONST_UNSUPPORTED,
                                    &length.cause,
                                    error,
                                    "the number of turns of a loop");
    }
    return status == CLCONST_OK
               ? clconst__scans_tell(
                     fold, frame, node, &run->layout, length, error)
               : status;
}

static bool has_turn(const loop_run *run)
{
    return run->turn < run->limit && run->condition != 0;
}

clconst_status clconst__loops_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error)
{
    loop_run *run = clconst__frame_get(frame, CLCONST__SLOT_LOOP, node);
    if (run != NULL && !run->is_given_up && has_turn(run)) {
        return step_turn(fold, frame, run, error);
    }
    if (run != NULL) {
        /* The dims of what no turn adds up are told by the body. */
        bool is_empty = run->turn == 0 && run->sum_count > 0;
        return run->is_given_up || is_empty
                   ? tell(fold, frame, node, run, error)
                   : finish(fold, frame, node, run, error);
    }
    const clconst__model_node *entry = &fold->model->nodes[node];
    const clconst__fact **given;
    clconst_status status = clconst__fold_demand_links(
        fold, frame, entry->first_link, entry->input_count, &given, error);
    if (status != CLCONST_OK || given == NULL) {
        return status;
    }
    clconst_error complaint;
    status = begin(fold, frame, node, given, &complaint);
    clconst__free(given);
    return status == CLCONST_OK
               ? CLCONST_OK
               : clconst__loops_refuse(
                     fold, frame, node, status, &complaint, error);
}
