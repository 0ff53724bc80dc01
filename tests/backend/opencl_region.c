/* Boxes inside larger tensors: which bytes change, and when. */
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/boxes.h"

enum { CASE_COUNT = 250 };

static const clconst_fill_path paths[] = {
    CLCONST_PATH_AUTO,
    CLCONST_PATH_KERNEL,
    CLCONST_PATH_DRIVER,
    CLCONST_PATH_NATIVE,
};
enum { PATH_COUNT = sizeof(paths) / sizeof(paths[0]) };

static void assert_region(const fixture *f, const box *b, const char *row)
{
    size_t size = b->offset + b->extent + 33;
    uint8_t *expected = malloc(size);
    memset(expected, FIXTURE_GUARD, size);
    boxes_expand(b, expected + b->offset);
    cl_mem buffer = fixture_create_buffer(f, CL_MEM_READ_WRITE, size);
    clconst_plan *plan = boxes_create_plan(b);
    cl_event event = NULL;
    ck_assert_ok(clconst_enqueue_region(f->engine,
                                        plan,
                                        f->queue,
                                        buffer,
                                        b->offset,
                                        b->strides,
                                        0,
                                        NULL,
                                        &event,
                                        error));
    ck_assert_cl(clWaitForEvents(1, &event));
    fixture_assert_buffer(f, buffer, size, 0, expected, size, row);
    ck_assert_cl(clReleaseEvent(event));
    clconst_plan_destroy(plan);
    ck_assert_cl(clReleaseMemObject(buffer));
    free(expected);
}

START_TEST(region_fills_boxes_of_any_shape)
{
    fixture f;
    uint64_t state = 0x5eed1 + (uint64_t)_i;
    if (!fixture_try_open(&f, paths[_i])) {
        return;
    }
    for (size_t i = 0; i < CASE_COUNT; i++) {
        char row[128];
        box b = {0};
        boxes_randomize(&b, &state);
        if (engines_skip_case(i)) {
            continue;
        }
        boxes_describe(&b, i, row, sizeof(row));
        assert_region(&f, &b, row);
    }
    fixture_close(&f);
}
END_TEST

/* More flat bytes than a work-item takes, with rows on both sides of a cut;
 * rows of a byte; two long rows; eight gaps; and dims that merge into few. */
START_TEST(region_fills_large_boxes)
{
    static const box boxes[] = {
        {CLCONST_COMPLEX128, {300, 41}, 2, {41 * 16 + 5}, 3, 0},
        {CLCONST_FLOAT6E2M3, {900, 400}, 2, {301}, 1, 0},
        {CLCONST_UINT8, {30000, 1}, 2, {7}, 2, 0},
        {CLCONST_DOUBLE, {2, 40000}, 2, {330000}, 5, 0},
        {CLCONST_INT16,
         {2, 2, 2, 2, 2, 2, 2, 2, 3},
         9,
         {2000, 900, 400, 180, 80, 36, 16, 7},
         1,
         0},
        {CLCONST_INT16,
         {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3},
         12,
         {40000, 6144, 3072, 1536, 768, 384, 192, 96, 48, 12, 6},
         1,
         0},
    };
    fixture f;
    if (!fixture_try_open(&f, paths[_i])) {
        return;
    }
    for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
        char row[128];
        box b = boxes[i];
        boxes_measure(&b);
        boxes_describe(&b, i, row, sizeof(row));
        assert_region(&f, &b, row);
    }
    fixture_close(&f);
}
END_TEST

/* How many commands a region of rows of 16 bytes takes. */
static uint64_t count_commands(const fixture *f, cl_mem buffer, int64_t rows)
{
    box b = {CLCONST_FLOAT, {rows, 4}, 2, {32}, 0, 0};
    clconst_plan *plan = boxes_create_plan(&b);
    uint64_t before = fixture_command_count(f);
    ck_assert_ok(clconst_enqueue_region(
        f->engine, plan, f->queue, buffer, 0, b.strides, 0, NULL, NULL, error));
    ck_assert_cl(clFinish(f->queue));
    clconst_plan_destroy(plan);
    return fixture_command_count(f) - before;
}

START_TEST(region_of_many_rows_is_one_command)
{
    fixture f;
    if (!fixture_try_open(&f, paths[_i])) {
        return;
    }
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, 32 * 1000);
    ck_assert_uint_eq(count_commands(&f, buffer, 1000), 1);
    ck_assert_uint_eq(count_commands(&f, buffer, 5), 1);
    uint64_t few = paths[_i] == CLCONST_PATH_DRIVER ? 4 : 1;
    if (paths[_i] != CLCONST_PATH_AUTO) {
        ck_assert_uint_eq(count_commands(&f, buffer, 4), few);
    }
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

START_TEST(region_waits_and_tells_when_it_is_done)
{
    fixture f;
    if (!fixture_try_open(&f, paths[_i])) {
        return;
    }
    cl_command_queue queue = fixture_create_out_of_order_queue(&f);
    if (queue == NULL) {
        fixture_close(&f);
        return;
    }
    box b = {CLCONST_INT32, {3, 5}, 2, {24}, 0, 0};
    uint8_t expected[72];
    memset(expected, FIXTURE_GUARD, sizeof(expected));
    boxes_expand(&b, expected);
    cl_int code;
    cl_event gate = clCreateUserEvent(f.context, &code);
    ck_assert_cl(code);
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, 72);
    clconst_plan *plan = boxes_create_plan(&b);
    cl_event event;
    ck_assert_ok(clconst_enqueue_region(
        f.engine, plan, queue, buffer, 0, b.strides, 1, &gate, &event, error));
    fixture_assert_buffer(&f, buffer, 72, 0, "", 0, "before the gate opens");
    ck_assert_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    ck_assert_cl(clWaitForEvents(1, &event));
    fixture_assert_buffer(&f, buffer, 72, 0, expected, 72, "after");
    ck_assert_cl(clReleaseEvent(gate));
    ck_assert_cl(clReleaseEvent(event));
    ck_assert_cl(clReleaseCommandQueue(queue));
    ck_assert_cl(clReleaseMemObject(buffer));
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

START_TEST(region_of_no_bytes_takes_no_buffer)
{
    fixture f;
    if (!fixture_try_open(&f, paths[_i])) {
        return;
    }
    box empty = {CLCONST_INT4, {3, 0, 5}, 3, {0, 0}, 0, 0};
    clconst_plan *plan = boxes_create_plan(&empty);
    cl_event event;
    ck_assert_ok(clconst_enqueue_region(f.engine,
                                        plan,
                                        f.queue,
                                        NULL,
                                        0,
                                        empty.strides,
                                        0,
                                        NULL,
                                        &event,
                                        error));
    ck_assert_cl(clWaitForEvents(1, &event));
    ck_assert_cl(clReleaseEvent(event));
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

START_TEST(region_in_a_sub_buffer_is_seen_in_its_parent)
{
    fixture f;
    if (!fixture_try_open(&f, paths[_i])) {
        return;
    }
    box b = {CLCONST_INT32, {6, 5}, 2, {24}, 1, 0};
    clconst_plan *plan = boxes_create_plan(&b);
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(f.engine, &info);
    size_t size = info.alignment * 3;
    uint8_t *expected = malloc(size);
    memset(expected, FIXTURE_GUARD, size);
    boxes_expand(&b, expected + info.alignment + 1);
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, size);
    cl_buffer_region part_region = {info.alignment, 144};
    cl_int code;
    cl_mem part = clCreateSubBuffer(
        buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &part_region, &code);
    ck_assert_cl(code);
    ck_assert_ok(clconst_enqueue_region(
        f.engine, plan, f.queue, part, 1, b.strides, 0, NULL, NULL, error));
    fixture_assert_buffer(&f, buffer, size, 0, expected, size, "part");
    clconst_plan_destroy(plan);
    ck_assert_cl(clReleaseMemObject(part));
    ck_assert_cl(clReleaseMemObject(buffer));
    free(expected);
    fixture_close(&f);
}
END_TEST

Suite *opencl_region_suite(void)
{
    Suite *suite = suite_create("opencl_region");
    TCase *tcase = tcase_create("opencl_region");
    tcase_add_loop_test(tcase, region_fills_boxes_of_any_shape, 0, PATH_COUNT);
    tcase_add_loop_test(tcase, region_fills_large_boxes, 0, PATH_COUNT);
    tcase_add_loop_test(
        tcase, region_of_many_rows_is_one_command, 0, PATH_COUNT);
    tcase_add_loop_test(
        tcase, region_waits_and_tells_when_it_is_done, 0, PATH_COUNT);
    tcase_add_loop_test(
        tcase, region_of_no_bytes_takes_no_buffer, 0, PATH_COUNT);
    tcase_add_loop_test(
        tcase, region_in_a_sub_buffer_is_seen_in_its_parent, 0, PATH_COUNT);
    suite_add_tcase(suite, tcase);
    return suite;
}
