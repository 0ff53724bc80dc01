/*
 * What callers do with events besides waiting: callbacks, chains of calls, and
 * objects released while commands are queued. backend/opencl_events.c has the
 * rest.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "faults/steered.h"
#include "faults/suites.h"

static const clconst_fill_path paths[] = {
    CLCONST_PATH_KERNEL,
    CLCONST_PATH_DRIVER,
    CLCONST_PATH_NATIVE,
};

static cl_event enqueue(cl_command_queue queue,
                        int plan,
                        cl_uint num_wait,
                        const cl_event *wait_list)
{
    cl_event event = NULL;
    ck_assert_ok(clconst_enqueue(steered.engine,
                                 steered.plans[plan],
                                 queue,
                                 steered.buffer,
                                 WORLD_OFFSET,
                                 num_wait,
                                 wait_list,
                                 &event,
                                 error));
    ck_assert_ptr_nonnull(event);
    return event;
}

/* What a callback was told, and how often it was called. */
typedef struct call_record {
    atomic_int count;
    atomic_int state;
} call_record;

static void CL_CALLBACK record(cl_event event, cl_int state, void *context)
{
    call_record *call = context;
    (void)event;
    atomic_store(&call->state, state);
    atomic_fetch_add(&call->count, 1);
}

/* Callbacks come on a thread of the driver's, soon after the event. */
static void await(const call_record *call)
{
    const struct timespec pause = {0, 10000000};
    for (int i = 0; i < 1000 && atomic_load(&call->count) == 0; i++) {
        nanosleep(&pause, NULL);
    }
}

START_TEST(callbacks_come_once_when_all_is_written)
{
    open_engine(paths[_i]);
    for (int plan = WORLD_FILL; plan <= WORLD_EMPTY; plan++) {
        call_record call;
        atomic_init(&call.count, 0);
        atomic_init(&call.state, 1);
        world_reset_buffer(&steered);
        cl_event event = enqueue(steered.queue, plan, 0, NULL);
        ck_assert_cl(clSetEventCallback(event, CL_COMPLETE, record, &call));
        ck_assert_cl(clFlush(steered.queue));
        await(&call);
        ck_assert_int_eq(atomic_load(&call.state), CL_COMPLETE);
        world_assert_buffer(&steered, plan, "after the callback");
        ck_assert_int_eq(atomic_load(&call.count), 1);
        ck_assert_cl(clReleaseEvent(event));
    }
}
END_TEST

/* Each call waits for the one before it, that of an empty output too. The last
 * one's bytes stay. */
START_TEST(calls_wait_for_each_other_on_two_queues)
{
    static const int plans[] = {
        WORLD_COPY, WORLD_EMPTY, WORLD_FILL, WORLD_EMPTY, WORLD_SCATTER};
    cl_int code;
    open_engine(paths[_i]);
    cl_command_queue queues[2] = {steered.queue, NULL};
    queues[1] = clCreateCommandQueue(steered.context,
                                     steered.device,
                                     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                     &code);
    if (code != CL_SUCCESS) {
        queues[1] =
            clCreateCommandQueue(steered.context, steered.device, 0, &code);
    }
    ck_assert_cl(code);
    for (int i = 0; i < 10; i++) {
        cl_event last = steered.past;
        ck_assert_cl(clRetainEvent(last));
        for (size_t j = 0; j < COUNT_OF(plans); j++) {
            cl_event event = enqueue(queues[j % 2], plans[j], 1, &last);
            ck_assert_cl(clReleaseEvent(last));
            ck_assert_cl(clFlush(queues[j % 2]));
            last = event;
        }
        ck_assert_cl(clWaitForEvents(1, &last));
        ck_assert_cl(clReleaseEvent(last));
        uint8_t *bytes = malloc(WORLD_BUFFER_SIZE);
        fixture f = {.queue = steered.queue};
        fixture_read_buffer(&f, steered.buffer, bytes, WORLD_BUFFER_SIZE);
        harness_assert_bytes(bytes + WORLD_OFFSET,
                             steered.expected[WORLD_SCATTER],
                             steered.sizes[WORLD_SCATTER],
                             "the last call");
        free(bytes);
    }
    ck_assert_cl(clReleaseCommandQueue(queues[1]));
}
END_TEST

/* R163: OpenCL holds what commands need; the caller holds the plan alone. */
START_TEST(buffer_queue_and_engine_may_go_before_the_event)
{
    cl_int code;
    for (int plan = WORLD_FILL; plan <= WORLD_EMPTY; plan++) {
        open_engine(paths[_i]);
        cl_command_queue queue =
            clCreateCommandQueue(steered.context, steered.device, 0, &code);
        ck_assert_cl(code);
        cl_mem kept = steered.buffer;
        steered.buffer = clCreateBuffer(
            steered.context, CL_MEM_READ_WRITE, WORLD_BUFFER_SIZE, NULL, &code);
        ck_assert_cl(code);
        cl_event event = enqueue(queue, plan, 0, NULL);
        ck_assert_cl(clReleaseMemObject(steered.buffer));
        ck_assert_cl(clFlush(queue));
        ck_assert_cl(clReleaseCommandQueue(queue));
        world_destroy_engine(&steered);
        steered.buffer = kept;
        ck_assert_cl(clWaitForEvents(1, &event));
        ck_assert_cl(clReleaseEvent(event));
    }
}
END_TEST

static size_t count_commands(void)
{
    return steer_count(LAYER_clEnqueueFillBuffer) +
           steer_count(LAYER_clEnqueueWriteBuffer) +
           steer_count(LAYER_clEnqueueNDRangeKernel) +
           steer_count(LAYER_clEnqueueNativeKernel);
}

/* Enqueues the batch, or else the plan, and counts the commands that wait for
 * none: a first one alone where they are chained. */
static void assert_chained(const clconst_batch *batch,
                           const clconst_plan *plan,
                           bool is_chained,
                           const char *name)
{
    size_t commands = count_commands();
    size_t without = atomic_load(&layer->free_count);
    ck_assert_ok(batch == NULL ? enqueue_plan(plan, WORLD_OFFSET, error)
                               : clconst_batch_enqueue(steered.engine,
                                                       batch,
                                                       0,
                                                       steered.queue,
                                                       steered.buffer,
                                                       WORLD_OFFSET,
                                                       0,
                                                       NULL,
                                                       NULL,
                                                       error));
    commands = count_commands() - commands;
    without = atomic_load(&layer->free_count) - without;
    ck_assert_uint_gt(commands, 0);
    ck_assert_msg(without == (is_chained ? 1 : commands),
                  "%s: %zu of %zu commands wait for none",
                  name,
                  without,
                  commands);
}

/* An out-of-order queue would keep no order that no event asks for. */
START_TEST(commands_are_chained_where_one_needs_the_other)
{
    const clconst_plan *fills[] = {
        steered.plans[WORLD_FILL],
        steered.plans[WORLD_FILL],
    };
    clconst_batch *two;
    ck_assert_ok(clconst_batch_create(fills, 2, NULL, &two, error));
    open_engine(paths[_i]);
    assert_chained(NULL, steered.plans[WORLD_FILL], false, "fill");
    assert_chained(NULL, steered.plans[WORLD_SCATTER], true, "scatter");
    assert_chained(
        world_get_batch(&steered, WORLD_TABLES), NULL, true, "tables");
    assert_chained(two, NULL, paths[_i] == CLCONST_PATH_KERNEL, "two fills");
    ck_assert_cl(clFinish(steered.queue));
    clconst_batch_destroy(two);
}
END_TEST

Suite *events_suite(void)
{
    Suite *suite = suite_create("events");
    TCase *tcase = tcase_create("events");
    tcase_add_checked_fixture(tcase, open_steered, close_steered);
    tcase_add_loop_test(
        tcase, callbacks_come_once_when_all_is_written, 0, COUNT_OF(paths));
    tcase_add_loop_test(
        tcase, calls_wait_for_each_other_on_two_queues, 0, COUNT_OF(paths));
    tcase_add_loop_test(tcase,
                        buffer_queue_and_engine_may_go_before_the_event,
                        0,
                        COUNT_OF(paths));
    tcase_add_loop_test(tcase,
                        commands_are_chained_where_one_needs_the_other,
                        0,
                        COUNT_OF(paths));
    suite_add_tcase(suite, tcase);
    return suite;
}
