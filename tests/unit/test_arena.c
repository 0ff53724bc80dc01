/* How plans lie in an arena. */
#include "core/batch.h"
#include "harness/plans.h"
#include "unit/suites.h"

static const size_t alignments[] = {1, 64, 4096};
enum { ALIGNMENT_COUNT = sizeof(alignments) / sizeof(alignments[0]) };

/* Bytes that one thing has, from an arena's begin. */
typedef struct stretch {
    size_t begin;
    size_t end;
} stretch;

/* The last one may be the tables, which are no plan. */
static void
assert_apart(const stretch *stretches, size_t count, size_t size, size_t order)
{
    for (size_t i = 0; i < count; i++) {
        const stretch *a = &stretches[i];
        ck_assert_msg(a->end <= size,
                      "order %zu: plan %zu ends at %zu of %zu",
                      order,
                      i,
                      a->end,
                      size);
        for (size_t j = 0; j < i; j++) {
            const stretch *b = &stretches[j];
            ck_assert_msg(a->end <= b->begin || b->end <= a->begin,
                          "order %zu: plans %zu and %zu overlap",
                          order,
                          j,
                          i);
        }
    }
}

static void check_order(const clconst_plan *const *plans,
                        size_t count,
                        size_t alignment,
                        size_t order)
{
    enum { STRETCH_MAX = 5 };
    stretch stretches[STRETCH_MAX];
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.alignment = alignment;
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create(plans, count, &options, &batch, error));
    for (size_t i = 0; i < count; i++) {
        clconst_place place = CLCONST_PLACE_INIT;
        ck_assert_ok(clconst_batch_get_place(batch, i, &place, error));
        stretches[i] = (stretch){place.offset, place.offset + place.size};
    }
    size_t size = clconst_batch_get_arena_size(batch, 0);
    const clconst__table *fills = &batch->arenas[0].fills;
    if (fills->row_count > 0) {
        stretches[count++] = (stretch){fills->offset, size};
    }
    assert_apart(stretches, count, size, order);
    clconst_batch_destroy(batch);
}

/* A fill, copies beside the image and one in it, some of them or the same one
 * again: what an arena needs does not depend on who comes first. */
START_TEST(an_arena_holds_its_plans_in_any_order)
{
    enum { COUNT = 4, ORDER_COUNT = 256 };
    static const uint8_t bytes[40960];
    clconst_plan *kinds[COUNT] = {
        harness_copy_plan(CLCONST_UINT8, bytes, 40000),
        harness_fill_plan(CLCONST_UINT8, harness_element, 129),
        harness_copy_plan(CLCONST_UINT8, bytes, 40960),
        harness_copy_plan(CLCONST_UINT8, bytes, 5),
    };
    for (size_t order = 0; order < ORDER_COUNT; order++) {
        const clconst_plan *plans[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            plans[i] = kinds[order >> (2 * i) & 3];
        }
        for (size_t count = 2; count <= COUNT; count++) {
            check_order(plans, count, alignments[_i], order);
        }
    }
    for (size_t i = 0; i < COUNT; i++) {
        clconst_plan_destroy(kinds[i]);
    }
}
END_TEST

Suite *arena_suite(void)
{
    Suite *suite = suite_create("arena");
    TCase *tcase = tcase_create("arena");
    tcase_add_loop_test(
        tcase, an_arena_holds_its_plans_in_any_order, 0, ALIGNMENT_COUNT);
    suite_add_tcase(suite, tcase);
    return suite;
}
