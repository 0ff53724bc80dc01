/*
 * A model, opened and resolved as the command line says.
 */
#ifndef CLCONST_CLI_MODEL_H
#define CLCONST_CLI_MODEL_H

#include "cli/bindings.h"
#include "cli/engines.h"
#include "cli/report.h"

/* Zeroed members are released without harm. */
typedef struct cli_model {
    clconst_model *model;
    clconst_model_info info;
    clconst_resolution *resolution;
} cli_model;

/* Opens a file; there is no resolution yet. */
cli_outcome cli_model_open(const char *path,
                           const cli_args *args,
                           cli_report *report,
                           cli_model *model,
                           clconst_error *error);

/* Makes the resolution with these bindings, in place of any earlier one. */
cli_outcome cli_model_bind(cli_model *model,
                           const cli_bindings *bindings,
                           clconst_error *error);

/* Opens the operand and binds what the options say. */
cli_outcome cli_model_open_operand(const cli_args *args,
                                   cli_report *report,
                                   cli_model *model,
                                   clconst_error *error);

void cli_model_release(cli_model *model);

/* A constant, and what became of it. */
typedef struct cli_constant {
    size_t number;
    clconst_constant written;
    clconst_resolved resolved;
} cli_constant;

cli_outcome cli_model_get_constant(const cli_model *model,
                                   size_t number,
                                   cli_constant *constant,
                                   clconst_error *error);

/*
 * The members of `list` for one constant. size is that of the bytes, and is
 * not used unless the constant is resolved.
 */
cli_outcome cli_constant_describe(const cli_constant *constant,
                                  size_t size,
                                  json_t **row,
                                  clconst_error *error);

/* An output of the main graph, computed. UNSUPPORTED when its value is not
 * known, INVALID_MODEL when it cannot be right; the message is the reason. */
cli_outcome cli_model_run_output(const cli_model *model,
                                 const cli_engines *engines,
                                 size_t index,
                                 clconst_tensor **tensor,
                                 clconst_error *error);

#endif
