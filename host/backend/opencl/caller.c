#include "backend/opencl/caller.h"

#include <stddef.h>
#include <string.h>

#include "backend/opencl/status.h"
#include "base/checked.h"

static clconst_status check_queue(const clconst__opencl *cl,
                                  cl_command_queue queue,
                                  clconst_error *error)
{
    cl_context context;
    cl_device_id device;
    if (queue == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_ARGUMENT, "queue is NULL; it is required");
    }
    clconst_status status = CLCONST__CL(
        clGetCommandQueueInfo(
            queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL),
        error);
    if (status == CLCONST_OK) {
        status = CLCONST__CL(
            clGetCommandQueueInfo(
                queue, CL_QUEUE_DEVICE, sizeof(device), &device, NULL),
            error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (context != cl->context || device != cl->device.id) {
        return clconst__fail(
            error,
            CLCONST_INVALID_ARGUMENT,
            "queue is of another %s; it must be of the engine's",
            context != cl->context ? "context" : "device");
    }
    return CLCONST_OK;
}

static clconst_status get_buffer_facts(cl_mem buffer,
                                       clconst__buffer_facts *facts,
                                       clconst_error *error)
{
#define FACT(key, member)                                                      \
    {                                                                          \
        key, sizeof(facts->member), offsetof(clconst__buffer_facts, member)    \
    }
    static const struct {
        cl_mem_info key;
        size_t size;
        size_t place; /* in the facts */
    } rows[] = {
        FACT(CL_MEM_TYPE, type),
        FACT(CL_MEM_CONTEXT, context),
        FACT(CL_MEM_SIZE, size),
        FACT(CL_MEM_FLAGS, flags),
        FACT(CL_MEM_ASSOCIATED_MEMOBJECT, parent),
    };
#undef FACT
    clconst_status status = CLCONST_OK;
    for (size_t i = 0;
         i < sizeof(rows) / sizeof(rows[0]) && status == CLCONST_OK;
         i++) {
        void *value = (char *)facts + rows[i].place;
        status = CLCONST__CL(
            clGetMemObjectInfo(buffer, rows[i].key, rows[i].size, value, NULL),
            error);
    }
    if (status == CLCONST_OK && facts->parent != NULL) {
        status = CLCONST__CL(clGetMemObjectInfo(buffer,
                                                CL_MEM_OFFSET,
                                                sizeof(facts->origin),
                                                &facts->origin,
                                                NULL),
                             error);
    }
    return status;
}

static clconst_status check_event(const clconst__opencl *cl,
                                  cl_event event,
                                  cl_uint index,
                                  clconst_error *error)
{
    cl_context context;
    cl_int state;
    if (event == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "wait event %u is NULL; each is required",
                             index);
    }
    clconst_status status = CLCONST__CL(
        clGetEventInfo(
            event, CL_EVENT_CONTEXT, sizeof(context), &context, NULL),
        error);
    if (status == CLCONST_OK) {
        status = CLCONST__CL(clGetEventInfo(event,
                                            CL_EVENT_COMMAND_EXECUTION_STATUS,
                                            sizeof(state),
                                            &state,
                                            NULL),
                             error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (context != cl->context) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "wait event %u is of another context; it must be "
                             "of the engine's",
                             index);
    }
    /* PoCL accepts it and then never runs the command. */
    if (state < 0) {
        return clconst__fail_native(
            error,
            CLCONST_DEVICE_ERROR,
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            "wait event %u has failed with %s (%d); commands cannot wait for "
            "it",
            index,
            clconst__cl_name(state),
            state);
    }
    return CLCONST_OK;
}

static clconst_status check_wait_list(const clconst__opencl *cl,
                                      cl_uint num_wait,
                                      const cl_event *wait_list,
                                      clconst_error *error)
{
    if ((num_wait == 0) != (wait_list == NULL)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "num_wait is %u and wait_list is %s; both name "
                             "events, or neither",
                             num_wait,
                             wait_list == NULL ? "NULL" : "not NULL");
    }
    clconst_status status = CLCONST_OK;
    for (cl_uint i = 0; i < num_wait && status == CLCONST_OK; i++) {
        status = check_event(cl, wait_list[i], i, error);
    }
    return status;
}

clconst_status clconst__caller_check_plan(const clconst_engine *engine,
                                          const clconst_plan *plan,
                                          clconst_error *error)
{
    if (engine == NULL || plan == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "engine or plan is NULL; both are required");
    }
    if (plan->kind == CLCONST_PLAN_STRINGS) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "dtype is string; strings stay on the host and "
                             "have no device memory");
    }
    return CLCONST_OK;
}

clconst_status clconst__caller_open(clconst__submission *submission,
                                    clconst_engine *engine,
                                    clconst_error *error)
{
    clconst__opencl *cl = clconst__opencl_from(engine);
    if (cl == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "engine is the CPU engine; queues need an OpenCL "
                             "engine");
    }
    submission->cl = cl;
    clconst_status status = check_queue(cl, submission->queue, error);
    if (status == CLCONST_OK) {
        status = check_wait_list(
            cl, submission->num_wait, submission->wait_list, error);
    }
    return status;
}

clconst_status clconst__caller_check_buffer(const clconst__opencl *cl,
                                            const char *name,
                                            cl_mem buffer,
                                            size_t offset,
                                            size_t size,
                                            clconst__buffer_facts *facts,
                                            clconst_error *error)
{
    memset(facts, 0, sizeof(*facts));
    if (buffer == NULL) {
        return size == 0 ? CLCONST_OK
                         : clconst__fail(error,
                                         CLCONST_INVALID_ARGUMENT,
                                         "%s is NULL; %zu bytes need one",
                                         name,
                                         size);
    }
    clconst_status status = get_buffer_facts(buffer, facts, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (facts->context != cl->context) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s is of another context; it must be of the "
                             "engine's",
                             name);
    }
    if (facts->type != CL_MEM_OBJECT_BUFFER) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s has memory object type 0x%x; it must be a "
                             "buffer",
                             name,
                             facts->type);
    }
    if (!clconst__range_fits(offset, size, facts->size)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "range is %zu bytes at offset %zu; it must lie in "
                             "the %s's %zu bytes",
                             size,
                             offset,
                             name,
                             facts->size);
    }
    return CLCONST_OK;
}

clconst_status clconst__caller_check_output(clconst__submission *submission,
                                            size_t offset,
                                            size_t size,
                                            clconst__buffer_facts *facts,
                                            clconst_error *error)
{
    clconst_status status =
        clconst__caller_check_buffer(submission->cl,
                                     "buffer",
                                     submission->target.buffer,
                                     offset,
                                     size,
                                     facts,
                                     error);
    if (status == CLCONST_OK) {
        submission->is_read_only = (facts->flags & CL_MEM_READ_ONLY) != 0;
        submission->is_sub_buffer = facts->parent != NULL;
    }
    return status;
}
