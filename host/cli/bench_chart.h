/*
 * A chart of the benchmark's rows: bandwidth over size, one line for each
 * path and one for the machine's limit, as SVG.
 */
#ifndef CLCONST_CLI_BENCH_CHART_H
#define CLCONST_CLI_BENCH_CHART_H

#include <jansson.h>

#include "cli/outcome.h"

/* Draws the rows of warm fills of float at offset 0. */
cli_outcome cli_bench_chart_write(const char *path,
                                  const char *device,
                                  const json_t *rows,
                                  clconst_error *error);

#endif
