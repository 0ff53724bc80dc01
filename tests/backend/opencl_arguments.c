/* What the enqueue functions refuse before any command. */
#include <stdio.h>

#include "backend/opencl/engine.h"
#include "backend/opencl_fixture.h"
#include "backend/suites.h"

enum { BUFFER_SIZE = 64 };

/* The arguments of a good call, of which a case spoils one. */
typedef struct call {
    clconst_engine *engine;
    const clconst_plan *plan;
    cl_command_queue queue;
    cl_mem buffer;
    size_t offset;
    cl_uint num_wait;
    const cl_event *wait_list;
} call;

#define assert_refused(c, expected_status, expected_message)                   \
    do {                                                                       \
        cl_event refused_event = NULL;                                         \
        ck_assert_fails(clconst_enqueue((c).engine,                            \
                                        (c).plan,                              \
                                        (c).queue,                             \
                                        (c).buffer,                            \
                                        (c).offset,                            \
                                        (c).num_wait,                          \
                                        (c).wait_list,                         \
                                        &refused_event,                        \
                                        error),                                \
                        expected_status,                                       \
                        expected_message);                                     \
        ck_assert_ptr_null(refused_event);                                     \
    } while (0)

/* A fixture and a good call of 12 bytes at offset 52, up to the very end. */
typedef struct setting {
    fixture f;
    call good;
    clconst_plan *plan;
} setting;

static void open_setting(setting *s)
{
    fixture_open(&s->f, CLCONST_PATH_AUTO);
    s->plan = harness_fill_plan(CLCONST_FLOAT, harness_element, 3);
    s->good = (call){
        .engine = s->f.engine,
        .plan = s->plan,
        .queue = s->f.queue,
        .buffer = fixture_create_buffer(&s->f, CL_MEM_READ_WRITE, BUFFER_SIZE),
        .offset = BUFFER_SIZE - 12,
    };
}

/* Nothing was enqueued, and the good call still is. */
static void close_setting(setting *s)
{
    const call *good = &s->good;
    ck_assert_uint_eq(fixture_command_count(&s->f), 0);
    fixture_assert_buffer(
        &s->f, good->buffer, BUFFER_SIZE, 0, "", 0, "refused calls");
    ck_assert_ok(clconst_enqueue(good->engine,
                                 good->plan,
                                 good->queue,
                                 good->buffer,
                                 good->offset,
                                 0,
                                 NULL,
                                 NULL,
                                 error));
    ck_assert_uint_ge(fixture_command_count(&s->f), 1);
    /* The plan stays until its command has run. */
    ck_assert_cl(clFinish(good->queue));
    ck_assert_cl(clReleaseMemObject(good->buffer));
    clconst_plan_destroy(s->plan);
    fixture_close(&s->f);
}

START_TEST(enqueue_refuses_missing_objects)
{
    setting s;
    open_setting(&s);
    call bad = s.good;
    bad.engine = NULL;
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "engine or plan is NULL; both are required");
    bad = s.good;
    bad.plan = NULL;
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "engine or plan is NULL; both are required");
    bad = s.good;
    bad.queue = NULL;
    assert_refused(
        bad, CLCONST_INVALID_ARGUMENT, "queue is NULL; it is required");
    bad = s.good;
    bad.buffer = NULL;
    assert_refused(
        bad, CLCONST_INVALID_ARGUMENT, "buffer is NULL; 12 bytes need one");
    close_setting(&s);
}
END_TEST

START_TEST(enqueue_refuses_ranges_past_the_end)
{
    static const struct {
        size_t offset;
        const char *message;
    } rows[] = {
        {53,
         "range is 12 bytes at offset 53; it must lie in the buffer's 64 "
         "bytes"},
        {65,
         "range is 12 bytes at offset 65; it must lie in the buffer's 64 "
         "bytes"},
        {SIZE_MAX - 3,
         "range is 12 bytes at offset 18446744073709551612; it must lie in the "
         "buffer's 64 bytes"},
    };
    setting s;
    open_setting(&s);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        call bad = s.good;
        bad.offset = rows[i].offset;
        assert_refused(bad, CLCONST_INVALID_ARGUMENT, rows[i].message);
    }
    close_setting(&s);
}
END_TEST

START_TEST(enqueue_refuses_objects_of_another_context)
{
    setting s;
    open_setting(&s);
    fixture other = s.f;
    cl_int code;
    other.context = fixture_create_context(s.f.device);
    cl_command_queue queue =
        clCreateCommandQueue(other.context, other.device, 0, &code);
    ck_assert_cl(code);
    cl_mem buffer = fixture_create_buffer(&other, CL_MEM_READ_WRITE, 64);
    cl_event event = clCreateUserEvent(other.context, &code);
    ck_assert_cl(code);

    call bad = s.good;
    bad.queue = queue;
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "queue is of another context; it must be of the engine's");
    bad = s.good;
    bad.buffer = buffer;
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "buffer is of another context; it must be of the engine's");
    bad = s.good;
    bad.num_wait = 1;
    bad.wait_list = &event;
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "wait event 0 is of another context; it must be of the "
                   "engine's");

    ck_assert_cl(clReleaseEvent(event));
    ck_assert_cl(clReleaseMemObject(buffer));
    ck_assert_cl(clReleaseCommandQueue(queue));
    ck_assert_cl(clReleaseContext(other.context));
    close_setting(&s);
}
END_TEST

START_TEST(enqueue_refuses_images)
{
    setting s;
    open_setting(&s);
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = 8,
                                 .image_height = 8};
    cl_int code;
    call bad = s.good;
    bad.buffer = clCreateImage(
        s.f.context, CL_MEM_READ_WRITE, &format, &description, NULL, &code);
    ck_assert_cl(code);
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "buffer has memory object type 0x10f1; it must be a buffer");
    ck_assert_cl(clReleaseMemObject(bad.buffer));
    close_setting(&s);
}
END_TEST

START_TEST(enqueue_refuses_bad_wait_lists)
{
    setting s;
    open_setting(&s);
    cl_int code;
    cl_event events[2] = {clCreateUserEvent(s.f.context, &code), NULL};
    ck_assert_cl(code);
    call bad = s.good;
    bad.num_wait = 1;
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "num_wait is 1 and wait_list is NULL; both name events, or "
                   "neither");
    bad = s.good;
    bad.wait_list = events;
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "num_wait is 0 and wait_list is not NULL; both name events, "
                   "or neither");
    bad.num_wait = 2;
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "wait event 1 is NULL; each is required");
    ck_assert_cl(clSetUserEventStatus(events[0], CL_COMPLETE));
    ck_assert_cl(clReleaseEvent(events[0]));
    close_setting(&s);
}
END_TEST

/* PoCL would accept it and never run the command. */
START_TEST(enqueue_refuses_wait_events_that_have_failed)
{
    setting s;
    open_setting(&s);
    cl_int code;
    cl_event event = clCreateUserEvent(s.f.context, &code);
    ck_assert_cl(code);
    ck_assert_cl(clSetUserEventStatus(event, CL_OUT_OF_RESOURCES));
    call bad = s.good;
    bad.num_wait = 1;
    bad.wait_list = &event;
    assert_refused(bad,
                   CLCONST_DEVICE_ERROR,
                   "wait event 0 has failed with CL_OUT_OF_RESOURCES (-5); "
                   "commands cannot wait for it");
    clconst_error error;
    clconst_enqueue(bad.engine,
                    bad.plan,
                    bad.queue,
                    bad.buffer,
                    bad.offset,
                    1,
                    &event,
                    NULL,
                    &error);
    ck_assert_int_eq(error.native_code, -14);
    ck_assert_cl(clReleaseEvent(event));
    close_setting(&s);
}
END_TEST

START_TEST(enqueue_refuses_strings_and_the_cpu_engine)
{
    static const clconst_string strings[] = {{"one", 3}};
    setting s;
    open_setting(&s);
    clconst_view value = {CLCONST_STRING, {NULL, 0}, strings, sizeof(strings)};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    call bad = s.good;
    bad.plan = plan;
    assert_refused(bad,
                   CLCONST_UNSUPPORTED,
                   "dtype is string; strings stay on the host and have no "
                   "device memory");
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    bad = s.good;
    ck_assert_ok(clconst_engine_create(&options, &bad.engine, error));
    assert_refused(bad,
                   CLCONST_INVALID_ARGUMENT,
                   "engine is the CPU engine; queues need an OpenCL engine");
    clconst_engine_destroy(bad.engine);
    close_setting(&s);
}
END_TEST

START_TEST(batch_enqueue_refuses_what_enqueue_refuses)
{
    setting s;
    open_setting(&s);
    const clconst_plan *plans[] = {s.plan};
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create(plans, 1, NULL, &batch, error));
    ck_assert_fails(clconst_batch_enqueue(s.f.engine,
                                          batch,
                                          1,
                                          s.f.queue,
                                          s.good.buffer,
                                          0,
                                          0,
                                          NULL,
                                          NULL,
                                          error),
                    CLCONST_INVALID_ARGUMENT,
                    "arena is 1; the batch has 1 arenas");
    ck_assert_fails(clconst_batch_enqueue(s.f.engine,
                                          NULL,
                                          0,
                                          s.f.queue,
                                          s.good.buffer,
                                          0,
                                          0,
                                          NULL,
                                          NULL,
                                          error),
                    CLCONST_INVALID_ARGUMENT,
                    "engine or batch is NULL; both are required");
    ck_assert_fails(clconst_batch_enqueue(s.f.engine,
                                          batch,
                                          0,
                                          s.f.queue,
                                          s.good.buffer,
                                          53,
                                          0,
                                          NULL,
                                          NULL,
                                          error),
                    CLCONST_INVALID_ARGUMENT,
                    "range is 12 bytes at offset 53; it must lie in the "
                    "buffer's 64 bytes");
    clconst_batch_destroy(batch);
    close_setting(&s);
}
END_TEST

/* Of one sparse constant, the pairs travel through a buffer of their own. */
START_TEST(pairs_beyond_the_largest_allocation_are_refused)
{
    static const int64_t indices[] = {1, 3, 5, 7};
    static const int64_t dim = 9;
    enum { COUNT = 4, ROW_SIZE = sizeof(clconst__scatter_row) };
    fixture f;
    fixture_open(&f, CLCONST_PATH_KERNEL);
    clconst_plan *plan = harness_sparse_plan(
        CLCONST_FLOAT, harness_element, indices, COUNT, &dim);
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, BUFFER_SIZE);
    clconst__device *device = &clconst__opencl_from(f.engine)->device;
    size_t size = ROW_SIZE + COUNT * (sizeof(uint64_t) + sizeof(float));
    char expected[512];
    device->max_allocation_size = size - 1;
    snprintf(expected,
             sizeof(expected),
             "pairs take %zu bytes; %.200s allocates at most %zu",
             size,
             device->name,
             size - 1);
    ck_assert_fails(
        clconst_enqueue(
            f.engine, plan, f.queue, buffer, 0, 0, NULL, NULL, error),
        CLCONST_TOO_LARGE,
        expected);
    ck_assert_uint_eq(fixture_command_count(&f), 0);
    device->max_allocation_size = size;
    ck_assert_ok(clconst_enqueue(
        f.engine, plan, f.queue, buffer, 0, 0, NULL, NULL, error));
    ck_assert_cl(clFinish(f.queue));
    ck_assert_cl(clReleaseMemObject(buffer));
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

Suite *opencl_arguments_suite(void)
{
    Suite *suite = suite_create("opencl_arguments");
    TCase *tcase = tcase_create("opencl_arguments");
    tcase_add_test(tcase, enqueue_refuses_missing_objects);
    tcase_add_test(tcase, enqueue_refuses_ranges_past_the_end);
    tcase_add_test(tcase, enqueue_refuses_objects_of_another_context);
    tcase_add_test(tcase, enqueue_refuses_images);
    tcase_add_test(tcase, enqueue_refuses_bad_wait_lists);
    tcase_add_test(tcase, enqueue_refuses_wait_events_that_have_failed);
    tcase_add_test(tcase, enqueue_refuses_strings_and_the_cpu_engine);
    tcase_add_test(tcase, pairs_beyond_the_largest_allocation_are_refused);
    tcase_add_test(tcase, batch_enqueue_refuses_what_enqueue_refuses);
    suite_add_tcase(suite, tcase);
    return suite;
}
