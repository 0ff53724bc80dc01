/*
 * The suites about what bench is made of; none asserts a time that was
 * measured.
 */
#ifndef CLCONST_TESTS_CLI_MEASURE_H
#define CLCONST_TESTS_CLI_MEASURE_H

#include "cli/outcome.h"
#include "harness/harness.h"

/* Fails unless the call, which names its last argument `error`, is done. */
#define ck_assert_done(call)                                                   \
    do {                                                                       \
        clconst_error done_error = {0, 0, ""};                                 \
        clconst_error *error = &done_error;                                    \
        cli_outcome done_outcome = (call);                                     \
        ck_assert_msg(done_outcome == CLI_DONE,                                \
                      "%s: outcome %d: %s",                                    \
                      #call,                                                   \
                      (int)done_outcome,                                       \
                      done_error.message);                                     \
    } while (0)

Suite *measure_rows_suite(void);

#endif
