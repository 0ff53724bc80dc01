/* Boxes inside larger tensors in host memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/boxes.h"
#include "harness/harness.h"
#include "unit/suites.h"

enum { CASE_COUNT = 1000, GUARD = 0x3c };

/* The same boxes in host memory. */
START_TEST(write_region_fills_boxes_of_any_shape)
{
    uint64_t state = 0x5eed9;
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine;
    options.device = "cpu";
    options.thread_count = 3;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    for (size_t i = 0; i < CASE_COUNT; i++) {
        char row[128];
        box b = {0};
        boxes_randomize(&b, &state);
        if (i == 0) {
            /* Enough for two threads. */
            b = (box){CLCONST_INT16, {2101, 501}, 2, {1010}, 3, 0};
            boxes_measure(&b);
        }
        boxes_describe(&b, i, row, sizeof(row));
        size_t size = b.offset + b.extent + 33;
        uint8_t *expected = malloc(size);
        uint8_t *actual = malloc(size);
        memset(expected, GUARD, size);
        memset(actual, GUARD, size);
        boxes_expand(&b, expected + b.offset);
        clconst_plan *plan = boxes_create_plan(&b);
        ck_assert_ok(clconst_write_region(i % 2 == 0 ? engine : NULL,
                                          plan,
                                          actual,
                                          size,
                                          b.offset,
                                          b.strides,
                                          error));
        harness_assert_bytes(actual, expected, size, row);
        ck_assert_fails(clconst_write_region(
                            NULL, plan, NULL, size, b.offset, b.strides, error),
                        CLCONST_INVALID_ARGUMENT,
                        (snprintf(row,
                                  sizeof(row),
                                  "dst is NULL; the region has %zu bytes",
                                  b.extent),
                         row));
        clconst_plan_destroy(plan);
        free(expected);
        free(actual);
    }
    clconst_engine_destroy(engine);
}
END_TEST

static void count_parts(void *context,
                        size_t count,
                        clconst_parallel_body body,
                        void *body_context)
{
    *(size_t *)context += count;
    for (size_t i = 0; i < count; i++) {
        body(body_context, i);
    }
}

/* Few rows, each large enough for a thread of its own. */
START_TEST(write_region_shares_out_few_rows)
{
    enum { ROW_SIZE = 3 << 20, GAP = 64 };
    static const size_t row_counts[] = {2, 3, 5};
    box b = {CLCONST_UINT8,
             {(int64_t)row_counts[_i], ROW_SIZE},
             2,
             {ROW_SIZE + GAP},
             0,
             0};
    boxes_measure(&b);
    clconst_plan *plan = boxes_create_plan(&b);
    uint8_t *bytes = malloc(b.extent);
    ck_assert_ptr_nonnull(bytes);
    size_t parts = 0;
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine;
    options.device = "cpu";
    options.parallel_for = count_parts;
    options.parallel_for_context = &parts;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    ck_assert_ok(clconst_write_region(
        engine, plan, bytes, b.extent, 0, b.strides, error));
    ck_assert_uint_eq(parts, row_counts[_i]);
    clconst_engine_destroy(engine);
    free(bytes);
    clconst_plan_destroy(plan);
}
END_TEST

START_TEST(write_region_refuses_ranges_outside_the_memory)
{
    static const struct {
        size_t size;
        size_t offset;
        const char *message;
    } rows[] = {
        {59, 0, "range is 60 bytes at offset 0; it must lie in dst's 59 bytes"},
        {64, 5, "range is 60 bytes at offset 5; it must lie in dst's 64 bytes"},
        {64,
         SIZE_MAX,
         "range is 60 bytes at offset 18446744073709551615; it must lie in "
         "dst's 64 bytes"},
    };
    const box b = {CLCONST_FLOAT, {4, 3}, 2, {16}, 0, 0};
    uint8_t actual[64];
    uint8_t expected[64];
    memset(actual, GUARD, sizeof(actual));
    memset(expected, GUARD, sizeof(expected));
    clconst_plan *plan = boxes_create_plan(&b);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ck_assert_fails(clconst_write_region(NULL,
                                             plan,
                                             actual,
                                             rows[i].size,
                                             rows[i].offset,
                                             b.strides,
                                             error),
                        CLCONST_INVALID_ARGUMENT,
                        rows[i].message);
    }
    ck_assert_fails(
        clconst_write_region(NULL, NULL, actual, 64, 0, b.strides, error),
        CLCONST_INVALID_ARGUMENT,
        "plan is NULL; it is required");
    harness_assert_bytes(actual, expected, sizeof(actual), "refused");
    clconst_plan_destroy(plan);
}
END_TEST

START_TEST(write_region_refuses_what_it_cannot_place)
{
    const box_refusal *row = &boxes_refusals[_i];
    uint8_t actual[64];
    uint8_t expected[64];
    memset(actual, GUARD, sizeof(actual));
    memset(expected, GUARD, sizeof(expected));
    clconst_plan *plan = boxes_create_plan(&row->b);
    ck_assert_fails(
        clconst_write_region(
            NULL, plan, actual, sizeof(actual), 0, row->b.strides, error),
        row->status,
        row->message);
    harness_assert_bytes(actual, expected, sizeof(actual), row->message);
    clconst_plan_destroy(plan);
}
END_TEST

START_TEST(write_region_refuses_other_plans_and_missing_strides)
{
    const box b = {CLCONST_FLOAT, {4, 3}, 2, {16}, 0, 0};
    static const int64_t count = 3;
    uint8_t bytes[64] = {0};
    clconst_view view = {CLCONST_UINT8, {&count, 1}, "abc", 3};
    clconst_op *op;
    clconst_plan *copy;
    clconst_plan *fill = boxes_create_plan(&b);
    ck_assert_ok(clconst_op_create_constant(&view, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &copy, error));
    ck_assert_fails(clconst_write_region(
                        NULL, copy, bytes, sizeof(bytes), 0, b.strides, error),
                    CLCONST_UNSUPPORTED,
                    "plan is no fill; regions take fills only");
    ck_assert_fails(
        clconst_write_region(NULL, fill, bytes, sizeof(bytes), 0, NULL, error),
        CLCONST_INVALID_ARGUMENT,
        "strides is NULL; rank 2 needs strides");
    clconst_plan_destroy(copy);
    clconst_plan_destroy(fill);
    clconst_op_destroy(op);
}
END_TEST

/* An empty box is written nowhere. */
START_TEST(write_region_of_no_bytes_takes_no_memory)
{
    const box b = {CLCONST_UINT4, {3, 0, 5}, 3, {0}, 0, 0};
    clconst_plan *plan = boxes_create_plan(&b);
    ck_assert_ok(
        clconst_write_region(NULL, plan, NULL, 0, 0, b.strides, error));
    clconst_plan_destroy(plan);
}
END_TEST

Suite *region_suite(void)
{
    Suite *suite = suite_create("region");
    TCase *tcase = tcase_create("region");
    tcase_add_test(tcase, write_region_fills_boxes_of_any_shape);
    tcase_add_loop_test(tcase, write_region_shares_out_few_rows, 0, 3);
    tcase_add_test(tcase, write_region_refuses_ranges_outside_the_memory);
    tcase_add_loop_test(tcase,
                        write_region_refuses_what_it_cannot_place,
                        0,
                        BOXES_REFUSAL_COUNT);
    tcase_add_test(tcase, write_region_refuses_other_plans_and_missing_strides);
    tcase_add_test(tcase, write_region_of_no_bytes_takes_no_memory);
    suite_add_tcase(suite, tcase);
    return suite;
}
