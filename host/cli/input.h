/*
 * Values that come from the command line or from files: those of a model's
 * inputs, and tensors in ONNX's test data.
 */
#ifndef CLCONST_CLI_INPUT_H
#define CLCONST_CLI_INPUT_H

#include "cli/outcome.h"

/* view is the value; the other members own what it points to. */
typedef struct cli_input {
    char *name; /* NULL for a value without one */
    clconst_view view;
    int64_t *dims;
    void *bytes;
    clconst_op *op;
} cli_input;

/* Reads NAME=VALUE, where VALUE is a list of integers or @FILE. */
cli_outcome
cli_input_parse(const char *text, cli_input *input, clconst_error *error);

/* Reads a tensor without a name from a .npy or .pb file. */
cli_outcome
cli_input_read(const char *path, cli_input *input, clconst_error *error);

void cli_input_release(cli_input *input);

/* Releases count inputs and their array, which is on the heap. */
void cli_inputs_release(cli_input *inputs, size_t count);

#endif
