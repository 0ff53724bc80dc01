/*
 * The machine's limit: bare stores of one byte's value by threads that already
 * run, one on each processor. It uses nothing of the library.
 */
#ifndef CLCONST_CLI_BENCH_LIMIT_H
#define CLCONST_CLI_BENCH_LIMIT_H

#include "cli/bench_group.h"

/* Writes value past the caches. dst is at a multiple of 64. */
cli_outcome cli_bench_poison(uint8_t *dst,
                             size_t size,
                             uint8_t value,
                             clconst_error *error);

/* Adds the cases among which the limit of so many fills in one call is. sample
 * is for their rows. */
cli_outcome cli_bench_limit_add(cli_bench_group *group,
                                const cli_sample *sample,
                                size_t fill_count,
                                clconst_error *error);

#endif
