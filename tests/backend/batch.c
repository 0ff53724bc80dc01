#include <stdlib.h>
#include <string.h>

#include "backend/engines.h"
#include "backend/suites.h"
#include "harness/oracle.h"

/* One plan of a batch: a fill, or a copy of dirty bytes. */
typedef struct batch_row {
    const char *name;
    int dtype;
    int64_t count;
    int is_copy;
} batch_row;

static const batch_row rows[] = {
    {"float fill", CLCONST_FLOAT, 100, 0},
    {"int4 copy", CLCONST_INT4, 77, 1},
    {"empty fill", CLCONST_DOUBLE, 0, 0},
    {"float6 fill", CLCONST_FLOAT6E3M2, 1001, 0},
    {"complex128 copy", CLCONST_COMPLEX128, 17, 1},
    {"bool fill", CLCONST_BOOL, 5000, 0},
    {"uint2 fill", CLCONST_UINT2, 9, 0},
    {"empty copy", CLCONST_INT8, 0, 1},
    {"int64 fill", CLCONST_INT64, 600, 0},
};
enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]), BYTES_MAX = 8192 };

static uint8_t dirty[BYTES_MAX];

static void make_plans(clconst_plan **plans)
{
    memset(dirty, 0xf7, sizeof(dirty));
    for (size_t i = 0; i < ROW_COUNT; i++) {
        plans[i] = rows[i].is_copy
                       ? harness_copy_plan(rows[i].dtype, dirty, rows[i].count)
                       : harness_fill_plan(
                             rows[i].dtype, harness_element, rows[i].count);
    }
}

static void assert_row(clconst_tensor *const *tensors,
                       const clconst_batch *batch,
                       size_t index)
{
    const batch_row *row = &rows[index];
    uint8_t expected[BYTES_MAX];
    uint8_t actual[BYTES_MAX];
    clconst_place place = CLCONST_PLACE_INIT;
    if (row->is_copy) {
        oracle_copy(expected, row->dtype, dirty, (uint64_t)row->count);
    } else {
        oracle_fill(
            expected, row->dtype, harness_element, (uint64_t)row->count);
    }
    ck_assert_ok(clconst_batch_get_place(batch, index, &place, error));
    ck_assert_ok(clconst_tensor_read(
        tensors[place.arena], place.offset, actual, place.size, error));
    harness_assert_bytes(actual, expected, place.size, row->name);
}

typedef struct layout_row {
    size_t max_arena_size;
    size_t alignment;
    size_t arena_count;
} layout_row;

/* The largest plans take 5000 and 4800 bytes, all together 11,300. */
static const layout_row layout_rows[] = {
    {0, 0, 1},
    {0, 1, 1},
    {5000, 256, 4},
    {6000, 4, 3},
};

START_TEST(batch_run_makes_each_arena)
{
    const layout_row *layout = &layout_rows[_i];
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.max_arena_size = layout->max_arena_size;
    options.alignment = layout->alignment;
    clconst_plan *plans[ROW_COUNT];
    clconst_batch *batch;
    clconst_tensor *tensors[ROW_COUNT];
    make_plans(plans);
    ck_assert_ok(clconst_batch_create((const clconst_plan *const *)plans,
                                      ROW_COUNT,
                                      &options,
                                      &batch,
                                      error));
    ck_assert_uint_eq(clconst_batch_get_arena_count(batch),
                      layout->arena_count);
    ck_assert_ok(clconst_batch_run(engine, batch, NULL, tensors, error));
    for (size_t i = 0; i < ROW_COUNT; i++) {
        assert_row(tensors, batch, i);
        clconst_plan_destroy(plans[i]);
    }
    for (size_t i = 0; i < layout->arena_count; i++) {
        clconst_view view;
        clconst_tensor_get_view(tensors[i], &view);
        ck_assert_int_eq(view.dtype, CLCONST_UINT8);
        ck_assert_uint_eq(view.size, clconst_batch_get_arena_size(batch, i));
        clconst_tensor_destroy(tensors[i]);
    }
    clconst_batch_destroy(batch);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(batch_run_of_nothing_makes_nothing)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create(NULL, 0, NULL, &batch, error));
    ck_assert_ok(clconst_batch_run(engine, batch, NULL, NULL, error));
    clconst_batch_destroy(batch);
    clconst_engine_destroy(engine);
}
END_TEST

/* Its last byte has unused bits, so that the driver's path needs a command
 * more than the bytes. */
START_TEST(counters_count_the_bytes_asked_for)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_plan *plan = harness_fill_plan(CLCONST_INT4, harness_element, 15);
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_tensor *tensor;
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    clconst_engine_get_counters(engine, &counters);
    ck_assert_uint_eq(counters.byte_size, 8);
    ck_assert_uint_ge(counters.command_count, 1);
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
}
END_TEST

Suite *batch_suite(void)
{
    Suite *suite = suite_create("batch");
    TCase *tcase = tcase_create("batch");
    tcase_add_loop_test(tcase,
                        batch_run_makes_each_arena,
                        0,
                        sizeof(layout_rows) / sizeof(layout_rows[0]));
    tcase_add_test(tcase, batch_run_of_nothing_makes_nothing);
    tcase_add_test(tcase, counters_count_the_bytes_asked_for);
    suite_add_tcase(suite, tcase);
    return suite;
}
