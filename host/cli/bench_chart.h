/*
 * A chart of the benchmark's rows: bandwidth over size, one line for each
 * path and one for the machine's limit, as SVG.
 */
#ifndef CLCONST_CLI_BENCH_CHART_H
#define CLCONST_CLI_BENCH_CHART_H

#include <jansson.h>
#include <stdio.h>

#include "cli/outcome.h"

/* Before the measurement, so that a path that cannot be written fails at once.
 */
cli_outcome
cli_bench_chart_open(const char *path, FILE **stream, clconst_error *error);

/* Draws the rows of warm fills of float at offset 0, and closes the stream. */
cli_outcome cli_bench_chart_write(FILE *stream,
                                  const char *device,
                                  const json_t *rows,
                                  clconst_error *error);

#endif
