/*
 * What the command line says of a model's inputs: values, shapes, and numbers
 * for symbols. It does not know which inputs a model has.
 */
#ifndef CLCONST_CLI_BINDINGS_H
#define CLCONST_CLI_BINDINGS_H

#include <clconst/clconst_model.h>

#include "cli/args.h"
#include "cli/input.h"

/* Names and dims are on the heap. Zeroed members are released without harm. */
typedef struct cli_bindings {
    cli_input *inputs;
    size_t input_count;
    clconst_symbol_value *symbols;
    size_t symbol_count;
    clconst_input_shape *shapes;
    size_t shape_count;
} cli_bindings;

/* Reads -i, --dim and --shape. bindings is zeroed, and to be released also
 * after a failure. */
cli_outcome cli_bindings_parse(const cli_args *args,
                               cli_bindings *bindings,
                               clconst_error *error);

/* Makes the resolution of a model with these bindings. */
cli_outcome cli_bindings_resolve(const cli_bindings *bindings,
                                 const clconst_model *model,
                                 clconst_resolution **resolution,
                                 clconst_error *error);

void cli_bindings_release(cli_bindings *bindings);

#endif
