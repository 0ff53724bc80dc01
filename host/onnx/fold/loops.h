/*
 * Loops: the Loop operator, whose turns are run one by one when it is known how
 * many there are.
 */
#ifndef CLCONST_ONNX_FOLD_LOOPS_H
#define CLCONST_ONNX_FOLD_LOOPS_H

#include "onnx/fold/turns.h"

/* One step of the node's task. */
clconst_status clconst__loops_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error);

/* Makes a complaint about the node, INVALID_MODEL, the cause of its outputs,
 * and hands any other failure on. */
clconst_status clconst__loops_refuse(clconst__fold *fold,
                                     clconst__frame *frame,
                                     size_t node,
                                     clconst_status status,
                                     const clconst_error *complaint,
                                     clconst_error *error);

#endif
