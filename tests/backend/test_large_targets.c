/*
 * Regions, and fills whose shape lies on the device, past 2^31 and 2^32 in
 * elements, bytes and offsets. Each is one launch.
 */
#include <string.h>

#include "backend/dynamic_calls.h"
#include "backend/large_parts.h"
#include "harness/oracle.h"

#define TWO_TO(n) (INT64_C(1) << (n))

/* Rows of a matrix. */
typedef struct region_row {
    const char *name;
    int dtype;
    int64_t dims[2];
    size_t stride;
    size_t offset;
} region_row;

static const region_row region_rows[] = {
    {"rows below 2^31", CLCONST_UINT8, {2, 1000}, TWO_TO(31) - 1500, 7},
    {"rows over 2^31 and 2^32", CLCONST_UINT8, {3, 1000}, TWO_TO(31) - 407, 7},
    {"rows past 2^31 and 2^32", CLCONST_UINT8, {3, 1000}, TWO_TO(31) + 99, 7},
    {"rows of 2^31 elements and more",
     CLCONST_UINT2,
     {3, TWO_TO(31) + 4},
     600 << 20,
     1},
    {"a row past 2^31 bytes",
     CLCONST_UINT8,
     {2, TWO_TO(31) + 5},
     TWO_TO(31) + 77,
     3},
};

START_TEST(regions_lie_past_each_boundary)
{
    const region_row *row = &region_rows[_i];
    clconst_shape shape = {row->dims, 2};
    size_t row_size = oracle_size(row->dtype, (uint64_t)row->dims[1]);
    size_t row_count = (size_t)row->dims[0];
    fixture f;
    large_buffer b;
    clconst_op *op = dynamic_create_op(row->dtype);
    clconst_plan *plan;
    ck_assert_ok(clconst_plan_create(op, &shape, &plan, error));
    fixture_open(&f, CLCONST_PATH_KERNEL);
    size_t size =
        row->offset + (row_count - 1) * row->stride + row_size + LARGE_WINDOW;
    if (large_create_buffer(&b, &f, size, row->name)) {
        for (size_t i = 0; i < row_count; i++) {
            large_clear_part(&b, row->offset + i * row->stride, row_size);
        }
        ck_assert_ok(clconst_enqueue_region(f.engine,
                                            plan,
                                            f.queue,
                                            b.buffer,
                                            row->offset,
                                            &row->stride,
                                            0,
                                            NULL,
                                            NULL,
                                            error));
        ck_assert_cl(clFinish(f.queue));
        for (size_t i = 0; i < row_count; i++) {
            large_check_part(&b,
                             row->dtype,
                             row->offset + i * row->stride,
                             row_size,
                             row->name);
        }
        large_release_buffer(&b);
    }
    fixture_close(&f);
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
}
END_TEST

typedef struct dynamic_row {
    const char *name;
    dynamic_call call;
} dynamic_row;

/* 3 * 715,827,883 is 2^31 + 1. */
#define MORE_THAN_2_TO_31                                                      \
    {                                                                          \
        3, 715827883                                                           \
    }

static const dynamic_row dynamic_rows[] = {
    {"2^33 elements less some",
     {.dtype = CLCONST_UINT2,
      .dims = {TWO_TO(17), TWO_TO(16) - 1},
      .rank = 2,
      .offset = 5}},
    {"2^31 bytes and one",
     {.dtype = CLCONST_UINT8,
      .dims = MORE_THAN_2_TO_31,
      .rank = 2,
      .offset = 5}},
    {"2^32 bytes and two",
     {.dtype = CLCONST_UINT16,
      .dims = MORE_THAN_2_TO_31,
      .rank = 2,
      .offset = 4}},
    {"an offset past 2^31",
     {.dtype = CLCONST_UINT8,
      .dims = {1000},
      .rank = 1,
      .offset = TWO_TO(31) + 1}},
    {"an offset past 2^32",
     {.dtype = CLCONST_UINT8,
      .dims = {1000},
      .rank = 1,
      .offset = TWO_TO(32) + 1}},
};

/* Enqueues the call with all of its output for a capacity, and reads what the
 * device answers. */
static clconst_dynamic_result ask_device(const large_buffer *b, dynamic_call *c)
{
    dynamic_setting s = {.f = *b->f, .output = b->buffer};
    clconst_dynamic_result result;
    s.shape =
        fixture_create_buffer(&s.f, CL_MEM_READ_WRITE, DYNAMIC_BUFFER_SIZE);
    s.result =
        fixture_create_buffer(&s.f, CL_MEM_READ_WRITE, DYNAMIC_BUFFER_SIZE);
    dynamic_write_shape(&s, c->dims, c);
    dynamic_enqueue(&s, c);
    fixture_read_buffer(&s.f, s.result, &result, sizeof(result));
    ck_assert_cl(clReleaseMemObject(s.shape));
    ck_assert_cl(clReleaseMemObject(s.result));
    return result;
}

START_TEST(shapes_on_the_device_reach_past_each_boundary)
{
    const dynamic_row *row = &dynamic_rows[_i];
    dynamic_call c = row->call;
    uint64_t count = 1;
    for (size_t i = 0; i < c.rank; i++) {
        count *= (uint64_t)c.dims[i];
    }
    c.capacity = oracle_size(c.dtype, count);
    fixture f;
    large_buffer b;
    fixture_open(&f, CLCONST_PATH_KERNEL);
    if (large_create_buffer(
            &b, &f, c.offset + c.capacity + LARGE_WINDOW, row->name)) {
        large_clear_part(&b, c.offset, c.capacity);
        clconst_dynamic_result result = ask_device(&b, &c);
        ck_assert_int_eq(result.status, CLCONST_OK);
        ck_assert_int_eq(result.bad_dim, -1);
        ck_assert_uint_eq(result.element_count, count);
        large_check_part(&b, c.dtype, c.offset, c.capacity, row->name);
        large_release_buffer(&b);
    }
    fixture_close(&f);
}
END_TEST

int main(void)
{
    engines_require();
    Suite *suite = suite_create("large targets");
    TCase *tcase = tcase_create("targets");
    tcase_add_loop_test(tcase,
                        regions_lie_past_each_boundary,
                        0,
                        sizeof(region_rows) / sizeof(region_rows[0]));
    tcase_add_loop_test(tcase,
                        shapes_on_the_device_reach_past_each_boundary,
                        0,
                        sizeof(dynamic_rows) / sizeof(dynamic_rows[0]));
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
