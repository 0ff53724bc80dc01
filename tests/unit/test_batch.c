#include "core/batch.h"

#include "harness/harness.h"
#include "unit/suites.h"

/* A plan of size bytes. */
static clconst_plan *make_plan(int64_t size)
{
    static const uint8_t one = 1;
    clconst_view value = {CLCONST_UINT8, {NULL, 0}, &one, 1};
    clconst_shape shape = {&size, 1};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, &shape, &plan, error));
    clconst_op_destroy(op);
    return plan;
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
    tcase_add_test(tcase, create_refuses_wrong_arguments);
    tcase_add_test(tcase, strings_have_no_place);
    tcase_add_test(tcase, place_past_the_last_plan_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
