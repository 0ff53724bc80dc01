/*
 * A layer between the ICD loader and Oclgrind 21.10, whose check of
 * uninitialized values forgets a buffer when the host writes a part of it:
 * hostMemoryStore (src/plugins/Uninitialized.cpp) makes what it knows of the
 * buffer anew, as large as the part. So the host's writes of parts, and all
 * fills, of which each pattern is a part, go through a kernel here. Bytes that
 * nobody writes stay uninitialized.
 *
 * What Oclgrind knows of a buffer outlives it and counts for the next one in
 * its place, so that no buffer is given up here. Oclgrind does not serve
 * several threads, and neither does this.
 */
#include "faults/layer_loader.h"

#include <stdlib.h>
#include <string.h>

enum { VECTOR_SIZE = 16 };

static const char source[] =
    "__kernel void copy(__global uchar *dst, ulong offset,"
    "                   __global const uchar *src, ulong size)"
    "{"
    "    ulong begin = get_global_id(0) * 16;"
    "    if (begin + 16 <= size) {"
    "        vstore16(vload16(0, src + begin), 0, dst + offset + begin);"
    "        return;"
    "    }"
    "    for (ulong i = begin; i < size; i++) {"
    "        dst[offset + i] = src[i];"
    "    }"
    "}";

/* The kernel, and the context that it is for, which it keeps. */
static cl_kernel kernel;
static cl_context kernel_context;

/* What the layer itself asks for does not fail. */
static void require(cl_int code)
{
    if (code != CL_SUCCESS) {
        abort();
    }
}

static void make_kernel(cl_context context)
{
    const char *text = source;
    cl_int code;
    cl_program program =
        layer_target->clCreateProgramWithSource(context, 1, &text, NULL, &code);
    require(code);
    require(layer_target->clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    kernel = layer_target->clCreateKernel(program, "copy", &code);
    require(code);
    kernel_context = context;
}

static cl_mem CL_API_CALL my_clCreateBuffer(cl_context context,
                                            cl_mem_flags flags,
                                            size_t size,
                                            void *host,
                                            cl_int *result)
{
    cl_mem buffer =
        layer_target->clCreateBuffer(context, flags, size, host, result);
    if (buffer != NULL) {
        require(layer_target->clRetainMemObject(buffer));
    }
    return buffer;
}

/* A range of a buffer that the host is to write. */
typedef struct part {
    cl_mem buffer;
    size_t offset;
    size_t size;
    cl_context context;
    cl_bool is_whole;
} part;

static void get_info(cl_mem buffer, cl_mem_info key, size_t size, void *value)
{
    require(layer_target->clGetMemObjectInfo(buffer, key, size, value, NULL));
}

/* Completes the part. False where a kernel cannot write it: it is for Oclgrind
 * to refuse, or the buffer is for kernels to read only. */
static cl_bool find_part(part *p)
{
    size_t total;
    cl_mem parent;
    cl_mem_flags flags;
    if (p->buffer == NULL || p->size == 0) {
        return CL_FALSE;
    }
    get_info(p->buffer, CL_MEM_SIZE, sizeof(total), &total);
    get_info(p->buffer, CL_MEM_FLAGS, sizeof(flags), &flags);
    get_info(p->buffer, CL_MEM_CONTEXT, sizeof(p->context), &p->context);
    get_info(p->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent);
    p->is_whole = parent == NULL && p->size == total;
    return p->offset <= total && p->size <= total - p->offset &&
           (flags & CL_MEM_READ_ONLY) == 0;
}

static cl_int
enqueue_copy(cl_command_queue queue, const part *p, cl_mem bytes, EVENTS)
{
    cl_ulong offset = p->offset;
    cl_ulong size = p->size;
    size_t item_count = (p->size + VECTOR_SIZE - 1) / VECTOR_SIZE;
    if (p->context != kernel_context) {
        make_kernel(p->context);
    }
    require(
        layer_target->clSetKernelArg(kernel, 0, sizeof(cl_mem), &p->buffer));
    require(layer_target->clSetKernelArg(kernel, 1, sizeof(offset), &offset));
    require(layer_target->clSetKernelArg(kernel, 2, sizeof(cl_mem), &bytes));
    require(layer_target->clSetKernelArg(kernel, 3, sizeof(size), &size));
    return layer_target->clEnqueueNDRangeKernel(
        queue, kernel, 1, NULL, &item_count, NULL, PASS_EVENTS);
}

static cl_int CL_API_CALL my_clEnqueueWriteBuffer(cl_command_queue queue,
                                                  cl_mem buffer,
                                                  cl_bool is_blocking,
                                                  size_t offset,
                                                  size_t size,
                                                  const void *src,
                                                  EVENTS)
{
    part p = {.buffer = buffer, .offset = offset, .size = size};
    if (src == NULL || !find_part(&p) || p.is_whole) {
        return layer_target->clEnqueueWriteBuffer(
            queue, buffer, is_blocking, offset, size, src, PASS_EVENTS);
    }
    cl_int code;
    cl_event written;
    cl_mem bytes = layer_target->clCreateBuffer(
        p.context, CL_MEM_READ_WRITE, size, NULL, &code);
    require(code);
    /* The source is read when the command runs, and not before. */
    code = layer_target->clEnqueueWriteBuffer(
        queue, bytes, CL_FALSE, 0, size, src, num_wait, wait_list, &written);
    if (code == CL_SUCCESS) {
        code = enqueue_copy(queue, &p, bytes, 1, &written, event);
        require(layer_target->clReleaseEvent(written));
    }
    if (code == CL_SUCCESS && is_blocking) {
        code = layer_target->clFinish(queue);
    }
    return code;
}

static cl_int CL_API_CALL my_clEnqueueFillBuffer(cl_command_queue queue,
                                                 cl_mem buffer,
                                                 const void *pattern,
                                                 size_t pattern_size,
                                                 size_t offset,
                                                 size_t size,
                                                 EVENTS)
{
    part p = {.buffer = buffer, .offset = offset, .size = size};
    if (pattern == NULL || pattern_size == 0 || size % pattern_size != 0 ||
        offset % pattern_size != 0 || !find_part(&p)) {
        return layer_target->clEnqueueFillBuffer(
            queue, buffer, pattern, pattern_size, offset, size, PASS_EVENTS);
    }
    unsigned char *all = malloc(size);
    cl_int code;
    for (size_t i = 0; i < size; i += pattern_size) {
        memcpy(all + i, pattern, pattern_size);
    }
    cl_mem bytes = layer_target->clCreateBuffer(
        p.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, all, &code);
    free(all);
    require(code);
    return enqueue_copy(queue, &p, bytes, PASS_EVENTS);
}

void layer_install(cl_icd_dispatch *table)
{
    table->clCreateBuffer = my_clCreateBuffer;
    table->clEnqueueWriteBuffer = my_clEnqueueWriteBuffer;
    table->clEnqueueFillBuffer = my_clEnqueueFillBuffer;
}
