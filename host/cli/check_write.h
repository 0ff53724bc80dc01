/*
 * The speed of the CPU engine, as the self-test reports it.
 */
#ifndef CLCONST_CLI_CHECK_WRITE_H
#define CLCONST_CLI_CHECK_WRITE_H

#include <jansson.h>

#include "cli/outcome.h"

/* Adds rows of clconst_write with a CPU engine, as cli_speed_add does. */
cli_outcome cli_check_measure_write(const clconst_engine *host,
                                    json_t *speed,
                                    clconst_error *error);

#endif
