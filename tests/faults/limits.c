/*
 * What devices say of themselves, and what is made of it: whether an engine can
 * be made, and how much it may be asked for. The layer says it. R numbers are
 * those of reports about other software.
 */
#include <stdio.h>
#include <string.h>

#include "faults/steered.h"
#include "faults/suites.h"

/* A device that is no good, and why. */
typedef struct version_row {
    const char *device;
    const char *platform;
    const char *reason; /* NULL: usable */
} version_row;

static const version_row version_rows[] = {
    {"OpenCL 1.2 old", "OpenCL 3.0 new", NULL},
    {"OpenCL 2.0", "OpenCL 3.0 new", NULL},
    {"OpenCL 3.0", "OpenCL 1.2 old", NULL},
    {"OpenCL 10.0", "OpenCL 10.0", NULL},
    /* R107, R112: the device's version counts, not the platform's. */
    {"OpenCL 1.1 CUDA",
     "OpenCL 3.0 new",
     "version is \"OpenCL 1.1 CUDA\"; OpenCL 1.2 is needed"},
    {"OpenCL 1.0",
     "OpenCL 1.0",
     "version is \"OpenCL 1.0\"; OpenCL 1.2 is "
     "needed"},
    {"OpenCL 0.12",
     "OpenCL 3.0",
     "version is \"OpenCL 0.12\"; OpenCL 1.2 is "
     "needed"},
    {"OpenCL", "OpenCL 3.0", "version is \"OpenCL\"; OpenCL 1.2 is needed"},
    {"", "OpenCL 3.0", "version is \"\"; OpenCL 1.2 is needed"},
};

static void assert_usable(const char *reason)
{
    char message[300];
    if (reason == NULL) {
        open_engine(CLCONST_PATH_AUTO);
        return;
    }
    snprintf(message, sizeof(message), "device is unusable; %s", reason);
    ck_assert_fails(
        world_create_engine(&steered, CLCONST_PATH_AUTO, NULL, error),
        CLCONST_NO_DEVICE,
        message);
}

START_TEST(a_device_needs_version_1_2)
{
    const version_row *row = &version_rows[_i];
    const layer_lie lies[] = {
        {CL_DEVICE_VERSION, strlen(row->device) + 1, row->device},
        {CL_PLATFORM_VERSION, strlen(row->platform) + 1, row->platform},
    };
    steer_lie(lies, COUNT_OF(lies));
    assert_usable(row->reason);
}
END_TEST

static const cl_bool no = CL_FALSE;

static const struct {
    layer_lie lie;
    const char *reason;
} unusable_rows[] = {
    {LIE(CL_DEVICE_COMPILER_AVAILABLE, no),
     "compiler is missing; kernels are built from source"},
    {LIE(CL_DEVICE_ENDIAN_LITTLE, no),
     "byte order is big-endian; little-endian is needed"},
    {LIE(CL_DEVICE_AVAILABLE, no),
     "availability is false; an available device is needed"},
};

START_TEST(a_device_needs_what_kernels_need)
{
    steer_lie(&unusable_rows[_i].lie, 1);
    assert_usable(unusable_rows[_i].reason);
}
END_TEST

/* What a device says, and the most that may be asked of it for that. */
typedef struct limit_row {
    layer_lie lie;
    size_t limit;
} limit_row;

static const cl_ulong thousand = 1000;
static const cl_uint bits = 16;

static const limit_row limit_rows[] = {
    {LIE(CL_DEVICE_MAX_MEM_ALLOC_SIZE, thousand), 1000},
    {LIE(CL_DEVICE_GLOBAL_MEM_SIZE, thousand), 1000},
    {LIE(CL_DEVICE_ADDRESS_BITS, bits), 65536},
};

static clconst_plan *plan_of_size(size_t size)
{
    return harness_fill_plan(CLCONST_UINT8, harness_element, (int64_t)size);
}

/* R131, R171, R172, R174, R176: before anything is created, with numbers. */
START_TEST(requests_are_compared_with_what_the_device_has)
{
    const limit_row *row = &limit_rows[_i];
    clconst_plan *fits = plan_of_size(row->limit);
    clconst_plan *exceeds = plan_of_size(row->limit + 1);
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_tensor *tensor;
    char message[512];
    steer_lie(&row->lie, 1);
    open_engine(CLCONST_PATH_AUTO);
    clconst_engine_get_info(steered.engine, &info);
    ck_assert_ok(clconst_run(steered.engine, fits, &tensor, error));
    clconst_tensor_destroy(tensor);
    size_t before = steer_count(LAYER_clCreateBuffer);
    snprintf(message,
             sizeof(message),
             "size is %zu bytes; %s allocates at most %zu",
             row->limit + 1,
             info.name,
             row->limit);
    ck_assert_fails(clconst_run(steered.engine, exceeds, &tensor, error),
                    CLCONST_TOO_LARGE,
                    message);
    ck_assert_uint_eq(steer_count(LAYER_clCreateBuffer), before);
    clconst_plan_destroy(fits);
    clconst_plan_destroy(exceeds);
}
END_TEST

/* R176, R177: 95 of 100 bytes, twice. Some drivers tell when the tensor is
 * made, others when something is to be written. */
START_TEST(what_fits_once_may_not_fit_twice)
{
    enum { MEMORY_SIZE = 100000, SIZE = 95000 };
    static const cl_ulong memory = MEMORY_SIZE;
    static const layer_lie lies[] = {
        LIE(CL_DEVICE_MAX_MEM_ALLOC_SIZE, memory),
        LIE(CL_DEVICE_GLOBAL_MEM_SIZE, memory),
    };
    static const char *const calls[] = {"clCreateBuffer",
                                        "clEnqueueNDRangeKernel"};
    clconst_plan *plan = plan_of_size(SIZE);
    uint8_t bytes[SIZE];
    clconst_tensor *first;
    clconst_tensor *second = NULL;
    clconst_error failure = {0, 0, ""};
    steer_lie(lies, COUNT_OF(lies));
    open_engine(CLCONST_PATH_KERNEL);
    steer_limit_memory(MEMORY_SIZE, _i == 1);
    ck_assert_ok(clconst_run(steered.engine, plan, &first, error));
    ck_assert_int_eq(clconst_run(steered.engine, plan, &second, &failure),
                     CLCONST_OUT_OF_MEMORY);
    ck_assert_ptr_null(second);
    ck_assert_int_eq(failure.native_code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ck_assert_ptr_nonnull(strstr(failure.message, calls[_i]));
    steer_await_memory(SIZE);
    ck_assert_ok(clconst_tensor_read(first, 0, bytes, SIZE, error));
    for (size_t i = 0; i < SIZE; i++) {
        ck_assert(bytes[i] == harness_element[0]);
    }
    clconst_tensor_destroy(first);
    steer_await_memory(0);
    ck_assert_ok(clconst_run(steered.engine, plan, &second, error));
    clconst_tensor_destroy(second);
    clconst_plan_destroy(plan);
    steer_await_memory(0);
}
END_TEST

typedef struct batch_row {
    cl_ulong max_allocation;
    cl_ulong global_memory;
    const char *subject; /* NULL: the batch fits */
    const char *rule;
} batch_row;

/* Three arenas of 2,000 bytes each. */
static const batch_row batch_rows[] = {
    {2000, 6000, NULL, NULL},
    {1999, 6000, "arena 0 takes 2000 bytes", "allocates at most 1999"},
    {2000, 5999, "3 arenas take 6000 bytes", "has 5999"},
};

START_TEST(batches_are_compared_before_their_first_arena)
{
    const batch_row *row = &batch_rows[_i];
    const layer_lie lies[] = {
        LIE(CL_DEVICE_MAX_MEM_ALLOC_SIZE, row->max_allocation),
        LIE(CL_DEVICE_GLOBAL_MEM_SIZE, row->global_memory),
    };
    clconst_plan *plan =
        harness_fill_plan(CLCONST_UINT8, harness_element, 2000);
    const clconst_plan *plans[] = {plan, plan, plan};
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    clconst_batch *batch;
    clconst_tensor *tensors[3];
    options.max_arena_size = 2000;
    options.expand_size = 2000;
    ck_assert_ok(clconst_batch_create(plans, 3, &options, &batch, error));
    ck_assert_uint_eq(clconst_batch_get_arena_count(batch), 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(clconst_batch_get_arena_size(batch, i), 2000);
    }
    steer_lie(lies, COUNT_OF(lies));
    open_engine(CLCONST_PATH_AUTO);
    size_t before = steer_count(LAYER_clCreateBuffer);
    if (row->subject == NULL) {
        ck_assert_ok(
            clconst_batch_run(steered.engine, batch, NULL, tensors, error));
        for (size_t i = 0; i < 3; i++) {
            clconst_tensor_destroy(tensors[i]);
        }
    } else {
        clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
        char message[512];
        clconst_engine_get_info(steered.engine, &info);
        snprintf(message,
                 sizeof(message),
                 "%s; %s %s",
                 row->subject,
                 info.name,
                 row->rule);
        ck_assert_fails(
            clconst_batch_run(steered.engine, batch, NULL, tensors, error),
            CLCONST_TOO_LARGE,
            message);
        ck_assert_uint_eq(steer_count(LAYER_clCreateBuffer), before);
    }
    clconst_batch_destroy(batch);
    clconst_plan_destroy(plan);
}
END_TEST

Suite *limits_suite(void)
{
    Suite *suite = suite_create("limits");
    TCase *tcase = tcase_create("limits");
    tcase_add_checked_fixture(tcase, open_steered, close_steered);
    tcase_add_loop_test(
        tcase, a_device_needs_version_1_2, 0, COUNT_OF(version_rows));
    tcase_add_loop_test(
        tcase, a_device_needs_what_kernels_need, 0, COUNT_OF(unusable_rows));
    tcase_add_loop_test(tcase,
                        requests_are_compared_with_what_the_device_has,
                        0,
                        COUNT_OF(limit_rows));
    tcase_add_loop_test(tcase, what_fits_once_may_not_fit_twice, 0, 2);
    tcase_add_loop_test(tcase,
                        batches_are_compared_before_their_first_arena,
                        0,
                        COUNT_OF(batch_rows));
    suite_add_tcase(suite, tcase);
    return suite;
}
