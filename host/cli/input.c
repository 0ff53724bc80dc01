#include "cli/input.h"

#include <stdlib.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "cli/file.h"
#include "cli/npy.h"
#include "cli/shape.h"

/* An int64 tensor of rank 1, whose elements are the numbers of a list. */
static cli_outcome
parse_list(const char *text, cli_input *input, clconst_error *error)
{
    int64_t *numbers;
    size_t count;
    cli_outcome outcome =
        cli_shape_parse(text, "element", &numbers, &count, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    input->bytes = numbers;
    outcome = cli_alloc(1, sizeof(*input->dims), &input->dims, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    input->dims[0] = (int64_t)count;
    input->view.dtype = CLCONST_INT64;
    input->view.shape = (clconst_shape){input->dims, 1};
    input->view.data = numbers;
    input->view.size = count * sizeof(*numbers);
    return CLI_DONE;
}

static cli_outcome
parse_npy(const char *path, size_t size, cli_input *input, clconst_error *error)
{
    cli_outcome outcome = cli_npy_parse(
        path, input->bytes, size, &input->view, &input->dims, error);
    if (outcome == CLI_DONE) {
        /* The block's start is aligned for every dtype. */
        memmove(input->bytes, input->view.data, input->view.size);
        input->view.data = input->bytes;
    }
    return outcome;
}

static cli_outcome
parse_pb(const char *path, size_t size, cli_input *input, clconst_error *error)
{
    cli_outcome outcome = cli_outcome_of(
        clconst_op_decode_tensor(input->bytes, size, NULL, &input->op, error));
    if (outcome == CLI_DONE) {
        clconst_op_get_value(input->op, &input->view);
    }
    return cli_explain(outcome, error, "file %s", path);
}

typedef struct reader_row {
    const char *extension;
    cli_outcome (*parse)(const char *path,
                         size_t size,
                         cli_input *input,
                         clconst_error *error);
} reader_row;

static const reader_row readers[] = {
    {".npy", parse_npy},
    {".pb", parse_pb},
};

static cli_outcome
read_file(const char *path, cli_input *input, clconst_error *error)
{
    size_t reader_count = sizeof(readers) / sizeof(readers[0]);
    for (size_t i = 0; i < reader_count; i++) {
        if (cli_file_has_extension(path, readers[i].extension)) {
            uint8_t *bytes;
            size_t size;
            cli_outcome outcome = cli_file_read(path, &bytes, &size, error);
            if (outcome != CLI_DONE) {
                return outcome;
            }
            input->bytes = bytes;
            return readers[i].parse(path, size, input, error);
        }
    }
    return cli_fail_usage(
        error, "file is \"%s\"; its extension must be .npy or .pb", path);
}

cli_outcome
cli_input_parse(const char *text, cli_input *input, clconst_error *error)
{
    memset(input, 0, sizeof(*input));
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return cli_fail_usage(
            error, "input is \"%s\"; it must be NAME=VALUE", text);
    }
    size_t name_size = (size_t)(equals - text);
    cli_outcome outcome = cli_alloc(1, name_size + 1, &input->name, error);
    if (outcome == CLI_DONE) {
        memcpy(input->name, text, name_size);
        outcome = equals[1] == '@' ? read_file(equals + 2, input, error)
                                   : parse_list(equals + 1, input, error);
    }
    if (outcome != CLI_DONE) {
        cli_explain(outcome, error, "input %.*s", (int)name_size, text);
        cli_input_release(input);
    }
    return outcome;
}

cli_outcome
cli_input_read(const char *path, cli_input *input, clconst_error *error)
{
    memset(input, 0, sizeof(*input));
    cli_outcome outcome = read_file(path, input, error);
    if (outcome != CLI_DONE) {
        cli_input_release(input);
    }
    return outcome;
}

void cli_input_release(cli_input *input)
{
    clconst_op_destroy(input->op);
    free(input->bytes);
    free(input->dims);
    free(input->name);
    memset(input, 0, sizeof(*input));
}

void cli_inputs_release(cli_input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cli_input_release(&inputs[i]);
    }
    free(inputs);
}
