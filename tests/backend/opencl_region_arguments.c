/* Which regions a caller's buffer does not take. */
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/boxes.h"

static const box_refusal ranges[] = {
    {{CLCONST_FLOAT, {4, 3}, 2, {16}, 5, 0},
     CLCONST_INVALID_ARGUMENT,
     "range is 60 bytes at offset 5; it must lie in the buffer's 64 bytes"},
    {{CLCONST_FLOAT, {4, 3}, 2, {16}, SIZE_MAX - 3, 0},
     CLCONST_INVALID_ARGUMENT,
     "range is 60 bytes at offset 18446744073709551612; it must lie in the "
     "buffer's 64 bytes"},
};

static void check_refusal(const box_refusal *row)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_AUTO);
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, 64);
    clconst_plan *plan = boxes_create_plan(&row->b);
    cl_event event = NULL;
    ck_assert_fails(clconst_enqueue_region(f.engine,
                                           plan,
                                           f.queue,
                                           buffer,
                                           row->b.offset,
                                           row->b.strides,
                                           0,
                                           NULL,
                                           &event,
                                           error),
                    row->status,
                    row->message);
    ck_assert_ptr_null(event);
    ck_assert_uint_eq(fixture_command_count(&f), 0);
    fixture_assert_buffer(&f, buffer, 64, 0, "", 0, "refused");
    clconst_plan_destroy(plan);
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}

START_TEST(region_refuses_ranges_outside_the_buffer)
{
    check_refusal(&ranges[_i]);
}
END_TEST

START_TEST(region_refuses_what_it_cannot_place)
{
    check_refusal(&boxes_refusals[_i]);
}
END_TEST

START_TEST(region_refuses_missing_objects_and_other_plans)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_AUTO);
    box b = {CLCONST_FLOAT, {4, 3}, 2, {16}, 0, 0};
    clconst_plan *plan = boxes_create_plan(&b);
    clconst_plan *copy = harness_copy_plan(CLCONST_UINT8, harness_element, 9);
    cl_mem read_only = fixture_create_buffer(&f, CL_MEM_READ_ONLY, 1024);
    const struct {
        clconst_engine *engine;
        const clconst_plan *plan;
        cl_mem buffer;
        const size_t *strides;
        clconst_status status;
        const char *message;
    } rows[] = {
        {NULL,
         plan,
         read_only,
         b.strides,
         CLCONST_INVALID_ARGUMENT,
         "engine or plan is NULL; both are required"},
        {f.engine,
         NULL,
         read_only,
         b.strides,
         CLCONST_INVALID_ARGUMENT,
         "engine or plan is NULL; both are required"},
        {f.engine,
         plan,
         NULL,
         b.strides,
         CLCONST_INVALID_ARGUMENT,
         "buffer is NULL; 60 bytes need one"},
        {f.engine,
         plan,
         read_only,
         NULL,
         CLCONST_INVALID_ARGUMENT,
         "strides is NULL; rank 2 needs strides"},
        {f.engine,
         copy,
         read_only,
         b.strides,
         CLCONST_UNSUPPORTED,
         "plan is no fill; regions take fills only"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ck_assert_fails(clconst_enqueue_region(rows[i].engine,
                                               rows[i].plan,
                                               f.queue,
                                               rows[i].buffer,
                                               0,
                                               rows[i].strides,
                                               0,
                                               NULL,
                                               NULL,
                                               error),
                        rows[i].status,
                        rows[i].message);
    }
    ck_assert_uint_eq(fixture_command_count(&f), 0);
    clconst_plan_destroy(plan);
    clconst_plan_destroy(copy);
    ck_assert_cl(clReleaseMemObject(read_only));
    fixture_close(&f);
}
END_TEST

/* A kernel's write to such a buffer is undefined, a driver's fill is not. */
START_TEST(region_fills_read_only_buffers_by_the_driver_or_not_at_all)
{
    fixture f;
    fixture_open(&f, (clconst_fill_path)_i);
    box few = {CLCONST_FLOAT, {4, 3}, 2, {16}, 0, 60};
    box many = {CLCONST_FLOAT, {5, 3}, 2, {16}, 0, 76};
    uint8_t expected[76];
    memset(expected, FIXTURE_GUARD, sizeof(expected));
    boxes_expand(&few, expected);
    clconst_plan *few_plan = boxes_create_plan(&few);
    clconst_plan *many_plan = boxes_create_plan(&many);
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_ONLY, 76);
    ck_assert_fails(clconst_enqueue_region(f.engine,
                                           many_plan,
                                           f.queue,
                                           buffer,
                                           0,
                                           many.strides,
                                           0,
                                           NULL,
                                           NULL,
                                           error),
                    CLCONST_INVALID_ARGUMENT,
                    "buffer is CL_MEM_READ_ONLY; a region of 5 rows needs a "
                    "kernel, which may not write it");
    ck_assert_ok(clconst_enqueue_region(f.engine,
                                        few_plan,
                                        f.queue,
                                        buffer,
                                        0,
                                        few.strides,
                                        0,
                                        NULL,
                                        NULL,
                                        error));
    fixture_assert_buffer(&f, buffer, 76, 0, expected, 76, "few rows");
    clconst_plan_destroy(few_plan);
    clconst_plan_destroy(many_plan);
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

Suite *opencl_region_arguments_suite(void)
{
    Suite *suite = suite_create("opencl_region_arguments");
    TCase *tcase = tcase_create("opencl_region_arguments");
    tcase_add_loop_test(tcase,
                        region_refuses_ranges_outside_the_buffer,
                        0,
                        sizeof(ranges) / sizeof(ranges[0]));
    tcase_add_loop_test(
        tcase, region_refuses_what_it_cannot_place, 0, BOXES_REFUSAL_COUNT);
    tcase_add_test(tcase, region_refuses_missing_objects_and_other_plans);
    tcase_add_loop_test(
        tcase,
        region_fills_read_only_buffers_by_the_driver_or_not_at_all,
        0,
        CLCONST_PATH_NATIVE + 1);
    suite_add_tcase(suite, tcase);
    return suite;
}
