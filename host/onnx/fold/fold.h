/*
 * Folding: what a model's values are, computed from its constants and from what
 * is bound, each value once and only when something depends on it. The work in
 * hand is a list, so that no depth of a file costs stack.
 */
#ifndef CLCONST_ONNX_FOLD_FOLD_H
#define CLCONST_ONNX_FOLD_FOLD_H

#include "onnx/bindings.h"
#include "onnx/fold/frame.h"
#include "onnx/names.h"

/*
 * Limits of all evaluations of one resolution together. A step is an element of
 * up to 8 bytes, a dim, a term of a sum, or as much of other work; the costs
 * below are what else takes time. The bytes are those of values, dims, causes,
 * frames, tasks and scratch memory that are there at a time. The elements of a
 * value are those of one that is computed; constants of any size are read in
 * place.
 */
#define CLCONST__STEPS_MAX    (UINT64_C(1) << 25)
#define CLCONST__BYTES_MAX    (INT64_C(1) << 27)
#define CLCONST__ELEMENTS_MAX ((size_t)1 << 24)

enum {
    CLCONST__TURN_STEPS = 512,
    CLCONST__NODE_STEPS = 64,
    CLCONST__INPUT_STEPS = 4,
    CLCONST__OUTPUT_STEPS = 32,
};

typedef enum clconst__task_kind {
    CLCONST__TASK_NODE,  /* to evaluate a node */
    CLCONST__TASK_TURNS, /* to find what holds in each turn of a loop node */
} clconst__task_kind;

typedef struct clconst__task {
    clconst__task_kind kind;
    clconst__frame *frame;
    size_t node;
} clconst__task;

/*
 * frames has, for each graph of the model, the frame that the listing sees it
 * in, chains the frame of the function of each chain of calls; both are filled
 * as they are asked for. symbols has a cause for each symbol. failure, once its
 * status is set, ends all evaluation.
 */
typedef struct clconst__fold {
    const clconst_model *model;
    clconst__bindings *bindings;
    clconst__causes causes;
    clconst__names symbols;
    clconst__budget budget;
    clconst__frame **frames;
    clconst__frame **chains;
    clconst__task *tasks;
    size_t task_count;
    size_t task_capacity;
    clconst_error failure;
} clconst__fold;

/* Borrows model and bindings. */
clconst_status clconst__fold_create(const clconst_model *model,
                                    clconst__bindings *bindings,
                                    clconst__fold **fold,
                                    clconst_error *error);

/* Accepts NULL. */
void clconst__fold_destroy(clconst__fold *fold);

/*
 * The frame of a graph that the listing names. *frame is NULL when a known
 * condition rules out that the graph is evaluated at all. UNSUPPORTED when too
 * much would have to be done.
 */
clconst_status clconst__fold_enter(clconst__fold *fold,
                                   size_t graph,
                                   clconst__frame **frame,
                                   clconst_error *error);

/*
 * What is known of a value that a frame sees, borrowed from a frame.
 * UNSUPPORTED when too much would have to be done.
 */
clconst_status clconst__fold_value(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t value,
                                   const clconst__fact **fact,
                                   clconst_error *error);

/* ---------------- for the steps of nodes, in nodes.c and blocks.c -------- */

/* What is known of a value; *fact is NULL when its node had to be put on top of
 * the tasks first. */
clconst_status clconst__fold_demand(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t value,
                                    const clconst__fact **fact,
                                    clconst_error *error);

/*
 * Demands count values from a link on. *facts is a new array, or NULL when one
 * was put on the tasks. A value that has no name, or that is absent, is NULL.
 */
clconst_status clconst__fold_demand_links(clconst__fold *fold,
                                          clconst__frame *frame,
                                          size_t first_link,
                                          size_t count,
                                          const clconst__fact ***facts,
                                          clconst_error *error);

/* Puts a task on top. One that is done ends at once. */
clconst_status clconst__fold_push(clconst__fold *fold,
                                  clconst__task_kind kind,
                                  clconst__frame *frame,
                                  size_t node,
                                  clconst_error *error);

/* Whether a node is in hand: a task below the top one, or the top one. */
bool clconst__fold_is_started(const clconst__frame *frame, size_t node);

/* Ends all evaluation with a failure, which is the same for all that is asked
 * from then on. A limit is no failure of the call, but UNSUPPORTED. */
clconst_status clconst__fold_fail(clconst__fold *fold,
                                  clconst_status status,
                                  const clconst_error *failure,
                                  clconst_error *error);

/* Whether a status judges the node in hand; others end all evaluation. */
static inline bool clconst__fold_is_verdict(clconst_status status)
{
    return status == CLCONST_INVALID_MODEL || status == CLCONST_UNSUPPORTED;
}

/* Ends the task on top. */
void clconst__fold_pop(clconst__fold *fold);

/* False when an evaluation has done too much. */
bool clconst__fold_spend(clconst__fold *fold, uint64_t steps);

/* Pays for a fact before it is a frame's. TOO_LARGE, which ends the evaluation,
 * when too much is held. */
clconst_status clconst__fold_hold(clconst__fold *fold,
                                  clconst__fact *fact,
                                  clconst_error *error);

/* A new fact of unknown dtype and rank, for a reason of its own. */
__attribute__((format(printf, 5, 6))) clconst_status
clconst__fold_unknown(clconst__fold *fold,
                      clconst_status status,
                      clconst__fact **fact,
                      clconst_error *error,
                      const char *format,
                      ...);

/* Gives a node's outputs their facts, which are taken also on failure, marks it
 * as done and ends its task. */
clconst_status clconst__fold_finish(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    clconst__fact **facts,
                                    clconst_error *error);

/* The same for a node of which nothing is known; text says what is needed, or
 * what is wrong. */
clconst_status clconst__fold_give_up(clconst__fold *fold,
                                     clconst__frame *frame,
                                     size_t node,
                                     clconst_status reason,
                                     const char *text,
                                     clconst_error *error);

#endif
