/*
 * The folders of ONNX's backend tests below a path. It does not know what is
 * in their files.
 */
#ifndef CLCONST_CLI_CASES_H
#define CLCONST_CLI_CASES_H

#include <stdbool.h>

#include "cli/outcome.h"

/* Paths of folders, zeroed before the first is added. */
typedef struct cli_cases {
    char **folders;
    size_t count;
} cli_cases;

/*
 * Adds the test folders at or below path, sorted: those with a file model.onnx
 * and a folder test_data_set_N. Links below path are not followed. UNMET when
 * there are none.
 */
cli_outcome
cli_cases_find(const char *path, cli_cases *cases, clconst_error *error);

/* Adds the data sets of one test folder. */
cli_outcome cli_cases_find_data_sets(const char *folder,
                                     cli_cases *cases,
                                     clconst_error *error);

void cli_cases_release(cli_cases *cases);

#endif
