/* Sets of processors are Linux's. */
#define _GNU_SOURCE

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/cpu/fill.h"
#include "backend/cpu/parallel.h"
#include "harness/harness.h"
#include "harness/oracle.h"
#include "harness/plans.h"
#include "unit/suites.h"

enum { STORES_COUNT = 3 };
enum { GUARD = 0x5a, GUARD_SIZE = 64, OFFSET_MAX = 65, SMALL_MAX = 1024 };

/* 48 bytes without a period. */
static clconst__pattern make_pattern(void)
{
    clconst__pattern pattern;
    uint64_t state = 0xfeedface;
    for (size_t i = 0; i < CLCONST__PATTERN_SIZE; i++) {
        pattern.bytes[i] = (uint8_t)(harness_random(&state) >> 24);
    }
    return pattern;
}

static void check_fill(clconst__stores stores, size_t offset, size_t size)
{
    static uint8_t bytes[SMALL_MAX + OFFSET_MAX + 2 * GUARD_SIZE];
    static uint8_t expected[sizeof(bytes)];
    clconst__pattern pattern = make_pattern();
    size_t begin = GUARD_SIZE + offset;
    memset(expected, GUARD, sizeof(expected));
    for (size_t i = 0; i < size; i++) {
        expected[begin + i] = pattern.bytes[i % 48];
    }
    memset(bytes, GUARD, sizeof(bytes));
    clconst__cpu_fill(bytes + begin, size, &pattern, stores);
    harness_assert_bytes(bytes, expected, sizeof(bytes), "fill");
}

START_TEST(fills_begin_and_end_at_any_byte)
{
    static const clconst__stores stores[] = {
        CLCONST__STORES_NORMAL,
        CLCONST__STORES_WIDE,
        CLCONST__STORES_STREAMING,
    };
    _Static_assert(sizeof(stores) / sizeof(stores[0]) == STORES_COUNT,
                   "the test runs once for each");
    for (size_t offset = 0; offset <= OFFSET_MAX; offset++) {
        for (size_t size = 0; size <= SMALL_MAX; size += 1 + size / 16) {
            check_fill(stores[_i], offset, size);
        }
    }
}
END_TEST

/* A caller's parallel_for that runs the parts backwards and counts them. */
static void run_backwards(void *context,
                          size_t count,
                          clconst_parallel_body body,
                          void *body_context)
{
    *(size_t *)context += count;
    for (size_t i = count; i-- > 0;) {
        body(body_context, i);
    }
}

typedef struct large_row {
    const char *name;
    size_t offset;
    size_t element_count;
    unsigned thread_count;
    size_t parts; /* that parallel_for sees; 0: none is given */
} large_row;

enum { MIB = 1 << 20 };

/* Sizes about those from which on fills are shared, 4 MiB, and stream, 8 MiB.
 */
static const large_row large_rows[] = {
    {"one part", 0, 2 * MIB * 4 / 3, 2, 0},
    {"two parts", 1, 5 * MIB * 4 / 3 + 1, 2, 0},
    {"streaming", 3, 9 * MIB * 4 / 3 + 2, 2, 0},
    {"streaming alone", 3, 9 * MIB * 4 / 3 + 3, 1, 0},
    {"more threads than parts", 0, 5 * MIB * 4 / 3, 50, 0},
    {"many threads", 17, 33 * MIB * 4 / 3 + 1, 7, 0},
    {"lent workers", 0, 8 * MIB * 4 / 3, 4, 16},
    /* No worker has a fifth more than another. */
    {"lent workers, few parts", 0, 5 * MIB * 4 / 3, 2, 10},
    {"lent workers, small", 0, 99, 4, 0},
};

static clconst_plan *make_plan(clconst_dtype dtype, uint8_t code, int64_t count)
{
    const uint8_t element[16] = {code};
    return harness_fill_plan((int)dtype, element, count);
}

START_TEST(large_fills_are_cut_without_a_seam)
{
    const large_row *row = &large_rows[_i];
    static const uint8_t code = 0x29;
    size_t parts = 0;
    clconst_engine *engine;
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    options.thread_count = row->thread_count;
    if (row->parts > 0 || row->element_count < 100) {
        options.parallel_for = run_backwards;
        options.parallel_for_context = &parts;
    }
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    size_t size = oracle_size(CLCONST_FLOAT6E2M3, row->element_count);
    clconst_plan *plan =
        make_plan(CLCONST_FLOAT6E2M3, code, (int64_t)row->element_count);
    /* Aligned, so that the offset alone decides where parts begin. */
    size_t total =
        (size + row->offset + 2 * GUARD_SIZE + 2 * MIB) / (2 * MIB) * (2 * MIB);
    uint8_t *bytes = aligned_alloc(2 * MIB, total);
    uint8_t *expected = malloc(size);
    ck_assert(bytes != NULL && expected != NULL);
    memset(bytes, GUARD, total);
    uint8_t element[16] = {code};
    oracle_fill(expected, CLCONST_FLOAT6E2M3, element, row->element_count);
    ck_assert_ok(clconst_write(engine, plan, bytes + row->offset, size, error));
    ck_assert_msg(memcmp(bytes + row->offset, expected, size) == 0,
                  "%s: bytes differ",
                  row->name);
    for (size_t i = 0; i < row->offset; i++) {
        ck_assert_uint_eq(bytes[i], GUARD);
    }
    for (size_t i = 0; i < GUARD_SIZE; i++) {
        ck_assert_uint_eq(bytes[row->offset + size + i], GUARD);
    }
    ck_assert_uint_eq(parts, row->parts);
    free(bytes);
    free(expected);
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
}
END_TEST

enum { CROWD = 100, WAITS_MAX = 20000 };

typedef struct crowd {
    atomic_size_t arrived;
    atomic_size_t gave_up;
} crowd;

/* Waits, some 20 seconds at most, until all parts run at once. */
static void meet(void *context, size_t index)
{
    (void)index;
    crowd *met = context;
    atomic_fetch_add(&met->arrived, 1);
    int waits = 0;
    while (atomic_load(&met->arrived) < CROWD && waits++ < WAITS_MAX) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (waits > WAITS_MAX) {
        atomic_fetch_add(&met->gave_up, 1);
    }
}

START_TEST(as_many_threads_run_as_were_asked_for)
{
    const clconst_engine_options options = {.thread_count = CROWD};
    clconst__workers workers = clconst__workers_from(&options);
    crowd met = {0};
    clconst__parallel_run(&workers, CROWD, meet, &met);
    ck_assert_uint_eq(atomic_load(&met.arrived), CROWD);
    ck_assert_uint_eq(atomic_load(&met.gave_up), 0);
}
END_TEST

#if defined(__linux__)
typedef struct roam {
    crowd met;
    cpu_set_t processors; /* of the caller */
    atomic_size_t bound;
} roam;

/* All threads at once, so that each has a part. */
static void look_around(void *context, size_t index)
{
    roam *seen = context;
    cpu_set_t own;
    int waits = 0;
    meet(&seen->met, index);
    do {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        CPU_ZERO(&own);
        (void)sched_getaffinity(0, sizeof(own), &own);
    } while (!CPU_EQUAL(&own, &seen->processors) && waits++ < WAITS_MAX / 10);
    if (!CPU_EQUAL(&own, &seen->processors)) {
        atomic_fetch_add(&seen->bound, 1);
    }
}

START_TEST(threads_may_run_wherever_the_caller_may)
{
    const clconst_engine_options options = {.thread_count = CROWD};
    clconst__workers workers = clconst__workers_from(&options);
    static roam seen;
    ck_assert_int_eq(
        sched_getaffinity(0, sizeof(seen.processors), &seen.processors), 0);
    clconst__parallel_run(&workers, CROWD, look_around, &seen);
    ck_assert_uint_eq(atomic_load(&seen.met.arrived), CROWD);
    ck_assert_uint_eq(atomic_load(&seen.bound), 0);
}
END_TEST
#endif

START_TEST(fresh_memory_holds_the_fill)
{
    /* Zero, which stores nothing, and others; on the heap and mapped. */
    static const uint8_t codes[] = {0x00, 0x3f, 0x11};
    static const int64_t counts[] = {1, 1001, 3 * MIB, 16 * MIB + 5};
    clconst_engine *engine;
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        uint8_t element[16] = {codes[_i]};
        size_t size = oracle_size(CLCONST_FLOAT6E3M2, (uint64_t)counts[i]);
        uint8_t *expected = malloc(size);
        ck_assert_ptr_nonnull(expected);
        oracle_fill(expected, CLCONST_FLOAT6E3M2, element, (uint64_t)counts[i]);
        clconst_plan *plan =
            make_plan(CLCONST_FLOAT6E3M2, codes[_i], counts[i]);
        clconst_tensor *tensor;
        ck_assert_ok(clconst_run(engine, plan, &tensor, error));
        clconst_view view;
        clconst_tensor_get_view(tensor, &view);
        ck_assert_uint_eq(view.size, size);
        ck_assert_uint_eq((uintptr_t)view.data % 64, 0);
        ck_assert_mem_eq(view.data, expected, size);
        clconst_tensor_destroy(tensor);
        clconst_plan_destroy(plan);
        free(expected);
    }
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(an_arena_is_written_between_its_gaps)
{
    clconst_plan *plans[] = {make_plan(CLCONST_UINT8, 1, 3),
                             make_plan(CLCONST_UINT8, 0, 0),
                             make_plan(CLCONST_UINT4, 7, 3)};
    clconst_batch *batch;
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.alignment = 8;
    ck_assert_ok(clconst_batch_create(
        (const clconst_plan *const *)plans, 3, &options, &batch, error));
    static const uint8_t expected[] = {
        1, 1, 1, GUARD, GUARD, GUARD, GUARD, GUARD, 0x77, 0x07};
    uint8_t bytes[sizeof(expected)];
    memset(bytes, GUARD, sizeof(bytes));
    ck_assert_ok(
        clconst_batch_write(NULL, batch, 0, bytes, sizeof(bytes), error));
    harness_assert_bytes(bytes, expected, sizeof(bytes), "arena");
    ck_assert_fails(clconst_batch_write(NULL, batch, 1, bytes, 10, error),
                    CLCONST_INVALID_ARGUMENT,
                    "arena is 1; the batch has 1");
    ck_assert_fails(clconst_batch_write(NULL, NULL, 0, bytes, 10, error),
                    CLCONST_INVALID_ARGUMENT,
                    "batch is NULL; it is required");
    ck_assert_fails(clconst_batch_write(NULL, batch, 0, bytes, 9, error),
                    CLCONST_INVALID_ARGUMENT,
                    "size is 9; the output has 10 bytes");
    clconst_batch_destroy(batch);
    for (size_t i = 0; i < 3; i++) {
        clconst_plan_destroy(plans[i]);
    }
}
END_TEST

/* What lies far from all others, as a copy between the fills of an arena and
 * its image does, is shared out; the others are too small to be. */
START_TEST(parts_are_made_where_bytes_are)
{
    enum { COPY_SIZE = 5 * MIB, PART_SIZE = MIB / 2 };
    size_t parts = 0;
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    options.parallel_for = run_backwards;
    options.parallel_for_context = &parts;
    clconst_engine *engine;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    uint8_t *source = calloc(COPY_SIZE, 1);
    uint8_t *bytes = malloc(COPY_SIZE + MIB);
    ck_assert_ptr_nonnull(source);
    ck_assert_ptr_nonnull(bytes);
    clconst_plan *plans[] = {
        make_plan(CLCONST_UINT8, 1, 200),
        harness_copy_plan(CLCONST_UINT8, source, COPY_SIZE),
        harness_copy_plan(CLCONST_UINT8, source, 5)};
    clconst_batch *batch;
    clconst_batch_options layout = CLCONST_BATCH_OPTIONS_INIT;
    layout.expand_size = 64;
    ck_assert_ok(clconst_batch_create(
        (const clconst_plan *const *)plans, 3, &layout, &batch, error));
    size_t size = clconst_batch_get_arena_size(batch, 0);
    ck_assert_uint_le(size, COPY_SIZE + MIB);
    ck_assert_ok(clconst_batch_write(engine, batch, 0, bytes, size, error));
    ck_assert_uint_ge(parts, COPY_SIZE / PART_SIZE);
    ck_assert_uint_le(parts, COPY_SIZE / PART_SIZE + 1);
    clconst_batch_destroy(batch);
    for (size_t i = 0; i < 3; i++) {
        clconst_plan_destroy(plans[i]);
    }
    free(bytes);
    free(source);
    clconst_engine_destroy(engine);
}
END_TEST

Suite *cpu_suite(void)
{
    Suite *suite = suite_create("cpu");
    TCase *tcase = tcase_create("cpu");
    tcase_add_loop_test(
        tcase, fills_begin_and_end_at_any_byte, 0, STORES_COUNT);
    tcase_add_loop_test(tcase,
                        large_fills_are_cut_without_a_seam,
                        0,
                        sizeof(large_rows) / sizeof(large_rows[0]));
    tcase_add_test(tcase, as_many_threads_run_as_were_asked_for);
#if defined(__linux__)
    tcase_add_test(tcase, threads_may_run_wherever_the_caller_may);
#endif
    tcase_add_loop_test(tcase, fresh_memory_holds_the_fill, 0, 3);
    tcase_add_test(tcase, an_arena_is_written_between_its_gaps);
    tcase_add_test(tcase, parts_are_made_where_bytes_are);
    suite_add_tcase(suite, tcase);
    return suite;
}
