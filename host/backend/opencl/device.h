/*
 * One OpenCL device: what it says about itself, and whether an engine can be
 * made on it.
 */
#ifndef CLCONST_BACKEND_OPENCL_DEVICE_H
#define CLCONST_BACKEND_OPENCL_DEVICE_H

#include <stdbool.h>

#include "backend/opencl/cl.h"
#include "base/error.h"

typedef struct clconst__device {
    cl_device_id id;
    cl_platform_id platform_id;
    char *platform; /* the platform's name */
    char *name;
    char *version;
    char *platform_version;
    char *driver_version;
    char *extensions; /* names, with a space between */
    const char *type; /* as in clconst_device */
    uint64_t global_memory_size;
    uint64_t max_allocation_size;
    size_t alignment;
    bool has_native_kernels;
    /* Why no engine can be made on it; empty for a usable device. */
    char reason[256];
} clconst__device;

/*
 * Describes a device. One that refuses a query is unusable, and its strings
 * may be empty then. OUT_OF_MEMORY is the only failure; device is then
 * cleared.
 */
clconst_status clconst__device_read(clconst__device *device,
                                    cl_device_id id,
                                    clconst_error *error);

/* Whether "OpenCL MAJOR.MINOR ...", as devices and platforms describe their
 * version, is that one or later. */
bool clconst__version_reaches(const char *version,
                              unsigned long major,
                              unsigned long minor);

bool clconst__device_has_extension(const clconst__device *device,
                                   const char *name);

bool clconst__device_is_usable(const clconst__device *device);

/* Frees what the description holds. */
void clconst__device_clear(clconst__device *device);

#endif
