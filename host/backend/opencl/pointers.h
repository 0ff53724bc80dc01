/*
 * Memory that a pointer names: shared virtual memory (OpenCL 2.0 specification,
 * section 5.6) and cl_intel_unified_shared_memory. Their calls differ in name
 * alone. OpenCL 1.2 has neither, so they are looked up at run time, and only
 * for devices that have them.
 */
#ifndef CLCONST_BACKEND_OPENCL_POINTERS_H
#define CLCONST_BACKEND_OPENCL_POINTERS_H

#include "backend/opencl/device.h"

/* As clEnqueueSVMMemFill, clEnqueueSVMMemcpy and clSetKernelArgSVMPointer. */
typedef struct clconst__pointer_calls {
    cl_int(CL_API_CALL *enqueue_fill)(cl_command_queue queue,
                                      void *pointer,
                                      const void *pattern,
                                      size_t pattern_size,
                                      size_t size,
                                      cl_uint num_wait,
                                      const cl_event *wait_list,
                                      cl_event *event);
    cl_int(CL_API_CALL *enqueue_copy)(cl_command_queue queue,
                                      cl_bool is_blocking,
                                      void *dst,
                                      const void *src,
                                      size_t size,
                                      cl_uint num_wait,
                                      const cl_event *wait_list,
                                      cl_event *event);
    cl_int(CL_API_CALL *set_argument)(cl_kernel kernel,
                                      cl_uint index,
                                      const void *pointer);
    const char *fill_name; /* of the three calls, for messages */
    const char *copy_name;
    const char *argument_name;
} clconst__pointer_calls;

/* The calls that take the pointer on the device. False when it has none. */
bool clconst__pointers_find(const clconst__device *device,
                            cl_context context,
                            const void *pointer,
                            clconst__pointer_calls *calls);

#endif
