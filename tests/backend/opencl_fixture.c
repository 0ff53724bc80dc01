#include "backend/opencl_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_device_id fixture_find_device(void)
{
    clconst_engine *engine = engines_create(CLCONST_PATH_AUTO);
    clconst_plan *plan = harness_copy_plan(CLCONST_UINT8, harness_element, 1);
    clconst_tensor *tensor;
    cl_context context;
    cl_device_id device;
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    ck_assert_cl(clGetMemObjectInfo(clconst_tensor_get_buffer(tensor),
                                    CL_MEM_CONTEXT,
                                    sizeof(context),
                                    &context,
                                    NULL));
    ck_assert_cl(clGetContextInfo(
        context, CL_CONTEXT_DEVICES, sizeof(device), &device, NULL));
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
    return device;
}

cl_context fixture_create_context(cl_device_id device)
{
    cl_int code;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ck_assert_cl(code);
    return context;
}

void fixture_open(fixture *f, clconst_fill_path fill_path)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    cl_int code;
    options.fill_path = fill_path;
    f->device = fixture_find_device();
    f->context = fixture_create_context(f->device);
    f->queue = clCreateCommandQueue(f->context, f->device, 0, &code);
    ck_assert_cl(code);
    ck_assert_ok(clconst_engine_create_opencl(
        f->context, f->device, &options, &f->engine, error));
}

void fixture_close(fixture *f)
{
    ck_assert_cl(clFinish(f->queue));
    clconst_engine_destroy(f->engine);
    ck_assert_cl(clReleaseCommandQueue(f->queue));
    ck_assert_cl(clReleaseContext(f->context));
}

bool fixture_try_open(fixture *f, clconst_fill_path fill_path)
{
    cl_device_exec_capabilities capabilities;
    fixture_open(f, fill_path);
    ck_assert_cl(clGetDeviceInfo(f->device,
                                 CL_DEVICE_EXECUTION_CAPABILITIES,
                                 sizeof(capabilities),
                                 &capabilities,
                                 NULL));
    if (fill_path == CLCONST_PATH_NATIVE &&
        (capabilities & CL_EXEC_NATIVE_KERNEL) == 0) {
        printf("SKIP: the device has no native kernels\n");
        fixture_close(f);
        return false;
    }
    return true;
}

bool fixture_is_platform(const fixture *f, const char *name)
{
    cl_platform_id platform;
    char actual[256];
    ck_assert_cl(clGetDeviceInfo(
        f->device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL));
    ck_assert_cl(clGetPlatformInfo(
        platform, CL_PLATFORM_NAME, sizeof(actual), actual, NULL));
    return strcmp(actual, name) == 0;
}

bool fixture_has_native_kernels(const fixture *f)
{
    cl_device_exec_capabilities capabilities;
    ck_assert_cl(clGetDeviceInfo(f->device,
                                 CL_DEVICE_EXECUTION_CAPABILITIES,
                                 sizeof(capabilities),
                                 &capabilities,
                                 NULL));
    bool has_them = (capabilities & CL_EXEC_NATIVE_KERNEL) != 0;
    if (!has_them) {
        printf("SKIP: the device has no native kernels\n");
    }
    return has_them;
}

cl_command_queue fixture_create_out_of_order_queue(const fixture *f)
{
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(
        f->context, f->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    if (code != CL_SUCCESS) {
        ck_assert_int_eq(code, CL_INVALID_QUEUE_PROPERTIES);
        printf("SKIP: the device has no out-of-order queues\n");
        return NULL;
    }
    return queue;
}

cl_mem fixture_create_buffer(const fixture *f, cl_mem_flags flags, size_t size)
{
    uint8_t *bytes = malloc(size);
    cl_int code;
    memset(bytes, FIXTURE_GUARD, size);
    cl_mem buffer = clCreateBuffer(
        f->context, flags | CL_MEM_COPY_HOST_PTR, size, bytes, &code);
    ck_assert_cl(code);
    free(bytes);
    return buffer;
}

void fixture_reset_buffer(const fixture *f, cl_mem buffer, size_t size)
{
    uint8_t *bytes = malloc(size);
    memset(bytes, FIXTURE_GUARD, size);
    fixture_write_buffer(f, buffer, 0, bytes, size);
    free(bytes);
}

void fixture_write_buffer(const fixture *f,
                          cl_mem buffer,
                          size_t offset,
                          const void *src,
                          size_t size)
{
    ck_assert_cl(clEnqueueWriteBuffer(
        f->queue, buffer, CL_FALSE, offset, size, src, 0, NULL, NULL));
    ck_assert_cl(clFinish(f->queue));
}

void fixture_read_buffer(const fixture *f,
                         cl_mem buffer,
                         void *dst,
                         size_t size)
{
    ck_assert_cl(clEnqueueReadBuffer(
        f->queue, buffer, CL_TRUE, 0, size, dst, 0, NULL, NULL));
}

void fixture_assert_buffer(const fixture *f,
                           cl_mem buffer,
                           size_t buffer_size,
                           size_t offset,
                           const void *expected,
                           size_t size,
                           const char *row)
{
    uint8_t *actual = malloc(buffer_size);
    uint8_t *wanted = malloc(buffer_size);
    memset(wanted, FIXTURE_GUARD, buffer_size);
    memcpy(wanted + offset, expected, size);
    fixture_read_buffer(f, buffer, actual, buffer_size);
    harness_assert_bytes(actual, wanted, buffer_size, row);
    free(actual);
    free(wanted);
}

static clconst_engine_counters get_counters(const fixture *f)
{
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_engine_get_counters(f->engine, &counters);
    return counters;
}

uint64_t fixture_command_count(const fixture *f)
{
    return get_counters(f).command_count;
}

uint64_t fixture_programs_built(const fixture *f)
{
    return get_counters(f).programs_built;
}
