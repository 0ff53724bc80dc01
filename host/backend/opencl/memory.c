#include "backend/opencl/memory.h"

#include <inttypes.h>

#include "backend/cpu/memory.h"
#include "backend/opencl/status.h"
#include "backend/tensor.h"
#include "base/alloc.h"

static void CL_CALLBACK free_block(cl_mem buffer, void *block)
{
    (void)buffer;
    clconst__host_block_destroy(block);
    clconst__free(block);
}

/*
 * A buffer over host memory of this library. The memory goes with the buffer,
 * which others may hold longer than the tensor.
 */
static clconst_status create_over_host_memory(const clconst__opencl *cl,
                                              size_t size,
                                              size_t copied_size,
                                              cl_mem *buffer,
                                              clconst_error *error)
{
    clconst__host_block *block;
    clconst_status status = clconst__alloc(1, sizeof(*block), &block, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = clconst__host_block_create(size, copied_size, block, error);
    if (status != CLCONST_OK) {
        clconst__free(block);
        return status;
    }
    cl_int code;
    cl_mem created;
    status = CLCONST__CL_CREATE(
        created,
        clCreateBuffer(cl->context,
                       CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                       size,
                       block->bytes,
                       &code),
        error);
    if (status != CLCONST_OK) {
        free_block(NULL, block);
        return status;
    }
    status = CLCONST__CL(
        clSetMemObjectDestructorCallback(created, free_block, block), error);
    if (status != CLCONST_OK) {
        clReleaseMemObject(created);
        free_block(NULL, block);
        return status;
    }
    *buffer = created;
    return CLCONST_OK;
}

static clconst_status create_buffer(const clconst__opencl *cl,
                                    size_t copied_size,
                                    clconst__opencl_memory *memory,
                                    clconst_error *error)
{
    size_t size = memory->base.size;
    /* Smaller buffers gain nothing from huge pages. */
    if (cl->tuning->prefers_host_memory && size >= CLCONST__HUGE_PAGE_SIZE) {
        memory->is_fresh = true;
        return create_over_host_memory(
            cl, size, copied_size, &memory->buffer, error);
    }
    cl_int code;
    return CLCONST__CL_CREATE(
        memory->buffer,
        clCreateBuffer(cl->context, CL_MEM_READ_WRITE, size, NULL, &code),
        error);
}

clconst_status clconst__opencl_allocate(clconst_engine *engine,
                                        size_t size,
                                        size_t copied_size,
                                        clconst__memory **memory,
                                        clconst_error *error)
{
    const clconst__opencl *cl = (const clconst__opencl *)engine;
    /* Drivers may accept more and fail, or abort, at the first command. */
    if (size > cl->device.max_allocation_size) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "size is %zu bytes; %.200s allocates at most "
                             "%" PRIu64,
                             size,
                             cl->device.name,
                             cl->device.max_allocation_size);
    }
    clconst__opencl_memory *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    created->base.size = size;
    if (size > 0) {
        status = create_buffer(cl, copied_size, created, error);
    }
    if (status != CLCONST_OK) {
        clconst__free(created);
        return status;
    }
    *memory = &created->base;
    return CLCONST_OK;
}

void clconst__opencl_release(clconst_engine *engine, clconst__memory *memory)
{
    (void)engine;
    clconst__opencl_memory *released = (clconst__opencl_memory *)memory;
    if (released->buffer != NULL) {
        clReleaseMemObject(released->buffer);
    }
    clconst__free(released);
}

clconst_status clconst__opencl_read(clconst_engine *engine,
                                    const clconst__memory *memory,
                                    size_t offset,
                                    void *dst,
                                    size_t size,
                                    clconst_error *error)
{
    clconst__opencl *cl = (clconst__opencl *)engine;
    cl_mem buffer = ((const clconst__opencl_memory *)memory)->buffer;
    clconst_status status = CLCONST__CL(
        clEnqueueReadBuffer(
            cl->queue, buffer, CL_TRUE, offset, size, dst, 0, NULL, NULL),
        error);
    if (status == CLCONST_OK) {
        atomic_fetch_add(&cl->command_count, 1);
    }
    return status;
}

cl_mem clconst_tensor_get_buffer(const clconst_tensor *tensor)
{
    return clconst__opencl_from(tensor->engine) != NULL
               ? ((const clconst__opencl_memory *)tensor->memory)->buffer
               : NULL;
}
