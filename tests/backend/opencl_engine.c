/* Engines: whose context they live in, what they build, who may share them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/oracle.h"

START_TEST(engine_info_is_the_devices)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_AUTO);
    char name[256];
    cl_ulong global_size;
    cl_ulong max_size;
    cl_uint alignment_bits;
    ck_assert_cl(
        clGetDeviceInfo(f.device, CL_DEVICE_NAME, sizeof(name), name, NULL));
    ck_assert_cl(clGetDeviceInfo(f.device,
                                 CL_DEVICE_GLOBAL_MEM_SIZE,
                                 sizeof(global_size),
                                 &global_size,
                                 NULL));
    ck_assert_cl(clGetDeviceInfo(f.device,
                                 CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                                 sizeof(max_size),
                                 &max_size,
                                 NULL));
    ck_assert_cl(clGetDeviceInfo(f.device,
                                 CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                                 sizeof(alignment_bits),
                                 &alignment_bits,
                                 NULL));
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(f.engine, &info);
    ck_assert_int_eq(info.kind, CLCONST_ENGINE_OPENCL);
    ck_assert_str_eq(info.name, name);
    ck_assert_uint_eq(info.global_memory_size, global_size);
    ck_assert_uint_eq(info.max_allocation_size, max_size);
    ck_assert_uint_eq(info.alignment, alignment_bits / 8);
    fixture_close(&f);
}
END_TEST

START_TEST(engine_holds_the_callers_context)
{
    cl_device_id device = fixture_find_device();
    cl_context context = fixture_create_context(device);
    clconst_engine *engine;
    ck_assert_ok(
        clconst_engine_create_opencl(context, device, NULL, &engine, error));
    ck_assert_cl(clReleaseContext(context));
    clconst_plan *plan = harness_fill_plan(CLCONST_INT64, harness_element, 9);
    clconst_tensor *tensor;
    cl_context actual;
    uint8_t bytes[72];
    uint8_t expected[72];
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    ck_assert_cl(clGetMemObjectInfo(clconst_tensor_get_buffer(tensor),
                                    CL_MEM_CONTEXT,
                                    sizeof(actual),
                                    &actual,
                                    NULL));
    ck_assert_ptr_eq(actual, context);
    ck_assert_ok(clconst_tensor_read(tensor, 0, bytes, 72, error));
    oracle_fill(expected, CLCONST_INT64, harness_element, 9);
    harness_assert_bytes(bytes, expected, 72, "int64");
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
}
END_TEST

START_TEST(engine_refuses_missing_objects_and_a_second_choice)
{
    cl_device_id device = fixture_find_device();
    cl_context context = fixture_create_context(device);
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine;
    ck_assert_fails(
        clconst_engine_create_opencl(NULL, device, NULL, &engine, error),
        CLCONST_INVALID_ARGUMENT,
        "context, device or engine is NULL; all are required");
    ck_assert_fails(
        clconst_engine_create_opencl(context, NULL, NULL, &engine, error),
        CLCONST_INVALID_ARGUMENT,
        "context, device or engine is NULL; all are required");
    options.device = "opencl";
    ck_assert_fails(
        clconst_engine_create_opencl(context, device, &options, &engine, error),
        CLCONST_INVALID_ARGUMENT,
        "options choose a device; the device is an argument here");
    options.device = NULL;
    options.require_device = 1;
    ck_assert_fails(
        clconst_engine_create_opencl(context, device, &options, &engine, error),
        CLCONST_INVALID_ARGUMENT,
        "options choose a device; the device is an argument here");
    ck_assert_cl(clReleaseContext(context));
}
END_TEST

/* PoCL makes two devices of one processor when its environment says so. */
START_TEST(engine_refuses_queue_and_context_of_another_device)
{
    setenv("POCL_DEVICES", "pthread pthread", 1);
    cl_device_id first = fixture_find_device();
    cl_platform_id platform;
    cl_device_id devices[2];
    cl_uint count;
    ck_assert_cl(clGetDeviceInfo(
        first, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL));
    ck_assert_cl(
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
    if (count < 2) {
        printf("SKIP: the platform has one device only\n");
        return;
    }
    cl_int code;
    cl_context both = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    ck_assert_cl(code);
    cl_context one = fixture_create_context(devices[0]);
    clconst_engine *engine;
    ck_assert_fails(
        clconst_engine_create_opencl(one, devices[1], NULL, &engine, error),
        CLCONST_NO_DEVICE,
        "device is not of the context; it must be one of its devices");
    ck_assert_ok(
        clconst_engine_create_opencl(both, devices[0], NULL, &engine, error));
    cl_command_queue queue = clCreateCommandQueue(both, devices[1], 0, &code);
    ck_assert_cl(code);
    clconst_plan *plan = harness_fill_plan(CLCONST_UINT8, harness_element, 0);
    ck_assert_fails(
        clconst_enqueue(engine, plan, queue, NULL, 0, 0, NULL, NULL, error),
        CLCONST_INVALID_ARGUMENT,
        "queue is of another device; it must be of the engine's");
    clconst_plan_destroy(plan);
    ck_assert_cl(clReleaseCommandQueue(queue));
    clconst_engine_destroy(engine);
    ck_assert_cl(clReleaseContext(both));
    ck_assert_cl(clReleaseContext(one));
}
END_TEST

START_TEST(prepare_builds_once_and_small_fills_build_nothing)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_DRIVER);
    clconst_plan *plan = harness_fill_plan(CLCONST_FLOAT, harness_element, 16);
    clconst_tensor *tensor;
    ck_assert_ok(clconst_run(f.engine, plan, &tensor, error));
    clconst_tensor_destroy(tensor);
    ck_assert_uint_eq(fixture_programs_built(&f), 0);
    ck_assert_ok(clconst_engine_prepare(f.engine, error));
    ck_assert_ok(clconst_engine_prepare(f.engine, error));
    /* One for each kernel, so that a cached one has what its launch needs. */
    ck_assert_uint_eq(fixture_programs_built(&f), 7);
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

/* A tensor's buffer may outlive the tensor, and the host memory under it. */
START_TEST(buffers_of_tensors_outlive_them)
{
    enum { COUNT = 3 << 20 };
    static uint8_t actual[COUNT];
    fixture f;
    if (engines_skip_size(COUNT)) {
        return;
    }
    fixture_open(&f, CLCONST_PATH_AUTO);
    clconst_plan *plan =
        harness_fill_plan(CLCONST_INT8, harness_element, COUNT);
    clconst_tensor *tensor;
    ck_assert_ok(clconst_run(f.engine, plan, &tensor, error));
    cl_mem buffer = clconst_tensor_get_buffer(tensor);
    ck_assert_cl(clRetainMemObject(buffer));
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    fixture_read_buffer(&f, buffer, actual, COUNT);
    for (size_t i = 0; i < COUNT; i += 4096) {
        ck_assert_uint_eq(actual[i], harness_element[0]);
    }
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

START_TEST(build_failure_carries_the_log)
{
    /* PoCL adds these flags to every build. */
    setenv("POCL_EXTRA_BUILD_FLAGS", "-Dfill_range=no_such(type", 1);
    fixture f;
    fixture_open(&f, CLCONST_PATH_KERNEL);
    if (!fixture_is_platform(&f, "Portable Computing Language")) {
        printf("SKIP: only PoCL's builds can be made to fail\n");
        fixture_close(&f);
        return;
    }
    clconst_error failure;
    ck_assert_int_eq(clconst_engine_prepare(f.engine, &failure),
                     CLCONST_DEVICE_ERROR);
    ck_assert_int_eq(failure.native_code, CL_BUILD_PROGRAM_FAILURE);
    static const char start[] = "clBuildProgram gave CL_BUILD_PROGRAM_FAILURE "
                                "(-11) for fill_chunked.cl and ";
    ck_assert_msg(strncmp(failure.message, start, strlen(start)) == 0,
                  "%s",
                  failure.message);
    const char *log = strstr(failure.message, "; the log is: ");
    ck_assert_ptr_nonnull(log);
    ck_assert_ptr_nonnull(strstr(log, "error"));
    ck_assert_ptr_null(strchr(failure.message, '\n'));
    ck_assert_uint_eq(fixture_programs_built(&f), 0);
    /* The lock is free, and what needs no program still works. */
    ck_assert_int_eq(clconst_engine_prepare(f.engine, NULL),
                     CLCONST_DEVICE_ERROR);
    clconst_plan *plan = harness_copy_plan(CLCONST_FLOAT, harness_element, 4);
    clconst_tensor *tensor;
    ck_assert_ok(clconst_run(f.engine, plan, &tensor, error));
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

/* One thread's share: fills of its own values into its own buffer. */
typedef struct thread_work {
    const fixture *f;
    int number;
    const char *failure;
} thread_work;

enum { THREAD_COUNT = 8, FILL_COUNT = 100 };

static const char *fill_and_compare(const fixture *f,
                                    cl_command_queue queue,
                                    cl_mem buffer,
                                    uint8_t byte)
{
    uint8_t element[16];
    uint8_t expected[16 * 20];
    uint8_t actual[sizeof(expected)];
    memset(element, 0, sizeof(element));
    element[0] = byte;
    element[15] = (uint8_t)~byte;
    oracle_fill(expected, CLCONST_COMPLEX128, element, 20);
    clconst_plan *plan = harness_fill_plan(CLCONST_COMPLEX128, element, 20);
    cl_event event;
    const char *failure = NULL;
    if (clconst_enqueue(
            f->engine, plan, queue, buffer, 1, 0, NULL, &event, NULL) !=
        CLCONST_OK) {
        clconst_plan_destroy(plan);
        return "clconst_enqueue failed";
    }
    if (clEnqueueReadBuffer(queue,
                            buffer,
                            CL_TRUE,
                            1,
                            sizeof(actual),
                            actual,
                            1,
                            &event,
                            NULL) != CL_SUCCESS) {
        failure = "clEnqueueReadBuffer failed";
    } else if (memcmp(actual, expected, sizeof(actual)) != 0) {
        failure = "the bytes are another thread's, or wrong";
    }
    clReleaseEvent(event);
    clconst_plan_destroy(plan);
    return failure;
}

/* Check's assertions are for the test's own thread. */
static void *run_thread(void *argument)
{
    thread_work *work = argument;
    const fixture *f = work->f;
    cl_int code;
    cl_command_queue queue =
        clCreateCommandQueue(f->context, f->device, 0, &code);
    cl_mem buffer =
        clCreateBuffer(f->context, CL_MEM_READ_WRITE, 400, NULL, &code);
    for (int i = 0; i < FILL_COUNT && work->failure == NULL; i++) {
        uint8_t byte = (uint8_t)(work->number * FILL_COUNT + i);
        work->failure = fill_and_compare(f, queue, buffer, byte);
    }
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    return NULL;
}

START_TEST(threads_share_one_engine)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_KERNEL);
    if (fixture_is_platform(&f, "Oclgrind")) {
        printf("SKIP: Oclgrind is not safe for threads\n");
        fixture_close(&f);
        return;
    }
    pthread_t threads[THREAD_COUNT];
    thread_work works[THREAD_COUNT];
    for (int i = 0; i < THREAD_COUNT; i++) {
        works[i] = (thread_work){&f, i, NULL};
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, run_thread, &works[i]), 0);
    }
    for (int i = 0; i < THREAD_COUNT; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_msg(works[i].failure == NULL,
                      "thread %d: %s",
                      i,
                      works[i].failure != NULL ? works[i].failure : "");
    }
    ck_assert_uint_eq(fixture_programs_built(&f), 1);
    ck_assert_uint_eq(fixture_command_count(&f), THREAD_COUNT * FILL_COUNT);
    fixture_close(&f);
}
END_TEST

Suite *opencl_engine_suite(void)
{
    Suite *suite = suite_create("opencl_engine");
    TCase *tcase = tcase_create("opencl_engine");
    tcase_add_test(tcase, engine_info_is_the_devices);
    tcase_add_test(tcase, engine_holds_the_callers_context);
    tcase_add_test(tcase, engine_refuses_missing_objects_and_a_second_choice);
    tcase_add_test(tcase, engine_refuses_queue_and_context_of_another_device);
    tcase_add_test(tcase, prepare_builds_once_and_small_fills_build_nothing);
    tcase_add_test(tcase, buffers_of_tensors_outlive_them);
    tcase_add_test(tcase, build_failure_carries_the_log);
    tcase_add_test(tcase, threads_share_one_engine);
    suite_add_tcase(suite, tcase);
    return suite;
}
