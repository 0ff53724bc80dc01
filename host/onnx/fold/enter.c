/*
 * How the listing gets into a graph: through the bodies and calls around it.
 */
#include "base/alloc.h"
#include "onnx/fold/blocks.h"
#include "onnx/fold/calls.h"

/* Graphs or chains, from the inside to the outside. */
typedef struct way {
    size_t *items;
    size_t count;
    size_t capacity;
} way;

static clconst_status append(way *path, size_t item, clconst_error *error)
{
    clconst_status status = clconst__grow(&path->items,
                                          &path->capacity,
                                          path->count + 1,
                                          sizeof(*path->items),
                                          error);
    if (status == CLCONST_OK) {
        path->items[path->count++] = item;
    }
    return status;
}

/* The frame of a body or function that no other is around: the main graph's, or
 * that of a function that is looked at without a call. */
static clconst_status
enter_root(clconst__fold *fold, size_t graph, clconst_error *error)
{
    clconst__frame **frame = &fold->frames[graph];
    if (*frame != NULL) {
        return CLCONST_OK;
    }
    clconst_status status = clconst__frame_create(
        &fold->budget, NULL, NULL, graph, CLCONST__NONE, frame, error);
    if (status == CLCONST_OK) {
        (*frame)->is_decided = true;
    }
    return status;
}

/* The frame of a graph of the model, for the call that a chain leads to, or for
 * none; the chain itself was entered before. */
static clconst_status enter_graph(clconst__fold *fold,
                                  size_t chain,
                                  size_t graph,
                                  clconst__frame **frame,
                                  clconst_error *error)
{
    const clconst__graph *graphs = fold->model->graphs;
    way path = {.items = NULL};
    clconst_status status = CLCONST_OK;
    while (graphs[graph].node != CLCONST__NONE &&
           (chain != CLCONST__NONE || fold->frames[graph] == NULL) &&
           status == CLCONST_OK) {
        status = append(&path, graph, error);
        graph = graphs[graph].parent;
    }
    if (status == CLCONST_OK && chain == CLCONST__NONE) {
        status = enter_root(fold, graph, error);
    }
    clconst__frame *current =
        chain == CLCONST__NONE ? fold->frames[graph] : fold->chains[chain];
    while (path.count > 0 && status == CLCONST_OK) {
        size_t body = path.items[--path.count];
        status = clconst__blocks_enter(fold, current, body, &current, error);
        if (status == CLCONST_OK) {
            status = clconst__blocks_decide(fold, current, error);
        }
        if (status == CLCONST_OK && chain == CLCONST__NONE) {
            fold->frames[body] = current;
        }
    }
    clconst__free(path.items);
    *frame = current;
    return status;
}

/* The frames of the functions of a chain, from the main graph on. */
static clconst_status
enter_chain(clconst__fold *fold, size_t chain, clconst_error *error)
{
    const clconst__chain *chains = fold->model->chains;
    way path = {.items = NULL};
    clconst_status status = CLCONST_OK;
    while (chain != CLCONST__NONE && fold->chains[chain] == NULL &&
           status == CLCONST_OK) {
        status = append(&path, chain, error);
        chain = chains[chain].caller;
    }
    while (path.count > 0 && status == CLCONST_OK) {
        size_t next = path.items[--path.count];
        clconst__frame *caller;
        clconst__frame *callee;
        status = enter_graph(
            fold, chains[next].caller, chains[next].graph, &caller, error);
        if (status == CLCONST_OK) {
            status = clconst__calls_enter(
                fold, caller, chains[next].node, &callee, error);
        }
        if (status == CLCONST_OK) {
            callee->is_decided = true;
            callee->is_skipped = caller->is_skipped;
            fold->chains[next] = callee;
        }
    }
    clconst__free(path.items);
    return status;
}

clconst_status clconst__fold_enter(clconst__fold *fold,
                                   size_t graph,
                                   clconst__frame **frame,
                                   clconst_error *error)
{
    const clconst__graph *listed = &fold->model->graphs[graph];
    bool is_instance = listed->source != CLCONST__NONE;
    clconst_error failure;
    clconst_status status = (clconst_status)fold->failure.status;
    *frame = NULL;
    if (status == CLCONST_OK && is_instance) {
        status = enter_chain(fold, listed->chain, &failure);
    }
    clconst__frame *found = NULL;
    if (status == CLCONST_OK) {
        status = enter_graph(fold,
                             is_instance ? listed->chain : CLCONST__NONE,
                             is_instance ? listed->source : graph,
                             &found,
                             &failure);
    }
    if (status != CLCONST_OK) {
        return clconst__fold_fail(fold, status, &failure, error);
    }
    *frame = found->is_skipped ? NULL : found;
    return CLCONST_OK;
}
