/*
 * Waiting for moments in which nothing else runs on the machine's processors:
 * no other program, and no other machine that shares them.
 */
#ifndef CLCONST_CLI_BENCH_IDLE_H
#define CLCONST_CLI_BENCH_IDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/outcome.h"

typedef struct cli_bench_idle {
    bool is_wanted;         /* without it nothing is waited for or counted */
    double seconds_left;    /* to wait and to measure again, over all calls */
    size_t disturbed_count; /* measurements that ran out of them */
    bool is_disturbed;      /* of the measurement at hand */
    unsigned long long stolen_ticks;
    double begin;
} cli_bench_idle;

/* Seconds to wait; text is NULL when the option is absent. */
cli_outcome cli_bench_idle_read(const char *text,
                                cli_bench_idle *idle,
                                clconst_error *error);

/* Returns when the processors were idle for a while, or when no seconds are
 * left. Where the system does not tell, it does not wait. */
void cli_bench_idle_wait(cli_bench_idle *idle);

/* Before and after a measurement. It is to be repeated when the end is false:
 * a hypervisor has given the processors to others meanwhile. */
void cli_bench_idle_begin(cli_bench_idle *idle);
bool cli_bench_idle_end(cli_bench_idle *idle);

#endif
