/*
 * What the self-test says of a device that does not do what it is asked to do.
 * A device of this test stands in the place of the program's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_paths.h"
#include "cli/command.h"
#include "harness/harness.h"

/* What is wrong, once for each offset. */
typedef enum fault {
    WRONG_BYTE, /* of the output, or of the guards around it */
    REFUSAL,
    WRONG_HOST, /* a byte of the host's clconst_write, not of the device */
} fault;

/* Offsets and sizes are among those of host/cli/check.c, which fills each dtype
 * 84 times. */
typedef struct fault_row {
    fault fault;
    clconst_dtype dtype;
    size_t element_count;
    size_t offset_first;
    size_t offset_last;
    long index; /* of the byte, counted from the output's first */
    size_t failed;
    /* Lines of the page, one space where it has several. */
    const char *line;
    const char *reason;
} fault_row;

static const fault_row rows[] = {
    /* A sample of 4,096 elements is zero. */
    {WRONG_BYTE,
     CLCONST_UINT8,
     4096,
     1,
     1,
     7,
     1,
     "uint8 ok 1 of 84 FAILED",
     "odd, uint8: 4096 elements at offset 1: byte 7 of 4096 is 0xff; it must "
     "be 0x00"},
    {WRONG_BYTE,
     CLCONST_INT16,
     4096,
     0,
     1,
     8191,
     2,
     "int16 ok 2 of 84 FAILED",
     "odd, int16: 4096 elements at offset 0: byte 8191 of 8192 is 0xff; it "
     "must be 0x00"},
    {WRONG_BYTE,
     CLCONST_INT4,
     131,
     2,
     2,
     -1,
     1,
     "int4 ok 1 of 84 FAILED",
     "odd, int4: 131 elements at offset 2: byte -1 of 66 is 0x5a; it must be "
     "0xa5"},
    {WRONG_BYTE,
     CLCONST_INT2,
     131,
     2,
     2,
     33 + 63,
     1,
     "int2 ok 1 of 84 FAILED",
     "odd, int2: 131 elements at offset 2: byte 96 of 33 is 0x5a; it must be "
     "0xa5"},
    {REFUSAL,
     CLCONST_COMPLEX128,
     7,
     0,
     17,
     0,
     18,
     "complex128 ok 18 of 84 FAILED",
     "odd, complex128: 7 elements at offset 0: the device is\\x0aout of order"},
    /* The path "run" is compared with it, too. */
    {WRONG_HOST,
     CLCONST_BOOL,
     4096,
     0,
     1,
     4095,
     2,
     "bool 2 of 84 FAILED 2 of 84 FAILED",
     "run, bool: 4096 elements at offset 0: byte 4095 of 4096 is 0xff on the "
     "host; it must be 0x00"},
};
enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static const char *const class_lines[] = {
    "1 to 7 multiple of 16 ok 2 of 162 FAILED",
    "1 to 7 other even ok 7 of 405 FAILED",
    "1 to 7 odd ok 9 of 540 FAILED",
    "64 to 131 multiple of 16 ok ok",
    "64 to 131 other even ok 2 of 189 FAILED",
    "64 to 131 odd ok ok",
    "4096 and more multiple of 16 1 of 108 FAILED 2 of 108 FAILED",
    "4096 and more other even ok ok",
    "4096 and more odd 1 of 297 FAILED 3 of 297 FAILED",
};

/* A case is a dtype on one of two paths. */
enum { CASE_COUNT = 54, BAD_CASE_COUNT = 7 };

static bool is_faulty;

/* The row that such a fill is for, or NULL. */
static const fault_row *
find_row(clconst_dtype dtype, size_t element_count, size_t offset)
{
    for (size_t i = 0; is_faulty && i < ROW_COUNT; i++) {
        if (rows[i].dtype == dtype && rows[i].element_count == element_count &&
            offset >= rows[i].offset_first && offset <= rows[i].offset_last) {
            return &rows[i];
        }
    }
    return NULL;
}

struct cli_check_device {
    size_t closed_count;
};

static cli_check_device device;

cli_outcome cli_check_device_open(clconst_engine *engine,
                                  cli_check_device **opened,
                                  clconst_error *error)
{
    (void)engine;
    (void)error;
    *opened = &device;
    return CLI_DONE;
}

const char *cli_check_device_path(const cli_check_device *asked, size_t index)
{
    ck_assert_ptr_eq(asked, &device);
    return index == 0 ? "odd" : NULL;
}

cli_outcome cli_check_device_describe(const cli_check_device *asked,
                                      json_t *report,
                                      clconst_error *error)
{
    (void)error;
    ck_assert_ptr_eq(asked, &device);
    json_object_set_new(report, "driver", json_string("of this test"));
    return CLI_DONE;
}

cli_outcome cli_check_device_measure(const cli_check_device *asked,
                                     json_t *speed,
                                     json_t *report,
                                     clconst_error *error)
{
    (void)speed;
    (void)report;
    ck_assert_ptr_eq(asked, &device);
    return cli_fail(error, CLCONST_DEVICE_ERROR, "the clock has stopped");
}

clconst_status __real_clconst_write(const clconst_engine *engine,
                                    const clconst_plan *plan,
                                    void *dst,
                                    size_t size,
                                    clconst_error *error);
clconst_status __wrap_clconst_write(const clconst_engine *engine,
                                    const clconst_plan *plan,
                                    void *dst,
                                    size_t size,
                                    clconst_error *error);

/* What the self-test compares with. It knows no offset. */
clconst_status __wrap_clconst_write(const clconst_engine *engine,
                                    const clconst_plan *plan,
                                    void *dst,
                                    size_t size,
                                    clconst_error *error)
{
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_status status =
        __real_clconst_write(engine, plan, dst, size, error);
    clconst_plan_get_output(plan, &output);
    const fault_row *row =
        find_row(output.dtype, (size_t)output.shape.dims[0], 0);
    if (row != NULL && row->fault == WRONG_HOST) {
        ((uint8_t *)dst)[row->index] ^= 0xff;
    }
    return status;
}

cli_outcome cli_check_device_fill(cli_check_device *asked,
                                  size_t path,
                                  const cli_sample *sample,
                                  size_t offset,
                                  uint8_t *bytes,
                                  clconst_error *error)
{
    ck_assert_ptr_eq(asked, &device);
    ck_assert_uint_eq(path, 0);
    size_t size = cli_sample_size(sample);
    uint8_t *output = bytes + CLI_CHECK_GUARD;
    memset(bytes, CLI_CHECK_POISON, size + 2 * CLI_CHECK_GUARD);
    ck_assert_int_eq(
        __real_clconst_write(NULL, sample->plan, output, size, error),
        CLCONST_OK);
    const fault_row *row =
        find_row(sample->dtype, sample->element_count, offset);
    if (row != NULL && row->fault == REFUSAL) {
        return cli_fail(
            error, CLCONST_DEVICE_ERROR, "the device is\nout of order");
    }
    if (row != NULL && row->fault == WRONG_BYTE) {
        output[row->index] ^= 0xff;
    }
    return CLI_DONE;
}

void cli_check_device_close(cli_check_device *asked)
{
    ck_assert_ptr_eq(asked, &device);
    device.closed_count++;
}

/* The report as a page, with one space where that has several. */
static char *make_page(const json_t *report)
{
    char *page;
    size_t size;
    clconst_error error;
    FILE *stream = open_memstream(&page, &size);
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(cli_command_check.print(report, stream, &error), CLI_DONE);
    ck_assert_int_eq(fclose(stream), 0);
    char *end = page;
    for (const char *c = page; *c != '\0'; c++) {
        if (*c != ' ' || c[1] != ' ') {
            *end++ = *c;
        }
    }
    *end = '\0';
    return page;
}

static void assert_line(const char *page, const char *line)
{
    char whole[256];
    snprintf(whole, sizeof(whole), "\n%s\n", line);
    ck_assert_msg(strstr(page, whole) != NULL,
                  "there is no line \"%s\" in this page:\n%s",
                  line,
                  page);
}

/* Runs the subcommand on the device of this test. */
static cli_outcome check(json_t **report, clconst_error *error)
{
    const cli_args args = {.device = "cpu"};
    cli_report made;
    device.closed_count = 0;
    ck_assert_int_eq(cli_report_init(&made, error), CLI_DONE);
    cli_outcome outcome = cli_command_check.run(&args, &made, error);
    ck_assert_uint_eq(device.closed_count, 1);
    *report = json_incref(made.json);
    cli_report_release(&made);
    return outcome;
}

static size_t get_count(const json_t *object, const char *key)
{
    return (size_t)json_integer_value(json_object_get(object, key));
}

static void assert_case(const json_t *found)
{
    const char *dtype = json_string_value(json_object_get(found, "dtype"));
    const char *path = json_string_value(json_object_get(found, "path"));
    size_t failed = 0;
    for (size_t i = 0; is_faulty && i < ROW_COUNT; i++) {
        if (strcmp(clconst_dtype_name(rows[i].dtype), dtype) == 0 &&
            (rows[i].fault == WRONG_HOST || strcmp(path, "odd") == 0)) {
            failed = rows[i].failed;
        }
    }
    ck_assert_msg(
        get_count(found, "failed") == failed &&
            get_count(found, "passed") == 84 - failed &&
            json_is_true(json_object_get(found, "ok")) == (failed == 0) &&
            json_is_null(json_object_get(found, "reason")) == (failed == 0),
        "%s, %s",
        path,
        dtype);
}

static void assert_report(const json_t *report, size_t bad_count)
{
    const json_t *cases = json_object_get(report, "cases");
    ck_assert_uint_eq(get_count(report, "failed"), bad_count);
    ck_assert_uint_eq(get_count(report, "passed"), CASE_COUNT - bad_count);
    ck_assert_uint_eq(json_array_size(cases), CASE_COUNT);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        assert_case(json_array_get(cases, i));
    }
}

START_TEST(check_tells_what_a_device_does_wrong)
{
    json_t *report;
    clconst_error error = {0};
    is_faulty = true;
    /* The exit status. */
    ck_assert_int_eq((int)check(&report, &error), 1);
    ck_assert_int_eq(error.status, CLCONST_DEVICE_ERROR);
    ck_assert_str_eq(error.message, "7 of 54 cases failed");
    assert_report(report, BAD_CASE_COUNT);
    char *page = make_page(report);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        assert_line(page, rows[i].line);
        assert_line(page, rows[i].reason);
    }
    for (size_t i = 0; i < sizeof(class_lines) / sizeof(class_lines[0]); i++) {
        assert_line(page, class_lines[i]);
    }
    assert_line(page, "float ok ok");
    assert_line(page, "47 passed, 7 failed");
    free(page);
    json_decref(report);
}
END_TEST

START_TEST(check_is_done_on_a_device_that_cannot_be_measured)
{
    json_t *report;
    clconst_error error = {0};
    is_faulty = false;
    ck_assert_int_eq((int)check(&report, &error), 0);
    assert_report(report, 0);
    char *page = make_page(report);
    assert_line(page, "driver of this test");
    assert_line(page, "not measured the clock has stopped");
    assert_line(page, "54 passed, 0 failed");
    ck_assert_ptr_null(strstr(page, "FAILED"));
    ck_assert_ptr_null(strstr(page, "would deserve"));
    free(page);
    json_decref(report);
}
END_TEST

/* A device whose own fill is the fastest at each size, or up to one. */
static const struct {
    const char *value;
    const char *line;
} limit_rows[] = {
    {"null", " .driver_size_max = SIZE_MAX,"},
    {"4096", " .driver_size_max = 4096,"},
};

START_TEST(page_has_the_row_that_the_device_deserves)
{
    char text[512];
    snprintf(text,
             sizeof(text),
             "{\"platform\": \"a platform\", \"type\": \"gpu\", \"row\": {"
             "\"pattern_sizes\": [4, 16], \"driver_size_max\": %s, "
             "\"access\": \"COALESCED\", \"expand_size\": 128, "
             "\"has_fast_tables\": true, \"prefers_native\": false, "
             "\"prefers_host_memory\": false}}",
             limit_rows[_i].value);
    json_t *report = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(report);
    char *page = make_page(report);
    static const char *const lines[] = {
        " .platform = \"a platform\",",
        " .type = \"gpu\",",
        " .pattern_sizes = {4, 16},",
        " .access = CLCONST__ACCESS_COALESCED,",
        " .expand_size = 128,",
        " .has_fast_tables = true,",
        " .prefers_native = false,",
        " .prefers_host_memory = false,",
    };
    assert_line(page, limit_rows[_i].line);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        assert_line(page, lines[i]);
    }
    free(page);
    json_decref(report);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check");
    TCase *tcase = tcase_create("check");
    tcase_add_test(tcase, check_tells_what_a_device_does_wrong);
    tcase_add_test(tcase, check_is_done_on_a_device_that_cannot_be_measured);
    tcase_add_loop_test(tcase,
                        page_has_the_row_that_the_device_deserves,
                        0,
                        sizeof(limit_rows) / sizeof(limit_rows[0]));
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
