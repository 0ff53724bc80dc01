#include "core/batch.h"

#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"
#include "harness/oracle.h"
#include "harness/plans.h"
#include "unit/suites.h"

/* A plan of size bytes. */
static clconst_plan *make_plan(int64_t size)
{
    return harness_fill_plan(CLCONST_UINT8, harness_element, size);
}

typedef struct layout_row {
    const char *name;
    size_t alignment;
    size_t max_arena_size;
    size_t count;
    int64_t sizes[6];
    struct {
        size_t arena;
        size_t offset;
    } places[6];
    size_t arena_count;
    size_t arena_sizes[3];
} layout_row;

static const layout_row layout_rows[] = {
    {"none", 0, 0, 0, {0}, {{0, 0}}, 0, {0}},
    {"one", 0, 0, 1, {5}, {{0, 0}}, 1, {5}},
    {"default alignment",
     0,
     0,
     3,
     {5, 64, 1},
     {{0, 0}, {0, 64}, {0, 128}},
     1,
     {129}},
    {"no alignment", 1, 0, 3, {5, 64, 1}, {{0, 0}, {0, 5}, {0, 69}}, 1, {70}},
    {"empty among others",
     16,
     0,
     4,
     {0, 3, 0, 2},
     {{0, 0}, {0, 0}, {0, 16}, {0, 16}},
     1,
     {18}},
    {"only empty", 16, 0, 2, {0, 0}, {{0, 0}, {0, 0}}, 1, {0}},
    {"exactly full", 16, 32, 2, {16, 16}, {{0, 0}, {0, 16}}, 1, {32}},
    {"one byte over", 16, 31, 2, {16, 16}, {{0, 0}, {1, 0}}, 2, {16, 16}},
    {"sums past 2^64",
     0,
     0,
     3,
     {INT64_MAX, INT64_MAX, 5},
     {{0, 0}, {1, 0}, {1, (size_t)1 << 63}},
     2,
     {INT64_MAX, ((size_t)1 << 63) + 5}},
    {"three arenas",
     16,
     40,
     5,
     {30, 30, 8, 40, 0},
     {{0, 0}, {1, 0}, {1, 32}, {2, 0}, {3, 0}},
     4,
     {30, 40, 40}},
};

START_TEST(plans_lie_aligned_and_within_the_limit)
{
    const layout_row *row = &layout_rows[_i];
    clconst_plan *plans[6];
    for (size_t i = 0; i < row->count; i++) {
        plans[i] = make_plan(row->sizes[i]);
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.alignment = row->alignment;
    options.max_arena_size = row->max_arena_size;
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create((const clconst_plan *const *)plans,
                                      row->count,
                                      &options,
                                      &batch,
                                      error));
    ck_assert_uint_eq(clconst_batch_get_arena_count(batch), row->arena_count);
    for (size_t i = 0; i < row->count; i++) {
        clconst_plan_destroy(plans[i]);
        clconst_place place = CLCONST_PLACE_INIT;
        ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
        ck_assert_msg(place.arena == row->places[i].arena &&
                          place.offset == row->places[i].offset &&
                          place.size == (size_t)row->sizes[i],
                      "%s: plan %zu is in arena %zu at %zu",
                      row->name,
                      i,
                      place.arena,
                      place.offset);
    }
    for (size_t i = 0; i < row->arena_count && i < 3; i++) {
        ck_assert_uint_eq(clconst_batch_get_arena_size(batch, i),
                          row->arena_sizes[i]);
    }
    ck_assert_uint_eq(clconst_batch_get_arena_size(batch, row->arena_count), 0);
    clconst_batch_destroy(batch);
}
END_TEST

/* What devices do with an arena, naively: the image, then its tables. */
static void execute_naively(const clconst_batch *batch, uint8_t *memory)
{
    const clconst__arena *arena = &batch->arenas[0];
    if (arena->image_size > 0) {
        memcpy(memory + arena->image_offset, arena->image, arena->image_size);
    }
    for (size_t i = 0; i < arena->fills.row_count; i++) {
        clconst__fill_row row;
        memcpy(
            &row, memory + arena->fills.offset + i * sizeof(row), sizeof(row));
        for (uint64_t at = 0; at < row.size; at++) {
            memory[row.offset + at] = row.pattern.bytes[at % 48];
        }
        memory[row.offset + row.size - 1] = (uint8_t)row.last_byte;
    }
    for (size_t i = 0; i < arena->scatters.row_count; i++) {
        clconst__scatter_row row;
        memcpy(&row,
               memory + arena->scatters.offset + i * sizeof(row),
               sizeof(row));
        for (uint64_t pair = 0; pair < row.count; pair++) {
            uint64_t index;
            memcpy(&index, memory + row.indices_offset + pair * 8, 8);
            memcpy(memory + row.offset + index * row.unit_size,
                   memory + row.units_offset + pair * row.unit_size,
                   row.unit_size);
        }
    }
    for (size_t i = 0; i < arena->direct.count; i++) {
        const clconst__placed *output = &batch->placed[arena->direct.first + i];
        clconst__plan_expand(output->plan, memory + output->offset);
    }
}

enum { MIXED_COUNT = 40, LARGE = 80000, DENSE_COUNT = 10001, PAIR_COUNT = 6 };

/* Of sparse constants. */
static const int64_t at[PAIR_COUNT] = {0, 1, 2, 77, 9999, 10000};

typedef struct mixed_row {
    clconst_plan_kind kind;
    clconst_dtype dtype;
    int64_t count;
} mixed_row;

/* Fills, copies and scatters below and above each line. */
static mixed_row make_row(size_t i)
{
    static const clconst_dtype dtypes[] = {
        CLCONST_FLOAT6E3M2, CLCONST_UINT8, CLCONST_COMPLEX128, CLCONST_INT4};
    static const clconst_plan_kind kinds[] = {
        CLCONST_PLAN_FILL, CLCONST_PLAN_COPY, CLCONST_PLAN_SCATTER};
    mixed_row row = {kinds[i % 3], dtypes[i % 4], (int64_t)(i * i * 3)};
    if (row.kind == CLCONST_PLAN_SCATTER) {
        row.count = DENSE_COUNT;
    } else if (row.kind == CLCONST_PLAN_COPY && i % 2 != 0) {
        row.count = LARGE / 16;
    }
    return row;
}

static clconst_plan *make_mixed_plan(const mixed_row *row, const uint8_t *bytes)
{
    static const int64_t pair_count = PAIR_COUNT;
    int dtype = (int)row->dtype;
    const clconst_shape shape = {&row->count, 1};
    clconst_op *op;
    clconst_plan *plan;
    if (row->kind == CLCONST_PLAN_FILL) {
        clconst_view value = {
            row->dtype, {NULL, 0}, bytes, oracle_size(dtype, 1)};
        ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
    } else if (row->kind == CLCONST_PLAN_COPY) {
        clconst_view value = {
            row->dtype, shape, bytes, oracle_size(dtype, (uint64_t)row->count)};
        ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    } else {
        clconst_view values = {row->dtype,
                               {&pair_count, 1},
                               bytes,
                               oracle_size(dtype, PAIR_COUNT)};
        clconst_view indices = {
            CLCONST_INT64, {&pair_count, 1}, at, sizeof(at)};
        ck_assert_ok(
            clconst_op_create_sparse(&values, &indices, &shape, &op, error));
    }
    bool takes_shape = row->kind == CLCONST_PLAN_FILL;
    ck_assert_ok(
        clconst_plan_create(op, takes_shape ? &shape : NULL, &plan, error));
    clconst_op_destroy(op);
    return plan;
}

/* The bytes of the plan, by the oracle. */
static void
expand_row(const mixed_row *row, const uint8_t *bytes, uint8_t *expected)
{
    int dtype = (int)row->dtype;
    uint64_t count = (uint64_t)row->count;
    if (row->kind == CLCONST_PLAN_FILL) {
        oracle_fill(expected, dtype, bytes, count);
    } else if (row->kind == CLCONST_PLAN_COPY) {
        oracle_copy(expected, dtype, bytes, count);
    } else {
        memset(expected, 0, oracle_size(dtype, count));
        for (uint64_t i = 0; i < PAIR_COUNT; i++) {
            oracle_place(expected, dtype, (uint64_t)at[i], bytes, i);
        }
    }
}

START_TEST(tables_and_image_write_what_the_plans_say)
{
    static const size_t alignments[] = {1, 16, 64, 512};
    static uint8_t bytes[LARGE];
    uint64_t state = 0xabcdef1 + (uint64_t)_i;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(harness_random(&state) >> 40);
    }
    mixed_row rows[MIXED_COUNT];
    clconst_plan *plans[MIXED_COUNT];
    for (size_t i = 0; i < MIXED_COUNT; i++) {
        rows[i] = make_row(i);
        plans[i] = make_mixed_plan(&rows[i], bytes);
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.alignment = alignments[_i];
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create((const clconst_plan *const *)plans,
                                      MIXED_COUNT,
                                      &options,
                                      &batch,
                                      error));
    ck_assert_uint_eq(batch->arena_count, 1);
    const clconst__arena *arena = &batch->arenas[0];
    ck_assert_uint_gt(arena->fills.row_count, 10);
    ck_assert_uint_gt(arena->scatters.row_count, 10);
    ck_assert_uint_gt(arena->direct.count, 0);
    uint8_t *memory = malloc(arena->size);
    uint8_t *expected = malloc(160016);
    ck_assert(memory != NULL && expected != NULL);
    memset(memory, 0xa5, arena->size);
    execute_naively(batch, memory);
    for (size_t i = 0; i < MIXED_COUNT; i++) {
        clconst_place place = CLCONST_PLACE_INIT;
        ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
        ck_assert_uint_eq(place.offset % options.alignment, 0);
        ck_assert(place.offset + place.size <= arena->size);
        ck_assert_uint_eq(
            place.size,
            oracle_size((int)rows[i].dtype, (uint64_t)rows[i].count));
        expand_row(&rows[i], bytes, expected);
        harness_assert_bytes(
            memory + place.offset, expected, place.size, "mixed");
        clconst_plan_destroy(plans[i]);
    }
    free(memory);
    free(expected);
    clconst_batch_destroy(batch);
}
END_TEST

START_TEST(a_lone_fill_takes_exactly_its_size)
{
    clconst_plan *plan = make_plan(1000);
    const clconst_plan *plans[] = {plan, plan};
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.max_arena_size = 1000;
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create(plans, 2, &options, &batch, error));
    ck_assert_uint_eq(clconst_batch_get_arena_count(batch), 2);
    ck_assert_uint_eq(clconst_batch_get_arena_size(batch, 0), 1000);
    ck_assert_uint_eq(batch->arenas[0].fills.row_count, 0);
    ck_assert_uint_eq(batch->arenas[1].image_size, 0);
    clconst_batch_destroy(batch);
    /* Two in one arena need two rows of 80 bytes at a multiple of 16. */
    options.max_arena_size = 1024 + 1000 + 8 + 160;
    ck_assert_ok(clconst_batch_create(plans, 2, &options, &batch, error));
    ck_assert_uint_eq(clconst_batch_get_arena_count(batch), 1);
    clconst_batch_destroy(batch);
    options.max_arena_size--;
    ck_assert_ok(clconst_batch_create(plans, 2, &options, &batch, error));
    ck_assert_uint_eq(clconst_batch_get_arena_count(batch), 2);
    clconst_batch_destroy(batch);
    clconst_plan_destroy(plan);
}
END_TEST

START_TEST(create_refuses_wrong_arguments)
{
    clconst_plan *plan = make_plan(100);
    const clconst_plan *plans[] = {plan, NULL};
    clconst_batch *batch = NULL;
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    ck_assert_fails(clconst_batch_create(plans, 2, NULL, &batch, error),
                    CLCONST_INVALID_ARGUMENT,
                    "plan 1 is NULL; each plan is required");
    ck_assert_fails(clconst_batch_create(NULL, 2, NULL, &batch, error),
                    CLCONST_INVALID_ARGUMENT,
                    "plans or batch is NULL; both are required");
    ck_assert_fails(clconst_batch_create(plans, 1, NULL, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "plans or batch is NULL; both are required");
    options.alignment = 48;
    ck_assert_fails(clconst_batch_create(plans, 1, &options, &batch, error),
                    CLCONST_INVALID_ARGUMENT,
                    "alignment is 48; it must be a power of two");
    options.alignment = 0;
    options.max_arena_size = 99;
    ck_assert_fails(clconst_batch_create(plans, 1, &options, &batch, error),
                    CLCONST_TOO_LARGE,
                    "plan 0 takes 100 bytes; an arena takes at most 99");
    ck_assert_ptr_null(batch);
    clconst_plan_destroy(plan);
}
END_TEST

START_TEST(strings_have_no_place)
{
    clconst_string string = {"a", 1};
    clconst_view value = {CLCONST_STRING, {NULL, 0}, &string, sizeof(string)};
    clconst_op *op;
    clconst_plan *plan;
    clconst_batch *batch = NULL;
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    const clconst_plan *plans[] = {plan};
    ck_assert_fails(clconst_batch_create(plans, 1, NULL, &batch, error),
                    CLCONST_UNSUPPORTED,
                    "plan 0 has dtype string; strings stay on the host and "
                    "have no place in an arena");
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
}
END_TEST

START_TEST(place_past_the_last_plan_is_refused)
{
    clconst_batch *batch;
    clconst_place place = CLCONST_PLACE_INIT;
    ck_assert_ok(clconst_batch_create(NULL, 0, NULL, &batch, error));
    ck_assert_fails(clconst_batch_get_place(batch, 0, &place, error),
                    CLCONST_INVALID_ARGUMENT,
                    "index is 0; the batch has 0 plans");
    ck_assert_fails(clconst_batch_get_place(NULL, 0, &place, error),
                    CLCONST_INVALID_ARGUMENT,
                    "batch or place is NULL; both are required");
    ck_assert_fails(clconst_batch_get_place(batch, 0, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "batch or place is NULL; both are required");
    clconst_batch_destroy(batch);
}
END_TEST

Suite *batch_suite(void)
{
    Suite *suite = suite_create("batch");
    TCase *tcase = tcase_create("batch");
    tcase_add_loop_test(tcase,
                        plans_lie_aligned_and_within_the_limit,
                        0,
                        sizeof(layout_rows) / sizeof(layout_rows[0]));
    tcase_add_loop_test(tcase, tables_and_image_write_what_the_plans_say, 0, 4);
    tcase_add_test(tcase, a_lone_fill_takes_exactly_its_size);
    tcase_add_test(tcase, create_refuses_wrong_arguments);
    tcase_add_test(tcase, strings_have_no_place);
    tcase_add_test(tcase, place_past_the_last_plan_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
