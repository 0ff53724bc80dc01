/* When a group calls its cases. */
#include <math.h>
#include <string.h>

#include "measure.h"

enum { ROUND_COUNT = 3 };

/* The calls of a case, a letter each, and whether it takes its bytes for
 * right. */
typedef struct call_log {
    char calls[64];
    cli_outcome verdict;
} call_log;

static void add_call(const cli_bench_case *bench, char call)
{
    call_log *log = bench->context;
    size_t count = strlen(log->calls);
    ck_assert_uint_lt(count + 1, sizeof(log->calls));
    log->calls[count] = call;
}

static cli_outcome start(cli_bench_case *bench, clconst_error *error)
{
    (void)error;
    add_call(bench, 's');
    return CLI_DONE;
}

static cli_outcome run(cli_bench_case *bench, clconst_error *error)
{
    (void)error;
    add_call(bench, 'r');
    return CLI_DONE;
}

static cli_outcome verify(cli_bench_case *bench, clconst_error *error)
{
    const call_log *log = bench->context;
    add_call(bench, 'v');
    return log->verdict == CLI_DONE
               ? CLI_DONE
               : cli_fail(error, CLCONST_DEVICE_ERROR, "byte 3 is wrong");
}

static void reset(cli_bench_case *bench)
{
    add_call(bench, 'z');
}

static cli_outcome measure(call_log *log,
                           double seconds_left,
                           cli_bench_group *group,
                           clconst_error *error)
{
    const cli_bench_case bench = {
        .path = "made up",
        .fill_count = 1,
        .start = start,
        .run = run,
        .reset = reset,
        .verify = verify,
        .context = log,
    };
    cli_bench_effort effort = {ROUND_COUNT, seconds_left};
    cli_bench_idle idle = {0};
    cli_outcome outcome = cli_bench_group_create(64, true, group, error);
    ck_assert_int_eq(outcome, CLI_DONE);
    outcome = cli_bench_group_add(group, &bench, error);
    ck_assert_int_eq(outcome, CLI_DONE);
    return cli_bench_group_measure(group, &effort, &idle, error);
}

START_TEST(bytes_of_the_last_round_are_verified)
{
    call_log log = {"", CLI_DONE};
    cli_bench_group group;
    ck_assert_done(measure(&log, INFINITY, &group, error));
    /* To warm up, and three rounds. */
    ck_assert_str_eq(log.calls,
                     "srz"
                     "srz"
                     "srz"
                     "srvz");
    ck_assert_uint_eq(group.round_count, ROUND_COUNT);
    for (size_t i = 1; i < ROUND_COUNT; i++) {
        const double *seconds = group.cases[0].seconds;
        ck_assert_double_le(seconds[i - 1], seconds[i]);
    }
    cli_bench_group_release(&group);
}
END_TEST

START_TEST(a_round_without_time_left_is_the_last)
{
    call_log log = {"", CLI_DONE};
    cli_bench_group group;
    ck_assert_done(measure(&log, 0, &group, error));
    ck_assert_str_eq(log.calls,
                     "srz"
                     "srvz");
    ck_assert_uint_eq(group.round_count, 1);
    cli_bench_group_release(&group);
}
END_TEST

START_TEST(wrong_bytes_are_a_failure_that_names_the_path)
{
    call_log log = {"", CLI_UNMET};
    cli_bench_group group;
    clconst_error error = {0, 0, ""};
    ck_assert_int_eq(measure(&log, INFINITY, &group, &error), CLI_UNMET);
    ck_assert_str_eq(error.message, "path made up: byte 3 is wrong");
    ck_assert_str_eq(log.calls + strlen(log.calls) - 4, "srvz");
    cli_bench_group_release(&group);
}
END_TEST

Suite *measure_rounds_suite(void)
{
    Suite *suite = suite_create("measure_rounds");
    TCase *tcase = tcase_create("measure_rounds");
    tcase_add_test(tcase, bytes_of_the_last_round_are_verified);
    tcase_add_test(tcase, a_round_without_time_left_is_the_last);
    tcase_add_test(tcase, wrong_bytes_are_a_failure_that_names_the_path);
    suite_add_tcase(suite, tcase);
    return suite;
}
