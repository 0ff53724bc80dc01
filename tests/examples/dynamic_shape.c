/*
 * A shape that the host never sees: one kernel counts how many rows a tensor is
 * to have, clconst fills it, and another kernel works on what is there.
 */
#include <stdio.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clconst/clconst_opencl.h>

enum { COUNT = 10, CAPACITY = COUNT * 4 * sizeof(float) };

static const char *source =
    "kernel void count(global const int *input, global long *shape) {"
    "    shape[0] = 0; shape[1] = 4;"
    "    for (int i = 0; i < 10; i++) shape[0] += input[i] > 0;"
    "}"
    /* The result begins with the status and has its element count behind. */
    "kernel void sum(global const float *x, global const long *result,"
    "                global float *total) {"
    "    *total = *(global const int *)result == 0 ? 0.0f : -1.0f;"
    "    for (long i = 0; i < result[1]; i++) *total += x[i];"
    "}";

static cl_kernel make_kernel(cl_program program, const char *name,
                             const cl_mem *arguments, cl_uint count)
{
    cl_kernel kernel = clCreateKernel(program, name, NULL);
    for (cl_uint i = 0; i < count; i++)
        clSetKernelArg(kernel, i, sizeof(cl_mem), &arguments[i]);
    return kernel;
}

int main(void)
{
    /* What any OpenCL program has already. Checks are left out here. */
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
        puts("SKIP: dynamic_shape: there is no OpenCL device");
        return 77;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program =
        clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    enum { INPUT, SHAPE, TENSOR, RESULT, TOTAL, BUFFER_COUNT };
    cl_mem buffers[BUFFER_COUNT];
    for (int i = 0; i < BUFFER_COUNT; i++) /* each large enough for any */
        buffers[i] = clCreateBuffer(context, 0, CAPACITY, NULL, NULL);
    cl_kernel count = make_kernel(program, "count", &buffers[INPUT], 2);
    cl_kernel sum = make_kernel(program, "sum", &buffers[TENSOR], 3);

    const cl_int input[COUNT] = {3, -1, 4, -1, 5, -9, 2, -6, 5, -3};
    const size_t one = 1;
    const float half = 0.5f;
    const clconst_view view = {CLCONST_FLOAT, {NULL, 0}, &half, sizeof(half)};
    float total = 0.0f;
    clconst_engine *engine = NULL;
    clconst_op *op = NULL;
    clconst_error error = {0};
    clEnqueueWriteBuffer(queue, buffers[INPUT], CL_FALSE, 0, sizeof(input),
                         input, 0, NULL, NULL);
    clEnqueueNDRangeKernel(queue, count, 1, NULL, &one, NULL, 0, NULL, NULL);
    if (clconst_engine_create_opencl(context, device, NULL, &engine, &error) ||
        clconst_op_create_constant_of_shape(&view, &op, &error) ||
        clconst_enqueue_dynamic(engine, op, queue, buffers[SHAPE], 0, 2,
                                buffers[TENSOR], 0, CAPACITY, buffers[RESULT],
                                0, 0, NULL, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    clEnqueueNDRangeKernel(queue, sum, 1, NULL, &one, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, buffers[TOTAL], CL_TRUE, 0, sizeof(total),
                        &total, 0, NULL, NULL);
    printf("the sum is %g\n", total); /* 5 rows of 4 halves */
    return total == 10.0f ? 0 : 1;    /* the process ends here */
}
