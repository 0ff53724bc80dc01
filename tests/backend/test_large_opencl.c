/*
 * Parts of the caller's large buffers, at offsets past 2^31 and 2^32 as far as
 * the device has them.
 */
#include <stdio.h>
#include <string.h>

#include "backend/large_parts.h"
#include "harness/oracle.h"

#define TWO_TO(n) ((size_t)1 << (n))

/* The largest buffer that is of use here. */
static size_t find_size(const fixture *f)
{
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(f->engine, &info);
    size_t size = TWO_TO(32) + 4096;
    return info.max_allocation_size < size ? (size_t)info.max_allocation_size
                                           : size;
}

static void check_fill(const large_buffer *b, size_t offset, size_t size)
{
    clconst_plan *plan =
        harness_fill_plan(CLCONST_UINT8, harness_element, (int64_t)size);
    large_clear_part(b, offset, size);
    ck_assert_ok(clconst_enqueue(b->f->engine,
                                 plan,
                                 b->f->queue,
                                 b->buffer,
                                 offset,
                                 0,
                                 NULL,
                                 NULL,
                                 error));
    ck_assert_cl(clFinish(b->f->queue));
    large_check_part(b, CLCONST_UINT8, offset, size, "part");
    clconst_plan_destroy(plan);
}

START_TEST(parts_of_large_buffers_are_filled)
{
    fixture f;
    large_buffer b;
    fixture_open(&f, CLCONST_PATH_AUTO);
    size_t size = find_size(&f);
    if (large_create_buffer(&b, &f, size, "buffer")) {
        check_fill(&b, size - 1000, 1000);
        check_fill(&b, size - 3000, 999);
        check_fill(&b, size / 2 - 333, 4001);
        if (size > TWO_TO(31) + 2000) {
            check_fill(&b, TWO_TO(31) - 1001, 2001);
        } else {
            printf("SKIP: offsets past 2^31: buffers have at most %zu bytes\n",
                   size);
        }
        if (size > TWO_TO(32)) {
            check_fill(&b, TWO_TO(32) - 1001, 2001);
        } else {
            printf("SKIP: offsets past 2^32: buffers have at most %zu bytes\n",
                   size);
        }
        check_fill(&b, 1, size - 2);
        large_release_buffer(&b);
    }
    fixture_close(&f);
}
END_TEST

enum { PLAN_COUNT = 3, FILL_SIZE = 1000, DENSE_SIZE = 600 };

/* An arena, tables included, at the very end of the largest buffer. */
START_TEST(batches_lie_at_the_end_of_large_buffers)
{
    static const int64_t at[] = {0, DENSE_SIZE - 1};
    static const int64_t dense = DENSE_SIZE;
    static const uint8_t units[] = {7, 9};
    static const uint8_t copied[40] = {7, 6, 5, 4};
    uint8_t expected[PLAN_COUNT][FILL_SIZE] = {{0}};
    oracle_fill(expected[0],
                CLCONST_FLOAT6E2M3,
                harness_element,
                (uint64_t)FILL_SIZE / 3 * 4);
    expected[1][0] = 7;
    expected[1][DENSE_SIZE - 1] = 9;
    memcpy(expected[2], copied, sizeof(copied));
    clconst_plan *plans[PLAN_COUNT] = {
        harness_fill_plan(
            CLCONST_FLOAT6E2M3, harness_element, (int64_t)FILL_SIZE / 3 * 4),
        harness_sparse_plan(CLCONST_UINT8, units, at, 2, &dense),
        harness_copy_plan(CLCONST_UINT8, copied, sizeof(copied)),
    };
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.expand_size = 1;
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create((const clconst_plan *const *)plans,
                                      PLAN_COUNT,
                                      &options,
                                      &batch,
                                      error));
    fixture f;
    large_buffer b;
    fixture_open(&f, CLCONST_PATH_AUTO);
    size_t size = find_size(&f);
    if (large_create_buffer(&b, &f, size, "batch in a buffer")) {
        size_t offset = size - clconst_batch_get_arena_size(batch, 0);
        ck_assert_ok(clconst_batch_enqueue(f.engine,
                                           batch,
                                           0,
                                           f.queue,
                                           b.buffer,
                                           offset,
                                           0,
                                           NULL,
                                           NULL,
                                           error));
        for (size_t i = 0; i < PLAN_COUNT; i++) {
            clconst_place place = CLCONST_PLACE_INIT;
            uint8_t actual[FILL_SIZE];
            ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
            ck_assert_uint_eq(place.size, harness_plan_size(plans[i]));
            large_read(&b, offset + place.offset, actual, place.size);
            harness_assert_bytes(actual, expected[i], place.size, "tensor");
        }
        large_release_buffer(&b);
    }
    fixture_close(&f);
    clconst_batch_destroy(batch);
    for (size_t i = 0; i < PLAN_COUNT; i++) {
        clconst_plan_destroy(plans[i]);
    }
}
END_TEST

int main(void)
{
    engines_require();
    Suite *suite = suite_create("large buffers");
    TCase *tcase = tcase_create("buffers");
    tcase_add_test(tcase, parts_of_large_buffers_are_filled);
    tcase_add_test(tcase, batches_lie_at_the_end_of_large_buffers);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
