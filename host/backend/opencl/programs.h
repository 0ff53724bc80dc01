/*
 * The compiled kernels of an engine, each a program of its own that is built
 * from its embedded source when a command first needs it. Threads share the
 * kernel objects, and arguments are set and launched under one lock:
 * clSetKernelArg is the one call that OpenCL does not make safe for threads
 * (OpenCL 1.2 specification, appendix A.2).
 */
#ifndef CLCONST_BACKEND_OPENCL_PROGRAMS_H
#define CLCONST_BACKEND_OPENCL_PROGRAMS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "backend/opencl/device.h"

typedef enum clconst__kernel_name {
    CLCONST__KERNEL_FILL_CHUNKED,
    CLCONST__KERNEL_FILL_COALESCED,
    CLCONST__KERNEL_FILL_BATCH,
    CLCONST__KERNEL_FILL_REGION,
    CLCONST__KERNEL_SCATTER,
    CLCONST__KERNEL_MEASURE,
    CLCONST__KERNEL_FILL_MEASURED,
    CLCONST__KERNEL_COUNT,
} clconst__kernel_name;

typedef struct clconst__kernel {
    cl_program program; /* NULL until built */
    cl_kernel object;
    size_t group_size_max;
    bool is_loaded;   /* from cache_dir */
    bool is_launched; /* set under the lock */
} clconst__kernel;

typedef struct clconst__programs {
    pthread_mutex_t lock;
    cl_context context;
    const clconst__device *device;
    const char *cache_dir; /* NULL: none */
    clconst__kernel kernels[CLCONST__KERNEL_COUNT];
    atomic_uint_least64_t built_count;
    atomic_uint_least64_t loaded_count;
} clconst__programs;

/* Borrows context, device and cache_dir, which may be NULL. False when the
 * system has no lock to give. */
bool clconst__programs_init(clconst__programs *programs,
                            cl_context context,
                            const clconst__device *device,
                            const char *cache_dir);

/*
 * Takes the lock and loads or builds the kernel unless it is there.
 * On failure the lock is not held and the next call tries again; a build's log
 * is in the message.
 */
clconst_status clconst__programs_lock(clconst__programs *programs,
                                      clconst__kernel_name name,
                                      clconst__kernel **kernel,
                                      clconst_error *error);

void clconst__programs_unlock(clconst__programs *programs);

/*
 * Keeps the programs in cache_dir first that were built and launched: PoCL's
 * binary has what it compiled at a kernel's first launch. It has nothing of
 * later launches once it is loaded, so that a program that was kept without a
 * launch, or has two kernels, would be compiled again in each process.
 */
void clconst__programs_clear(clconst__programs *programs);

#endif
