/*
 * How long a piece of work takes, as the self-test reports it: a look at a
 * device, not a measurement to compare releases with, which `bench` makes.
 */
#ifndef CLCONST_CLI_CHECK_SPEED_H
#define CLCONST_CLI_CHECK_SPEED_H

#include <jansson.h>

#include "cli/outcome.h"

/* Bytes of the fills that are measured, ascending. */
enum { CLI_SPEED_SIZE_COUNT = 5, CLI_SPEED_SIZE_MAX = 16 << 20 };
extern const size_t cli_speed_sizes[CLI_SPEED_SIZE_COUNT];

typedef cli_outcome (*cli_speed_work)(void *context, clconst_error *error);

/* The least seconds of some calls, after one that is not counted. */
cli_outcome cli_speed_measure(cli_speed_work work,
                              void *context,
                              double *seconds,
                              clconst_error *error);

/* Adds a row {"path", "bytes", "gbps"}. */
cli_outcome cli_speed_add(json_t *rows,
                          const char *path,
                          size_t size,
                          double seconds,
                          clconst_error *error);

#endif
