/*
 * oclgrind_control BYTE: a kernel reads this byte of a buffer of which the host
 * has written bytes 8 to 11. Of these Oclgrind has nothing to say, of others it
 * has, also where an older buffer had its place: that shows that it checks, and
 * that its layer is there.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 64, WRITTEN_OFFSET = 8, WRITTEN_SIZE = 4 };

static const char source[] =
    "__kernel void find(__global uchar *bytes, uint from, uint to)"
    "{"
    "    if (bytes[from] == 1) {"
    "        bytes[to] = 2;"
    "    }"
    "}";

static void require(cl_int code, int line)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s:%d: code %d\n", __FILE__, line, (int)code);
        exit(EXIT_FAILURE);
    }
}
#define REQUIRE(code) require(code, __LINE__)

static cl_kernel build(cl_context context)
{
    const char *text = source;
    cl_int code;
    cl_program program =
        clCreateProgramWithSource(context, 1, &text, NULL, &code);
    REQUIRE(code);
    REQUIRE(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "find", &code);
    REQUIRE(code);
    REQUIRE(clReleaseProgram(program));
    return kernel;
}

static cl_mem create_buffer(cl_context context)
{
    cl_int code;
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &code);
    REQUIRE(code);
    return buffer;
}

static void
write_part(cl_command_queue queue, cl_mem buffer, size_t offset, size_t size)
{
    static const cl_uchar ones[SIZE] = {1, 1, 1, 1, 1, 1, 1, 1};
    REQUIRE(clEnqueueWriteBuffer(
        queue, buffer, CL_TRUE, offset, size, ones, 0, NULL, NULL));
}

int main(int argc, char **argv)
{
    static const size_t one = 1;
    const cl_uint to = SIZE - 1;
    const cl_uint from =
        argc == 2 ? (cl_uint)strtoul(argv[1], NULL, 10) : (cl_uint)SIZE;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    if (from >= SIZE) {
        fprintf(stderr, "usage: oclgrind_control BYTE\n");
        return EXIT_FAILURE;
    }
    REQUIRE(clGetPlatformIDs(1, &platform, NULL));
    REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    REQUIRE(code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    REQUIRE(code);
    cl_kernel kernel = build(context);
    cl_mem old = create_buffer(context);
    write_part(queue, old, 0, SIZE);
    REQUIRE(clReleaseMemObject(old));
    cl_mem buffer = create_buffer(context);
    write_part(queue, buffer, WRITTEN_OFFSET, WRITTEN_SIZE);
    REQUIRE(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
    REQUIRE(clSetKernelArg(kernel, 1, sizeof(from), &from));
    REQUIRE(clSetKernelArg(kernel, 2, sizeof(to), &to));
    REQUIRE(clEnqueueNDRangeKernel(
        queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    REQUIRE(clFinish(queue));
    REQUIRE(clReleaseMemObject(buffer));
    REQUIRE(clReleaseKernel(kernel));
    REQUIRE(clReleaseCommandQueue(queue));
    REQUIRE(clReleaseContext(context));
    return EXIT_SUCCESS;
}
