/* Batches whose large copies go to the engine in pieces: the bytes, what
 * progress is told, and what it can stop. */
#include <stdlib.h>
#include <string.h>

#include "backend/engines.h"
#include "backend/suites.h"
#include "harness/oracle.h"

/* Copies of dirty bytes, of which the larger ones are cut, among fills. */
typedef struct piece_row {
    const char *name;
    int dtype;
    int64_t count;
    int is_copy;
} piece_row;

static const piece_row rows[] = {
    {"float6 fill", CLCONST_FLOAT6E3M2, 1001, 0},
    {"large copy", CLCONST_UINT8, 500000, 1},
    {"copy with half a last byte", CLCONST_INT4, 200001, 1},
    {"small copy", CLCONST_INT8, 5, 1},
    {"fill", CLCONST_DOUBLE, 100000, 0},
    {"copy that fits a piece", CLCONST_INT16, 20000, 1},
    {"copy of one byte more", CLCONST_UINT8, 40001, 1},
    {"empty copy", CLCONST_FLOAT, 0, 1},
    {"last copy", CLCONST_COMPLEX128, 20000, 1},
};
enum {
    ROW_COUNT = sizeof(rows) / sizeof(rows[0]),
    BYTES_MAX = 800000,
    TOTAL = 751 + 500000 + 100001 + 5 + 800000 + 40000 + 40001 + 320000,
};

static uint8_t dirty[BYTES_MAX];

static clconst_batch *make_batch(size_t max_arena_size)
{
    clconst_plan *plans[ROW_COUNT];
    uint64_t seed = 77;
    for (size_t i = 0; i < BYTES_MAX; i++) {
        dirty[i] = (uint8_t)harness_random(&seed);
    }
    for (size_t i = 0; i < ROW_COUNT; i++) {
        plans[i] = rows[i].is_copy
                       ? harness_copy_plan(rows[i].dtype, dirty, rows[i].count)
                       : harness_fill_plan(
                             rows[i].dtype, harness_element, rows[i].count);
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.alignment = 1;
    options.max_arena_size = max_arena_size;
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create((const clconst_plan *const *)plans,
                                      ROW_COUNT,
                                      &options,
                                      &batch,
                                      error));
    for (size_t i = 0; i < ROW_COUNT; i++) {
        clconst_plan_destroy(plans[i]);
    }
    return batch;
}

static void assert_rows(clconst_tensor *const *tensors,
                        const clconst_batch *batch)
{
    static uint8_t expected[BYTES_MAX];
    static uint8_t actual[BYTES_MAX];
    for (size_t i = 0; i < ROW_COUNT; i++) {
        uint64_t count = (uint64_t)rows[i].count;
        clconst_place place = CLCONST_PLACE_INIT;
        if (rows[i].is_copy) {
            oracle_copy(expected, rows[i].dtype, dirty, count);
        } else {
            oracle_fill(expected, rows[i].dtype, harness_element, count);
        }
        ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
        ck_assert_uint_eq(place.size, oracle_size(rows[i].dtype, count));
        ck_assert_ok(clconst_tensor_read(
            tensors[place.arena], place.offset, actual, place.size, error));
        harness_assert_bytes(actual, expected, place.size, rows[i].name);
    }
}

/* What progress was told; it stops the run at a call. */
typedef struct progress_log {
    size_t call_count;
    size_t stop_at;
    uint64_t done_size;
} progress_log;

static int note_progress(void *context, uint64_t done_size, uint64_t total_size)
{
    progress_log *log = context;
    ck_assert_uint_eq(total_size, TOTAL);
    ck_assert_uint_le(done_size, total_size);
    ck_assert((done_size > log->done_size) == (log->call_count > 0));
    log->done_size = done_size;
    return log->call_count++ == log->stop_at;
}

typedef struct flight_row {
    size_t in_flight_size;
    size_t max_arena_size;
    size_t call_count_min;
} flight_row;

/* A quarter of in_flight_size is a piece. */
static const flight_row flight_rows[] = {
    {0, 0, 2},
    {SIZE_MAX, 0, 2},
    {(size_t)4 * 40000, 0, 20},
    {(size_t)4 * 12347, 0, 60},
    {(size_t)4 * 12347, 900000, 60},
    {(size_t)4 * 40000, 800000, 20},
};

START_TEST(copies_in_pieces_are_whole)
{
    const flight_row *row = &flight_rows[_i];
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_batch *batch = make_batch(row->max_arena_size);
    clconst_tensor *tensors[ROW_COUNT] = {NULL};
    progress_log log = {0, SIZE_MAX, 0};
    clconst_batch_run_options options = CLCONST_BATCH_RUN_OPTIONS_INIT;
    options.progress = note_progress;
    options.progress_context = &log;
    options.in_flight_size = row->in_flight_size;
    ck_assert_ok(clconst_batch_run(engine, batch, &options, tensors, error));
    ck_assert_uint_eq(log.done_size, TOTAL);
    ck_assert_uint_ge(log.call_count, row->call_count_min);
    assert_rows(tensors, batch);
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_engine_get_counters(engine, &counters);
    ck_assert_uint_eq(counters.byte_size, TOTAL);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        clconst_tensor_destroy(tensors[i]);
    }
    clconst_batch_destroy(batch);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(progress_stops_a_run_at_any_call)
{
    if (engines_skip_size(TOTAL)) {
        return;
    }
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_batch *batch = make_batch(900000);
    clconst_status status = CLCONST_CANCELLED;
    size_t stop_at = 0;
    for (; status == CLCONST_CANCELLED; stop_at++) {
        clconst_tensor *tensors[ROW_COUNT] = {NULL};
        progress_log log = {0, stop_at, 0};
        clconst_error error = {0, 0, ""};
        clconst_batch_run_options options = CLCONST_BATCH_RUN_OPTIONS_INIT;
        options.progress = note_progress;
        options.progress_context = &log;
        options.in_flight_size = 400000;
        status = clconst_batch_run(engine, batch, &options, tensors, &error);
        ck_assert_int_eq(error.status, status);
        ck_assert((tensors[0] != NULL) == (status == CLCONST_OK));
        if (status == CLCONST_CANCELLED) {
            ck_assert_uint_eq(log.call_count, stop_at + 1);
            ck_assert_ptr_nonnull(strstr(error.message, "run is cancelled; "));
        } else {
            assert_rows(tensors, batch);
        }
        for (size_t i = 0; i < ROW_COUNT; i++) {
            clconst_tensor_destroy(tensors[i]);
        }
    }
    ck_assert_int_eq(status, CLCONST_OK);
    ck_assert_uint_gt(stop_at, 10);
    clconst_batch_destroy(batch);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(run_options_need_their_size)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_batch *batch = make_batch(0);
    clconst_tensor *tensors[1] = {NULL};
    clconst_batch_run_options options = CLCONST_BATCH_RUN_OPTIONS_INIT;
    options.struct_size = 0;
    ck_assert_fails(
        clconst_batch_run(engine, batch, &options, tensors, error),
        CLCONST_INVALID_ARGUMENT,
        "struct_size is 0; it must be set to the size of the struct");
    ck_assert_ptr_null(tensors[0]);
    clconst_batch_destroy(batch);
    clconst_engine_destroy(engine);
}
END_TEST

Suite *pieces_suite(void)
{
    Suite *suite = suite_create("pieces");
    TCase *tcase = tcase_create("pieces");
    tcase_add_loop_test(tcase,
                        copies_in_pieces_are_whole,
                        0,
                        sizeof(flight_rows) / sizeof(flight_rows[0]));
    tcase_add_test(tcase, progress_stops_a_run_at_any_call);
    tcase_add_test(tcase, run_options_need_their_size);
    suite_add_tcase(suite, tcase);
    return suite;
}
