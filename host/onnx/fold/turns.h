/*
 * Turns: what holds for the inputs of a body of Loop or Scan in each of its
 * turns. It begins with what holds in the first one, and takes away what a turn
 * changes, until a turn changes nothing more.
 */
#ifndef CLCONST_ONNX_FOLD_TURNS_H
#define CLCONST_ONNX_FOLD_TURNS_H

#include "onnx/fold/blocks.h"

/*
 * How a node's values meet its body's. Of the node's inputs, carried_count from
 * first_input on are carried through the turns, and the rest, of a Scan, are
 * taken apart. The body has the carried ones from body_input and body_output
 * on. The node's outputs are the carried ones and then what turns add up.
 */
typedef struct clconst__layout {
    clconst__block_kind kind;
    size_t graph;
    size_t first_input;
    size_t carried_count;
    size_t body_input;
    size_t body_output;
} clconst__layout;

/* INVALID_MODEL when the node does not fit its body. */
clconst_status clconst__layout_read(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    clconst__layout *layout,
                                    clconst_error *error);

/* A list of int64 among the node's attributes, in a new array of count entries;
 * zeros when it is absent. INVALID_MODEL for another count. */
clconst_status clconst__layout_axes(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    const char *attribute,
                                    size_t count,
                                    int64_t **axes,
                                    clconst_error *error);

/* Whether a value is an input of such a body whose turns are still to be
 * found. */
clconst_status clconst__turns_give(clconst__fold *fold,
                                   const clconst__frame *frame,
                                   const clconst__value *value,
                                   bool *gives,
                                   clconst_error *error);

/*
 * The body's frame of any turn; *body is NULL when the turns had to be put on
 * the tasks first. What has a cause from *since on may be another number in
 * each turn. INVALID_MODEL when the turns themselves wait for this.
 */
clconst_status clconst__turns_demand(clconst__fold *fold,
                                     clconst__frame *frame,
                                     size_t node,
                                     const clconst__layout *layout,
                                     clconst__frame **body,
                                     clconst__cause *since,
                                     clconst_error *error);

/* One step of the task to find them. */
clconst_status clconst__turns_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error);

/* A new frame of the body whose inputs are these facts, which are retained. */
clconst_status clconst__turns_enter(clconst__fold *fold,
                                    clconst__frame *frame,
                                    const clconst__layout *layout,
                                    clconst__fact *const *inputs,
                                    size_t count,
                                    clconst__frame **body,
                                    clconst_error *error);

#endif
