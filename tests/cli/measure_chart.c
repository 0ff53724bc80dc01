/* What the chart shows of rows that are made up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench_chart.h"
#include "measure.h"

/* A row of warm floats by the CPU engine. */
static json_t *make_row(int bytes, double rate, double limit, bool is_refused)
{
    return json_pack("{ss ss si sb si sf sf so}",
                     "path",
                     "cpu",
                     "dtype",
                     "float",
                     "bytes",
                     bytes,
                     "fresh",
                     false,
                     "offset",
                     0,
                     "gbps",
                     rate,
                     "limit_gbps",
                     limit,
                     "remark",
                     is_refused ? json_string("wrong") : json_null());
}

/* Takes over the rows; the text is freed with free. */
static char *draw(json_t *rows)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(stream);
    ck_assert_done(cli_bench_chart_write(stream, "a device", rows, error));
    json_decref(rows);
    return text;
}

static void assert_holds(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no %s in %s", part, text);
}

/* The plot is 560 wide from 70 on, for 26 powers of two from 16 on, and 340
 * high from 50 on, here for 0.1 to 100 GB/s. */
START_TEST(lines_pass_through_the_results)
{
    char *text = draw(json_pack("[o o o]",
                                make_row(16, 1, 100, false),
                                make_row(256, 50, 100, true),
                                make_row(4096, 10, 100, false)));
    assert_holds(text, "points=\"70.0,276.7 242.3,163.3\"");
    assert_holds(text, "points=\"70.0,50.0 156.2,50.0 242.3,50.0\"");
    free(text);
}
END_TEST

/* Seven decades then. */
START_TEST(axis_holds_slow_and_fast_devices)
{
    char *text = draw(json_pack("[o o]",
                                make_row(16, 0.001, 0.001, false),
                                make_row(4096, 10000, 10000, false)));
    assert_holds(text, "points=\"70.0,390.0 242.3,50.0\"");
    assert_holds(text, ">0.001</text>");
    assert_holds(text, ">10000</text>");
    free(text);
}
END_TEST

Suite *measure_chart_suite(void)
{
    Suite *suite = suite_create("measure_chart");
    TCase *tcase = tcase_create("measure_chart");
    tcase_add_test(tcase, lines_pass_through_the_results);
    tcase_add_test(tcase, axis_holds_slow_and_fast_devices);
    suite_add_tcase(suite, tcase);
    return suite;
}
