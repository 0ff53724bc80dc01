/*
 * Frames: one for each time that a graph is evaluated. The main graph has one,
 * a body one in each frame of the graph around it, a function one for each of
 * its calls, and the body of a loop that is run one for each turn.
 */
#ifndef CLCONST_ONNX_FOLD_FRAME_H
#define CLCONST_ONNX_FOLD_FRAME_H

#include "onnx/fold/fact.h"
#include "onnx/model.h"

/* What a frame remembers about a value, a graph or a node of the model. */
typedef enum clconst__slot_kind {
    CLCONST__SLOT_FACT,   /* of a value: clconst__fact, owned */
    CLCONST__SLOT_MARK,   /* of a node: whether it is being evaluated */
    CLCONST__SLOT_BODY,   /* of a graph: its clconst__frame in this one */
    CLCONST__SLOT_CALLEE, /* of a node: the clconst__frame of its function */
    CLCONST__SLOT_LOOP,   /* of a node: clconst__progress, owned */
    CLCONST__SLOT_ANY,    /* the same for what holds in each turn of a loop */
    CLCONST__SLOT_HOME,   /* of a graph: its clconst__frame around this one */
} clconst__slot_kind;

/* What is in hand of a node that takes many steps. Its struct begins so. */
typedef struct clconst__progress {
    void (*destroy)(struct clconst__progress *progress);
} clconst__progress;

typedef struct clconst__slot {
    uint64_t key;
    void *content; /* NULL in an empty slot */
} clconst__slot;

/*
 * parent is the frame of the graph around, caller that of the node that calls a
 * function; node is what the body or the function belongs to. is_decided says
 * that is_skipped, whether a known condition rules the graph out, is so.
 * arguments are the call's, with references followed; has_open_arguments says
 * that some are missing, which the call of the function around it gives. root
 * is the function's own frame that this one is in, the main graph's else;
 * is_repeated says that its graph may have other frames. budget pays for the
 * frame and its facts.
 */
typedef struct clconst__frame {
    struct clconst__frame *parent;
    struct clconst__frame *caller;
    const struct clconst__frame *root;
    clconst__budget *budget;
    size_t graph;
    size_t node;
    bool is_repeated;
    bool is_decided;
    bool is_skipped;
    clconst__argument *arguments;
    size_t argument_count;
    bool has_open_arguments;
    clconst__slot *slots;
    size_t slot_capacity;
    size_t slot_count;
    /* The tree of frames, so that they can be freed. */
    struct clconst__frame *owner;
    struct clconst__frame *first;
    struct clconst__frame *previous;
    struct clconst__frame *next;
} clconst__frame;

/* Belongs to parent or caller, whichever is not NULL. */
clconst_status clconst__frame_create(clconst__budget *budget,
                                     clconst__frame *parent,
                                     clconst__frame *caller,
                                     size_t graph,
                                     size_t node,
                                     clconst__frame **frame,
                                     clconst_error *error);

/* With all frames in it, and without recursion. Accepts NULL. */
void clconst__frame_destroy(clconst__frame *frame);

/* NULL when there is nothing. */
void *clconst__frame_get(const clconst__frame *frame,
                         clconst__slot_kind kind,
                         size_t index);

/* Puts content, which is not NULL, in place of what was there. What is owned is
 * taken, also on failure. */
clconst_status clconst__frame_set(clconst__frame *frame,
                                  clconst__slot_kind kind,
                                  size_t index,
                                  void *content,
                                  clconst_error *error);

/* The frame of a graph among this frame and those around it, remembered, so
 * that the depth of a file is paid for but once for each. This one if there is
 * none. */
clconst_status clconst__frame_find_home(clconst__frame *frame,
                                        size_t graph,
                                        clconst__frame **home,
                                        clconst_error *error);

#endif
