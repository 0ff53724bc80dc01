/*
 * Tensors as the reports of `fill` and `run` show them.
 */
#ifndef CLCONST_CLI_OUTPUT_H
#define CLCONST_CLI_OUTPUT_H

#include "cli/engines.h"

/* Adds the row of one tensor to an array of rows. file may be NULL. */
cli_outcome cli_output_add(json_t *rows,
                           clconst_string name,
                           const cli_content *content,
                           const char *file,
                           clconst_error *error);

/* Makes the report; takes over rows. */
cli_outcome cli_output_report(const cli_engines *engines,
                              json_t *rows,
                              cli_report *report,
                              clconst_error *error);

/* Prints that report as text. */
cli_outcome
cli_output_print(const json_t *report, FILE *stream, clconst_error *error);

#endif
