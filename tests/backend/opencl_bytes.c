/* Which bytes of a caller's buffer change, and to what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/oracle.h"

typedef struct path_row {
    const char *name;
    clconst_fill_path path;
} path_row;

static const path_row path_rows[] = {
    {"auto", CLCONST_PATH_AUTO},
    {"kernel", CLCONST_PATH_KERNEL},
    {"driver", CLCONST_PATH_DRIVER},
    {"native", CLCONST_PATH_NATIVE},
};
enum { PATH_COUNT = sizeof(path_rows) / sizeof(path_rows[0]) };

static const int dtypes[] = {
#define CLCONST_X(name, number, bits, text) number,
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
};
enum { DTYPE_COUNT = sizeof(dtypes) / sizeof(dtypes[0]) };

/* Fills count elements at offset, and compares the whole buffer. */
static void assert_fill(const fixture *f,
                        cl_mem buffer,
                        size_t buffer_size,
                        int dtype,
                        int64_t count,
                        size_t offset)
{
    char row[80];
    snprintf(row,
             sizeof(row),
             "%lld of %s at offset %zu",
             (long long)count,
             clconst_dtype_name((clconst_dtype)dtype),
             offset);
    size_t size = oracle_size(dtype, (uint64_t)count);
    uint8_t *expected = malloc(size);
    oracle_fill(expected, dtype, harness_element, (uint64_t)count);
    clconst_plan *plan = harness_fill_plan(dtype, harness_element, count);
    ck_assert_ok(clconst_enqueue(
        f->engine, plan, f->queue, buffer, offset, 0, NULL, NULL, error));
    fixture_assert_buffer(f, buffer, buffer_size, offset, expected, size, row);
    clconst_plan_destroy(plan);
    free(expected);
}

START_TEST(enqueue_fills_each_dtype_at_each_offset)
{
    enum { OFFSET_COUNT = 66, BUFFER_SIZE = OFFSET_COUNT + 33 * 16 + 48 };
    fixture f;
    if (!fixture_try_open(&f, path_rows[_i].path)) {
        return;
    }
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, BUFFER_SIZE);
    for (size_t i = 0; i < DTYPE_COUNT; i++) {
        for (size_t offset = 0;
             dtypes[i] != CLCONST_STRING && offset < OFFSET_COUNT;
             offset++) {
            if (engines_skip_case(i * OFFSET_COUNT + offset)) {
                continue;
            }
            /* Counts with and without unused bits, body and tail. */
            static const int64_t counts[] = {1, 3, 33, 16, 31};
            int64_t count = counts[offset % 5];
            fixture_reset_buffer(&f, buffer, BUFFER_SIZE);
            assert_fill(&f, buffer, BUFFER_SIZE, dtypes[i], count, offset);
        }
    }
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

/* Sizes about the words, the loop's blocks and the chunks of the kernels. */
START_TEST(enqueue_fills_sizes_about_each_boundary)
{
    enum { BUFFER_SIZE = 3 * 16384 + 256 };
    static const int64_t sizes[] = {
        1,   14,  15,   16,   17,    31,    32,    33,    47,    48,
        49,  95,  96,   97,   191,   192,   193,   207,   208,   209,
        383, 384, 4095, 4096, 16383, 16384, 16385, 16512, 32768, 49153};
    fixture f;
    if (!fixture_try_open(&f, path_rows[_i].path)) {
        return;
    }
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, BUFFER_SIZE);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (engines_skip_size((size_t)sizes[i])) {
            continue;
        }
        for (size_t offset = 0; offset < 36; offset += 7) {
            if (engines_skip_case(i * 6 + offset / 7)) {
                continue;
            }
            fixture_reset_buffer(&f, buffer, BUFFER_SIZE);
            /* 3 bytes hold 4 elements of 6 bits. */
            assert_fill(&f,
                        buffer,
                        BUFFER_SIZE,
                        CLCONST_FLOAT6E2M3,
                        sizes[i] * 8 / 6,
                        offset);
            fixture_reset_buffer(&f, buffer, BUFFER_SIZE);
            assert_fill(
                &f, buffer, BUFFER_SIZE, CLCONST_INT4, sizes[i] * 2, offset);
        }
    }
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

typedef struct large_row {
    clconst_fill_path path;
    int dtype;
    size_t offset;
} large_row;

/* About 3 MiB: more than one chunk per work-item of the smallest kind. */
static const large_row large_rows[] = {
    {CLCONST_PATH_KERNEL, CLCONST_FLOAT6E3M2, 1},
    {CLCONST_PATH_KERNEL, CLCONST_COMPLEX128, 65},
    {CLCONST_PATH_DRIVER, CLCONST_INT16, 6},
    {CLCONST_PATH_DRIVER, CLCONST_COMPLEX128, 16},
    {CLCONST_PATH_AUTO, CLCONST_DOUBLE, 8},
    {CLCONST_PATH_NATIVE, CLCONST_FLOAT6E2M3, 5},
    {CLCONST_PATH_AUTO, CLCONST_UINT2, 3},
};

START_TEST(enqueue_fills_a_large_buffer)
{
    enum { BUFFER_SIZE = (3 << 20) + 256 };
    const large_row *row = &large_rows[_i];
    fixture f;
    if (engines_skip_size(BUFFER_SIZE) || !fixture_try_open(&f, row->path)) {
        return;
    }
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, BUFFER_SIZE);
    int64_t count = ((3 << 20) + 48) * 8 / (int64_t)oracle_bits(row->dtype) + 1;
    assert_fill(&f, buffer, BUFFER_SIZE, row->dtype, count, row->offset);
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

START_TEST(enqueue_copies_at_each_offset)
{
    enum { BUFFER_SIZE = 256 };
    uint8_t source[64];
    uint8_t expected[64];
    fixture f;
    fixture_open(&f, CLCONST_PATH_AUTO);
    memset(source, 0xf7, sizeof(source));
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, BUFFER_SIZE);
    for (int64_t count = 1; count < 20; count++) {
        size_t offset = (size_t)count * 3;
        size_t size = oracle_size(CLCONST_UINT2, (uint64_t)count);
        clconst_plan *plan = harness_copy_plan(CLCONST_UINT2, source, count);
        oracle_copy(expected, CLCONST_UINT2, source, (uint64_t)count);
        fixture_reset_buffer(&f, buffer, BUFFER_SIZE);
        ck_assert_ok(clconst_enqueue(
            f.engine, plan, f.queue, buffer, offset, 0, NULL, NULL, error));
        fixture_assert_buffer(
            &f, buffer, BUFFER_SIZE, offset, expected, size, "uint2");
        clconst_plan_destroy(plan);
    }
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

START_TEST(enqueue_fills_sub_buffers)
{
    fixture f;
    if (!fixture_try_open(&f, path_rows[_i].path)) {
        return;
    }
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(f.engine, &info);
    size_t buffer_size = info.alignment * 3;
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, buffer_size);
    cl_buffer_region region = {info.alignment, 77};
    cl_int code;
    cl_mem part = clCreateSubBuffer(buffer,
                                    CL_MEM_READ_WRITE,
                                    CL_BUFFER_CREATE_TYPE_REGION,
                                    &region,
                                    &code);
    ck_assert_cl(code);
    uint8_t expected[76];
    oracle_fill(expected, CLCONST_FLOAT, harness_element, 19);
    clconst_plan *plan = harness_fill_plan(CLCONST_FLOAT, harness_element, 19);
    ck_assert_ok(clconst_enqueue(
        f.engine, plan, f.queue, part, 1, 0, NULL, NULL, error));
    fixture_assert_buffer(
        &f, buffer, buffer_size, region.origin + 1, expected, 76, "part");
    ck_assert_fails(
        clconst_enqueue(f.engine, plan, f.queue, part, 2, 0, NULL, NULL, error),
        CLCONST_INVALID_ARGUMENT,
        "range is 76 bytes at offset 2; it must lie in the "
        "buffer's 77 bytes");
    clconst_plan_destroy(plan);
    ck_assert_cl(clReleaseMemObject(part));
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

/* PoCL gives kernels the host's own address, aligned or not. */
START_TEST(enqueue_fills_host_memory_at_any_address)
{
    enum { SIZE = 400, COUNT = 20 };
    static _Alignas(64) uint8_t memory[SIZE + 64];
    fixture f;
    if (!fixture_try_open(&f, path_rows[_i].path)) {
        return;
    }
    uint8_t expected[COUNT * 16];
    oracle_fill(expected, CLCONST_COMPLEX128, harness_element, COUNT);
    clconst_plan *plan =
        harness_fill_plan(CLCONST_COMPLEX128, harness_element, COUNT);
    for (size_t address = 0; address < 33; address++) {
        cl_int code;
        memset(memory, FIXTURE_GUARD, sizeof(memory));
        cl_mem buffer = clCreateBuffer(f.context,
                                       CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                       SIZE,
                                       memory + address,
                                       &code);
        ck_assert_cl(code);
        ck_assert_ok(clconst_enqueue(
            f.engine, plan, f.queue, buffer, 16, 0, NULL, NULL, error));
        fixture_assert_buffer(
            &f, buffer, SIZE, 16, expected, sizeof(expected), "host memory");
        ck_assert_cl(clReleaseMemObject(buffer));
    }
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

/* One tensor of an arena that begins at byte offset of actual. */
static void assert_placed(const clconst_batch *batch,
                          size_t index,
                          const uint8_t *actual,
                          size_t offset,
                          const uint8_t *expected)
{
    clconst_place place = CLCONST_PLACE_INIT;
    ck_assert_ok(clconst_batch_get_place(batch, index, &place, error));
    harness_assert_bytes(
        actual + offset + place.offset, expected, place.size, "tensor");
}

START_TEST(batch_enqueue_writes_tensors_and_nothing_outside_the_arena)
{
    /* By the image, by the tables, and by a command each. */
    static const size_t expand_sizes[] = {1000, 1};
    enum { BUFFER_SIZE = 65536, OFFSET = 5, COPY_SIZE = 40000 };
    static const int64_t dense[] = {301};
    static const int64_t at[] = {0, 1, 7, 299, 300};
    static const int64_t at_count = 5;
    static uint8_t source[COPY_SIZE];
    static uint8_t expected[5][COPY_SIZE];
    static uint8_t actual[BUFFER_SIZE];
    memset(source, 0xf7, sizeof(source));
    fixture f;
    if (!fixture_try_open(&f, path_rows[_i].path)) {
        return;
    }
    clconst_plan *plans[] = {
        harness_fill_plan(CLCONST_INT4, harness_element, 515),
        harness_fill_plan(CLCONST_FLOAT6E2M3, harness_element, 1001),
        harness_copy_plan(CLCONST_INT4, source, 2 * COPY_SIZE - 1),
        harness_fill_plan(CLCONST_DOUBLE, harness_element, 60),
        harness_sparse_plan(CLCONST_FLOAT6E2M3, source, at, at_count, dense),
    };
    oracle_fill(expected[0], CLCONST_INT4, harness_element, 515);
    oracle_fill(expected[1], CLCONST_FLOAT6E2M3, harness_element, 1001);
    oracle_copy(expected[2], CLCONST_INT4, source, 2 * COPY_SIZE - 1);
    oracle_fill(expected[3], CLCONST_DOUBLE, harness_element, 60);
    memset(expected[4], 0, COPY_SIZE);
    for (uint64_t i = 0; i < 5; i++) {
        oracle_place(
            expected[4], CLCONST_FLOAT6E2M3, (uint64_t)at[i], source, i);
    }
    for (size_t i = 0; i < 2; i++) {
        clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
        options.expand_size = expand_sizes[i];
        clconst_batch *batch;
        ck_assert_ok(clconst_batch_create(
            (const clconst_plan *const *)plans, 5, &options, &batch, error));
        cl_mem buffer =
            fixture_create_buffer(&f, CL_MEM_READ_WRITE, BUFFER_SIZE);
        ck_assert_ok(clconst_batch_enqueue(
            f.engine, batch, 0, f.queue, buffer, OFFSET, 0, NULL, NULL, error));
        fixture_read_buffer(&f, buffer, actual, BUFFER_SIZE);
        size_t end = OFFSET + clconst_batch_get_arena_size(batch, 0);
        for (size_t at_byte = 0; at_byte < BUFFER_SIZE; at_byte++) {
            if (at_byte < OFFSET || at_byte >= end) {
                ck_assert_uint_eq(actual[at_byte], FIXTURE_GUARD);
            }
        }
        for (size_t plan = 0; plan < 5; plan++) {
            assert_placed(batch, plan, actual, OFFSET, expected[plan]);
        }
        ck_assert_cl(clReleaseMemObject(buffer));
        clconst_batch_destroy(batch);
    }
    for (size_t i = 0; i < 5; i++) {
        clconst_plan_destroy(plans[i]);
    }
    fixture_close(&f);
}
END_TEST

START_TEST(enqueue_scatters_each_dtype_at_any_offset)
{
    static const int64_t dense[] = {1001};
    static const int64_t at[] = {0, 1, 2, 5, 8, 63, 64, 500, 999, 1000};
    static const int64_t at_count = 10;
    enum { BUFFER_SIZE = 1001 * 16 + 64 };
    static uint8_t expected[BUFFER_SIZE];
    uint8_t values[160];
    uint64_t state = 0x77777;
    for (size_t i = 0; i < sizeof(values); i++) {
        values[i] = (uint8_t)(harness_random(&state) >> 32);
    }
    fixture f;
    if (!fixture_try_open(&f, path_rows[_i].path)) {
        return;
    }
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, BUFFER_SIZE);
#define CLCONST_X(name, number, bits, text)                                    \
    for (size_t offset = 0; offset < 34 && number != CLCONST_STRING;           \
         offset += 11) {                                                       \
        clconst_plan *plan =                                                   \
            harness_sparse_plan(number, values, at, at_count, dense);          \
        size_t size = harness_plan_size(plan);                                 \
        memset(expected, 0, size);                                             \
        for (uint64_t i = 0; i < 10; i++) {                                    \
            oracle_place(expected, number, (uint64_t)at[i], values, i);        \
        }                                                                      \
        fixture_reset_buffer(&f, buffer, BUFFER_SIZE);                         \
        ck_assert_ok(clconst_enqueue(                                          \
            f.engine, plan, f.queue, buffer, offset, 0, NULL, NULL, error));   \
        fixture_assert_buffer(                                                 \
            &f, buffer, BUFFER_SIZE, offset, expected, size, text);            \
        clconst_plan_destroy(plan);                                            \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

Suite *opencl_bytes_suite(void)
{
    Suite *suite = suite_create("opencl_bytes");
    TCase *tcase = tcase_create("opencl_bytes");
    tcase_add_loop_test(
        tcase, enqueue_fills_each_dtype_at_each_offset, 0, PATH_COUNT);
    tcase_add_loop_test(
        tcase, enqueue_fills_sizes_about_each_boundary, 0, PATH_COUNT);
    tcase_add_loop_test(tcase,
                        enqueue_fills_a_large_buffer,
                        0,
                        sizeof(large_rows) / sizeof(large_rows[0]));
    tcase_add_test(tcase, enqueue_copies_at_each_offset);
    tcase_add_loop_test(tcase, enqueue_fills_sub_buffers, 0, PATH_COUNT);
    tcase_add_loop_test(
        tcase, enqueue_fills_host_memory_at_any_address, 0, PATH_COUNT);
    tcase_add_loop_test(
        tcase,
        batch_enqueue_writes_tensors_and_nothing_outside_the_arena,
        0,
        PATH_COUNT);
    tcase_add_loop_test(
        tcase, enqueue_scatters_each_dtype_at_any_offset, 0, PATH_COUNT);
    suite_add_tcase(suite, tcase);
    return suite;
}
