/* Batches whose plans share places: which do, and what is written there. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"
#include "unit/suites.h"

enum { PLAN_COUNT = 19, BYTES_SIZE = 200 };

/* What the plans borrow. */
typedef struct contents {
    uint8_t bytes[BYTES_SIZE];
    uint8_t copy[BYTES_SIZE];
    uint8_t other_end[BYTES_SIZE];
    uint8_t other_begin[BYTES_SIZE];
    uint8_t ones[BYTES_SIZE];
} contents;

static void make_contents(contents *made)
{
    uint64_t seed = 5;
    for (size_t i = 0; i < BYTES_SIZE; i++) {
        made->bytes[i] = (uint8_t)harness_random(&seed);
    }
    memcpy(made->copy, made->bytes, BYTES_SIZE);
    memcpy(made->other_end, made->bytes, BYTES_SIZE);
    memcpy(made->other_begin, made->bytes, BYTES_SIZE);
    made->other_end[BYTES_SIZE - 1] ^= 1;
    made->other_begin[0] ^= 1;
    memset(made->ones, 1, BYTES_SIZE);
}

static clconst_plan *plan_of(clconst_op *op, const clconst_shape *shape)
{
    clconst_plan *plan;
    ck_assert_ok(clconst_plan_create(op, shape, &plan, error));
    clconst_op_destroy(op);
    return plan;
}

static clconst_plan *fill(clconst_dtype dtype, uint8_t element, int64_t count)
{
    clconst_view value = {dtype, {NULL, 0}, &element, 1};
    clconst_shape shape = {&count, 1};
    clconst_op *op;
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
    return plan_of(op, &shape);
}

static clconst_plan *
copy(clconst_dtype dtype, const void *bytes, size_t size, int64_t count)
{
    clconst_view value = {dtype, {&count, 1}, bytes, size};
    clconst_op *op;
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    return plan_of(op, NULL);
}

/* Two units of uint8 in 100. */
static clconst_plan *pairs(const uint8_t *units, const int64_t *indices)
{
    static const int64_t two = 2;
    static const int64_t dense = 100;
    clconst_view values = {CLCONST_UINT8, {&two, 1}, units, 2};
    clconst_view places = {CLCONST_INT64, {&two, 1}, indices, 16};
    clconst_shape shape = {&dense, 1};
    clconst_op *op;
    ck_assert_ok(
        clconst_op_create_sparse(&values, &places, &shape, &op, error));
    return plan_of(op, NULL);
}

/* Each plan, and the number of the plan that it is to share a place with. */
typedef struct plan_row {
    const char *name;
    clconst_plan *plan;
    size_t first;
} plan_row;

static void make_rows(const contents *from, plan_row rows[PLAN_COUNT])
{
    static const uint8_t dirty[] = {0x21, 0xf3};
    static const uint8_t clean[] = {0x21, 0x03};
    static const uint8_t units[] = {7, 9};
    static const uint8_t other_units[] = {7, 8};
    static const int64_t indices[] = {3, 50};
    static const int64_t other_indices[] = {3, 51};
    const plan_row made[PLAN_COUNT] = {
        {"a fill", fill(CLCONST_UINT8, 1, 100), 0},
        {"the same fill", fill(CLCONST_UINT8, 1, 100), 0},
        {"of another dtype", fill(CLCONST_INT8, 1, 100), 0},
        {"another element", fill(CLCONST_UINT8, 2, 100), 3},
        {"another size", fill(CLCONST_UINT8, 1, 101), 4},
        {"half a last byte", fill(CLCONST_UINT4, 1, 201), 5},
        {"a copy", copy(CLCONST_UINT8, from->bytes, 200, 200), 6},
        {"from elsewhere", copy(CLCONST_UINT8, from->copy, 200, 200), 6},
        {"another end", copy(CLCONST_UINT8, from->other_end, 200, 200), 8},
        {"another begin", copy(CLCONST_UINT8, from->other_begin, 200, 200), 9},
        {"a shorter copy", copy(CLCONST_UINT8, from->bytes, 199, 199), 10},
        {"a copy of a fill's bytes",
         copy(CLCONST_UINT8, from->ones, 100, 100),
         11},
        {"unused bits that are set", copy(CLCONST_INT4, dirty, 2, 3), 12},
        {"and that are not", copy(CLCONST_INT4, clean, 2, 3), 12},
        {"pairs", pairs(units, indices), 14},
        {"the same pairs", pairs(units, indices), 14},
        {"other units", pairs(other_units, indices), 16},
        {"other indices", pairs(units, other_indices), 17},
        {"nothing", fill(CLCONST_UINT8, 1, 0), 18},
    };
    memcpy(rows, made, sizeof(made));
}

/* The batch of all rows; the rows keep their plans. */
static clconst_batch *make_batch(const plan_row rows[PLAN_COUNT],
                                 int deduplicate,
                                 size_t max_arena_size)
{
    const clconst_plan *plans[PLAN_COUNT];
    for (size_t i = 0; i < PLAN_COUNT; i++) {
        plans[i] = rows[i].plan;
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.deduplicate = deduplicate;
    options.max_arena_size = max_arena_size;
    clconst_batch *batch;
    ck_assert_ok(
        clconst_batch_create(plans, PLAN_COUNT, &options, &batch, error));
    return batch;
}

static clconst_place place_of(const clconst_batch *batch, size_t index)
{
    clconst_place place = CLCONST_PLACE_INIT;
    ck_assert_ok(clconst_batch_get_place(batch, index, &place, error));
    return place;
}

/* What lies at a place is what the plan writes elsewhere. */
static void check_bytes(const clconst_batch *batch,
                        const plan_row *row,
                        const clconst_place *place)
{
    size_t arena_size = clconst_batch_get_arena_size(batch, place->arena);
    uint8_t *memory = malloc(arena_size + 1);
    uint8_t expected[BYTES_SIZE + 1];
    memset(memory, 0xa5, arena_size + 1);
    ck_assert_ok(clconst_batch_write(
        NULL, batch, place->arena, memory, arena_size, error));
    ck_assert_ok(clconst_write(NULL, row->plan, expected, place->size, error));
    harness_assert_bytes(
        memory + place->offset, expected, place->size, row->name);
    free(memory);
}

static void check_batch(int deduplicate, size_t max_arena_size)
{
    contents borrowed;
    plan_row rows[PLAN_COUNT];
    make_contents(&borrowed);
    make_rows(&borrowed, rows);
    clconst_batch *batch = make_batch(rows, deduplicate, max_arena_size);
    for (size_t i = 0; i < PLAN_COUNT; i++) {
        clconst_place place = place_of(batch, i);
        check_bytes(batch, &rows[i], &place);
        for (size_t j = 0; j < i && place.size > 0; j++) {
            clconst_place earlier = place_of(batch, j);
            bool is_shared =
                place.arena == earlier.arena && place.offset == earlier.offset;
            bool is_expected = deduplicate && rows[i].first == rows[j].first;
            ck_assert_msg(is_shared == is_expected,
                          "%s and %s",
                          rows[i].name,
                          rows[j].name);
        }
    }
    clconst_batch_destroy(batch);
    for (size_t i = 0; i < PLAN_COUNT; i++) {
        clconst_plan_destroy(rows[i].plan);
    }
}

START_TEST(nothing_is_shared_unless_asked)
{
    check_batch(0, 0);
}
END_TEST

START_TEST(plans_of_the_same_content_share_a_place)
{
    check_batch(1, 0);
}
END_TEST

START_TEST(places_are_shared_across_arenas)
{
    check_batch(1, 256);
}
END_TEST

/* 100,000 copies of the same bytes take the time of reading them twice. */
START_TEST(many_duplicates_make_one_place)
{
    enum { COUNT = 100000 };
    static const uint8_t bytes[4096] = {1};
    static const clconst_plan *plans[COUNT];
    clconst_plan *plan = copy(CLCONST_UINT8, bytes, 4096, 4096);
    for (size_t i = 0; i < COUNT; i++) {
        plans[i] = plan;
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.deduplicate = 1;
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create(plans, COUNT, &options, &batch, error));
    clconst_plan_destroy(plan);
    ck_assert_uint_eq(clconst_batch_get_arena_count(batch), 1);
    ck_assert_uint_eq(clconst_batch_get_arena_size(batch, 0), 4096);
    ck_assert_uint_eq(place_of(batch, COUNT - 1).offset, 0);
    clconst_batch_destroy(batch);
}
END_TEST

Suite *duplicates_suite(void)
{
    Suite *suite = suite_create("duplicates");
    TCase *tcase = tcase_create("duplicates");
    tcase_add_test(tcase, nothing_is_shared_unless_asked);
    tcase_add_test(tcase, plans_of_the_same_content_share_a_place);
    tcase_add_test(tcase, places_are_shared_across_arenas);
    tcase_add_test(tcase, many_duplicates_make_one_place);
    suite_add_tcase(suite, tcase);
    return suite;
}
