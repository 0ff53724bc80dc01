/*
 * Blocks: nodes that have bodies, and the frames of these.
 */
#ifndef CLCONST_ONNX_FOLD_BLOCKS_H
#define CLCONST_ONNX_FOLD_BLOCKS_H

#include "onnx/fold/fold.h"
#include "onnx/node.h"

typedef enum clconst__block_kind {
    CLCONST__BLOCK_IF,
    CLCONST__BLOCK_LOOP,
    CLCONST__BLOCK_SCAN,
    CLCONST__BLOCK_OTHER,
} clconst__block_kind;

clconst_status clconst__blocks_kind(clconst__fold *fold,
                                    size_t node,
                                    clconst__block_kind *kind,
                                    clconst_error *error);

/* One step of the node's task. */
clconst_status clconst__blocks_step(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    clconst_error *error);

/* The body of this name, or CLCONST__NONE. */
size_t
clconst__blocks_find(clconst__fold *fold, size_t node, const char *attribute);

/* The frame of a body in the frame of its node; of a loop the one of any turn.
 */
clconst_status clconst__blocks_enter(clconst__fold *fold,
                                     clconst__frame *frame,
                                     size_t graph,
                                     clconst__frame **body,
                                     clconst_error *error);

/*
 * Whether a known condition rules the body out, in the frame's is_skipped. It
 * evaluates the condition, so no task may be in hand.
 */
clconst_status clconst__blocks_decide(clconst__fold *fold,
                                      clconst__frame *body,
                                      clconst_error *error);

/* Whether the fact is one element of a dtype that is known, and then the
 * element. The dtype is bool or int64. */
bool clconst__blocks_scalar(const clconst__fact *fact,
                            clconst_dtype dtype,
                            int64_t *value);

#endif
