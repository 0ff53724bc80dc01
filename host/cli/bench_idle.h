/*
 * Waiting for moments in which nothing else runs on the machine's processors.
 */
#ifndef CLCONST_CLI_BENCH_IDLE_H
#define CLCONST_CLI_BENCH_IDLE_H

#include <stddef.h>

typedef struct cli_bench_idle {
    double seconds_left;    /* to wait, over all calls */
    size_t disturbed_count; /* calls that ran out of them */
} cli_bench_idle;

/* Returns when the processors were idle for a while, or when no seconds are
 * left. Where the system does not tell, it does not wait. */
void cli_bench_idle_wait(cli_bench_idle *idle);

#endif
