/*
 * Opset imports: which version of the default domain a model or a function
 * asks for.
 */
#ifndef CLCONST_ONNX_IMPORTS_H
#define CLCONST_ONNX_IMPORTS_H

#include "onnx/message.h"

/*
 * Sets *opset to the version of the default domain, or to 0 when it is not
 * imported. INVALID_MODEL for a version below 1 and for two that differ.
 */
clconst_status clconst__imports_read(const clconst__spans *imports,
                                     int64_t *opset,
                                     clconst_error *error);

#endif
