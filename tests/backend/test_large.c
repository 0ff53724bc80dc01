/*
 * Sizes past 2^31 and 2^32, in elements and in bytes. Devices are read at the
 * ends and around the boundaries, host memory is compared as a whole.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/large.h"
#include "harness/oracle.h"

#define TWO_TO(n) (INT64_C(1) << (n))

typedef struct fill_row {
    const char *name;
    int dtype;
    int64_t count;
} fill_row;

static const fill_row fill_rows[] = {
    {"below 2^31 bytes", CLCONST_UINT8, TWO_TO(31) - 1},
    {"R103: 2^31 bytes", CLCONST_UINT8, TWO_TO(31)},
    {"R103: 2^31 and 4 bytes", CLCONST_UINT32, TWO_TO(29) + 1},
    {"R129, R132, R135, R136: 2^31 elements and one",
     CLCONST_UINT8,
     TWO_TO(31) + 1},
    {"2^31 elements and more, past 4 GiB", CLCONST_UINT16, TWO_TO(31) + 3},
    {"2^29 doubles and one", CLCONST_DOUBLE, TWO_TO(29) + 1},
    {"2^28 of 16 bytes and one", CLCONST_COMPLEX128, TWO_TO(28) + 1},
    {"2^32 of 2 bits and more", CLCONST_UINT2, TWO_TO(32) + 3},
    {"2^31 of 6 bits and more", CLCONST_FLOAT6E2M3, TWO_TO(31) + 5},
    {"2^34 of 2 bits and more", CLCONST_UINT2, TWO_TO(34) + 3},
    {"6 bits past 4 GiB", CLCONST_FLOAT6E2M3, TWO_TO(32) / 3 * 4 + 5},
};

static void
check_windows(const clconst_tensor *tensor, const fill_row *row, size_t size)
{
    size_t offsets[16];
    size_t count = large_windows(size, offsets);
    for (size_t i = 0; i < count; i++) {
        uint8_t actual[LARGE_WINDOW];
        uint8_t expected[LARGE_WINDOW];
        /* The last byte may have unused bits. */
        bool is_last = offsets[i] + LARGE_WINDOW == size;
        size_t compared = is_last ? LARGE_WINDOW - 1 : LARGE_WINDOW;
        large_expect(row->dtype, offsets[i], expected, LARGE_WINDOW);
        ck_assert_ok(clconst_tensor_read(
            tensor, offsets[i], actual, sizeof(actual), error));
        harness_assert_bytes(actual, expected, compared, row->name);
        size_t used = (size_t)row->count * oracle_bits(row->dtype) % 8;
        if (is_last && used > 0) {
            expected[LARGE_WINDOW - 1] &= (uint8_t)((1U << used) - 1);
        }
        ck_assert_uint_eq(actual[LARGE_WINDOW - 1], expected[LARGE_WINDOW - 1]);
    }
}

START_TEST(fills_are_right_at_each_boundary)
{
    const fill_row *row = &fill_rows[_i];
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_plan *plan =
        harness_fill_plan(row->dtype, harness_element, row->count);
    size_t size = harness_plan_size(plan);
    if (large_is_possible(engine, size, row->name)) {
        clconst_tensor *tensor;
        clconst_view view;
        ck_assert_ok(clconst_run(engine, plan, &tensor, error));
        check_windows(tensor, row, size);
        clconst_tensor_get_view(tensor, &view);
        if (view.data != NULL) {
            const uint8_t *bytes = view.data;
            /* All but a last byte with unused bits repeats. */
            ck_assert(memcmp(bytes,
                             bytes + LARGE_PERIOD,
                             size - LARGE_PERIOD - 1) == 0);
        }
        clconst_tensor_destroy(tensor);
    }
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
}
END_TEST

/* Units on both sides of each boundary. */
START_TEST(sparse_elements_lie_past_each_boundary)
{
    static const int64_t indices[] = {0,
                                      TWO_TO(31) - 1,
                                      TWO_TO(31),
                                      TWO_TO(32) - 1,
                                      TWO_TO(32),
                                      TWO_TO(32) + 16};
    static const uint8_t values[] = {1, 2, 3, 4, 5, 6};
    static const int64_t dims[] = {TWO_TO(32) + 17, TWO_TO(31) + 1};
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    for (size_t i = 0; i < 2; i++) {
        int64_t count = i == 0 ? 6 : 3;
        clconst_plan *plan = harness_sparse_plan(
            CLCONST_UINT8, values, indices, count, &dims[i]);
        if (large_is_possible(engine, harness_plan_size(plan), "sparse")) {
            clconst_tensor *tensor;
            ck_assert_ok(clconst_run(engine, plan, &tensor, error));
            for (int64_t j = 0; j < count; j++) {
                uint8_t around[3] = {0xa5, 0xa5, 0xa5};
                size_t at = (size_t)indices[j];
                ck_assert_ok(clconst_tensor_read(tensor, at, around, 1, error));
                ck_assert_uint_eq(around[0], values[j]);
            }
            uint8_t zeros[3] = {1, 1, 1};
            ck_assert_ok(clconst_tensor_read(
                tensor, (size_t)TWO_TO(31) - 4, zeros, 3, error));
            ck_assert(zeros[0] == 0 && zeros[1] == 0 && zeros[2] == 0);
            clconst_tensor_destroy(tensor);
        }
        clconst_plan_destroy(plan);
    }
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(copies_are_whole_past_2_to_the_31)
{
    const size_t size = (size_t)TWO_TO(31) + 9;
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    uint8_t *bytes = calloc(1, size);
    ck_assert_ptr_nonnull(bytes);
    const size_t marks[] = {0, size / 2, (size_t)TWO_TO(31), size - 1};
    for (size_t i = 0; i < 4; i++) {
        bytes[marks[i]] = (uint8_t)(i + 1);
    }
    clconst_plan *plan = harness_copy_plan(CLCONST_UINT8, bytes, (int64_t)size);
    if (large_is_possible(engine, size, "copy")) {
        clconst_tensor *tensor;
        ck_assert_ok(clconst_run(engine, plan, &tensor, error));
        for (size_t i = 0; i < 4; i++) {
            uint8_t byte = 0;
            ck_assert_ok(
                clconst_tensor_read(tensor, marks[i], &byte, 1, error));
            ck_assert_uint_eq(byte, i + 1);
        }
        clconst_tensor_destroy(tensor);
    }
    clconst_plan_destroy(plan);
    free(bytes);
    clconst_engine_destroy(engine);
}
END_TEST

/* Bytes from an offset on in the tensor of this index, in the arenas of a
 * batch. */
static void check_bytes(const clconst_batch *batch,
                        clconst_tensor *const *arenas,
                        size_t index,
                        size_t offset,
                        const uint8_t *expected,
                        size_t size)
{
    clconst_place place = CLCONST_PLACE_INIT;
    uint8_t actual[LARGE_WINDOW];
    ck_assert_ok(clconst_batch_get_place(batch, index, &place, error));
    ck_assert_uint_le(offset + size, place.size);
    ck_assert_ok(clconst_tensor_read(
        arenas[place.arena], place.offset + offset, actual, size, error));
    harness_assert_bytes(actual, expected, size, "in the batch");
}

static void check_large(const clconst_batch *batch,
                        clconst_tensor *const *arenas,
                        size_t size)
{
    size_t offsets[16];
    size_t count = large_windows(size, offsets);
    for (size_t i = 0; i < count; i++) {
        uint8_t expected[LARGE_WINDOW];
        large_expect(CLCONST_UINT8, offsets[i], expected, LARGE_WINDOW);
        check_bytes(batch, arenas, 0, offsets[i], expected, LARGE_WINDOW);
    }
}

/* Fills, copies and sparse constants behind a tensor past 4 GiB, or as large as
 * the device has it. */
START_TEST(batches_lay_out_past_each_boundary)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(engine, &info);
    uint64_t size = (uint64_t)TWO_TO(32) + 5;
    if (info.max_allocation_size < size + TWO_TO(20)) {
        size = info.max_allocation_size - (uint64_t)TWO_TO(20);
    }
    static const uint8_t copied[40] = {7, 6, 5, 4};
    static const int64_t at = 20;
    static const int64_t dim = 24;
    static const uint8_t unit = 9;
    uint8_t sparse[24] = {0};
    uint8_t filled[33];
    sparse[20] = 9;
    large_expect(CLCONST_UINT8, 0, filled, sizeof(filled));
    clconst_plan *plans[] = {
        harness_fill_plan(CLCONST_UINT8, harness_element, (int64_t)size),
        harness_fill_plan(CLCONST_UINT8, harness_element, 33),
        harness_copy_plan(CLCONST_UINT8, copied, 40),
        harness_sparse_plan(CLCONST_UINT8, &unit, &at, 1, &dim)};
    if (large_is_possible(engine, size, "batch")) {
        clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
        options.max_arena_size = (size_t)info.max_allocation_size;
        options.expand_size = 1;
        options.alignment = info.alignment;
        clconst_batch *batch;
        clconst_tensor *arenas[4] = {NULL, NULL, NULL, NULL};
        ck_assert_ok(clconst_batch_create(
            (const clconst_plan *const *)plans, 4, &options, &batch, error));
        ck_assert_uint_le(clconst_batch_get_arena_count(batch), 4);
        ck_assert_ok(clconst_batch_run(engine, batch, NULL, arenas, error));
        check_large(batch, arenas, (size_t)size);
        check_bytes(batch, arenas, 1, 0, filled, sizeof(filled));
        check_bytes(batch, arenas, 2, 0, copied, sizeof(copied));
        check_bytes(batch, arenas, 3, 0, sparse, sizeof(sparse));
        for (size_t i = 0; i < 4; i++) {
            clconst_tensor_destroy(arenas[i]);
        }
        clconst_batch_destroy(batch);
    }
    for (size_t i = 0; i < 4; i++) {
        clconst_plan_destroy(plans[i]);
    }
    clconst_engine_destroy(engine);
}
END_TEST

int main(void)
{
    engines_require();
    Suite *suite = suite_create("large");
    TCase *tcase = tcase_create("large");
    tcase_add_loop_test(tcase,
                        fills_are_right_at_each_boundary,
                        0,
                        sizeof(fill_rows) / sizeof(fill_rows[0]));
    tcase_add_test(tcase, sparse_elements_lie_past_each_boundary);
    tcase_add_test(tcase, copies_are_whole_past_2_to_the_31);
    tcase_add_test(tcase, batches_lay_out_past_each_boundary);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
