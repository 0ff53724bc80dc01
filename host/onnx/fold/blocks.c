#include "onnx/fold/blocks.h"

#include "base/alloc.h"
#include "onnx/fold/loops.h"
#include "onnx/fold/merge.h"
#include "onnx/fold/scans.h"
#include "onnx/quote.h"

clconst_status clconst__blocks_kind(clconst__fold *fold,
                                    size_t node,
                                    clconst__block_kind *kind,
                                    clconst_error *error)
{
    static const struct {
        const char *op_type;
        clconst__block_kind kind;
    } kinds[] = {
        {"If", CLCONST__BLOCK_IF},
        {"Loop", CLCONST__BLOCK_LOOP},
        {"Scan", CLCONST__BLOCK_SCAN},
    };
    clconst__node read = {.name = {NULL, 0}};
    clconst_status status =
        clconst__node_read(fold->model->nodes[node].bytes, &read, error);
    *kind = CLCONST__BLOCK_OTHER;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (clconst__is_default_domain(read.domain) &&
            clconst__span_equals(read.op_type,
                                 clconst__span_of(kinds[i].op_type))) {
            *kind = kinds[i].kind;
        }
    }
    clconst__fold_spend(
        fold, read.input.count + read.output.count + read.attribute.count);
    clconst__node_free(&read);
    return status;
}

size_t
clconst__blocks_find(clconst__fold *fold, size_t node, const char *attribute)
{
    const clconst_model *model = fold->model;
    size_t graph = model->nodes[node].first_body;
    while (graph != CLCONST__NONE &&
           !clconst__span_equals(model->graphs[graph].attribute,
                                 clconst__span_of(attribute))) {
        graph = model->graphs[graph].next_body;
        clconst__fold_spend(fold, 1);
    }
    return graph;
}

clconst_status clconst__blocks_enter(clconst__fold *fold,
                                     clconst__frame *frame,
                                     size_t graph,
                                     clconst__frame **body,
                                     clconst_error *error)
{
    *body = clconst__frame_get(frame, CLCONST__SLOT_BODY, graph);
    if (*body != NULL) {
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__frame_create(&fold->budget,
                              frame,
                              NULL,
                              graph,
                              fold->model->graphs[graph].node,
                              body,
                              error);
    return status == CLCONST_OK
               ? clconst__frame_set(
                     frame, CLCONST__SLOT_BODY, graph, *body, error)
               : status;
}

bool clconst__blocks_scalar(const clconst__fact *fact,
                            clconst_dtype dtype,
                            int64_t *value)
{
    if (fact == NULL || !clconst__fact_is_known(fact) || fact->count != 1 ||
        fact->dtype != dtype) {
        return false;
    }
    *value = dtype == CLCONST_BOOL ? fact->data[0] != 0
                                   : clconst__fact_cell(fact, 0).value;
    return true;
}

static const char *const branches[] = {"else_branch", "then_branch"};

static size_t find_branch(clconst__fold *fold, size_t node, int branch)
{
    size_t graph = clconst__blocks_find(fold, node, branches[branch]);
    bool fits =
        graph != CLCONST__NONE && fold->model->graphs[graph].output_count ==
                                      fold->model->nodes[node].output_count;
    return fits ? graph : CLCONST__NONE;
}

/* The outputs of a branch. *facts is NULL when they have to be evaluated. */
static clconst_status demand_branch(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    int branch,
                                    const clconst__fact ***facts,
                                    clconst_error *error)
{
    size_t graph = find_branch(fold, node, branch);
    clconst__frame *body;
    clconst_status status =
        clconst__blocks_enter(fold, frame, graph, &body, error);
    const clconst__graph *found = &fold->model->graphs[graph];
    return status == CLCONST_OK
               ? clconst__fold_demand_links(fold,
                                            body,
                                            found->first_link,
                                            found->output_count,
                                            facts,
                                            error)
               : status;
}

/* The fact of an output that either branch may give; why is the condition's. */
static clconst_status merge_branches(clconst__fold *fold,
                                     clconst__cause why,
                                     const clconst__fact *a,
                                     const clconst__fact *b,
                                     clconst__fact **fact,
                                     clconst_error *error)
{
    if (a == NULL || b == NULL) {
        return clconst__fold_unknown(fold,
                                     CLCONST_INVALID_MODEL,
                                     fact,
                                     error,
                                     "an output of a branch has no name");
    }
    if (a == b) {
        *fact = clconst__fact_retain(a);
        return CLCONST_OK;
    }
    bool is_changed = false;
    clconst__fold_spend(fold, clconst__merge_steps(a));
    clconst_status status =
        clconst__merge(&fold->causes, a, b, why, fact, &is_changed, error);
    return status == CLCONST_OK ? clconst__fold_hold(fold, *fact, error)
                                : status;
}

static clconst_status finish_if(clconst__fold *fold,
                                clconst__frame *frame,
                                size_t node,
                                const clconst__fact *condition,
                                const clconst__fact **const *outputs,
                                clconst_error *error)
{
    size_t count = fold->model->nodes[node].output_count;
    clconst__fact **facts = NULL;
    clconst__cause why = clconst__fact_find_unknown(condition, true);
    clconst_status status =
        clconst__alloc(count, sizeof(*facts), &facts, error);
    /* A branch may depend on what the condition does, and be unknown for the
     * same reason. */
    if (status == CLCONST_OK && why != CLCONST__KNOWN) {
        status = clconst__cause_repeat(&fold->causes, why, &why, error);
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        const clconst__fact *a =
            (outputs[0] != NULL ? outputs[0] : outputs[1])[i];
        const clconst__fact *b =
            (outputs[1] != NULL ? outputs[1] : outputs[0])[i];
        status = merge_branches(fold, why, a, b, &facts[i], error);
    }
    if (status == CLCONST_OK) {
        status = clconst__fold_finish(fold, frame, node, facts, error);
    } else {
        clconst__facts_release(facts, count);
    }
    clconst__free(facts);
    return status;
}

/* Whether a fact may be the condition of an If: one element of bool. */
static bool is_condition(const clconst__fact *fact)
{
    uint64_t count = 1;
    return fact != NULL &&
           (fact->dtype == CLCONST_BOOL || fact->dtype == CLCONST_UNDEFINED) &&
           (!clconst__fact_count(fact, &count) || count == 1);
}

static clconst_status step_if(clconst__fold *fold,
                              clconst__frame *frame,
                              size_t node,
                              clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    const clconst__fact **condition;
    clconst_status status = clconst__fold_demand_links(
        fold, frame, entry->first_link, entry->input_count, &condition, error);
    if (status != CLCONST_OK || condition == NULL) {
        return status;
    }
    const clconst__fact *given = entry->input_count > 0 ? condition[0] : NULL;
    clconst__free(condition);
    if (!is_condition(given)) {
        return clconst__fold_give_up(fold,
                                     frame,
                                     node,
                                     CLCONST_INVALID_MODEL,
                                     "the condition of an If is one bool",
                                     error);
    }
    if (find_branch(fold, node, 0) == CLCONST__NONE ||
        find_branch(fold, node, 1) == CLCONST__NONE) {
        return clconst__fold_give_up(fold,
                                     frame,
                                     node,
                                     CLCONST_UNSUPPORTED,
                                     "a branch of an If, which has not the "
                                     "outputs of its node",
                                     error);
    }
    int64_t value;
    bool is_known = clconst__blocks_scalar(given, CLCONST_BOOL, &value);
    const clconst__fact **outputs[2] = {NULL, NULL};
    bool is_ready = true;
    for (int i = 0; i < 2 && status == CLCONST_OK; i++) {
        if (!is_known || (value != 0) == (i == 1)) {
            status = demand_branch(fold, frame, node, i, &outputs[i], error);
            is_ready = is_ready && outputs[i] != NULL;
        }
    }
    if (status == CLCONST_OK && is_ready) {
        status = finish_if(fold, frame, node, given, outputs, error);
    }
    clconst__free(outputs[0]);
    clconst__free(outputs[1]);
    return status;
}

clconst_status clconst__blocks_step(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    clconst_error *error)
{
    clconst__block_kind kind;
    clconst_status status = clconst__blocks_kind(fold, node, &kind, error);
    if (status != CLCONST_OK) {
        return status;
    }
    switch (kind) {
    case CLCONST__BLOCK_IF:
        return step_if(fold, frame, node, error);
    case CLCONST__BLOCK_LOOP:
        return clconst__loops_step(fold, frame, node, error);
    case CLCONST__BLOCK_SCAN:
        return clconst__scans_step(fold, frame, node, error);
    case CLCONST__BLOCK_OTHER:
        break;
    }
    return clconst__fold_give_up(
        fold,
        frame,
        node,
        CLCONST_UNSUPPORTED,
        "a node with a subgraph, for which there is no rule",
        error);
}

/* The known value of one of the node's inputs, if it has one. */
static clconst_status read_input(clconst__fold *fold,
                                 clconst__frame *frame,
                                 size_t node,
                                 size_t input,
                                 clconst_dtype dtype,
                                 int64_t *value,
                                 clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    size_t link = input < entry->input_count
                      ? fold->model->links[entry->first_link + input]
                      : CLCONST__NONE;
    const clconst__fact *fact;
    if (link == CLCONST__NONE) {
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__fold_value(fold, frame, link, &fact, error);
    if (status == CLCONST_OK) {
        clconst__blocks_scalar(fact, dtype, value);
    }
    return status;
}

clconst_status clconst__blocks_decide(clconst__fold *fold,
                                      clconst__frame *body,
                                      clconst_error *error)
{
    if (body->is_decided) {
        return CLCONST_OK;
    }
    clconst__block_kind kind;
    clconst_status status =
        clconst__blocks_kind(fold, body->node, &kind, error);
    bool is_then =
        body->graph == clconst__blocks_find(fold, body->node, branches[1]);
    /* What is not known lets the body be evaluated. */
    int64_t trips = 1;
    int64_t condition = kind == CLCONST__BLOCK_IF ? is_then : 1;
    size_t condition_input = kind == CLCONST__BLOCK_IF ? 0 : 1;
    bool has_condition =
        kind == CLCONST__BLOCK_IF || kind == CLCONST__BLOCK_LOOP;
    if (status == CLCONST_OK && has_condition) {
        status = read_input(fold,
                            body->parent,
                            body->node,
                            condition_input,
                            CLCONST_BOOL,
                            &condition,
                            error);
    }
    if (status == CLCONST_OK && kind == CLCONST__BLOCK_LOOP) {
        status = read_input(
            fold, body->parent, body->node, 0, CLCONST_INT64, &trips, error);
    }
    if (status == CLCONST_OK) {
        bool is_wanted = kind == CLCONST__BLOCK_IF && !is_then ? condition == 0
                                                               : condition != 0;
        body->is_decided = true;
        body->is_skipped = body->parent->is_skipped || !is_wanted || trips <= 0;
    }
    return status;
}
