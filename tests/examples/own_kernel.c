/*
 * A bare OpenCL host program: clconst fills a part of the program's own buffer
 * on its own queue, and the program's own kernel runs after the fill's event.
 */
#include <stdio.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clconst/clconst_opencl.h>

enum { COUNT = 1000, OFFSET = 24 }; /* floats before the filled ones */

static const char *source = "kernel void twice(global float *x, uint offset) {"
                            "    x[offset + get_global_id(0)] *= 2.0f;"
                            "}";

int main(void)
{
    /* What any OpenCL program has already. Checks are left out here. */
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) !=
            CL_SUCCESS) {
        puts("SKIP: own_kernel: there is no OpenCL device");
        return 77;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE,
                       (OFFSET + COUNT) * sizeof(float), NULL, NULL);
    cl_program program =
        clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "twice", NULL);

    /* An operator says what, a plan how much, an engine where. */
    const float value = 1.5f;
    const int64_t dims[] = {10, COUNT / 10};
    const clconst_view view = {CLCONST_FLOAT, {NULL, 0}, &value, sizeof(value)};
    const clconst_shape shape = {dims, 2};
    clconst_engine *engine = NULL;
    clconst_op *op = NULL;
    clconst_plan *plan = NULL;
    clconst_error error = {0};
    cl_event filled = NULL;
    if (clconst_engine_create_opencl(context, device, NULL, &engine, &error) ||
        clconst_op_create_constant_of_shape(&view, &op, &error) ||
        clconst_plan_create(op, &shape, &plan, &error) ||
        clconst_enqueue(engine, plan, queue, buffer, OFFSET * sizeof(float), 0,
                        NULL, &filled, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    const cl_uint offset = OFFSET;
    const size_t count = COUNT;
    float last = 0.0f;
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer);
    clSetKernelArg(kernel, 1, sizeof(offset), &offset);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 1, &filled,
                           NULL);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE,
                        (OFFSET + COUNT - 1) * sizeof(float), sizeof(last),
                        &last, 0, NULL, NULL);
    printf("the last element is %g\n", last); /* 3 */

    clReleaseEvent(filled);
    clconst_plan_destroy(plan); /* not before its event has completed */
    clconst_op_destroy(op);
    clconst_engine_destroy(engine);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return last == 3.0f ? 0 : 1;
}
