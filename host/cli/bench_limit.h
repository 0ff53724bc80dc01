/*
 * The machine's limit: bare stores of one byte's value. It uses nothing of the
 * library.
 */
#ifndef CLCONST_CLI_BENCH_LIMIT_H
#define CLCONST_CLI_BENCH_LIMIT_H

#include "cli/bench_group.h"

typedef enum cli_bench_stores {
    CLI_BENCH_STORES_STREAMING, /* past the cache, on all processors */
    CLI_BENCH_STORES_NORMAL,    /* on all processors */
    CLI_BENCH_STORES_ALONE,     /* memset on one processor */
} cli_bench_stores;

/* dst is at a multiple of 64; size counts from there. */
void cli_bench_store(uint8_t *dst,
                     size_t size,
                     uint8_t value,
                     cli_bench_stores stores);

/* Adds the cases among which the limit is. sample is for their rows. */
cli_outcome cli_bench_limit_add(cli_bench_group *group,
                                const cli_sample *sample,
                                clconst_error *error);

#endif
