#include "backend/opencl/submission.h"

#include "backend/opencl/status.h"

/* What the next command waits for, and where its event goes. */
typedef struct command_events {
    cl_uint num_wait;
    const cl_event *wait_list;
    cl_event *event;
    cl_event made;
} command_events;

/* Otherwise nobody asks for an order. */
static void open_command(const clconst__submission *submission,
                         command_events *events)
{
    bool is_chained = submission->event != NULL || submission->is_ordered ||
                      submission->num_wait > 0;
    events->event = is_chained ? &events->made : NULL;
    if (submission->last != NULL) {
        events->num_wait = 1;
        events->wait_list = &submission->last;
    } else {
        events->num_wait = submission->num_wait;
        events->wait_list = submission->wait_list;
    }
}

static void clear(clconst__submission *submission)
{
    if (submission->last != NULL) {
        clReleaseEvent(submission->last);
        submission->last = NULL;
    }
}

/* code is what the call, of this name, returned. */
static clconst_status close_command(clconst__submission *submission,
                                    const command_events *events,
                                    cl_int code,
                                    const char *call,
                                    clconst_error *error)
{
    clconst_status status = clconst__cl_check(code, call, error);
    if (status == CLCONST_OK) {
        clear(submission);
        submission->last = events->event != NULL ? events->made : NULL;
        submission->command_count++;
        atomic_fetch_add(&submission->cl->command_count, 1);
    }
    return status;
}

clconst_status
clconst__submission_set_argument(const clconst__submission *submission,
                                 cl_kernel kernel,
                                 clconst_error *error)
{
    const clconst__target *target = &submission->target;
    if (target->calls == NULL) {
        return CLCONST__CL(
            clSetKernelArg(kernel, 0, sizeof(target->buffer), &target->buffer),
            error);
    }
    return clconst__cl_check(
        target->calls->set_argument(kernel, 0, target->pointer),
        target->calls->argument_name,
        error);
}

clconst_status clconst__submission_fill(clconst__submission *submission,
                                        const void *pattern,
                                        size_t pattern_size,
                                        size_t offset,
                                        size_t size,
                                        clconst_error *error)
{
    const clconst__target *target = &submission->target;
    command_events events;
    open_command(submission, &events);
    cl_int code = target->calls == NULL
                      ? clEnqueueFillBuffer(submission->queue,
                                            target->buffer,
                                            pattern,
                                            pattern_size,
                                            offset,
                                            size,
                                            events.num_wait,
                                            events.wait_list,
                                            events.event)
                      : target->calls->enqueue_fill(submission->queue,
                                                    target->pointer + offset,
                                                    pattern,
                                                    pattern_size,
                                                    size,
                                                    events.num_wait,
                                                    events.wait_list,
                                                    events.event);
    return close_command(submission,
                         &events,
                         code,
                         target->calls == NULL ? "clEnqueueFillBuffer"
                                               : target->calls->fill_name,
                         error);
}

clconst_status clconst__submission_write(clconst__submission *submission,
                                         const void *src,
                                         size_t offset,
                                         size_t size,
                                         clconst_error *error)
{
    const clconst__target *target = &submission->target;
    command_events events;
    open_command(submission, &events);
    cl_int code = target->calls == NULL
                      ? clEnqueueWriteBuffer(submission->queue,
                                             target->buffer,
                                             CL_FALSE,
                                             offset,
                                             size,
                                             src,
                                             events.num_wait,
                                             events.wait_list,
                                             events.event)
                      : target->calls->enqueue_copy(submission->queue,
                                                    CL_FALSE,
                                                    target->pointer + offset,
                                                    src,
                                                    size,
                                                    events.num_wait,
                                                    events.wait_list,
                                                    events.event);
    return close_command(submission,
                         &events,
                         code,
                         target->calls == NULL ? "clEnqueueWriteBuffer"
                                               : target->calls->copy_name,
                         error);
}

clconst_status clconst__submission_launch(clconst__submission *submission,
                                          cl_kernel kernel,
                                          size_t global_size,
                                          size_t group_size,
                                          clconst_error *error)
{
    command_events events;
    open_command(submission, &events);
    cl_int code = clEnqueueNDRangeKernel(submission->queue,
                                         kernel,
                                         1,
                                         NULL,
                                         &global_size,
                                         &group_size,
                                         events.num_wait,
                                         events.wait_list,
                                         events.event);
    return close_command(
        submission, &events, code, "clEnqueueNDRangeKernel", error);
}

clconst_status clconst__submission_native(clconst__submission *submission,
                                          void(CL_CALLBACK *function)(void *),
                                          void *arguments,
                                          size_t size,
                                          const void *memory,
                                          clconst_error *error)
{
    command_events events;
    open_command(submission, &events);
    cl_int code = clEnqueueNativeKernel(submission->queue,
                                        function,
                                        arguments,
                                        size,
                                        1,
                                        &submission->target.buffer,
                                        (const void **)&memory,
                                        events.num_wait,
                                        events.wait_list,
                                        events.event);
    return close_command(
        submission, &events, code, "clEnqueueNativeKernel", error);
}

/* A marker stands for the commands that an empty output lacks. */
static clconst_status mark(clconst__submission *submission,
                           clconst_error *error)
{
    command_events events;
    open_command(submission, &events);
    cl_int code = clEnqueueMarkerWithWaitList(
        submission->queue, events.num_wait, events.wait_list, events.event);
    return close_command(
        submission, &events, code, "clEnqueueMarkerWithWaitList", error);
}

clconst_status clconst__submission_finish(clconst__submission *submission,
                                          clconst_status status,
                                          size_t size,
                                          clconst_error *error)
{
    if (status == CLCONST_OK && submission->command_count == 0 &&
        (submission->event != NULL || submission->num_wait > 0)) {
        status = mark(submission, error);
    }
    if (status == CLCONST_OK && submission->event != NULL) {
        *submission->event = submission->last;
        submission->last = NULL;
    }
    clear(submission);
    if (status == CLCONST_OK) {
        atomic_fetch_add(&submission->cl->byte_size, size);
    }
    return status;
}
