#include "cli/content.h"

#include <stdlib.h>

/* Large enough that a device's latency does not count. */
enum { PIECE_SIZE = 4 * 1024 * 1024 };

cli_content cli_content_of(const clconst_tensor *tensor)
{
    cli_content content = {.tensor = tensor};
    clconst_tensor_get_view(tensor, &content.view);
    return content;
}

cli_outcome cli_content_visit(const cli_content *content,
                              cli_piece_function visit,
                              void *context,
                              clconst_error *error)
{
    size_t size = content->view.size;
    if (size == 0) {
        return CLI_DONE;
    }
    if (content->view.data != NULL) {
        return visit(context, content->view.data, size, error);
    }
    void *piece;
    cli_outcome outcome =
        cli_alloc(1, size < PIECE_SIZE ? size : PIECE_SIZE, &piece, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    for (size_t at = 0; at < size && outcome == CLI_DONE;) {
        size_t step = size - at < PIECE_SIZE ? size - at : PIECE_SIZE;
        outcome = cli_outcome_of(clconst_tensor_read(
            content->tensor, content->offset + at, piece, step, error));
        if (outcome == CLI_DONE) {
            outcome = visit(context, piece, step, error);
        }
        at += step;
    }
    free(piece);
    return outcome;
}

cli_outcome cli_content_load(const cli_content *content,
                             clconst_view *view,
                             void **copy,
                             clconst_error *error)
{
    *view = content->view;
    *copy = NULL;
    if (view->data != NULL || view->size == 0) {
        return CLI_DONE;
    }
    void *block;
    cli_outcome outcome = cli_alloc(1, view->size, &block, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    outcome = cli_outcome_of(clconst_tensor_read(
        content->tensor, content->offset, block, view->size, error));
    if (outcome != CLI_DONE) {
        free(block);
        return outcome;
    }
    view->data = block;
    *copy = block;
    return CLI_DONE;
}

size_t cli_content_size(const cli_content *content)
{
    if (content->view.dtype != CLCONST_STRING) {
        return content->view.size;
    }
    const clconst_string *strings = content->view.data;
    size_t size = 0;
    for (size_t i = 0; i < content->view.size / sizeof(*strings); i++) {
        size += strings[i].size;
    }
    return size;
}
