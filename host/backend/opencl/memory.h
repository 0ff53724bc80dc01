/*
 * Buffers that the engine allocates itself.
 */
#ifndef CLCONST_BACKEND_OPENCL_MEMORY_H
#define CLCONST_BACKEND_OPENCL_MEMORY_H

#include "backend/opencl/engine.h"

typedef struct clconst__opencl_memory {
    clconst__memory base;
    cl_mem buffer; /* NULL when the size is 0 */
    /* The buffer lies over host memory that nothing has written to. */
    bool is_fresh;
} clconst__opencl_memory;

/* TOO_LARGE above the device's largest allocation. */
clconst_status clconst__opencl_allocate(clconst_engine *engine,
                                        size_t size,
                                        size_t copied_size,
                                        clconst__memory **memory,
                                        clconst_error *error);

/* Waits until size bytes of the memory from offset on are in dst. */
clconst_status clconst__opencl_read(clconst_engine *engine,
                                    const clconst__memory *memory,
                                    size_t offset,
                                    void *dst,
                                    size_t size,
                                    clconst_error *error);

void clconst__opencl_release(clconst_engine *engine, clconst__memory *memory);

#endif
