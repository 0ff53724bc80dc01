/* Batches that workers share out: parts are cut across tensors of all kinds and
 * sizes, wherever these begin and end. */
#include <stdlib.h>
#include <string.h>

#include "backend/engines.h"
#include "backend/suites.h"
#include "harness/oracle.h"

typedef enum part_kind {
    PART_FILL,
    PART_ZERO,
    PART_COPY,
    PART_SPARSE,
} part_kind;

typedef struct part_row {
    const char *name;
    part_kind kind;
    int dtype;
    int64_t count;
} part_row;

enum { KI = 1 << 10, MI = 1 << 20 };

/* Larger and smaller than a part, which is 512 KiB or 2 MiB. The small ones
 * come again and again behind the others. */
static const part_row rows[] = {
    {"float6 fill", PART_FILL, CLCONST_FLOAT6E3M2, 2 * MI + 1},
    {"zeros", PART_ZERO, CLCONST_DOUBLE, 300 * KI},
    {"sparse", PART_SPARSE, CLCONST_INT16, MI + 3},
    {"int4 copy", PART_COPY, CLCONST_INT4, 3 * MI + 1},
    {"sparse without pairs in most parts", PART_SPARSE, CLCONST_UINT2, 5 * MI},
    {"empty fill", PART_FILL, CLCONST_FLOAT, 0},
    {"uint4 fill", PART_FILL, CLCONST_UINT4, 3 * MI + 3},
    {"streamed fill", PART_FILL, CLCONST_DOUBLE, 1100 * KI},
    {"small fill", PART_FILL, CLCONST_UINT8, 5},
    {"small copy", PART_COPY, CLCONST_INT8, 5},
    {"fill of some KiB", PART_FILL, CLCONST_UINT2, 9 * KI + 1},
};
enum {
    ROW_COUNT = sizeof(rows) / sizeof(rows[0]),
    SMALL_COUNT = 3,
    PLAN_COUNT = ROW_COUNT + 600,
    BYTES_MAX = 9 * MI,
    GUARD = 0x5a,
};

static const part_row *row_of(size_t index)
{
    return index < ROW_COUNT
               ? &rows[index]
               : &rows[ROW_COUNT - SMALL_COUNT + index % SMALL_COUNT];
}

/* What copies are of; made once. */
static const uint8_t *dirty_bytes(void)
{
    static uint8_t bytes[BYTES_MAX];
    uint64_t seed = 78;
    for (size_t i = 0; i < BYTES_MAX && bytes[BYTES_MAX - 1] == 0; i++) {
        bytes[i] = (uint8_t)(harness_random(&seed) | 1);
    }
    return bytes;
}

enum { PAIR_COUNT = 5 };

static const uint8_t pair_values[2 * PAIR_COUNT] = {
    0xe1, 0x97, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa};

/* Of a sparse row; plans borrow them. */
static const int64_t *indices_of(const part_row *row)
{
    static int64_t all[ROW_COUNT][PAIR_COUNT];
    int64_t *indices = all[row - rows];
    const int64_t count = row->count;
    const int64_t made[PAIR_COUNT] = {
        0, count / 3, count / 2, count - 2, count - 1};
    memcpy(indices, made, sizeof(made));
    return indices;
}

static clconst_plan *make_plan(const part_row *row)
{
    static const uint8_t zero[16];
    switch (row->kind) {
    case PART_FILL:
        return harness_fill_plan(row->dtype, harness_element, row->count);
    case PART_ZERO:
        return harness_fill_plan(row->dtype, zero, row->count);
    case PART_COPY:
        return harness_copy_plan(row->dtype, dirty_bytes(), row->count);
    default:
        return harness_sparse_plan(
            row->dtype, pair_values, indices_of(row), PAIR_COUNT, &row->count);
    }
}

static void expect(const part_row *row, uint8_t *expected)
{
    memset(expected, 0, oracle_size(row->dtype, (uint64_t)row->count));
    switch (row->kind) {
    case PART_FILL:
        oracle_fill(
            expected, row->dtype, harness_element, (uint64_t)row->count);
        break;
    case PART_ZERO:
        break;
    case PART_COPY:
        oracle_copy(expected, row->dtype, dirty_bytes(), (uint64_t)row->count);
        break;
    default:
        for (uint64_t i = 0; i < PAIR_COUNT; i++) {
            oracle_place(expected,
                         row->dtype,
                         (uint64_t)indices_of(row)[i],
                         pair_values,
                         i);
        }
    }
}

static clconst_batch *make_batch(size_t alignment)
{
    clconst_plan *plans[PLAN_COUNT];
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.alignment = alignment;
    clconst_batch *batch;
    for (size_t i = 0; i < PLAN_COUNT; i++) {
        plans[i] = make_plan(row_of(i));
    }
    ck_assert_ok(clconst_batch_create((const clconst_plan *const *)plans,
                                      PLAN_COUNT,
                                      &options,
                                      &batch,
                                      error));
    for (size_t i = 0; i < PLAN_COUNT; i++) {
        clconst_plan_destroy(plans[i]);
    }
    return batch;
}

static void assert_rows(const clconst_batch *batch, const uint8_t *bytes)
{
    uint8_t *expected = malloc(BYTES_MAX);
    ck_assert_ptr_nonnull(expected);
    for (size_t i = 0; i < PLAN_COUNT; i++) {
        clconst_place place = CLCONST_PLACE_INIT;
        ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
        ck_assert_uint_eq(place.arena, 0);
        expect(row_of(i), expected);
        harness_assert_bytes(
            bytes + place.offset, expected, place.size, row_of(i)->name);
    }
    free(expected);
}

START_TEST(parts_of_a_run_are_whole)
{
    clconst_batch *batch = make_batch(1);
    size_t size = clconst_batch_get_arena_size(batch, 0);
    if (!engines_skip_size(size)) {
        clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
        clconst_tensor *tensor;
        ck_assert_ok(clconst_batch_run(engine, batch, NULL, &tensor, error));
        uint8_t *bytes = malloc(size);
        ck_assert_ptr_nonnull(bytes);
        ck_assert_ok(clconst_tensor_read(tensor, 0, bytes, size, error));
        assert_rows(batch, bytes);
        free(bytes);
        clconst_tensor_destroy(tensor);
        clconst_engine_destroy(engine);
    }
    clconst_batch_destroy(batch);
}
END_TEST

/* Into memory that is not fresh, with bytes between the tensors. */
START_TEST(parts_of_a_write_leave_the_gaps)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    options.thread_count = 3;
    clconst_engine *engine;
    clconst_batch *batch = make_batch(64);
    size_t size = clconst_batch_get_arena_size(batch, 0);
    uint8_t *bytes = malloc(size);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, GUARD, size);
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    ck_assert_ok(clconst_batch_write(engine, batch, 0, bytes, size, error));
    assert_rows(batch, bytes);
    for (size_t i = 0; i < PLAN_COUNT; i++) {
        clconst_place place = CLCONST_PLACE_INIT;
        ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
        memset(bytes + place.offset, GUARD, place.size);
    }
    size_t whole = 0;
    while (whole < size && bytes[whole] == GUARD) {
        whole++;
    }
    ck_assert_uint_eq(whole, size);
    free(bytes);
    clconst_engine_destroy(engine);
    clconst_batch_destroy(batch);
}
END_TEST

Suite *parts_suite(void)
{
    Suite *suite = suite_create("parts");
    TCase *tcase = tcase_create("parts");
    tcase_add_test(tcase, parts_of_a_run_are_whole);
    tcase_add_test(tcase, parts_of_a_write_leave_the_gaps);
    suite_add_tcase(suite, tcase);
    return suite;
}
