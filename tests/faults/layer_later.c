/* The layer's functions for OpenCL 2.0 and later. */
#include "faults/layer_wrap.h"

CREATE(QUEUE,
       cl_command_queue,
       clCreateCommandQueueWithProperties,
       (cl_context context,
        cl_device_id device,
        const cl_queue_properties *properties,
        cl_int *result),
       (context, device, properties, result))
CREATE(BUFFER,
       cl_mem,
       clCreateBufferWithProperties,
       (cl_context context,
        const cl_mem_properties *properties,
        cl_mem_flags flags,
        size_t size,
        void *host,
        cl_int *result),
       (context, properties, flags, size, host, result))
CREATE(PROGRAM,
       cl_program,
       clCreateProgramWithIL,
       (cl_context context, const void *text, size_t size, cl_int *result),
       (context, text, size, result))
CREATE(KERNEL,
       cl_kernel,
       clCloneKernel,
       (cl_kernel kernel, cl_int *result),
       (kernel, result))

CALL(clSetKernelArgSVMPointer,
     (cl_kernel kernel, cl_uint index, const void *pointer),
     (kernel, index, pointer))
CALL(
    clSetKernelExecInfo,
    (cl_kernel kernel, cl_kernel_exec_info key, size_t size, const void *value),
    (kernel, key, size, value))
CALL(clSetProgramReleaseCallback,
     (cl_program program,
      void(CL_CALLBACK *function)(cl_program, void *),
      void *context),
     (program, function, context))
CALL(clSetProgramSpecializationConstant,
     (cl_program program, cl_uint id, size_t size, const void *value),
     (program, id, size, value))
CALL(clSetContextDestructorCallback,
     (cl_context object,
      void(CL_CALLBACK *function)(cl_context, void *),
      void *context),
     (object, function, context))

ENQUEUE(
    clEnqueueSVMFree,
    (cl_command_queue queue,
     cl_uint count,
     void **pointers,
     void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void **, void *),
     void *context,
     EVENTS),
    (queue, count, pointers, function, context, PASS_EVENTS))
ENQUEUE(clEnqueueSVMMemcpy,
        (cl_command_queue queue,
         cl_bool is_blocking,
         void *dst,
         const void *src,
         size_t size,
         EVENTS),
        (queue, is_blocking, dst, src, size, PASS_EVENTS))
ENQUEUE(clEnqueueSVMMemFill,
        (cl_command_queue queue,
         void *dst,
         const void *pattern,
         size_t pattern_size,
         size_t size,
         EVENTS),
        (queue, dst, pattern, pattern_size, size, PASS_EVENTS))
ENQUEUE(clEnqueueSVMMap,
        (cl_command_queue queue,
         cl_bool is_blocking,
         cl_map_flags flags,
         void *pointer,
         size_t size,
         EVENTS),
        (queue, is_blocking, flags, pointer, size, PASS_EVENTS))
ENQUEUE(clEnqueueSVMUnmap,
        (cl_command_queue queue, void *pointer, EVENTS),
        (queue, pointer, PASS_EVENTS))
ENQUEUE(clEnqueueSVMMigrateMem,
        (cl_command_queue queue,
         cl_uint count,
         const void **pointers,
         const size_t *sizes,
         cl_mem_migration_flags flags,
         EVENTS),
        (queue, count, pointers, sizes, flags, PASS_EVENTS))

static void *CL_API_CALL my_clSVMAlloc(cl_context context,
                                       cl_svm_mem_flags flags,
                                       size_t size,
                                       cl_uint alignment)
{
    if (layer_begin(LAYER_clSVMAlloc) != CL_SUCCESS) {
        return NULL;
    }
    void *pointer = layer_target->clSVMAlloc(context, flags, size, alignment);
    if (pointer != NULL) {
        layer_count_live(LAYER_KIND_SVM, 1);
    }
    return pointer;
}

static void CL_API_CALL my_clSVMFree(cl_context context, void *pointer)
{
    (void)layer_begin(LAYER_clSVMFree);
    if (pointer != NULL) {
        layer_count_live(LAYER_KIND_SVM, -1);
    }
    layer_target->clSVMFree(context, pointer);
}

void layer_install_later_calls(cl_icd_dispatch *table)
{
#define LAYER_X(name) table->name = my_##name;
    LAYER_LATER_ENTRY_MAP(LAYER_X)
#undef LAYER_X
}
