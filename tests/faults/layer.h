/*
 * What the layer and the tests that steer it share. The layer stands between
 * the ICD loader and the drivers (OPENCL_LAYERS). It counts every call of the
 * entry points below, and the objects that are alive, fails chosen calls, and
 * gives false answers where a test wants them.
 *
 * Of programs that no test steers, the environment decides when the layer is
 * loaded: CLCONST_LAYER_MAX_ALLOCATION is the largest allocation that devices
 * have, in bytes, and with CLCONST_LAYER_ZEROES fills write zeros for patterns
 * of other sizes than 1 and 4 bytes.
 */
#ifndef CLCONST_TESTS_LAYER_H
#define CLCONST_TESTS_LAYER_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* X(NAME): the entry points of OpenCL 1.2 that a library for buffers can use.
 */
#define LAYER_ENTRY_MAP(X)                                                     \
    X(clGetPlatformIDs)                                                        \
    X(clGetPlatformInfo)                                                       \
    X(clGetDeviceIDs)                                                          \
    X(clGetDeviceInfo)                                                         \
    X(clRetainDevice)                                                          \
    X(clReleaseDevice)                                                         \
    X(clCreateContext)                                                         \
    X(clRetainContext)                                                         \
    X(clReleaseContext)                                                        \
    X(clGetContextInfo)                                                        \
    X(clCreateCommandQueue)                                                    \
    X(clRetainCommandQueue)                                                    \
    X(clReleaseCommandQueue)                                                   \
    X(clGetCommandQueueInfo)                                                   \
    X(clCreateBuffer)                                                          \
    X(clCreateSubBuffer)                                                       \
    X(clRetainMemObject)                                                       \
    X(clReleaseMemObject)                                                      \
    X(clGetMemObjectInfo)                                                      \
    X(clSetMemObjectDestructorCallback)                                        \
    X(clCreateProgramWithSource)                                               \
    X(clCreateProgramWithBinary)                                               \
    X(clRetainProgram)                                                         \
    X(clReleaseProgram)                                                        \
    X(clBuildProgram)                                                          \
    X(clGetProgramInfo)                                                        \
    X(clGetProgramBuildInfo)                                                   \
    X(clCreateKernel)                                                          \
    X(clRetainKernel)                                                          \
    X(clReleaseKernel)                                                         \
    X(clSetKernelArg)                                                          \
    X(clGetKernelWorkGroupInfo)                                                \
    X(clCreateUserEvent)                                                       \
    X(clSetUserEventStatus)                                                    \
    X(clSetEventCallback)                                                      \
    X(clWaitForEvents)                                                         \
    X(clGetEventInfo)                                                          \
    X(clRetainEvent)                                                           \
    X(clReleaseEvent)                                                          \
    X(clFlush)                                                                 \
    X(clFinish)                                                                \
    X(clEnqueueReadBuffer)                                                     \
    X(clEnqueueWriteBuffer)                                                    \
    X(clEnqueueCopyBuffer)                                                     \
    X(clEnqueueFillBuffer)                                                     \
    X(clEnqueueMapBuffer)                                                      \
    X(clEnqueueUnmapMemObject)                                                 \
    X(clEnqueueNDRangeKernel)                                                  \
    X(clEnqueueNativeKernel)                                                   \
    X(clEnqueueMarkerWithWaitList)                                             \
    X(clEnqueueBarrierWithWaitList)

/* X(NAME): those of later versions, for the same uses. */
#define LAYER_LATER_ENTRY_MAP(X)                                               \
    X(clCreateCommandQueueWithProperties)                                      \
    X(clCreateBufferWithProperties)                                            \
    X(clCreateProgramWithIL)                                                   \
    X(clCloneKernel)                                                           \
    X(clSVMAlloc)                                                              \
    X(clSVMFree)                                                               \
    X(clEnqueueSVMFree)                                                        \
    X(clEnqueueSVMMemcpy)                                                      \
    X(clEnqueueSVMMemFill)                                                     \
    X(clEnqueueSVMMap)                                                         \
    X(clEnqueueSVMUnmap)                                                       \
    X(clEnqueueSVMMigrateMem)                                                  \
    X(clSetKernelArgSVMPointer)                                                \
    X(clSetKernelExecInfo)                                                     \
    X(clSetProgramReleaseCallback)                                             \
    X(clSetProgramSpecializationConstant)                                      \
    X(clSetContextDestructorCallback)

typedef enum layer_entry {
#define LAYER_X(name) LAYER_##name,
    LAYER_ENTRY_MAP(LAYER_X)
    /* Later entries begin here. */
    LAYER_FIRST_LATER,
    LAYER_BEFORE_LATER = LAYER_FIRST_LATER - 1,
    LAYER_LATER_ENTRY_MAP(LAYER_X)
#undef LAYER_X
        LAYER_ENTRY_COUNT,
} layer_entry;

/* X(NAME, text): what is counted while it is alive. */
#define LAYER_KIND_MAP(X)                                                      \
    X(DEVICE, "devices")                                                       \
    X(CONTEXT, "contexts")                                                     \
    X(QUEUE, "queues")                                                         \
    X(BUFFER, "buffers")                                                       \
    X(PROGRAM, "programs")                                                     \
    X(KERNEL, "kernels")                                                       \
    X(EVENT, "events")                                                         \
    X(SVM, "SVM allocations")

typedef enum layer_kind {
#define LAYER_X(name, text) LAYER_KIND_##name,
    LAYER_KIND_MAP(LAYER_X)
#undef LAYER_X
        LAYER_KIND_COUNT,
} layer_kind;

/* Calls of one entry point that fail: number first, counting from 1, alone or
 * with all behind it. */
typedef struct layer_fault {
    layer_entry entry;
    size_t first;
    bool is_forever;
    cl_int code;
} layer_fault;

/* A false answer of clGetPlatformInfo, clGetDeviceInfo, clGetMemObjectInfo or
 * clGetEventInfo; their keys are distinct. */
typedef struct layer_lie {
    cl_uint key;
    size_t size;
    const void *value;
} layer_lie;

/* A clEnqueueFillBuffer that the driver was, or was not, asked for. */
typedef struct layer_fill {
    size_t offset;
    size_t size;
    size_t pattern_size;
} layer_fill;

enum { LAYER_FAULT_MAX = 2, LAYER_FILL_MAX = 64, LAYER_NAME_SIZE = 64 };

/* Tests set and read the plain members while no other thread calls OpenCL. */
typedef struct layer_state {
    atomic_size_t call_counts[LAYER_ENTRY_COUNT];
    atomic_long live_counts[LAYER_KIND_COUNT]; /* references */
    /* Faults are tried in their order; the calls since a test set them. */
    layer_fault faults[LAYER_FAULT_MAX];
    size_t fault_count;
    atomic_size_t fault_calls[LAYER_FAULT_MAX];
    atomic_size_t free_count;   /* commands that wait for no event */
    atomic_size_t struck_count; /* calls failed since a test set the faults */
    const layer_lie *lies;
    size_t lie_count;
    /* Bytes of the buffers made since memory_size is not 0; what exceeds it
     * fails when it is made or, of a lazy driver, when a kernel is enqueued. */
    size_t memory_size;
    bool is_memory_lazy;
    atomic_size_t memory_used;
    cl_platform_id platform; /* the only one there is; NULL: all are seen */
    /* Fills are counted and recorded, and not passed on. */
    bool swallows_fills;
    bool zeroes_fills; /* of patterns of other sizes than 1 and 4 */
    layer_fill fills[LAYER_FILL_MAX];
    atomic_size_t fill_count;       /* may be more than are recorded */
    char launched[LAYER_NAME_SIZE]; /* the kernel of the last launch */
} layer_state;

/* The layer exports one function of this type and name. */
typedef layer_state *(*layer_state_function)(void);
#define LAYER_STATE_FUNCTION clconst_layer_get_state

#endif
