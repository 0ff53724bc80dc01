#include "cli/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"
#include "harness/plans.h"

/* More than one piece, and no multiple of one. */
enum { SIZE = 5 * 1024 * 1024 + 3 };

typedef struct verify_row {
    const char *name;
    size_t size;
    size_t changed; /* index of the byte that differs; size: none does */
    size_t offset;  /* of the content in its tensor */
} verify_row;

static const verify_row rows[] = {
    {"empty", 0, 0, 0},
    {"one byte", 1, 1, 0},
    {"one byte, changed", 1, 0, 0},
    {"many", SIZE, SIZE, 0},
    {"first byte", SIZE, 0, 0},
    {"last byte", SIZE, SIZE - 1, 0},
    {"last byte of the first piece", SIZE, 4 * 1024 * 1024 - 1, 0},
    {"first byte of the second piece", SIZE, 4 * 1024 * 1024, 0},
    {"behind other bytes", 100, 100, 64},
    {"behind other bytes, changed", 100, 50, 64},
};

static clconst_plan *plan_of(const uint8_t *bytes, size_t size)
{
    return harness_copy_plan(CLCONST_UINT8, bytes, (int64_t)size);
}

static void check(const verify_row *row,
                  const clconst_engine *host,
                  const clconst_tensor *tensor,
                  const clconst_plan *plan)
{
    cli_content content = cli_content_of(tensor);
    content.offset = row->offset;
    content.view.size = row->size;
    clconst_error error = {0, 0, ""};
    cli_outcome outcome = cli_verify(&content, plan, host, &error);
    char expected[128] = "";
    if (row->changed < row->size) {
        snprintf(expected,
                 sizeof(expected),
                 "byte %zu is 0x5a on the device; it must be 0xa5",
                 row->changed);
    }
    ck_assert_msg(outcome == (expected[0] != '\0' ? CLI_UNMET : CLI_DONE),
                  "%s: outcome %d: %s",
                  row->name,
                  (int)outcome,
                  error.message);
    ck_assert_str_eq(error.message, expected);
}

START_TEST(verify_names_the_first_byte_that_differs)
{
    const verify_row *row = &rows[_i];
    size_t total = row->offset + row->size;
    uint8_t *actual = malloc(total + 1);
    uint8_t *expected = malloc(row->size + 1);
    ck_assert(actual != NULL && expected != NULL);
    memset(actual, 0x5a, total);
    memset(expected, 0x5a, row->size);
    for (size_t i = row->changed; i < row->size; i++) {
        expected[i] = 0xa5;
    }
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    clconst_engine *host;
    clconst_tensor *tensor;
    clconst_plan *device_plan = plan_of(actual, total);
    clconst_plan *plan = plan_of(expected, row->size);
    ck_assert_ok(clconst_engine_create(&options, &host, error));
    ck_assert_ok(clconst_run(host, device_plan, &tensor, error));
    check(row, host, tensor, plan);
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(host);
    clconst_plan_destroy(plan);
    clconst_plan_destroy(device_plan);
    free(expected);
    free(actual);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("verify");
    TCase *tcase = tcase_create("verify");
    tcase_add_loop_test(tcase,
                        verify_names_the_first_byte_that_differs,
                        0,
                        sizeof(rows) / sizeof(rows[0]));
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
