/*
 * One thread on each processor that this process may use, waiting in a loop
 * for work, so that no measured time holds a thread's start. Only the program
 * measures with it: a library that kept processors busy would be no guest.
 */
#ifndef CLCONST_CLI_BENCH_TEAM_H
#define CLCONST_CLI_BENCH_TEAM_H

#include <stddef.h>

#include "cli/outcome.h"

typedef struct cli_bench_team cli_bench_team;

/* What the thread of this index does, of count. */
typedef void (*cli_bench_work)(void *context, size_t index, size_t count);

/* Returns when all threads are running. The caller is the thread of index 0,
 * and stays on its processor until the team is stopped. A thread that cannot
 * be started is missing from the count. */
cli_outcome cli_bench_team_start(cli_bench_team **team, clconst_error *error);

/* Returns when all threads have done their work. */
void cli_bench_team_run(cli_bench_team *team,
                        cli_bench_work work,
                        void *context);

/* NULL does nothing. */
void cli_bench_team_stop(cli_bench_team *team);

#endif
