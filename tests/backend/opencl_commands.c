/*
 * How many commands the batches take that are made for few: as many for ten
 * tensors as for ten thousand, and one for each copy beyond 32 KiB.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/oracle.h"

/* None is so small that it is expanded on the host, all less than a copy that
 * has a command of its own. */
enum {
    FILL_COUNT = 77,    /* of float */
    COPY_COUNT = 501,   /* of uint4 */
    SPARSE_COUNT = 5,   /* of float16 */
    DENSE_COUNT = 1001, /* of float16 */
    TENSOR_SIZE_MAX = DENSE_COUNT * 2,
    GATHER_SIZE = 32 << 10,
};

static uint8_t source[GATHER_SIZE + 1];
static uint8_t values[SPARSE_COUNT * 2];
static const int64_t indices[SPARSE_COUNT] = {0, 1, 500, 999, 1000};

enum { KIND_COUNT = 3 };

/* A fill, a copy and a scatter, with what they must become. */
typedef struct kinds {
    clconst_plan *plans[KIND_COUNT];
    uint8_t expected[KIND_COUNT][TENSOR_SIZE_MAX];
} kinds;

static void make_source(void)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof(source); i++) {
        source[i] = (uint8_t)harness_random(&seed);
    }
}

static void make_kinds(kinds *k)
{
    static const int64_t dense = DENSE_COUNT;
    make_source();
    memcpy(values, source, sizeof(values));
    memset(k->expected, 0, sizeof(k->expected));
    k->plans[0] = harness_fill_plan(CLCONST_FLOAT, harness_element, FILL_COUNT);
    oracle_fill(k->expected[0], CLCONST_FLOAT, harness_element, FILL_COUNT);
    k->plans[1] = harness_copy_plan(CLCONST_UINT4, source, COPY_COUNT);
    oracle_copy(k->expected[1], CLCONST_UINT4, source, COPY_COUNT);
    k->plans[2] = harness_sparse_plan(
        CLCONST_FLOAT16, values, indices, SPARSE_COUNT, &dense);
    for (size_t i = 0; i < SPARSE_COUNT; i++) {
        memcpy(k->expected[2] + 2 * indices[i], values + 2 * i, 2);
    }
}

/* A batch of all three kinds, in turn. */
typedef struct batch_row {
    clconst_fill_path path;
    size_t tensor_count;
    size_t command_count;
} batch_row;

/* The tables with the copies, the fills, and the scatters; or one native
 * kernel. */
static const batch_row batch_rows[] = {
    {CLCONST_PATH_KERNEL, 10, 3},
    {CLCONST_PATH_KERNEL, 10000, 3},
    {CLCONST_PATH_NATIVE, 10, 1},
    {CLCONST_PATH_NATIVE, 10000, 1},
};

/* The commands that the first arena of a batch takes; actual receives it. */
static size_t
count_commands(const fixture *f, const clconst_batch *batch, uint8_t *actual)
{
    size_t size = clconst_batch_get_arena_size(batch, 0);
    cl_mem buffer = fixture_create_buffer(f, CL_MEM_READ_WRITE, size);
    uint64_t before = fixture_command_count(f);
    ck_assert_ok(clconst_batch_enqueue(
        f->engine, batch, 0, f->queue, buffer, 0, 0, NULL, NULL, error));
    uint64_t after = fixture_command_count(f);
    fixture_read_buffer(f, buffer, actual, size);
    ck_assert_cl(clReleaseMemObject(buffer));
    return after - before;
}

START_TEST(commands_do_not_grow_with_the_batch)
{
    const batch_row *row = &batch_rows[_i];
    fixture f;
    kinds k;
    if (engines_skip_size(row->tensor_count * TENSOR_SIZE_MAX)) {
        return;
    }
    fixture_open(&f, row->path);
    if (row->path == CLCONST_PATH_NATIVE && !fixture_has_native_kernels(&f)) {
        fixture_close(&f);
        return;
    }
    make_kinds(&k);
    const clconst_plan **plans = malloc(row->tensor_count * sizeof(*plans));
    for (size_t i = 0; i < row->tensor_count; i++) {
        plans[i] = k.plans[i % KIND_COUNT];
    }
    clconst_batch *batch;
    ck_assert_ok(
        clconst_batch_create(plans, row->tensor_count, NULL, &batch, error));
    uint8_t *actual = malloc(clconst_batch_get_arena_size(batch, 0));
    ck_assert_uint_eq(count_commands(&f, batch, actual), row->command_count);
    for (size_t i = 0; i < row->tensor_count; i++) {
        clconst_place place = CLCONST_PLACE_INIT;
        ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
        harness_assert_bytes(actual + place.offset,
                             k.expected[i % KIND_COUNT],
                             place.size,
                             "batch");
    }
    free(actual);
    free(plans);
    clconst_batch_destroy(batch);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        clconst_plan_destroy(k.plans[i]);
    }
    fixture_close(&f);
}
END_TEST

/* Copies up to 32 KiB travel together, one that is larger by itself. */
static const struct {
    size_t size;
    size_t count;
    size_t command_count;
} copy_rows[] = {
    {GATHER_SIZE, 1, 1},
    {GATHER_SIZE, 3, 1},
    {GATHER_SIZE + 1, 1, 1},
    {GATHER_SIZE + 1, 3, 3},
};

START_TEST(large_copies_take_a_command_each)
{
    enum { COUNT_MAX = 3 };
    static uint8_t actual[COUNT_MAX * (GATHER_SIZE + 64)];
    size_t size = copy_rows[_i].size;
    size_t count = copy_rows[_i].count;
    fixture f;
    fixture_open(&f, CLCONST_PATH_KERNEL);
    make_source();
    clconst_plan *plan =
        harness_copy_plan(CLCONST_UINT8, source, (int64_t)size);
    const clconst_plan *plans[COUNT_MAX] = {plan, plan, plan};
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create(plans, count, NULL, &batch, error));
    ck_assert_uint_le(clconst_batch_get_arena_size(batch, 0), sizeof(actual));
    ck_assert_uint_eq(count_commands(&f, batch, actual),
                      copy_rows[_i].command_count);
    for (size_t i = 0; i < count; i++) {
        clconst_place place = CLCONST_PLACE_INIT;
        ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
        harness_assert_bytes(actual + place.offset, source, size, "copy");
    }
    clconst_batch_destroy(batch);
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

Suite *opencl_commands_suite(void)
{
    Suite *suite = suite_create("opencl_commands");
    TCase *tcase = tcase_create("opencl_commands");
    tcase_add_loop_test(tcase,
                        commands_do_not_grow_with_the_batch,
                        0,
                        sizeof(batch_rows) / sizeof(batch_rows[0]));
    tcase_add_loop_test(tcase,
                        large_copies_take_a_command_each,
                        0,
                        sizeof(copy_rows) / sizeof(copy_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
