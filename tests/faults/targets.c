#define CL_TARGET_OPENCL_VERSION 200
#include "faults/targets.h"

#include <string.h>

clconst_status
targets_enqueue_region(world *w, const operation *o, clconst_error *error)
{
    return clconst_enqueue_region(w->engine,
                                  w->plans[o->output],
                                  w->queue,
                                  w->buffer,
                                  w->box.offset,
                                  w->box.strides,
                                  1,
                                  &w->past,
                                  &w->event,
                                  error);
}

void targets_make_shape(world *w, const operation *o)
{
    const clconst_view value = {CLCONST_UINT4, {NULL, 0}, harness_element, 1};
    /* The last byte has one element. */
    int64_t count = 2 * (int64_t)w->sizes[o->output] - 1;
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &w->op, error));
    cl_int code;
    w->shape = clCreateBuffer(w->context,
                              CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                              sizeof(count),
                              &count,
                              &code);
    ck_assert_cl(code);
    w->result = clCreateBuffer(w->context,
                               CL_MEM_READ_WRITE,
                               sizeof(clconst_dynamic_result),
                               NULL,
                               &code);
    ck_assert_cl(code);
}

clconst_status
targets_enqueue_dynamic(world *w, const operation *o, clconst_error *error)
{
    return clconst_enqueue_dynamic(w->engine,
                                   w->op,
                                   w->queue,
                                   w->shape,
                                   0,
                                   1,
                                   w->buffer,
                                   WORLD_OFFSET,
                                   w->sizes[o->output],
                                   w->result,
                                   0,
                                   1,
                                   &w->past,
                                   &w->event,
                                   error);
}

void targets_check_result(world *w, const operation *o)
{
    clconst_dynamic_result result;
    ck_assert_cl(clEnqueueReadBuffer(w->queue,
                                     w->result,
                                     CL_TRUE,
                                     0,
                                     sizeof(result),
                                     &result,
                                     0,
                                     NULL,
                                     NULL));
    ck_assert_int_eq(result.status, CLCONST_OK);
    ck_assert_int_eq(result.bad_dim, -1);
    ck_assert_uint_eq(result.element_count, 2 * w->sizes[o->output] - 1);
    ck_assert_cl(clReleaseMemObject(w->shape));
    ck_assert_cl(clReleaseMemObject(w->result));
    clconst_op_destroy(w->op);
}

/* Only a device of a later version may be asked for shared memory. */
static bool has_memory(cl_device_id device)
{
    char version[256];
    cl_device_svm_capabilities capabilities = 0;
    ck_assert_cl(clGetDeviceInfo(
        device, CL_DEVICE_VERSION, sizeof(version), version, NULL));
    if (strncmp(version, "OpenCL 1.", 9) != 0) {
        ck_assert_cl(clGetDeviceInfo(device,
                                     CL_DEVICE_SVM_CAPABILITIES,
                                     sizeof(capabilities),
                                     &capabilities,
                                     NULL));
    }
    return (capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0;
}

/* The memory's bytes, for the host, until unmap. */
static void map(world *w, cl_map_flags flags)
{
    ck_assert_cl(clEnqueueSVMMap(
        w->queue, CL_TRUE, flags, w->shared, WORLD_BUFFER_SIZE, 0, NULL, NULL));
}

static void unmap(world *w)
{
    ck_assert_cl(clEnqueueSVMUnmap(w->queue, w->shared, 0, NULL, NULL));
    ck_assert_cl(clFinish(w->queue));
}

void targets_make_memory(world *w, const operation *o)
{
    (void)o;
    w->shared = NULL;
    if (has_memory(w->device)) {
        w->shared =
            clSVMAlloc(w->context, CL_MEM_READ_WRITE, WORLD_BUFFER_SIZE, 0);
        ck_assert_ptr_nonnull(w->shared);
        map(w, CL_MAP_WRITE);
        memset(w->shared, FIXTURE_GUARD, WORLD_BUFFER_SIZE);
        unmap(w);
    }
}

clconst_status
targets_enqueue_pointer(world *w, const operation *o, clconst_error *error)
{
    clconst_status status =
        clconst_enqueue_svm(w->engine,
                            w->plans[o->output],
                            w->queue,
                            w->shared == NULL ? NULL : w->shared + WORLD_OFFSET,
                            WORLD_BUFFER_SIZE - WORLD_OFFSET,
                            1,
                            &w->past,
                            &w->event,
                            error);
    return w->shared == NULL && status == CLCONST_UNSUPPORTED ? CLCONST_OK
                                                              : status;
}

void targets_guard_memory(world *w, const operation *o, const char *row)
{
    if (w->shared != NULL) {
        map(w, CL_MAP_READ);
        world_assert_around(w, o->output, w->shared, row);
        unmap(w);
    }
}

void targets_check_memory(world *w, const operation *o)
{
    if (w->shared == NULL) {
        ck_assert_ptr_null(w->event);
        return;
    }
    ck_assert_cl(clWaitForEvents(1, &w->event));
    ck_assert_cl(clReleaseEvent(w->event));
    w->event = NULL;
    targets_guard_memory(w, o, o->name);
    map(w, CL_MAP_READ);
    harness_assert_bytes(w->shared + WORLD_OFFSET,
                         w->expected[o->output],
                         w->sizes[o->output],
                         o->name);
    unmap(w);
    clSVMFree(w->context, w->shared);
    w->shared = NULL;
}
