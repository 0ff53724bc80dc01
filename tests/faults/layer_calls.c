/* The layer's functions for OpenCL 1.2. */
#include "faults/layer_wrap.h"

#include <stdint.h>

COUNTED(DEVICE, cl_device_id, clRetainDevice, clReleaseDevice)
COUNTED(CONTEXT, cl_context, clRetainContext, clReleaseContext)
COUNTED(QUEUE, cl_command_queue, clRetainCommandQueue, clReleaseCommandQueue)
COUNTED(BUFFER, cl_mem, clRetainMemObject, clReleaseMemObject)
COUNTED(PROGRAM, cl_program, clRetainProgram, clReleaseProgram)
COUNTED(KERNEL, cl_kernel, clRetainKernel, clReleaseKernel)
COUNTED(EVENT, cl_event, clRetainEvent, clReleaseEvent)

QUERY(clGetPlatformInfo, cl_platform_id, cl_platform_info)
QUERY(clGetDeviceInfo, cl_device_id, cl_device_info)
QUERY(clGetContextInfo, cl_context, cl_context_info)
QUERY(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
QUERY(clGetMemObjectInfo, cl_mem, cl_mem_info)
QUERY(clGetProgramInfo, cl_program, cl_program_info)
QUERY(clGetEventInfo, cl_event, cl_event_info)

CALL(clGetDeviceIDs,
     (cl_platform_id platform,
      cl_device_type type,
      cl_uint capacity,
      cl_device_id *ids,
      cl_uint *count),
     (platform, type, capacity, ids, count))
CALL(clSetMemObjectDestructorCallback,
     (cl_mem object,
      void(CL_CALLBACK *function)(cl_mem, void *),
      void *context),
     (object, function, context))
CALL(clBuildProgram,
     (cl_program program,
      cl_uint count,
      const cl_device_id *devices,
      const char *options,
      void(CL_CALLBACK *function)(cl_program, void *),
      void *context),
     (program, count, devices, options, function, context))
CALL(clGetProgramBuildInfo,
     (cl_program program,
      cl_device_id device,
      cl_program_build_info key,
      size_t size,
      void *value,
      size_t *actual),
     (program, device, key, size, value, actual))
CALL(clSetKernelArg,
     (cl_kernel kernel, cl_uint index, size_t size, const void *value),
     (kernel, index, size, value))
CALL(clGetKernelWorkGroupInfo,
     (cl_kernel kernel,
      cl_device_id device,
      cl_kernel_work_group_info key,
      size_t size,
      void *value,
      size_t *actual),
     (kernel, device, key, size, value, actual))
CALL(clSetUserEventStatus, (cl_event event, cl_int status), (event, status))
CALL(clSetEventCallback,
     (cl_event event,
      cl_int type,
      void(CL_CALLBACK *function)(cl_event, cl_int, void *),
      void *context),
     (event, type, function, context))
CALL(clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))
CALL(clFlush, (cl_command_queue queue), (queue))
CALL(clFinish, (cl_command_queue queue), (queue))

CREATE(CONTEXT,
       cl_context,
       clCreateContext,
       (const cl_context_properties *properties,
        cl_uint count,
        const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
        void *context,
        cl_int *result),
       (properties, count, devices, notify, context, result))
CREATE(QUEUE,
       cl_command_queue,
       clCreateCommandQueue,
       (cl_context context,
        cl_device_id device,
        cl_command_queue_properties properties,
        cl_int *result),
       (context, device, properties, result))
CREATE(BUFFER,
       cl_mem,
       clCreateSubBuffer,
       (cl_mem buffer,
        cl_mem_flags flags,
        cl_buffer_create_type type,
        const void *region,
        cl_int *result),
       (buffer, flags, type, region, result))
CREATE(PROGRAM,
       cl_program,
       clCreateProgramWithSource,
       (cl_context context,
        cl_uint count,
        const char **texts,
        const size_t *sizes,
        cl_int *result),
       (context, count, texts, sizes, result))
CREATE(PROGRAM,
       cl_program,
       clCreateProgramWithBinary,
       (cl_context context,
        cl_uint count,
        const cl_device_id *devices,
        const size_t *sizes,
        const unsigned char **binaries,
        cl_int *codes,
        cl_int *result),
       (context, count, devices, sizes, binaries, codes, result))
CREATE(KERNEL,
       cl_kernel,
       clCreateKernel,
       (cl_program program, const char *name, cl_int *result),
       (program, name, result))
CREATE(EVENT,
       cl_event,
       clCreateUserEvent,
       (cl_context context, cl_int *result),
       (context, result))

ENQUEUE(clEnqueueReadBuffer,
        (cl_command_queue queue,
         cl_mem buffer,
         cl_bool is_blocking,
         size_t offset,
         size_t size,
         void *dst,
         EVENTS),
        (queue, buffer, is_blocking, offset, size, dst, PASS_EVENTS))
ENQUEUE(clEnqueueWriteBuffer,
        (cl_command_queue queue,
         cl_mem buffer,
         cl_bool is_blocking,
         size_t offset,
         size_t size,
         const void *src,
         EVENTS),
        (queue, buffer, is_blocking, offset, size, src, PASS_EVENTS))
ENQUEUE(clEnqueueCopyBuffer,
        (cl_command_queue queue,
         cl_mem src,
         cl_mem dst,
         size_t src_offset,
         size_t dst_offset,
         size_t size,
         EVENTS),
        (queue, src, dst, src_offset, dst_offset, size, PASS_EVENTS))
ENQUEUE(clEnqueueUnmapMemObject,
        (cl_command_queue queue, cl_mem object, void *pointer, EVENTS),
        (queue, object, pointer, PASS_EVENTS))
ENQUEUE(clEnqueueNativeKernel,
        (cl_command_queue queue,
         void(CL_CALLBACK *function)(void *),
         void *arguments,
         size_t size,
         cl_uint count,
         const cl_mem *buffers,
         const void **places,
         EVENTS),
        (queue, function, arguments, size, count, buffers, places, PASS_EVENTS))
ENQUEUE(clEnqueueMarkerWithWaitList,
        (cl_command_queue queue, EVENTS),
        (queue, PASS_EVENTS))
ENQUEUE(clEnqueueBarrierWithWaitList,
        (cl_command_queue queue, EVENTS),
        (queue, PASS_EVENTS))

static void CL_CALLBACK give_back(cl_mem buffer, void *size)
{
    (void)buffer;
    atomic_fetch_sub(&layer.memory_used, (uintptr_t)size);
}

/* Takes the buffer's memory from the little that there is. */
static void take_memory(cl_mem buffer, size_t size)
{
    if (layer.memory_size > 0) {
        atomic_fetch_add(&layer.memory_used, size);
        (void)layer_target->clSetMemObjectDestructorCallback(
            buffer, give_back, (void *)(uintptr_t)size);
    }
}

static cl_mem CL_API_CALL my_clCreateBuffer(cl_context context,
                                            cl_mem_flags flags,
                                            size_t size,
                                            void *host,
                                            cl_int *result)
{
    cl_int code = layer_begin(LAYER_clCreateBuffer);
    size_t used = atomic_load(&layer.memory_used) + size;
    if (layer.memory_size > 0 && !layer.is_memory_lazy &&
        used > layer.memory_size) {
        code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    }
    if (code != CL_SUCCESS) {
        if (result != NULL) {
            *result = code;
        }
        return NULL;
    }
    cl_mem buffer =
        layer_target->clCreateBuffer(context, flags, size, host, result);
    if (buffer != NULL) {
        layer_count_live(LAYER_KIND_BUFFER, 1);
        take_memory(buffer, size);
    }
    return buffer;
}

static cl_int CL_API_CALL my_clGetPlatformIDs(cl_uint capacity,
                                              cl_platform_id *ids,
                                              cl_uint *count)
{
    cl_int code = layer_begin(LAYER_clGetPlatformIDs);
    if (code != CL_SUCCESS) {
        return code;
    }
    if (layer.platform == NULL) {
        return layer_target->clGetPlatformIDs(capacity, ids, count);
    }
    if (ids != NULL && capacity > 0) {
        ids[0] = layer.platform;
    }
    if (count != NULL) {
        *count = 1;
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL my_clEnqueueFillBuffer(cl_command_queue queue,
                                                 cl_mem buffer,
                                                 const void *pattern,
                                                 size_t pattern_size,
                                                 size_t offset,
                                                 size_t size,
                                                 EVENTS)
{
    cl_int code = layer_begin(LAYER_clEnqueueFillBuffer);
    if (code != CL_SUCCESS) {
        return code;
    }
    static const char zeros[128]; /* the longest pattern */
    size_t number = atomic_fetch_add(&layer.fill_count, 1);
    if (layer.zeroes_fills && pattern_size != 1 && pattern_size != 4) {
        pattern = zeros;
    }
    if (number < LAYER_FILL_MAX) {
        layer.fills[number] = (layer_fill){offset, size, pattern_size};
    }
    if (layer.swallows_fills) {
        code = layer_target->clEnqueueMarkerWithWaitList(queue, PASS_EVENTS);
    } else {
        code = layer_target->clEnqueueFillBuffer(
            queue, buffer, pattern, pattern_size, offset, size, PASS_EVENTS);
    }
    return layer_count_command(code, num_wait, event);
}

static cl_int CL_API_CALL my_clEnqueueNDRangeKernel(cl_command_queue queue,
                                                    cl_kernel kernel,
                                                    cl_uint rank,
                                                    const size_t *first,
                                                    const size_t *global,
                                                    const size_t *local,
                                                    EVENTS)
{
    cl_int code = layer_begin(LAYER_clEnqueueNDRangeKernel);
    if (code != CL_SUCCESS) {
        return code;
    }
    (void)layer_target->clGetKernelInfo(kernel,
                                        CL_KERNEL_FUNCTION_NAME,
                                        sizeof(layer.launched),
                                        layer.launched,
                                        NULL);
    return layer_count_command(
        layer_target->clEnqueueNDRangeKernel(
            queue, kernel, rank, first, global, local, PASS_EVENTS),
        num_wait,
        event);
}

static void *CL_API_CALL my_clEnqueueMapBuffer(cl_command_queue queue,
                                               cl_mem buffer,
                                               cl_bool is_blocking,
                                               cl_map_flags flags,
                                               size_t offset,
                                               size_t size,
                                               EVENTS,
                                               cl_int *result)
{
    cl_int code = layer_begin(LAYER_clEnqueueMapBuffer);
    void *pointer = NULL;
    if (code == CL_SUCCESS) {
        pointer = layer_target->clEnqueueMapBuffer(queue,
                                                   buffer,
                                                   is_blocking,
                                                   flags,
                                                   offset,
                                                   size,
                                                   PASS_EVENTS,
                                                   &code);
        code = layer_count_command(code, num_wait, event);
    }
    if (result != NULL) {
        *result = code;
    }
    return pointer;
}

void layer_install_calls(cl_icd_dispatch *table)
{
#define LAYER_X(name) table->name = my_##name;
    LAYER_ENTRY_MAP(LAYER_X)
#undef LAYER_X
}
