/*
 * Rows of a report in another order, and sums over them. It does not know what
 * the rows tell.
 */
#ifndef CLCONST_CLI_ROWS_H
#define CLCONST_CLI_ROWS_H

#include <jansson.h>

#include "cli/outcome.h"

/*
 * Sorts objects by the value of a key: strings rise, numbers fall, so that the
 * largest comes first, and what has no value comes last. Equal ones keep their
 * order. *sorted is a new array.
 */
cli_outcome cli_rows_sort(const json_t *rows,
                          const char *key,
                          json_t **sorted,
                          clconst_error *error);

/*
 * One row for each value of a key, in the order in which the values appear:
 * {"name", "constants", "bytes"}, where bytes is the sum of the rows' "bytes".
 * *groups is a new array.
 */
cli_outcome cli_rows_group(const json_t *rows,
                           const char *key,
                           json_t **groups,
                           clconst_error *error);

#endif
