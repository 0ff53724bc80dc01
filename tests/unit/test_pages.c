/*
 * What making a tensor does to fresh memory: zeros are there already, and what
 * is written lies on huge pages, but for copies.
 */
#include "harness/pages.h"

#include "harness/harness.h"
#include "unit/suites.h"

enum { SIZE = 16 << 20, HUGE_SIZE = 2 << 20 };

static clconst_plan *bind(clconst_op *op, const clconst_shape *shape)
{
    clconst_plan *plan;
    ck_assert_ok(clconst_plan_create(op, shape, &plan, error));
    clconst_op_destroy(op);
    return plan;
}

static clconst_plan *
make_fill(clconst_dtype dtype, uint32_t element, size_t size)
{
    size_t bits = clconst_dtype_bits(dtype);
    const int64_t dim = (int64_t)(size * 8 / bits);
    const clconst_shape shape = {&dim, 1};
    const clconst_view value = {dtype, {NULL, 0}, &element, (bits + 7) / 8};
    clconst_op *op;
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
    return bind(op, &shape);
}

/* Two floats that are not zero, each on a huge page of its own. */
static clconst_plan *make_sparse(void)
{
    static const int64_t count = 2;
    static const int64_t dim = SIZE / 4;
    static const int64_t indices[] = {100, SIZE / 4 - 100};
    static const float values[] = {1.0f, 2.0f};
    const clconst_view value = {
        CLCONST_FLOAT, {&count, 1}, values, sizeof(values)};
    const clconst_view index = {
        CLCONST_INT64, {&count, 1}, indices, sizeof(indices)};
    const clconst_shape shape = {&dim, 1};
    clconst_op *op;
    ck_assert_ok(clconst_op_create_sparse(&value, &index, &shape, &op, error));
    return bind(op, NULL);
}

/* What is made: arenas of one tensor or two. */
typedef struct page_row {
    const char *name;
    clconst_dtype dtype; /* of a fill; UNDEFINED: the sparse constant */
    uint32_t element;
    size_t resident_min; /* bytes that the kernel has to hold */
    size_t resident_max;
} page_row;

static const page_row page_rows[] = {
    {"zeros", CLCONST_FLOAT, 0, 0, 0},
    {"zeros of 4 bits", CLCONST_INT4, 0, 0, 0},
    {"ones", CLCONST_INT8, 1, SIZE, SIZE},
    /* The sign of -0 is a bit. */
    {"-0", CLCONST_FLOAT, 0x80000000, SIZE, SIZE},
    {"sparse", CLCONST_UNDEFINED, 0, 1, 2 * HUGE_SIZE},
};

static clconst_engine *make_engine(void)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    clconst_engine *engine;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    return engine;
}

START_TEST(only_what_is_written_takes_memory)
{
    const page_row *row = &page_rows[_i];
    if (!pages_can_tell()) {
        return;
    }
    clconst_tensor *tensor;
    clconst_view view;
    clconst_plan *plan = row->dtype == CLCONST_UNDEFINED
                             ? make_sparse()
                             : make_fill(row->dtype, row->element, SIZE);
    clconst_engine *engine = make_engine();
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    clconst_tensor_get_view(tensor, &view);
    ck_assert_uint_eq(view.size, SIZE);
    ck_assert_msg(pages_are_huge(view.data), "%s: on small pages", row->name);
    size_t resident = pages_resident_size(view.data, SIZE);
    ck_assert_msg(resident >= row->resident_min &&
                      resident <= row->resident_max,
                  "%s: %zu bytes are in memory",
                  row->name,
                  resident);
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(engine);
    clconst_plan_destroy(plan);
}
END_TEST

/* Huge pages are for arenas of which copies are the smaller part. */
static const struct {
    size_t copied_size;
    bool is_huge;
} copy_rows[] = {
    {SIZE / 4, true},
    {SIZE / 4 * 3, false},
};

START_TEST(arenas_of_copies_lie_on_small_pages)
{
    if (!pages_can_tell()) {
        return;
    }
    static uint8_t source[SIZE];
    const int64_t dim = (int64_t)copy_rows[_i].copied_size;
    const clconst_view value = {CLCONST_UINT8, {&dim, 1}, source, (size_t)dim};
    clconst_op *op;
    clconst_batch *batch;
    clconst_tensor *tensor;
    clconst_view view;
    clconst_engine *engine = make_engine();
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    clconst_plan *plans[] = {bind(op, NULL),
                             make_fill(CLCONST_UINT8, 1, SIZE - (size_t)dim)};
    ck_assert_ok(clconst_batch_create(
        (const clconst_plan *const *)plans, 2, NULL, &batch, error));
    ck_assert_ok(clconst_batch_run(engine, batch, NULL, &tensor, error));
    clconst_tensor_get_view(tensor, &view);
    ck_assert_int_eq(pages_are_huge(view.data), copy_rows[_i].is_huge);
    clconst_tensor_destroy(tensor);
    clconst_batch_destroy(batch);
    clconst_plan_destroy(plans[0]);
    clconst_plan_destroy(plans[1]);
    clconst_engine_destroy(engine);
}
END_TEST

Suite *pages_suite(void)
{
    Suite *suite = suite_create("pages");
    TCase *tcase = tcase_create("pages");
    tcase_add_loop_test(tcase,
                        only_what_is_written_takes_memory,
                        0,
                        sizeof(page_rows) / sizeof(page_rows[0]));
    tcase_add_loop_test(tcase,
                        arenas_of_copies_lie_on_small_pages,
                        0,
                        sizeof(copy_rows) / sizeof(copy_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
