/* The declarations of OpenCL 2.0, which no other file of this backend has. */
#define CL_TARGET_OPENCL_VERSION 200
#include "backend/opencl/pointers.h"

#include <CL/cl_ext.h>
#include <string.h>

/* NULL with a loader of OpenCL 1.2. */
#pragma weak clEnqueueSVMMemFill
#pragma weak clEnqueueSVMMemcpy
#pragma weak clSetKernelArgSVMPointer

/* As clGetMemAllocInfoINTEL. */
typedef cl_int(CL_API_CALL *get_info_function)(cl_context context,
                                               const void *pointer,
                                               cl_uint key,
                                               size_t size,
                                               void *value,
                                               size_t *needed_size);

/* Sets the function pointer at function; C has no cast from an object's
 * address to a function's. */
static bool
look_up(const clconst__device *device, const char *name, void *function)
{
    void *address =
        clGetExtensionFunctionAddressForPlatform(device->platform_id, name);
    memcpy(function, &address, sizeof(address));
    return address != NULL;
}

static bool find_unified(const clconst__device *device,
                         cl_context context,
                         const void *pointer,
                         clconst__pointer_calls *calls)
{
    get_info_function get_info;
    cl_uint type = CL_MEM_TYPE_UNKNOWN_INTEL;
    calls->fill_name = "clEnqueueMemFillINTEL";
    calls->copy_name = "clEnqueueMemcpyINTEL";
    calls->argument_name = "clSetKernelArgMemPointerINTEL";
    return clconst__device_has_extension(device,
                                         "cl_intel_unified_shared_memory") &&
           look_up(device, "clGetMemAllocInfoINTEL", &get_info) &&
           get_info(context,
                    pointer,
                    CL_MEM_ALLOC_TYPE_INTEL,
                    sizeof(type),
                    &type,
                    NULL) == CL_SUCCESS &&
           type != CL_MEM_TYPE_UNKNOWN_INTEL &&
           look_up(device, calls->fill_name, &calls->enqueue_fill) &&
           look_up(device, calls->copy_name, &calls->enqueue_copy) &&
           look_up(device, calls->argument_name, &calls->set_argument);
}

static bool find_shared(const clconst__device *device,
                        clconst__pointer_calls *calls)
{
    cl_device_svm_capabilities capabilities = 0;
    /* A loader may have the calls for a device that has none, and then they
     * need not return. */
    if (!clconst__version_reaches(device->version, 2, 0) ||
        !clconst__version_reaches(device->platform_version, 2, 0) ||
        clGetDeviceInfo(device->id,
                        CL_DEVICE_SVM_CAPABILITIES,
                        sizeof(capabilities),
                        &capabilities,
                        NULL) != CL_SUCCESS) {
        return false;
    }
    *calls = (clconst__pointer_calls){
        clEnqueueSVMMemFill,
        clEnqueueSVMMemcpy,
        clSetKernelArgSVMPointer,
        "clEnqueueSVMMemFill",
        "clEnqueueSVMMemcpy",
        "clSetKernelArgSVMPointer",
    };
    return (capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0 &&
           calls->enqueue_fill != NULL && calls->enqueue_copy != NULL &&
           calls->set_argument != NULL;
}

bool clconst__pointers_find(const clconst__device *device,
                            cl_context context,
                            const void *pointer,
                            clconst__pointer_calls *calls)
{
    return find_unified(device, context, pointer, calls) ||
           find_shared(device, calls);
}
