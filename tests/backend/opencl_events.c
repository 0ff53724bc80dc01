/*
 * Wait lists and events. A user event is the gate before a call; tests open it
 * before anything is flushed, since Oclgrind runs commands inside clFlush and
 * would wait there for ever.
 */
#include <stdio.h>
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/oracle.h"

enum { BUFFER_SIZE = 4096, STRIDE = 64, TENSOR_SIZE = 51 };

/* What one call enqueues: a batch of these plans. */
typedef struct call_row {
    const char *name;
    clconst_fill_path path;
    size_t plan_count;
    int is_out_of_order;
    size_t command_count;
} call_row;

/* Each plan of uint4 with an odd count takes two commands of the driver. A
 * kernel takes one launch, and one command more for the table of many plans.
 * A native kernel takes one command for all. An empty output takes a marker. */
static const call_row call_rows[] = {
    {"one command, in order", CLCONST_PATH_KERNEL, 1, 0, 1},
    {"one command, out of order", CLCONST_PATH_KERNEL, 1, 1, 1},
    {"two commands, in order", CLCONST_PATH_DRIVER, 1, 0, 2},
    {"two commands, out of order", CLCONST_PATH_DRIVER, 1, 1, 2},
    {"many commands, in order", CLCONST_PATH_DRIVER, 20, 0, 40},
    {"many commands, out of order", CLCONST_PATH_DRIVER, 20, 1, 40},
    {"table and launch, in order", CLCONST_PATH_KERNEL, 20, 0, 2},
    {"table and launch, out of order", CLCONST_PATH_KERNEL, 20, 1, 2},
    {"native, in order", CLCONST_PATH_NATIVE, 20, 0, 1},
    {"native, out of order", CLCONST_PATH_NATIVE, 20, 1, 1},
    {"one native, out of order", CLCONST_PATH_NATIVE, 1, 1, 1},
    {"no command, in order", CLCONST_PATH_AUTO, 0, 0, 1},
    {"no command, out of order", CLCONST_PATH_AUTO, 0, 1, 1},
};
enum { CALL_ROW_COUNT = sizeof(call_rows) / sizeof(call_rows[0]) };

/* A row ready to be called. Its queue is not the fixture's, which reads: only
 * events order the two. */
typedef struct setting {
    const call_row *row;
    fixture f;
    cl_command_queue queue;
    cl_mem buffer;
    clconst_plan *plan;
    clconst_batch *batch;
    uint8_t expected[BUFFER_SIZE]; /* the tensors; guards between them */
    size_t size;                   /* of the arena, tables included */
} setting;

/* False when the device has no such path or queue; nothing is open then. */
static bool open_setting(setting *s, const call_row *row)
{
    enum { ELEMENT_COUNT = 101 };
    memset(s, 0, sizeof(*s));
    s->row = row;
    if (!fixture_try_open(&s->f, row->path)) {
        return false;
    }
    cl_int code = CL_SUCCESS;
    s->queue = row->is_out_of_order
                   ? fixture_create_out_of_order_queue(&s->f)
                   : clCreateCommandQueue(s->f.context, s->f.device, 0, &code);
    ck_assert_cl(code);
    if (s->queue == NULL) {
        fixture_close(&s->f);
        return false;
    }
    s->buffer = fixture_create_buffer(&s->f, CL_MEM_READ_WRITE, BUFFER_SIZE);
    s->plan = harness_fill_plan(CLCONST_UINT4, harness_element, ELEMENT_COUNT);
    clconst_plan *empty = harness_fill_plan(CLCONST_FLOAT, harness_element, 0);
    const clconst_plan *plans[20];
    memset(s->expected, FIXTURE_GUARD, sizeof(s->expected));
    for (size_t i = 0; i < row->plan_count; i++) {
        plans[i] = s->plan;
        oracle_fill(s->expected + i * STRIDE,
                    CLCONST_UINT4,
                    harness_element,
                    ELEMENT_COUNT);
    }
    size_t count = row->plan_count;
    if (count == 0) {
        plans[count++] = empty;
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.expand_size = 1;
    ck_assert_ok(
        clconst_batch_create(plans, count, &options, &s->batch, error));
    s->size = clconst_batch_get_arena_size(s->batch, 0);
    clconst_plan_destroy(empty);
    return true;
}

static void close_setting(setting *s)
{
    ck_assert_cl(clFinish(s->queue));
    ck_assert_cl(clReleaseCommandQueue(s->queue));
    ck_assert_cl(clReleaseMemObject(s->buffer));
    clconst_batch_destroy(s->batch);
    clconst_plan_destroy(s->plan);
    fixture_close(&s->f);
}

static cl_event enqueue(setting *s, cl_uint num_wait, const cl_event *wait_list)
{
    cl_event event = NULL;
    /* An empty output takes no buffer. */
    ck_assert_ok(
        clconst_batch_enqueue(s->f.engine,
                              s->batch,
                              0,
                              s->queue,
                              s->row->plan_count > 0 ? s->buffer : NULL,
                              0,
                              num_wait,
                              wait_list,
                              &event,
                              error));
    ck_assert_ptr_nonnull(event);
    return event;
}

static cl_int event_state(cl_event event)
{
    cl_int state;
    ck_assert_cl(clGetEventInfo(
        event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL));
    return state;
}

static void assert_buffer(setting *s)
{
    uint8_t actual[BUFFER_SIZE];
    size_t count = s->row->plan_count;
    size_t body = count > 0 ? (count - 1) * STRIDE + TENSOR_SIZE : 0;
    fixture_read_buffer(&s->f, s->buffer, actual, sizeof(actual));
    harness_assert_bytes(actual, s->expected, body, s->row->name);
    /* What a device needs of the arena ends with the arena. */
    size_t end = s->size > body ? s->size : body;
    harness_assert_bytes(
        actual + end, s->expected + end, BUFFER_SIZE - end, s->row->name);
}

static cl_event create_gate(const setting *s)
{
    cl_int code;
    cl_event gate = clCreateUserEvent(s->f.context, &code);
    ck_assert_cl(code);
    return gate;
}

START_TEST(event_covers_all_commands_of_a_call)
{
    setting s;
    if (!open_setting(&s, &call_rows[_i])) {
        return;
    }
    cl_event event = enqueue(&s, 0, NULL);
    ck_assert_cl(clWaitForEvents(1, &event));
    ck_assert_int_eq(event_state(event), CL_COMPLETE);
    assert_buffer(&s);
    ck_assert_uint_eq(fixture_command_count(&s.f), s.row->command_count);
    ck_assert_cl(clReleaseEvent(event));
    close_setting(&s);
}
END_TEST

START_TEST(commands_wait_for_the_whole_wait_list)
{
    setting s;
    if (!open_setting(&s, &call_rows[_i])) {
        return;
    }
    cl_event gates[2] = {create_gate(&s), create_gate(&s)};
    cl_event event = enqueue(&s, 2, gates);
    ck_assert_cl(clSetUserEventStatus(gates[0], CL_COMPLETE));
    ck_assert_int_gt(event_state(event), CL_COMPLETE);
    fixture_assert_buffer(
        &s.f, s.buffer, BUFFER_SIZE, 0, "", 0, "before the gate opens");
    ck_assert_cl(clSetUserEventStatus(gates[1], CL_COMPLETE));
    ck_assert_cl(clWaitForEvents(1, &event));
    assert_buffer(&s);
    ck_assert_cl(clReleaseEvent(gates[0]));
    ck_assert_cl(clReleaseEvent(gates[1]));
    ck_assert_cl(clReleaseEvent(event));
    close_setting(&s);
}
END_TEST

/* Why this driver cannot pass a failure on; NULL when it can. */
static const char *failure_obstacle(const setting *s)
{
    if (fixture_is_platform(&s->f, "Intel(R) OpenCL")) {
        return "Intel's runtime for CPUs completes what waits for a failure";
    }
    if (fixture_is_platform(&s->f, "Oclgrind")) {
        return "Oclgrind reports a failed event as misuse";
    }
    if (s->row->command_count == 1) {
        return NULL;
    }
    if (fixture_is_platform(&s->f, "Portable Computing Language")) {
        return "PoCL 3.1 aborts when an event fails that nobody holds";
    }
    return NULL;
}

START_TEST(event_fails_when_the_wait_list_fails_later)
{
    setting s;
    if (!open_setting(&s, &call_rows[_i])) {
        return;
    }
    const char *obstacle = failure_obstacle(&s);
    if (obstacle != NULL) {
        printf("SKIP: %s\n", obstacle);
        close_setting(&s);
        return;
    }
    cl_event gate = create_gate(&s);
    cl_event event = enqueue(&s, 1, &gate);
    ck_assert_cl(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES));
    ck_assert_int_eq(clWaitForEvents(1, &event),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_lt(event_state(event), 0);
    fixture_assert_buffer(
        &s.f, s.buffer, BUFFER_SIZE, 0, "", 0, "after the failure");
    ck_assert_cl(clReleaseEvent(gate));
    ck_assert_cl(clReleaseEvent(event));
    close_setting(&s);
}
END_TEST

/* The driver writes 32 MiB, and then one byte with unused bits. Were the two
 * not chained, the event of the second would come first. */
START_TEST(event_waits_for_a_slow_first_command)
{
    enum { SIZE = 32 << 20 };
    static uint8_t actual[SIZE];
    static const call_row row = {"two commands", CLCONST_PATH_DRIVER, 1, 1, 2};
    setting s;
    if (engines_skip_size(SIZE) || !open_setting(&s, &row)) {
        return;
    }
    clconst_plan *plan = harness_fill_plan(
        CLCONST_UINT4, harness_element, (int64_t)SIZE * 2 - 1);
    cl_mem buffer = fixture_create_buffer(&s.f, CL_MEM_READ_WRITE, SIZE);
    cl_event event;
    ck_assert_ok(clconst_enqueue(
        s.f.engine, plan, s.queue, buffer, 0, 0, NULL, &event, error));
    ck_assert_cl(clWaitForEvents(1, &event));
    fixture_read_buffer(&s.f, buffer, actual, SIZE);
    /* uint4 1, twice a byte, and once in the last one. */
    ck_assert_uint_eq(actual[0], 0x11);
    ck_assert(memcmp(actual, actual + 1, SIZE - 2) == 0);
    ck_assert_uint_eq(actual[SIZE - 1], 0x01);
    ck_assert_cl(clReleaseEvent(event));
    ck_assert_cl(clReleaseMemObject(buffer));
    clconst_plan_destroy(plan);
    close_setting(&s);
}
END_TEST

/* A marker over the whole queue would wait for the stranger, and this thread
 * for the marker. */
START_TEST(event_does_not_wait_for_strangers_on_the_queue)
{
    static const call_row row = {
        "many commands", CLCONST_PATH_DRIVER, 20, 1, 40};
    setting s;
    if (!open_setting(&s, &row)) {
        return;
    }
    if (fixture_is_platform(&s.f, "Oclgrind")) {
        printf("SKIP: Oclgrind runs out-of-order queues in order\n");
        close_setting(&s);
        return;
    }
    cl_event gate = create_gate(&s);
    cl_mem other = fixture_create_buffer(&s.f, CL_MEM_READ_WRITE, 16);
    ck_assert_cl(clEnqueueFillBuffer(
        s.queue, other, harness_element, 1, 0, 16, 1, &gate, NULL));
    cl_event event = enqueue(&s, 0, NULL);
    ck_assert_cl(clWaitForEvents(1, &event));
    assert_buffer(&s);
    ck_assert_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    ck_assert_cl(clReleaseEvent(gate));
    ck_assert_cl(clReleaseEvent(event));
    ck_assert_cl(clFinish(s.queue));
    ck_assert_cl(clReleaseMemObject(other));
    close_setting(&s);
}
END_TEST

/* The queue, not the event, then orders what follows. */
START_TEST(empty_output_without_event_still_honours_the_wait_list)
{
    static const call_row row = {"no command", CLCONST_PATH_AUTO, 0, 0, 1};
    setting s;
    ck_assert(open_setting(&s, &row));
    cl_event gate = create_gate(&s);
    ck_assert_ok(clconst_batch_enqueue(
        s.f.engine, s.batch, 0, s.queue, NULL, 0, 1, &gate, NULL, error));
    ck_assert_uint_eq(fixture_command_count(&s.f), 1);
    cl_event after;
    ck_assert_cl(clEnqueueMarkerWithWaitList(s.queue, 0, NULL, &after));
    ck_assert_int_gt(event_state(after), CL_COMPLETE);
    ck_assert_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    ck_assert_cl(clWaitForEvents(1, &after));
    ck_assert_cl(clReleaseEvent(gate));
    ck_assert_cl(clReleaseEvent(after));
    close_setting(&s);
}
END_TEST

START_TEST(empty_output_without_event_or_wait_list_is_no_command)
{
    static const call_row row = {"no command", CLCONST_PATH_AUTO, 0, 0, 1};
    setting s;
    ck_assert(open_setting(&s, &row));
    ck_assert_ok(clconst_batch_enqueue(
        s.f.engine, s.batch, 0, s.queue, NULL, 0, 0, NULL, NULL, error));
    ck_assert_uint_eq(fixture_command_count(&s.f), 0);
    close_setting(&s);
}
END_TEST

/* Drivers differ on commands of no bytes, so that none may be issued. */
START_TEST(empty_output_of_a_lone_plan_is_no_command)
{
    static const clconst_fill_path paths[] = {
        CLCONST_PATH_AUTO, CLCONST_PATH_KERNEL, CLCONST_PATH_DRIVER};
    fixture f;
    fixture_open(&f, paths[_i]);
    clconst_plan *plans[] = {
        harness_fill_plan(CLCONST_FLOAT, harness_element, 0),
        harness_fill_plan(CLCONST_FLOAT6E2M3, harness_element, 0),
        harness_copy_plan(CLCONST_INT4, NULL, 0),
    };
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_WRITE, 16);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_ok(clconst_enqueue(
            f.engine, plans[i], f.queue, NULL, 99, 0, NULL, NULL, error));
        ck_assert_ok(clconst_enqueue(
            f.engine, plans[i], f.queue, buffer, 16, 0, NULL, NULL, error));
        ck_assert_fails(
            clconst_enqueue(
                f.engine, plans[i], f.queue, buffer, 17, 0, NULL, NULL, error),
            CLCONST_INVALID_ARGUMENT,
            "range is 0 bytes at offset 17; it must lie in the buffer's 16 "
            "bytes");
    }
    ck_assert_uint_eq(fixture_command_count(&f), 0);
    ck_assert_uint_eq(fixture_programs_built(&f), 0);
    for (size_t i = 0; i < 3; i++) {
        clconst_plan_destroy(plans[i]);
    }
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

Suite *opencl_events_suite(void)
{
    Suite *suite = suite_create("opencl_events");
    TCase *tcase = tcase_create("opencl_events");
    tcase_add_loop_test(
        tcase, event_covers_all_commands_of_a_call, 0, CALL_ROW_COUNT);
    tcase_add_loop_test(
        tcase, commands_wait_for_the_whole_wait_list, 0, CALL_ROW_COUNT);
    tcase_add_loop_test(
        tcase, event_fails_when_the_wait_list_fails_later, 0, CALL_ROW_COUNT);
    tcase_add_test(tcase, event_waits_for_a_slow_first_command);
    tcase_add_test(tcase, event_does_not_wait_for_strangers_on_the_queue);
    tcase_add_test(tcase,
                   empty_output_without_event_still_honours_the_wait_list);
    tcase_add_test(tcase,
                   empty_output_without_event_or_wait_list_is_no_command);
    tcase_add_loop_test(tcase, empty_output_of_a_lone_plan_is_no_command, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
