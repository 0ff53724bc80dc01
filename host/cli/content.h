/*
 * The bytes of a tensor, wherever they are: in host memory, or in a range of a
 * tensor on a device, from where they are read in pieces.
 */
#ifndef CLCONST_CLI_CONTENT_H
#define CLCONST_CLI_CONTENT_H

#include "cli/outcome.h"

/*
 * view.data is NULL for bytes on a device: they begin at byte offset of
 * tensor. All is borrowed.
 */
typedef struct cli_content {
    clconst_view view;
    const clconst_tensor *tensor;
    size_t offset;
} cli_content;

/* Takes one piece; the bytes are valid during the call only. */
typedef cli_outcome (*cli_piece_function)(void *context,
                                          const void *bytes,
                                          size_t size,
                                          clconst_error *error);

/* A whole tensor. */
cli_content cli_content_of(const clconst_tensor *tensor);

/* Hands all bytes to visit, in order. Not for strings. */
cli_outcome cli_content_visit(const cli_content *content,
                              cli_piece_function visit,
                              void *context,
                              clconst_error *error);

/*
 * A view of the content in host memory. *copy receives what holds bytes that
 * came from a device, to be freed after the view's last use, or NULL.
 */
cli_outcome cli_content_load(const cli_content *content,
                             clconst_view *view,
                             void **copy,
                             clconst_error *error);

/* Bytes of the elements; of strings, the sum of their sizes. */
size_t cli_content_size(const cli_content *content);

#endif
