#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/engines.h"
#include "backend/suites.h"
#include "harness/oracle.h"

/* A dtype and what to call it. */
typedef struct dtype_row {
    const char *name;
    int dtype;
} dtype_row;

static const dtype_row dtype_rows[] = {
#define CLCONST_X(name, number, bits, text) {text, number},
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
};

static const int64_t counts[] = {0,  1,   2,   3,   5,   7,    8,   9,
                                 15, 16,  17,  31,  32,  33,   63,  64,
                                 65, 127, 128, 129, 255, 1000, 4099};

static const uint8_t zeros[16];
static const uint8_t ones[16] = {0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff,
                                 0xff};

/* Runs the plan and compares its tensor with the expected bytes, between guard
 * bytes that reading must leave alone. */
static void assert_tensor(clconst_engine *engine,
                          const clconst_plan *plan,
                          const void *expected,
                          const char *row)
{
    enum { GUARD_SIZE = 16 };
    size_t size = harness_plan_size(plan);
    clconst_tensor *tensor;
    clconst_view view;
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    clconst_tensor_get_view(tensor, &view);
    ck_assert_uint_eq(view.size, size);
    uint8_t *actual = malloc(size + 2 * GUARD_SIZE);
    memset(actual, 0x3c, size + 2 * GUARD_SIZE);
    ck_assert_ok(
        clconst_tensor_read(tensor, 0, actual + GUARD_SIZE, size, error));
    harness_assert_bytes(actual + GUARD_SIZE, expected, size, row);
    for (size_t i = 0; i < GUARD_SIZE; i++) {
        ck_assert_uint_eq(actual[i], 0x3c);
        ck_assert_uint_eq(actual[GUARD_SIZE + size + i], 0x3c);
    }
    if (view.data != NULL) {
        harness_assert_bytes(view.data, expected, size, row);
    }
    free(actual);
    clconst_tensor_destroy(tensor);
}

static void assert_fill(clconst_engine *engine,
                        const dtype_row *row,
                        const uint8_t element[16],
                        int64_t count)
{
    char name[80];
    snprintf(name, sizeof(name), "%s x %" PRId64, row->name, count);
    size_t size = oracle_size(row->dtype, (uint64_t)count);
    uint8_t *expected = malloc(size + 1);
    oracle_fill(expected, row->dtype, element, (uint64_t)count);
    clconst_plan *plan = harness_fill_plan(row->dtype, element, count);
    assert_tensor(engine, plan, expected, name);
    clconst_plan_destroy(plan);
    free(expected);
}

START_TEST(run_fills_each_dtype_as_the_oracle_does)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    for (size_t i = 0; i < sizeof(dtype_rows) / sizeof(dtype_rows[0]); i++) {
        if (dtype_rows[i].dtype == CLCONST_STRING) {
            continue;
        }
        for (size_t j = 0; j < sizeof(counts) / sizeof(counts[0]); j++) {
            assert_fill(engine, &dtype_rows[i], harness_element, counts[j]);
        }
        assert_fill(engine, &dtype_rows[i], zeros, 77);
        assert_fill(engine, &dtype_rows[i], ones, 77);
    }
    clconst_engine_destroy(engine);
}
END_TEST

/* One dtype of each width. */
static const dtype_row width_rows[] = {
    {"int2", CLCONST_INT2},
    {"uint4", CLCONST_UINT4},
    {"float6e2m3", CLCONST_FLOAT6E2M3},
    {"int8", CLCONST_INT8},
    {"bfloat16", CLCONST_BFLOAT16},
    {"float", CLCONST_FLOAT},
    {"double", CLCONST_DOUBLE},
    {"complex128", CLCONST_COMPLEX128},
};

/* Past the size at which any row of the OpenCL engine's table leaves the
 * driver, and not a multiple of any width. */
START_TEST(run_fills_each_width_above_the_crossover)
{
    const dtype_row *row = &width_rows[_i];
    int64_t bytes = ((int64_t)1 << 20) + 1;
    if (engines_skip_size((size_t)bytes)) {
        return;
    }
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    assert_fill(
        engine, row, harness_element, bytes * 8 / oracle_bits(row->dtype) + 1);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(run_copies_and_clears_the_unused_bits)
{
    enum { SIZE_MAX_HERE = 4099 * 16 };
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    uint8_t *source = malloc(SIZE_MAX_HERE);
    uint8_t *expected = malloc(SIZE_MAX_HERE);
    uint64_t seed = 0x5eed;
    for (size_t i = 0; i < SIZE_MAX_HERE; i++) {
        /* No byte is without a bit to clear. */
        source[i] = (uint8_t)(harness_random(&seed) | 0xe0);
    }
    for (size_t i = 0; i < sizeof(dtype_rows) / sizeof(dtype_rows[0]); i++) {
        const dtype_row *row = &dtype_rows[i];
        if (row->dtype == CLCONST_STRING) {
            continue;
        }
        for (size_t j = 0; j < sizeof(counts) / sizeof(counts[0]); j++) {
            clconst_plan *plan =
                harness_copy_plan(row->dtype, source, counts[j]);
            oracle_copy(expected, row->dtype, source, (uint64_t)counts[j]);
            assert_tensor(engine, plan, expected, row->name);
            clconst_plan_destroy(plan);
        }
    }
    free(source);
    free(expected);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(run_makes_a_scalar_of_rank_0)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_op *op;
    clconst_plan *plan;
    clconst_tensor *tensor;
    clconst_view view;
    clconst_shape scalar = {NULL, 0};
    ck_assert_ok(clconst_op_create_constant_of_shape(NULL, &op, error));
    ck_assert_ok(clconst_plan_create(op, &scalar, &plan, error));
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    clconst_tensor_get_view(tensor, &view);
    ck_assert_int_eq(view.dtype, CLCONST_FLOAT);
    ck_assert_uint_eq(view.shape.rank, 0);
    ck_assert_uint_eq(view.size, 4);
    assert_tensor(engine, plan, zeros, "float 0");
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(run_makes_empty_tensors_without_memory)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_plan *plans[] = {
        harness_fill_plan(CLCONST_FLOAT, harness_element, 0),
        harness_copy_plan(CLCONST_INT4, NULL, 0),
    };
    for (size_t i = 0; i < 2; i++) {
        clconst_tensor *tensor;
        clconst_view view;
        ck_assert_ok(clconst_run(engine, plans[i], &tensor, error));
        clconst_tensor_get_view(tensor, &view);
        ck_assert_ptr_null(view.data);
        ck_assert_uint_eq(view.size, 0);
        ck_assert_int_eq(view.shape.dims[0], 0);
        ck_assert_ok(clconst_tensor_read(tensor, 0, NULL, 0, error));
        clconst_tensor_destroy(tensor);
        clconst_plan_destroy(plans[i]);
    }
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_counters(engine, &counters);
    clconst_engine_get_info(engine, &info);
    ck_assert_uint_eq(counters.byte_size, 0);
    if (info.kind == CLCONST_ENGINE_OPENCL) {
        ck_assert_uint_eq(counters.command_count, 0);
    }
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(tensor_outlives_engine_plan_and_operator)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_plan *plan = harness_fill_plan(CLCONST_INT64, harness_element, 3);
    clconst_tensor *tensor;
    uint8_t actual[24];
    uint8_t expected[24];
    oracle_fill(expected, CLCONST_INT64, harness_element, 3);
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
    ck_assert_ok(clconst_tensor_read(tensor, 0, actual, 24, error));
    harness_assert_bytes(actual, expected, 24, "int64");
    clconst_tensor_destroy(tensor);
}
END_TEST

START_TEST(read_takes_any_range_within_the_tensor)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_plan *plan = harness_fill_plan(CLCONST_INT32, harness_element, 4);
    clconst_tensor *tensor;
    uint8_t actual[16];
    uint8_t expected[16];
    oracle_fill(expected, CLCONST_INT32, harness_element, 4);
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    ck_assert_ok(clconst_tensor_read(tensor, 5, actual, 7, error));
    harness_assert_bytes(actual, expected + 5, 7, "bytes 5 to 11");
    ck_assert_ok(clconst_tensor_read(tensor, 16, actual, 0, error));
    ck_assert_fails(clconst_tensor_read(tensor, 10, actual, 7, error),
                    CLCONST_INVALID_ARGUMENT,
                    "range is 7 bytes at offset 10; it must lie in the "
                    "tensor's 16 bytes");
    ck_assert_fails(clconst_tensor_read(tensor, SIZE_MAX, actual, 2, error),
                    CLCONST_INVALID_ARGUMENT,
                    "range is 2 bytes at offset 18446744073709551615; it must "
                    "lie in the tensor's 16 bytes");
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(run_refuses_more_than_the_largest_allocation)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(engine, &info);
    clconst_plan *plan = harness_fill_plan(
        CLCONST_UINT8, harness_element, (int64_t)info.max_allocation_size + 1);
    clconst_tensor *tensor;
    char subject[256];
    char message[512];
    if (info.kind == CLCONST_ENGINE_CPU) {
        snprintf(subject, sizeof(subject), "this machine has");
    } else {
        snprintf(subject, sizeof(subject), "%s allocates at most", info.name);
    }
    snprintf(message,
             sizeof(message),
             "size is %" PRIu64 " bytes; %s %" PRIu64,
             info.max_allocation_size + 1,
             subject,
             info.max_allocation_size);
    ck_assert_fails(
        clconst_run(engine, plan, &tensor, error), CLCONST_TOO_LARGE, message);
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
}
END_TEST

/* What the machine has, but not to give; the kernel itself takes some. */
START_TEST(cpu_engine_refuses_more_than_is_available)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(engine, &info);
    if (info.kind == CLCONST_ENGINE_CPU) {
        clconst_plan *plan = harness_fill_plan(
            CLCONST_UINT8, harness_element, (int64_t)info.max_allocation_size);
        clconst_tensor *tensor = NULL;
        clconst_error error = {0, 0, ""};
        char message[128];
        snprintf(message,
                 sizeof(message),
                 "size is %" PRIu64 " bytes; this machine has ",
                 info.max_allocation_size);
        ck_assert_int_eq(clconst_run(engine, plan, &tensor, &error),
                         CLCONST_OUT_OF_MEMORY);
        ck_assert_ptr_null(tensor);
        ck_assert_int_eq(strncmp(error.message, message, strlen(message)), 0);
        ck_assert_ptr_nonnull(strstr(error.message, " available"));
        clconst_plan_destroy(plan);
    }
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(run_keeps_strings_on_the_host)
{
    static const clconst_string strings[] = {{"one", 3}, {"", 0}};
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(engine, &info);
    int64_t count = 2;
    clconst_view value = {
        CLCONST_STRING, {&count, 1}, strings, sizeof(strings)};
    clconst_op *op;
    clconst_plan *plan;
    clconst_tensor *tensor;
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    if (info.kind == CLCONST_ENGINE_CPU) {
        clconst_view view;
        ck_assert_ok(clconst_run(engine, plan, &tensor, error));
        clconst_tensor_get_view(tensor, &view);
        const clconst_string *data = view.data;
        ck_assert_uint_eq(data[0].size, 3);
        ck_assert_mem_eq(data[0].data, "one", 3);
        ck_assert_uint_eq(data[1].size, 0);
        clconst_tensor_destroy(tensor);
    } else {
        ck_assert_fails(clconst_run(engine, plan, &tensor, error),
                        CLCONST_UNSUPPORTED,
                        "dtype is string; strings stay on the host and have no "
                        "device memory");
    }
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(engine_refuses_an_unknown_fill_path)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine;
    options.device = getenv("CLCONST_TEST_DEVICE");
    options.fill_path = (clconst_fill_path)4;
    ck_assert_fails(clconst_engine_create(&options, &engine, error),
                    CLCONST_INVALID_ARGUMENT,
                    "fill_path is 4; it must be a clconst_fill_path");
}
END_TEST

Suite *run_suite(void)
{
    Suite *suite = suite_create("run");
    TCase *tcase = tcase_create("run");
    tcase_add_test(tcase, run_fills_each_dtype_as_the_oracle_does);
    tcase_add_loop_test(tcase,
                        run_fills_each_width_above_the_crossover,
                        0,
                        sizeof(width_rows) / sizeof(width_rows[0]));
    tcase_add_test(tcase, run_copies_and_clears_the_unused_bits);
    tcase_add_test(tcase, run_makes_a_scalar_of_rank_0);
    tcase_add_test(tcase, run_makes_empty_tensors_without_memory);
    tcase_add_test(tcase, tensor_outlives_engine_plan_and_operator);
    tcase_add_test(tcase, read_takes_any_range_within_the_tensor);
    tcase_add_test(tcase, run_refuses_more_than_the_largest_allocation);
    tcase_add_test(tcase, cpu_engine_refuses_more_than_is_available);
    tcase_add_test(tcase, run_keeps_strings_on_the_host);
    tcase_add_test(tcase, engine_refuses_an_unknown_fill_path);
    suite_add_tcase(suite, tcase);
    return suite;
}
