/*
 * Drivers with habits: what they refuse, and what they must never be asked. The
 * layer plays them. R numbers are those of reports about other software.
 */
#include <string.h>
#include <time.h>

#include "faults/operations.h"
#include "faults/steered.h"
#include "faults/suites.h"
#include "harness/oracle.h"

/* Calls that a device of version 1.2 does not have: with Oclgrind they never
 * return. */
static size_t count_later_calls(void)
{
    size_t count = 0;
    for (int i = LAYER_FIRST_LATER; i < LAYER_ENTRY_COUNT; i++) {
        count += steer_count((layer_entry)i);
    }
    return count;
}

START_TEST(version_1_2_gets_no_later_call)
{
    static const char version[] = "OpenCL 1.2 old";
    static const layer_lie lies[] = {
        LIE(CL_DEVICE_VERSION, version),
        LIE(CL_PLATFORM_VERSION, version),
    };
    const operation *o = &operations[_i];
    steer_lie(lies, COUNT_OF(lies));
    size_t before = count_later_calls();
    operations_open(&steered, o);
    operation_begin(&steered, o);
    ck_assert_ok(o->call(&steered, o, error));
    o->check(&steered, o);
    operation_end(&steered, o);
    operations_close(&steered);
    ck_assert_uint_eq(count_later_calls(), before);
}
END_TEST

/* The pattern's period, a size and where it begins. */
typedef struct piece_row {
    int dtype;
    uint64_t size;
    uint64_t offset;
} piece_row;

#define GIB (UINT64_C(1) << 30)

static const piece_row piece_rows[] = {
    {CLCONST_UINT8, GIB, 0},
    {CLCONST_UINT8, 2 * GIB - 1, 0},
    {CLCONST_UINT8, 2 * GIB, 0},
    {CLCONST_UINT8, 2 * GIB + 5, 3},
    {CLCONST_FLOAT, 4 * GIB + 4, 4},
    {CLCONST_COMPLEX128, 5 * GIB, 4 * GIB + 16},
    {CLCONST_UINT16, 3 * GIB + 2, 7 * GIB - 2},
};

/* R103, R125: the pieces follow each other from the first byte to the last, at
 * multiples of their pattern, and none has 2^31 bytes. */
START_TEST(fills_by_the_driver_have_pieces_below_2_to_the_31)
{
    const piece_row *row = &piece_rows[_i];
    size_t element = oracle_size(row->dtype, 1);
    size_t buffer_size = (size_t)(row->offset + row->size);
    const layer_lie lie = LIE(CL_MEM_SIZE, buffer_size);
    clconst_plan *plan = harness_fill_plan(
        row->dtype, harness_element, (int64_t)(row->size / element));
    open_engine(CLCONST_PATH_DRIVER);
    steer_lie(&lie, 1);
    steer_forget_fills();
    layer->swallows_fills = true;
    ck_assert_ok(enqueue_plan(plan, (size_t)row->offset, error));
    layer->swallows_fills = false;
    ck_assert_cl(clFinish(steered.queue));
    size_t count = atomic_load(&layer->fill_count);
    size_t at = (size_t)row->offset;
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_le(count, LAYER_FILL_MAX);
    for (size_t i = 0; i < count; i++) {
        const layer_fill *fill = &layer->fills[i];
        ck_assert_uint_eq(fill->offset, at);
        ck_assert_uint_gt(fill->size, 0);
        ck_assert_uint_lt(fill->size, UINT64_C(1) << 31);
        ck_assert_uint_eq(fill->offset % fill->pattern_size, 0);
        ck_assert_uint_eq(fill->size % fill->pattern_size, 0);
        ck_assert_uint_eq(fill->pattern_size % element, 0);
        at += fill->size;
    }
    ck_assert_uint_eq(at, buffer_size);
    clconst_plan_destroy(plan);
}
END_TEST

/* R106, R113: the kernel writes what the driver refuses, and the driver is
 * asked no more. */
START_TEST(a_driver_without_a_fill_is_asked_once)
{
    open_engine(CLCONST_PATH_DRIVER);
    world_reset_buffer(&steered);
    size_t before = steer_count(LAYER_clEnqueueFillBuffer);
    steer_fail(LAYER_clEnqueueFillBuffer, 1, true, CL_INVALID_OPERATION);
    ck_assert_ok(enqueue_plan(steered.plans[WORLD_FILL], WORLD_OFFSET, error));
    world_assert_buffer(&steered, WORLD_FILL, "the refused fill");
    ck_assert_uint_eq(steer_stop(), 1);
    world_reset_buffer(&steered);
    ck_assert_ok(enqueue_plan(steered.plans[WORLD_FILL], WORLD_OFFSET, error));
    world_assert_buffer(&steered, WORLD_FILL, "the next fill");
    ck_assert_uint_eq(steer_count(LAYER_clEnqueueFillBuffer), before + 1);
    /* Another engine begins anew. */
    world_destroy_engine(&steered);
    open_engine(CLCONST_PATH_DRIVER);
    world_reset_buffer(&steered);
    ck_assert_ok(enqueue_plan(steered.plans[WORLD_FILL], WORLD_OFFSET, error));
    world_assert_buffer(&steered, WORLD_FILL, "another engine");
    ck_assert_uint_gt(steer_count(LAYER_clEnqueueFillBuffer), before + 1);
}
END_TEST

/* One failure of another kind is no reason to do without the driver. */
START_TEST(a_driver_whose_fill_fails_is_asked_again)
{
    open_engine(CLCONST_PATH_DRIVER);
    world_reset_buffer(&steered);
    steer_fail(LAYER_clEnqueueFillBuffer, 1, false, CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(
        enqueue_plan(steered.plans[WORLD_FILL], WORLD_OFFSET, NULL),
        CLCONST_DEVICE_ERROR);
    ck_assert_uint_eq(steer_stop(), 1);
    size_t before = steer_count(LAYER_clEnqueueFillBuffer);
    ck_assert_ok(enqueue_plan(steered.plans[WORLD_FILL], WORLD_OFFSET, error));
    world_assert_buffer(&steered, WORLD_FILL, "the next fill");
    ck_assert_uint_gt(steer_count(LAYER_clEnqueueFillBuffer), before);
}
END_TEST

/* R105, R112: rusticl aborts on ranges that overflow, and drivers differ on
 * commands of no bytes. */
START_TEST(drivers_never_see_bad_or_empty_ranges)
{
    static const size_t offsets[] = {
        WORLD_BUFFER_SIZE - 1, WORLD_BUFFER_SIZE + 1, SIZE_MAX, SIZE_MAX - 7};
    static const layer_entry commands[] = {
        LAYER_clEnqueueFillBuffer,
        LAYER_clEnqueueWriteBuffer,
        LAYER_clEnqueueNDRangeKernel,
        LAYER_clEnqueueNativeKernel,
        LAYER_clEnqueueMarkerWithWaitList,
    };
    size_t counts[COUNT_OF(commands)];
    open_engine((clconst_fill_path)_i);
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        counts[i] = steer_count(commands[i]);
    }
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        for (int plan = WORLD_FILL; plan <= WORLD_SCATTER; plan++) {
            ck_assert_int_eq(
                enqueue_plan(steered.plans[plan], offsets[i], NULL),
                CLCONST_INVALID_ARGUMENT);
        }
    }
    ck_assert_ok(
        enqueue_plan(steered.plans[WORLD_EMPTY], WORLD_BUFFER_SIZE, error));
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        ck_assert_uint_eq(steer_count(commands[i]), counts[i]);
    }
}
END_TEST

START_TEST(a_device_without_native_kernels_gets_none)
{
    static const cl_device_exec_capabilities only_kernels = CL_EXEC_KERNEL;
    static const layer_lie lie =
        LIE(CL_DEVICE_EXECUTION_CAPABILITIES, only_kernels);
    steer_lie(&lie, 1);
    open_engine(CLCONST_PATH_NATIVE);
    size_t before = steer_count(LAYER_clEnqueueNativeKernel);
    for (int plan = WORLD_FILL; plan <= WORLD_SCATTER; plan++) {
        world_reset_buffer(&steered);
        ck_assert_ok(enqueue_plan(steered.plans[plan], WORLD_OFFSET, error));
        world_assert_buffer(&steered, plan, "without native kernels");
    }
    ck_assert_uint_eq(steer_count(LAYER_clEnqueueNativeKernel), before);
}
END_TEST

/* R177: some drivers find memory when a command first runs, and tell by its
 * event. */
START_TEST(memory_that_is_missing_late_is_out_of_memory)
{
    static const cl_int state = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    static const layer_lie lie = LIE(CL_EVENT_COMMAND_EXECUTION_STATUS, state);
    clconst_tensor *tensor;
    open_engine(CLCONST_PATH_DRIVER);
    steer_lie(&lie, 1);
    steer_fail(LAYER_clWaitForEvents,
               1,
               false,
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_fails(
        clconst_run(steered.engine, steered.plans[WORLD_FILL], &tensor, error),
        CLCONST_OUT_OF_MEMORY,
        "clWaitForEvents for the commands gave "
        "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)");
    ck_assert_uint_eq(steer_stop(), 1);
    steer_lie(NULL, 0);
    ck_assert_ok(
        clconst_run(steered.engine, steered.plans[WORLD_FILL], &tensor, error));
    world_assert_tensor(&steered, WORLD_FILL, tensor, "the next run");
    clconst_tensor_destroy(tensor);
}
END_TEST

/* R156: to ask for binaries makes some drivers compile once more. */
START_TEST(binaries_are_for_a_folder_alone)
{
    size_t before = steer_count(LAYER_clGetProgramInfo);
    open_engine(CLCONST_PATH_KERNEL);
    ck_assert_ok(clconst_engine_prepare(steered.engine, error));
    world_destroy_engine(&steered);
    ck_assert_uint_eq(steer_count(LAYER_clGetProgramInfo), before);
}
END_TEST

static cl_uint count_references(cl_mem buffer)
{
    cl_uint count = 0;
    ck_assert_cl(clGetMemObjectInfo(
        buffer, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL));
    return count;
}

/* R115: some drivers' fills kept a reference of the buffer. PoCL's thread gives
 * its own back a moment after the queue is finished. */
START_TEST(fills_leave_no_reference_behind)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    open_engine((clconst_fill_path)_i);
    for (int i = 0; i < 1000; i++) {
        ck_assert_ok(
            enqueue_plan(steered.plans[WORLD_FILL], WORLD_OFFSET, error));
    }
    ck_assert_cl(clFinish(steered.queue));
    world_destroy_engine(&steered);
    for (int i = 0; count_references(steered.buffer) > 1 && i < 5000; i++) {
        nanosleep(&pause, NULL);
    }
    ck_assert_uint_eq(count_references(steered.buffer), 1);
}
END_TEST

/* R164, R168, R170: contexts that come and go at one address, and two in turn.
 */
START_TEST(each_context_has_programs_of_its_own)
{
    steer_live before = steer_get_live();
    world other;
    open_engine(CLCONST_PATH_KERNEL);
    for (int i = 0; i < 10; i++) {
        world_open(&other);
        ck_assert_ok(
            world_create_engine(&other, CLCONST_PATH_KERNEL, NULL, error));
        world *const pair[] = {&steered, &other};
        for (size_t j = 0; j < 2; j++) {
            clconst_tensor *tensor;
            ck_assert_ok(clconst_run(
                pair[j]->engine, pair[j]->plans[WORLD_FILL], &tensor, error));
            world_assert_tensor(pair[j], WORLD_FILL, tensor, "in turn");
            clconst_tensor_destroy(tensor);
        }
        world_destroy_engine(&other);
        world_close(&other);
    }
    world_destroy_engine(&steered);
    steer_assert_live(&before, "contexts");
}
END_TEST

Suite *quirks_suite(void)
{
    Suite *suite = suite_create("quirks");
    TCase *tcase = tcase_create("quirks");
    tcase_add_checked_fixture(tcase, open_steered, close_steered);
    tcase_add_loop_test(
        tcase, version_1_2_gets_no_later_call, 0, (int)operation_count);
    tcase_add_loop_test(tcase,
                        fills_by_the_driver_have_pieces_below_2_to_the_31,
                        0,
                        COUNT_OF(piece_rows));
    tcase_add_test(tcase, a_driver_without_a_fill_is_asked_once);
    tcase_add_test(tcase, a_driver_whose_fill_fails_is_asked_again);
    tcase_add_loop_test(tcase,
                        drivers_never_see_bad_or_empty_ranges,
                        CLCONST_PATH_AUTO,
                        CLCONST_PATH_NATIVE + 1);
    tcase_add_test(tcase, a_device_without_native_kernels_gets_none);
    tcase_add_test(tcase, memory_that_is_missing_late_is_out_of_memory);
    tcase_add_test(tcase, binaries_are_for_a_folder_alone);
    tcase_add_loop_test(tcase,
                        fills_leave_no_reference_behind,
                        CLCONST_PATH_KERNEL,
                        CLCONST_PATH_NATIVE + 1);
    tcase_add_test(tcase, each_context_has_programs_of_its_own);
    suite_add_tcase(suite, tcase);
    return suite;
}
