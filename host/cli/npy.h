/*
 * NumPy's file format, as numpy/lib/format.py describes it: versions 1 to 3,
 * little-endian, C order. Only dtypes that both NumPy and ONNX have.
 */
#ifndef CLCONST_CLI_NPY_H
#define CLCONST_CLI_NPY_H

#include "cli/outcome.h"

/* The dtype's name in the format, as "<f4"; NULL when NumPy has no such. */
const char *cli_npy_descr(clconst_dtype dtype);

/* What stands before the elements, in a block freed with free. */
cli_outcome cli_npy_make_header(const clconst_view *view,
                                char **header,
                                size_t *size,
                                clconst_error *error);

/*
 * Reads a file's bytes. view->data points into bytes and has exactly the size
 * that dtype and shape need; the dims are a new array, freed with free. path
 * is for messages.
 */
cli_outcome cli_npy_parse(const char *path,
                          const uint8_t *bytes,
                          size_t size,
                          clconst_view *view,
                          int64_t **dims,
                          clconst_error *error);

#endif
