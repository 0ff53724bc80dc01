/*
 * What the library's table of paths would choose on other devices, tried on
 * this one: each kernel, and the widths of the driver's patterns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/engine.h"
#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/oracle.h"

/* A row of the table, by the device that it is for. */
typedef struct tuning_row {
    const char *platform;
    const char *type;
    clconst_fill_path path;
} tuning_row;

static const tuning_row tuning_rows[] = {
    {"any", "gpu", CLCONST_PATH_KERNEL},
    {"any", "cpu", CLCONST_PATH_KERNEL},
    {"any", "gpu", CLCONST_PATH_DRIVER},
    {"any", "cpu", CLCONST_PATH_DRIVER},
    {"rusticl", "cpu", CLCONST_PATH_DRIVER},
    {"Oclgrind", "cpu", CLCONST_PATH_DRIVER},
};
enum { TUNING_COUNT = sizeof(tuning_rows) / sizeof(tuning_rows[0]) };

/* One dtype of each width that a kernel or a pattern can tell apart. */
static const int dtypes[] = {
    CLCONST_UINT4,
    CLCONST_FLOAT6E2M3,
    CLCONST_INT8,
    CLCONST_BFLOAT16,
    CLCONST_FLOAT,
    CLCONST_DOUBLE,
    CLCONST_COMPLEX128,
};
enum { DTYPE_COUNT = sizeof(dtypes) / sizeof(dtypes[0]) };

static void open_tuned(fixture *f, const tuning_row *row)
{
    fixture_open(f, row->path);
    clconst__opencl_from(f->engine)->tuning =
        clconst__tuning_find(row->platform, row->type);
}

static void assert_fill(const fixture *f,
                        size_t buffer_size,
                        int dtype,
                        size_t count,
                        size_t offset)
{
    char row[80];
    snprintf(row,
             sizeof(row),
             "%zu of %s at offset %zu",
             count,
             clconst_dtype_name((clconst_dtype)dtype),
             offset);
    cl_mem buffer = fixture_create_buffer(f, CL_MEM_READ_WRITE, buffer_size);
    uint8_t *expected = malloc(buffer_size);
    oracle_fill(expected, dtype, harness_element, count);
    clconst_plan *plan =
        harness_fill_plan(dtype, harness_element, (int64_t)count);
    ck_assert_ok(clconst_enqueue(
        f->engine, plan, f->queue, buffer, offset, 0, NULL, NULL, error));
    fixture_assert_buffer(f,
                          buffer,
                          buffer_size,
                          offset,
                          expected,
                          oracle_size(dtype, count),
                          row);
    clconst_plan_destroy(plan);
    free(expected);
    ck_assert_cl(clReleaseMemObject(buffer));
}

/* Offsets within a word and within the widest pattern; sizes below and above
 * the one from which on the driver's fill has a head and a tail. */
START_TEST(each_row_fills_each_width)
{
    static const size_t offsets[] = {0, 1, 2, 4, 8, 15, 16, 48, 80, 127};
    static const size_t sizes[] = {16, 17 * 16, 300 * 16};
    fixture f;
    open_tuned(&f, &tuning_rows[_i]);
    for (size_t i = 0; i < DTYPE_COUNT; i++) {
        for (size_t j = 0; j < sizeof(offsets) / sizeof(offsets[0]); j++) {
            for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
                size_t count = sizes[k] * 8 / oracle_bits(dtypes[i]);
                /* One more element than the size, so that rests show. */
                assert_fill(
                    &f, sizes[k] + 256, dtypes[i], count + 1, offsets[j]);
            }
        }
    }
    fixture_close(&f);
}
END_TEST

/* More words than work-items of either kernel, so that their loops go round. */
START_TEST(each_kernel_fills_more_than_a_round)
{
    enum { SIZE = (17 << 20) + 100 };
    const tuning_row *row = &tuning_rows[_i];
    ck_assert_int_eq(row->path, CLCONST_PATH_KERNEL);
    fixture f;
    if (engines_skip_size(SIZE)) {
        return;
    }
    open_tuned(&f, row);
    assert_fill(
        &f, SIZE + 64, CLCONST_FLOAT6E3M2, (size_t)SIZE / 3 * 4 + 1, 19);
    fixture_close(&f);
}
END_TEST

Suite *opencl_tuning_suite(void)
{
    Suite *suite = suite_create("opencl_tuning");
    TCase *tcase = tcase_create("opencl_tuning");
    tcase_add_loop_test(tcase, each_row_fills_each_width, 0, TUNING_COUNT);
    tcase_add_loop_test(tcase, each_kernel_fills_more_than_a_round, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
