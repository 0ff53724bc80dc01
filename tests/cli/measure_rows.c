/* What bench says of times that are made up. */
#include <math.h>
#include <stdbool.h>

#include "cli/bench_rows.h"
#include "measure.h"

enum { SIZE = 96, ROUND_COUNT = 3, CASE_MAX = 8 };

/* A case of so many bytes, with three times in ascending order: seconds of one
 * fill. */
typedef struct timed_case {
    cli_bench_role role;
    clconst_dtype dtype;
    size_t size;
    size_t fill_count;
    bool has_no_limit;
    double seconds[ROUND_COUNT];
} timed_case;

typedef struct judged {
    cli_sample samples[CASE_MAX];
    cli_bench_case cases[CASE_MAX];
    json_t *rows;
} judged;

/* The rows of these cases. */
static void judge(const timed_case *cases, size_t count, judged *j)
{
    cli_bench_group group = {
        .size = SIZE,
        .cases = j->cases,
        .case_count = count,
        .round_count = ROUND_COUNT,
    };
    for (size_t i = 0; i < count; i++) {
        ck_assert_done(cli_sample_create_of_size(
            cases[i].dtype, cases[i].size, false, &j->samples[i], error));
        j->cases[i] = (cli_bench_case){
            .path = "path",
            .role = cases[i].role,
            .sample = &j->samples[i],
            .fill_count = cases[i].fill_count,
            .has_no_limit = cases[i].has_no_limit,
            .group = &group,
            .seconds = (double *)cases[i].seconds,
        };
    }
    j->rows = json_array();
    ck_assert_done(cli_bench_rows_add(&group, j->rows, error));
}

static void release(judged *j, size_t count)
{
    json_decref(j->rows);
    for (size_t i = 0; i < count; i++) {
        cli_sample_release(&j->samples[i]);
    }
}

/* NaN stands for null. */
static void
assert_number(const judged *j, size_t row, const char *key, double expected)
{
    const json_t *value = json_object_get(json_array_get(j->rows, row), key);
    ck_assert_msg(value != NULL, "row %zu has no %s", row, key);
    if (isnan(expected)) {
        ck_assert_msg(
            json_is_null(value), "%s of row %zu is no null", key, row);
        return;
    }
    double actual = json_number_value(value);
    ck_assert_msg(json_is_number(value) &&
                      fabs(actual - expected) <= 1e-9 * fabs(expected),
                  "%s of row %zu is %g; expected %g",
                  key,
                  row,
                  actual,
                  expected);
}

static bool has_remark(const judged *j, size_t row)
{
    return json_is_string(
        json_object_get(json_array_get(j->rows, row), "remark"));
}

typedef struct refusal_row {
    double seconds[ROUND_COUNT];
    double ratio; /* NaN: refused */
} refusal_row;

static const refusal_row refusal_rows[] = {
    {{200, 220, 300}, 0.5},
    {{110, 110, 110}, 1.0},
    {{100.1, 100.1, 100.1}, 110 / 100.1},
    {{99.9, 99.9, 99.9}, NAN},
    {{10, 50, 60}, NAN},
    /* It is the median that counts. */
    {{1, 110, 120}, 1.0},
    {{1, 2, 500}, NAN},
};

START_TEST(medians_more_than_a_tenth_above_the_limit_are_refused)
{
    const refusal_row *row = &refusal_rows[_i];
    timed_case cases[] = {
        {CLI_BENCH_LIMIT, CLCONST_UINT8, SIZE, 1, false, {100, 110, 120}},
        {CLI_BENCH_FILL, CLCONST_UINT8, SIZE, 1, false, {0}},
    };
    for (size_t i = 0; i < ROUND_COUNT; i++) {
        cases[1].seconds[i] = row->seconds[i];
    }
    judged j;
    judge(cases, 2, &j);
    ck_assert_uint_eq(json_array_size(j.rows), 1);
    assert_number(&j, 0, "ratio_to_limit", row->ratio);
    assert_number(&j, 0, "limit_gbps", SIZE * 1e-9 / 110);
    assert_number(&j, 0, "microseconds", row->seconds[1] * 1e6);
    assert_number(&j, 0, "microseconds_min", row->seconds[0] * 1e6);
    assert_number(&j, 0, "microseconds_max", row->seconds[2] * 1e6);
    assert_number(&j, 0, "least_ratio_to_limit", 100 / row->seconds[0]);
    ck_assert_int_eq(has_remark(&j, 0), isnan(row->ratio));
    release(&j, 2);
}
END_TEST

START_TEST(limit_is_the_best_of_as_many_fills)
{
    static const timed_case cases[] = {
        {CLI_BENCH_LIMIT, CLCONST_UINT8, SIZE, 1, false, {5, 30, 99}},
        {CLI_BENCH_LIMIT, CLCONST_UINT8, SIZE, 1, false, {19, 20, 21}},
        {CLI_BENCH_LIMIT, CLCONST_UINT8, SIZE, 8, false, {10, 10, 10}},
        {CLI_BENCH_FILL, CLCONST_UINT8, SIZE, 1, false, {25, 40, 50}},
        {CLI_BENCH_FILL, CLCONST_UINT8, SIZE, 8, false, {25, 40, 50}},
        {CLI_BENCH_FILL, CLCONST_UINT8, SIZE, 2, false, {25, 40, 50}},
        {CLI_BENCH_FILL, CLCONST_UINT8, SIZE, 1, true, {1, 1, 1}},
    };
    static const double ratios[] = {0.5, 0.25, NAN, NAN};
    static const double least_ratios[] = {0.2, 0.4, NAN, NAN};
    judged j;
    judge(cases, 7, &j);
    ck_assert_uint_eq(json_array_size(j.rows), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_number(&j, i, "ratio_to_limit", ratios[i]);
        assert_number(&j, i, "least_ratio_to_limit", least_ratios[i]);
        ck_assert(!has_remark(&j, i));
    }
    assert_number(&j, 2, "limit_gbps", NAN);
    assert_number(&j, 3, "limit_gbps", NAN);
    release(&j, 7);
}
END_TEST

START_TEST(driver_is_that_of_the_same_dtype)
{
    static const timed_case cases[] = {
        {CLI_BENCH_DRIVER, CLCONST_UINT8, SIZE, 1, false, {60, 80, 90}},
        {CLI_BENCH_DRIVER, CLCONST_FLOAT, SIZE, 1, false, {10, 12, 15}},
        {CLI_BENCH_FILL, CLCONST_UINT8, SIZE, 1, false, {20, 40, 50}},
        {CLI_BENCH_FILL, CLCONST_FLOAT, SIZE, 8, false, {20, 24, 50}},
        {CLI_BENCH_FILL, CLCONST_FLOAT6E2M3, SIZE, 1, false, {20, 24, 50}},
    };
    static const double ratios[] = {1, 1, 2, 0.5, NAN};
    judged j;
    judge(cases, 5, &j);
    ck_assert_uint_eq(json_array_size(j.rows), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_number(&j, i, "ratio_to_driver", ratios[i]);
    }
    release(&j, 5);
}
END_TEST

START_TEST(rates_are_of_the_bytes_that_are_filled)
{
    static const timed_case cases[] = {
        {CLI_BENCH_LIMIT, CLCONST_UINT8, SIZE, 1, false, {2, 2, 2}},
        {CLI_BENCH_FILL, CLCONST_COMPLEX128, 80, 1, false, {2, 4, 6}},
    };
    judged j;
    judge(cases, 2, &j);
    assert_number(&j, 0, "bytes", 80);
    assert_number(&j, 0, "gbps", 80e-9 / 4);
    assert_number(&j, 0, "limit_gbps", SIZE * 1e-9 / 2);
    assert_number(&j, 0, "ratio_to_limit", 80.0 / SIZE / 2);
    release(&j, 2);
}
END_TEST

Suite *measure_rows_suite(void)
{
    Suite *suite = suite_create("measure_rows");
    TCase *tcase = tcase_create("measure_rows");
    tcase_add_loop_test(tcase,
                        medians_more_than_a_tenth_above_the_limit_are_refused,
                        0,
                        sizeof(refusal_rows) / sizeof(refusal_rows[0]));
    tcase_add_test(tcase, limit_is_the_best_of_as_many_fills);
    tcase_add_test(tcase, driver_is_that_of_the_same_dtype);
    tcase_add_test(tcase, rates_are_of_the_bytes_that_are_filled);
    suite_add_tcase(suite, tcase);
    return suite;
}
