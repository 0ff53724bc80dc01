/*
 * What the suites share that are about the parts of bench. None asserts a time
 * that was measured.
 */
#ifndef CLCONST_TESTS_CLI_MEASURE_H
#define CLCONST_TESTS_CLI_MEASURE_H

#include "cli/bench_fill.h"
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

/* Bytes of the groups under test: no multiple of a line. */
enum { MEASURE_SIZE = 4000 };

/* Batches of ten tensors of 64 bytes, which lie side by side. */
void measure_create_batch(cli_bench_batch *batch, const clconst_engine *engine);

/* Runs each case and checks that it finds no byte that it wrote changed, and
 * each that flip changes: the one of this index among those. */
void measure_assert_verified(cli_bench_group *group,
                             void (*flip)(const cli_bench_case *bench,
                                          size_t index));

/* Changes a byte that the case wrote to host memory. */
void measure_flip_on_host(const cli_bench_case *bench, size_t index);

Suite *measure_cases_suite(void);
Suite *measure_chart_suite(void);
Suite *measure_rounds_suite(void);
Suite *measure_rows_suite(void);
Suite *measure_opencl_suite(void);

#endif
