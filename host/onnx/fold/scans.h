/*
 * Scans: the Scan operator from opset 9 on, of which dims are told.
 */
#ifndef CLCONST_ONNX_FOLD_SCANS_H
#define CLCONST_ONNX_FOLD_SCANS_H

#include "onnx/fold/turns.h"

/* One step of the node's task. */
clconst_status clconst__scans_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error);

/* The body's inputs that are slices of the node's, as in any turn. */
clconst_status clconst__scans_take_apart(clconst__fold *fold,
                                         clconst__frame *frame,
                                         size_t node,
                                         const clconst__layout *layout,
                                         const clconst__fact *const *given,
                                         clconst__cause why,
                                         clconst__fact **inputs,
                                         clconst_error *error);

/*
 * Tells the outputs of a Loop or Scan whose turns are not run, from what holds
 * in any of its turns. length is how many there are.
 */
clconst_status clconst__scans_tell(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   const clconst__layout *layout,
                                   clconst__cell length,
                                   clconst_error *error);

#endif
