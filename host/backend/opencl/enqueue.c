/*
 * The functions that fill a caller's buffer through a caller's queue. All
 * checks come before the first command. Drivers make few of them: some crash,
 * hang or write elsewhere instead.
 */
#include <string.h>

#include "backend/opencl/commands.h"
#include "backend/opencl/status.h"
#include "base/checked.h"
#include "core/arena.h"

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

/* What is asked of a buffer. */
typedef struct buffer_facts {
    cl_mem_object_type type;
    cl_context context;
    size_t size;
    cl_mem_flags flags;
    cl_mem parent;
} buffer_facts;

static clconst_status
get_buffer_facts(cl_mem buffer, buffer_facts *facts, clconst_error *error)
{
    const struct {
        cl_mem_info key;
        size_t size;
        void *value;
    } rows[] = {
        {CL_MEM_TYPE, sizeof(facts->type), &facts->type},
        {CL_MEM_CONTEXT, sizeof(facts->context), &facts->context},
        {CL_MEM_SIZE, sizeof(facts->size), &facts->size},
        {CL_MEM_FLAGS, sizeof(facts->flags), &facts->flags},
        {CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(facts->parent), &facts->parent},
    };
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (status == CLCONST_OK) {
            status = CLCONST__CL(
                clGetMemObjectInfo(
                    buffer, rows[i].key, rows[i].size, rows[i].value, NULL),
                error);
        }
    }
    return status;
}

static clconst_status check_buffer(const clconst__opencl *cl,
                                   cl_mem buffer,
                                   size_t offset,
                                   size_t size,
                                   buffer_facts *facts,
                                   clconst_error *error)
{
    memset(facts, 0, sizeof(*facts));
    if (buffer == NULL) {
        return size == 0 ? CLCONST_OK
                         : clconst__fail(error,
                                         CLCONST_INVALID_ARGUMENT,
                                         "buffer is NULL; %zu bytes need one",
                                         size);
    }
    clconst_status status = get_buffer_facts(buffer, facts, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (facts->context != cl->context) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "buffer is of another context; it must be of the "
                             "engine's");
    }
    if (facts->type != CL_MEM_OBJECT_BUFFER) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "buffer has memory object type 0x%x; it must be a "
                             "buffer",
                             facts->type);
    }
    if (!clconst__range_fits(offset, size, facts->size)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "range is %zu bytes at offset %zu; it must lie in "
                             "the buffer's %zu bytes",
                             size,
                             offset,
                             facts->size);
    }
    return CLCONST_OK;
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

/* The common part: the buffer's bytes from offset on take the arena. */
static clconst_status enqueue(clconst_engine *engine,
                              const clconst__arena *arena,
                              const clconst__placed *placed,
                              clconst__submission *submission,
                              size_t offset,
                              cl_event *event,
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
    if (status != CLCONST_OK) {
        return status;
    }
    buffer_facts facts;
    status = check_buffer(
        cl, submission->buffer, offset, arena->size, &facts, error);
    if (status != CLCONST_OK) {
        return status;
    }
    submission->is_read_only = (facts.flags & CL_MEM_READ_ONLY) != 0;
    submission->is_sub_buffer = facts.parent != NULL;
    status =
        check_wait_list(cl, submission->num_wait, submission->wait_list, error);
    if (status == CLCONST_OK) {
        status = clconst__commands_check(
            submission, facts.flags, arena, placed, offset, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__commands_enqueue(
        submission, arena, placed, offset, event, error);
}

clconst_status clconst_enqueue(clconst_engine *engine,
                               const clconst_plan *plan,
                               cl_command_queue queue,
                               cl_mem buffer,
                               size_t offset,
                               cl_uint num_wait,
                               const cl_event *wait_list,
                               cl_event *event,
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
    clconst__placed placed = {plan, 0};
    clconst__arena arena = clconst__arena_of_one(plan);
    clconst__submission submission = {
        .queue = queue,
        .buffer = buffer,
        .num_wait = num_wait,
        .wait_list = wait_list,
    };
    return enqueue(engine, &arena, &placed, &submission, offset, event, error);
}

clconst_status clconst_batch_enqueue(clconst_engine *engine,
                                     const clconst_batch *batch,
                                     size_t arena,
                                     cl_command_queue queue,
                                     cl_mem buffer,
                                     size_t offset,
                                     cl_uint num_wait,
                                     const cl_event *wait_list,
                                     cl_event *event,
                                     clconst_error *error)
{
    if (engine == NULL || batch == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "engine or batch is NULL; both are required");
    }
    if (arena >= batch->arena_count) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "arena is %zu; the batch has %zu arenas",
                             arena,
                             batch->arena_count);
    }
    clconst__submission submission = {
        .queue = queue,
        .buffer = buffer,
        .num_wait = num_wait,
        .wait_list = wait_list,
    };
    return enqueue(engine,
                   &batch->arenas[arena],
                   batch->placed,
                   &submission,
                   offset,
                   event,
                   error);
}
