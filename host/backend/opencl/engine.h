/*
 * The OpenCL engine: one context, one device, its program and its own queue.
 */
#ifndef CLCONST_BACKEND_OPENCL_ENGINE_H
#define CLCONST_BACKEND_OPENCL_ENGINE_H

#include "backend/cpu/parallel.h"
#include "backend/engine.h"
#include "backend/opencl/programs.h"
#include "backend/opencl/tuning.h"

typedef struct clconst__opencl {
    clconst_engine base;
    cl_context context;
    /* In-order; for what the engine runs itself. */
    cl_command_queue queue;
    cl_command_queue copy_queue;
    clconst__device device;
    const clconst__tuning *tuning;
    clconst_fill_path fill_path;
    clconst__workers workers; /* of native kernels */
    char *cache_dir;          /* NULL: none */
    clconst__programs programs;
    /* False once the driver has refused clEnqueueFillBuffer. */
    atomic_bool has_driver_fill;
    atomic_uint_least64_t command_count;
    atomic_uint_least64_t byte_size;
} clconst__opencl;

/* NULL when the engine is another backend's. */
clconst__opencl *clconst__opencl_from(clconst_engine *engine);

#endif
