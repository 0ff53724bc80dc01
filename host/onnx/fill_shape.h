/*
 * Shapes of fills: a ConstantOfShape's input, read as the dims of its output.
 */
#ifndef CLCONST_ONNX_FILL_SHAPE_H
#define CLCONST_ONNX_FILL_SHAPE_H

#include "onnx/fold/fold.h"
#include "onnx/verdict.h"

/* Judges a ConstantOfShape that has an operator; frame is that of its graph. */
clconst_status clconst__fill_resolve(clconst__fold *fold,
                                     clconst__frame *frame,
                                     const clconst__constant *constant,
                                     clconst__verdict *verdict,
                                     clconst_error *error);

#endif
