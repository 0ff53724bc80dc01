/*
 * The self-test's report as a page of text, to be pasted into a bug report.
 */
#ifndef CLCONST_CLI_CHECK_PAGE_H
#define CLCONST_CLI_CHECK_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "cli/outcome.h"

cli_outcome
cli_check_page_print(const json_t *report, FILE *stream, clconst_error *error);

#endif
