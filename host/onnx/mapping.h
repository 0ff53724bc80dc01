/*
 * The mapping: a file's bytes as storage, mapped or copied. It knows nothing
 * of what is in the file.
 */
#ifndef CLCONST_ONNX_MAPPING_H
#define CLCONST_ONNX_MAPPING_H

#include <stdbool.h>

#include "base/storage.h"
#include "onnx/span.h"

/*
 * Maps a whole regular file to read, or copies it to the heap; an empty one has
 * no bytes. The descriptor stays the caller's. subject begins the message of an
 * IO_ERROR. OUT_OF_MEMORY.
 */
clconst_status clconst__mapping_create(int descriptor,
                                       const char *subject,
                                       bool is_copy,
                                       clconst__storage **storage,
                                       clconst__span *bytes,
                                       clconst_error *error);

/* IO_ERROR with this errno: the subject, what is the matter, and why. */
clconst_status clconst__mapping_fail(const char *subject,
                                     const char *what,
                                     int code,
                                     clconst_error *error);

/* The same for a model's path. INVALID_MODEL when empty. */
clconst_status clconst__mapping_open(const char *path,
                                     bool is_copy,
                                     clconst__storage **storage,
                                     clconst__span *bytes,
                                     clconst_error *error);

#endif
