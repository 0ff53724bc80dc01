/*
 * The sizes that bench measures: the usual ones or those of the command line,
 * without what no memory holds.
 */
#ifndef CLCONST_CLI_BENCH_SIZES_H
#define CLCONST_CLI_BENCH_SIZES_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/engines.h"
#include "cli/outcome.h"
#include "cli/report.h"

/* Sizes are in this range. */
enum { CLI_BENCH_SIZE_LOG2_MIN = 4, CLI_BENCH_SIZE_LOG2_MAX = 30 };

/* Ascending, each once. */
typedef struct cli_bench_sizes {
    size_t *items;
    size_t count;
} cli_bench_sizes;

/* text is a list, as 16,4096, or NULL for the usual sizes, of which the quick
 * ones are those up to 256 MiB. */
cli_outcome cli_bench_sizes_read(const char *text,
                                 bool is_quick,
                                 cli_bench_sizes *sizes,
                                 clconst_error *error);

/* Leaves out, with a note each, what cli_bench_size_fits finds no memory for.
 * A failure when that is all. */
cli_outcome cli_bench_sizes_fit(cli_bench_sizes *sizes,
                                const cli_engines *engines,
                                cli_report *report,
                                clconst_error *error);

/* Where each width, each offset and fresh memory are measured: the index of the
 * last size up to 256 MiB, or of the first. */
size_t cli_bench_sizes_find_wide(const cli_bench_sizes *sizes);

/* Accepts sizes that are zeroed. */
void cli_bench_sizes_release(cli_bench_sizes *sizes);

/*
 * Whether the device has memory for a destination of so many bytes, and the
 * host for that and for a copy to be checked. Where not, a note and error say
 * why; any other failure is the outcome.
 */
cli_outcome cli_bench_size_fits(const cli_engines *engines,
                                size_t size,
                                bool *fits,
                                cli_report *report,
                                clconst_error *error);

#endif
