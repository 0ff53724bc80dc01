/*
 * What the times of a measured group say: one row for each case that is no
 * limit, beside the limit of as many fills and the driver's own fill. A
 * function of the times alone; it measures nothing.
 */
#ifndef CLCONST_CLI_BENCH_ROWS_H
#define CLCONST_CLI_BENCH_ROWS_H

#include <jansson.h>

#include "cli/bench_group.h"

/*
 * A row is faster than the limit by chance, but when its median is more than a
 * tenth faster, the measurement went wrong: its ratio to the limit is null and
 * its remark says why.
 */
cli_outcome cli_bench_rows_add(const cli_bench_group *group,
                               json_t *rows,
                               clconst_error *error);

#endif
