/*
 * The mapping: a file's bytes as storage. It knows nothing of what is in the
 * file.
 */
#ifndef CLCONST_ONNX_MAPPING_H
#define CLCONST_ONNX_MAPPING_H

#include "base/storage.h"
#include "onnx/span.h"

/* Maps a whole regular file to read. IO_ERROR; INVALID_MODEL when empty. */
clconst_status clconst__mapping_open(const char *path,
                                     clconst__storage **storage,
                                     clconst__span *bytes,
                                     clconst_error *error);

#endif
