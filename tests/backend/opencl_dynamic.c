/* Fills whose shape lies in device memory: what they write, and when. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/dynamic_calls.h"
#include "backend/suites.h"
#include "harness/oracle.h"

enum { CASE_COUNT = 3000, OUTPUT_SIZE = 2048 };

static uint64_t below(uint64_t *state, uint64_t limit)
{
    return (harness_random(state) >> 33) % limit;
}

/* Mostly small, at times nothing, negative, or near a power of two. */
static int64_t random_dim(uint64_t *state)
{
    switch (below(state, 24)) {
    case 0:
        return 0;
    case 1:
        return -1 - (int64_t)below(state, 3);
    case 2:
        return INT64_MIN + (int64_t)below(state, 2);
    case 3:
        return INT64_MAX - (int64_t)below(state, 2);
    case 4:
    case 5:
        return ((int64_t)1 << below(state, 63)) + (int64_t)below(state, 3) - 1;
    case 6:
        return (int64_t)below(state, 300);
    default:
        return 1 + (int64_t)below(state, 6);
    }
}

static void randomize(dynamic_call *c, uint64_t *state)
{
    static const int dtypes[] = {
#define CLCONST_X(name, number, bits, text) number,
        CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
    };
    do {
        c->dtype = dtypes[below(state, sizeof(dtypes) / sizeof(dtypes[0]))];
    } while (c->dtype == CLCONST_STRING);
    c->rank = (size_t)below(state, DYNAMIC_RANK_MAX + 1);
    for (size_t i = 0; i < c->rank; i++) {
        c->dims[i] = random_dim(state);
    }
    c->offset = (size_t)below(state, 40);
    c->capacity = below(state, 8) == 0
                      ? (size_t)below(state, 100)
                      : OUTPUT_SIZE - 64 + (size_t)below(state, 25);
    c->shape_offset = (size_t)below(state, 20);
    c->result_offset = (size_t)below(state, 20);
}

/* The host's answer. It names a bad dim in its message only. */
static void ask_host(dynamic_call *c)
{
    clconst_op *op = dynamic_create_op(c->dtype);
    clconst_shape shape = {c->dims, c->rank};
    clconst_plan *plan = NULL;
    clconst_error error = {0, 0, ""};
    clconst_dynamic_result *expected = &c->expected;
    unsigned dim;
    expected->status = (int32_t)clconst_plan_create(op, &shape, &plan, &error);
    expected->bad_dim =
        sscanf(error.message, "dim %u is", &dim) == 1 ? (int32_t)dim : -1;
    expected->element_count = 0;
    if (expected->status == CLCONST_OK) {
        expected->element_count = 1;
        for (size_t i = 0; i < c->rank; i++) {
            expected->element_count *= (uint64_t)c->dims[i];
        }
        if (harness_plan_size(plan) > c->capacity) {
            expected->status = CLCONST_TOO_LARGE;
        }
    } else if (expected->bad_dim < 0) {
        ck_assert_int_eq(sscanf(error.message,
                                "shape has %" SCNu64 " elements",
                                &expected->element_count),
                         1);
    }
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
}

START_TEST(dynamic_answers_as_the_host_does)
{
    size_t counts[CLCONST_CANCELLED] = {0};
    size_t case_count = 0;
    uint64_t state = 0xd1a;
    dynamic_setting s;
    dynamic_open(&s, DYNAMIC_BUFFER_SIZE, OUTPUT_SIZE);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        dynamic_call c = {0};
        randomize(&c, &state);
        if (engines_skip_case(i)) {
            continue;
        }
        case_count++;
        ask_host(&c);
        dynamic_assert_call(&s, c.dims, &c);
        counts[c.expected.status]++;
    }
    ck_assert_uint_gt(counts[CLCONST_OK], case_count / 5);
    ck_assert_uint_gt(counts[CLCONST_INVALID_ARGUMENT], case_count / 10);
    ck_assert_uint_gt(counts[CLCONST_TOO_LARGE], case_count / 10);
    dynamic_close(&s);
}
END_TEST

/* From ONNX's and this library's rules, not from the host's code. */
static const dynamic_call calls[] = {
    {CLCONST_FLOAT, {2, 3}, 2, 24, 0, 0, 0, {CLCONST_OK, -1, 6}},
    {CLCONST_FLOAT, {2, 3}, 2, 23, 0, 0, 0, {CLCONST_TOO_LARGE, -1, 6}},
    {CLCONST_FLOAT, {0}, 0, 4, 1, 3, 5, {CLCONST_OK, -1, 1}},
    {CLCONST_FLOAT, {0}, 0, 3, 1, 3, 5, {CLCONST_TOO_LARGE, -1, 1}},
    {CLCONST_FLOAT, {0}, 0, 0, 0, 3, 5, {CLCONST_TOO_LARGE, -1, 1}},
    {CLCONST_UINT4, {0}, 0, 1, 7, 3, 5, {CLCONST_OK, -1, 1}},
    {CLCONST_UINT4, {5}, 1, 3, 7, 3, 5, {CLCONST_OK, -1, 5}},
    {CLCONST_INT2, {5}, 1, 2, 7, 3, 5, {CLCONST_OK, -1, 5}},
    /* The last byte, with unused bits, ends a word. */
    {CLCONST_UINT4, {31}, 1, 16, 0, 3, 5, {CLCONST_OK, -1, 31}},
    {CLCONST_INT2, {187}, 1, 47, 1, 3, 5, {CLCONST_OK, -1, 187}},
    {CLCONST_INT2, {9}, 1, 2, 7, 3, 5, {CLCONST_TOO_LARGE, -1, 9}},
    {CLCONST_FLOAT6E2M3, {5}, 1, 4, 7, 3, 5, {CLCONST_OK, -1, 5}},
    {CLCONST_FLOAT6E2M3, {6}, 1, 4, 7, 3, 5, {CLCONST_TOO_LARGE, -1, 6}},
    {CLCONST_INT64, {7, 0}, 2, 0, 0, 0, 0, {CLCONST_OK, -1, 0}},
    {CLCONST_INT64, {0, -1}, 2, 0, 0, 0, 0, {CLCONST_INVALID_ARGUMENT, 1, 0}},
    {CLCONST_INT64, {-5, -1}, 2, 0, 0, 0, 0, {CLCONST_INVALID_ARGUMENT, 0, 0}},
    {CLCONST_INT64,
     {INT64_MAX, INT64_MAX, 0},
     3,
     8,
     0,
     0,
     0,
     {CLCONST_OK, -1, 0}},
    {CLCONST_UINT2,
     {INT64_MAX, 1, 2},
     3,
     8,
     0,
     0,
     0,
     {CLCONST_TOO_LARGE, 2, 0}},
    {CLCONST_UINT2,
     {(int64_t)1 << 32, (int64_t)1 << 31},
     2,
     8,
     0,
     0,
     0,
     {CLCONST_TOO_LARGE, 1, 0}},
    {CLCONST_COMPLEX128,
     {INT64_MAX},
     1,
     8,
     0,
     0,
     0,
     {CLCONST_TOO_LARGE, -1, INT64_MAX}},
    {CLCONST_COMPLEX128,
     {(int64_t)1 << 60},
     1,
     8,
     0,
     0,
     0,
     {CLCONST_TOO_LARGE, -1, (uint64_t)1 << 60}},
    {CLCONST_INT8,
     {INT64_MIN},
     1,
     8,
     0,
     0,
     0,
     {CLCONST_INVALID_ARGUMENT, 0, 0}},
};

START_TEST(dynamic_answers_as_the_rules_say)
{
    dynamic_setting s;
    dynamic_open(&s, DYNAMIC_BUFFER_SIZE, OUTPUT_SIZE);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        dynamic_assert_call(&s, calls[i].dims, &calls[i]);
    }
    dynamic_close(&s);
}
END_TEST

/* Rank 1024, the highest, and a bad dim at its very end. */
START_TEST(dynamic_takes_the_highest_rank)
{
    enum { RANK = 1024 };
    static int64_t dims[RANK];
    dynamic_setting s;
    dynamic_open(&s, RANK * sizeof(*dims), OUTPUT_SIZE);
    for (size_t i = 0; i < RANK; i++) {
        dims[i] = 1;
    }
    dims[3] = 5;
    dims[RANK - 1] = 4;
    dynamic_call c = {
        CLCONST_FLOAT6E3M2, {0}, RANK, 15, 2, 0, 1, {CLCONST_OK, -1, 20}};
    dynamic_assert_call(&s, dims, &c);
    dims[RANK - 1] = -4;
    c.expected = (clconst_dynamic_result){CLCONST_INVALID_ARGUMENT, 1023, 0};
    dynamic_assert_call(&s, dims, &c);
    ck_assert_cl(clFinish(s.f.queue));
    clconst_op *op = dynamic_create_op(CLCONST_FLOAT);
    ck_assert_fails(clconst_enqueue_dynamic(s.f.engine,
                                            op,
                                            s.f.queue,
                                            s.shape,
                                            0,
                                            RANK + 1,
                                            s.output,
                                            0,
                                            4,
                                            s.result,
                                            0,
                                            0,
                                            NULL,
                                            NULL,
                                            error),
                    CLCONST_TOO_LARGE,
                    "rank is 1025; it must be at most 1024");
    clconst_op_destroy(op);
    dynamic_close(&s);
}
END_TEST

/* Tensors of all, half and little of a capacity that many work-items share. */
START_TEST(dynamic_fills_large_tensors)
{
    enum { CAPACITY = (5 << 20) + 77 };
    static const int dtypes[] = {
        CLCONST_FLOAT6E2M3, CLCONST_COMPLEX128, CLCONST_UINT4, CLCONST_INT16};
    dynamic_setting s;
    if (engines_skip_size(CAPACITY)) {
        return;
    }
    dynamic_open(&s, DYNAMIC_BUFFER_SIZE, CAPACITY + 64);
    for (size_t i = 0; i < 8; i++) {
        int dtype = dtypes[i % 4];
        int64_t most = (int64_t)CAPACITY * 8 / (int64_t)oracle_bits(dtype);
        dynamic_call c = {.dtype = dtype,
                          .dims = {i < 4 ? most : most / 2 - 4097},
                          .rank = 1,
                          .capacity = CAPACITY,
                          .offset = 3 * i};
        ask_host(&c);
        ck_assert_int_eq(c.expected.status, CLCONST_OK);
        dynamic_assert_call(&s, c.dims, &c);
    }
    dynamic_close(&s);
}
END_TEST

/* The shape comes from a command that waits, on a queue without an order. */
START_TEST(dynamic_reads_the_shape_when_its_turn_comes)
{
    static const int64_t dims[] = {3, 5};
    dynamic_setting s;
    dynamic_open(&s, DYNAMIC_BUFFER_SIZE, OUTPUT_SIZE);
    cl_command_queue queue = fixture_create_out_of_order_queue(&s.f);
    if (queue == NULL) {
        dynamic_close(&s);
        return;
    }
    cl_int code;
    cl_event gate = clCreateUserEvent(s.f.context, &code);
    ck_assert_cl(code);
    cl_event written;
    ck_assert_cl(clEnqueueWriteBuffer(
        queue, s.shape, CL_FALSE, 0, sizeof(dims), dims, 1, &gate, &written));
    uint64_t before = fixture_command_count(&s.f);
    clconst_op *op = dynamic_create_op(CLCONST_INT32);
    cl_event done;
    ck_assert_ok(clconst_enqueue_dynamic(s.f.engine,
                                         op,
                                         queue,
                                         s.shape,
                                         0,
                                         2,
                                         s.output,
                                         8,
                                         100,
                                         s.result,
                                         0,
                                         1,
                                         &written,
                                         &done,
                                         error));
    clconst_op_destroy(op);
    ck_assert_uint_eq(fixture_command_count(&s.f) - before, 2);
    fixture_assert_buffer(
        &s.f, s.result, DYNAMIC_BUFFER_SIZE, 0, "", 0, "before the gate opens");
    ck_assert_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    ck_assert_cl(clWaitForEvents(1, &done));
    uint8_t expected[60];
    clconst_dynamic_result result = {CLCONST_OK, -1, 15};
    oracle_fill(expected, CLCONST_INT32, harness_element, 15);
    fixture_assert_buffer(
        &s.f, s.output, OUTPUT_SIZE, 8, expected, 60, "output");
    fixture_assert_buffer(&s.f,
                          s.result,
                          DYNAMIC_BUFFER_SIZE,
                          0,
                          &result,
                          sizeof(result),
                          "result");
    ck_assert_cl(clReleaseEvent(gate));
    ck_assert_cl(clReleaseEvent(written));
    ck_assert_cl(clReleaseEvent(done));
    ck_assert_cl(clReleaseCommandQueue(queue));
    dynamic_close(&s);
}
END_TEST

/* Without an event or a wait list nobody but the call orders its commands. The
 * shape takes a while to judge. */
START_TEST(dynamic_orders_its_own_commands)
{
    enum { RANK = 1024, ROUND_COUNT = 50 };
    static int64_t dims[RANK];
    dynamic_setting s;
    dynamic_open(&s, RANK * sizeof(*dims), OUTPUT_SIZE);
    cl_command_queue queue = fixture_create_out_of_order_queue(&s.f);
    if (queue == NULL) {
        dynamic_close(&s);
        return;
    }
    for (size_t i = 0; i < RANK; i++) {
        dims[i] = 1;
    }
    dynamic_call c = {CLCONST_INT8, {0}, RANK, 1, 0, 0, 0, {CLCONST_OK, -1, 1}};
    dynamic_write_shape(&s, dims, &c);
    cl_command_queue in_order = s.f.queue;
    for (size_t i = 0; i < ROUND_COUNT; i++) {
        fixture_reset_buffer(&s.f, s.output, OUTPUT_SIZE);
        fixture_reset_buffer(&s.f, s.result, DYNAMIC_BUFFER_SIZE);
        s.f.queue = queue;
        dynamic_enqueue(&s, &c);
        ck_assert_cl(clFinish(queue));
        s.f.queue = in_order;
        fixture_assert_buffer(&s.f,
                              s.output,
                              OUTPUT_SIZE,
                              0,
                              harness_element,
                              1,
                              "after the result");
    }
    ck_assert_cl(clReleaseCommandQueue(queue));
    dynamic_close(&s);
}
END_TEST

Suite *opencl_dynamic_suite(void)
{
    Suite *suite = suite_create("opencl_dynamic");
    TCase *tcase = tcase_create("opencl_dynamic");
    tcase_add_test(tcase, dynamic_answers_as_the_host_does);
    tcase_add_test(tcase, dynamic_answers_as_the_rules_say);
    tcase_add_test(tcase, dynamic_takes_the_highest_rank);
    tcase_add_test(tcase, dynamic_fills_large_tensors);
    tcase_add_test(tcase, dynamic_reads_the_shape_when_its_turn_comes);
    tcase_add_test(tcase, dynamic_orders_its_own_commands);
    suite_add_tcase(suite, tcase);
    return suite;
}
