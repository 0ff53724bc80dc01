/*
 * Counts of the self-test's cases by classes of sizes and offsets, so that a
 * fault at some of them shows as such.
 */
#ifndef CLCONST_CLI_CHECK_TALLY_H
#define CLCONST_CLI_CHECK_TALLY_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/outcome.h"

enum { CLI_TALLY_SIZE_COUNT = 3, CLI_TALLY_OFFSET_COUNT = 3 };

/* Zeroed to begin with. The last index is 0 for passed, 1 for failed. */
typedef struct cli_check_tally {
    size_t counts[CLI_TALLY_SIZE_COUNT][CLI_TALLY_OFFSET_COUNT][2];
} cli_check_tally;

void cli_check_tally_add(cli_check_tally *tally,
                         size_t element_count,
                         size_t offset,
                         bool is_bad);

/* Adds a row {"path", "elements", "offset", "passed", "failed"} per class. */
cli_outcome cli_check_tally_report(const cli_check_tally *tally,
                                   const char *path,
                                   json_t *rows,
                                   clconst_error *error);

#endif
