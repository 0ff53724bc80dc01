/*
 * A submission: the commands of one call, on one queue into one target. It
 * does not know what the commands write.
 *
 * The first command waits for the call's wait list and each other one for the
 * command before it, so that the last one's event covers them all, in success
 * and in failure, on in-order and on out-of-order queues. A marker would not do
 * better: over all of an out-of-order queue it waits for strangers too, and
 * with a list it needs the events of all commands. Commands that need no order
 * and that nobody waits for are not chained.
 */
#ifndef CLCONST_BACKEND_OPENCL_SUBMISSION_H
#define CLCONST_BACKEND_OPENCL_SUBMISSION_H

#include "backend/opencl/engine.h"
#include "backend/opencl/pointers.h"

/* What commands write: a buffer, or memory that a pointer names. */
typedef struct clconst__target {
    cl_mem buffer;
    uint8_t *pointer;
    const clconst__pointer_calls *calls; /* NULL for a buffer */
} clconst__target;

typedef struct clconst__submission {
    clconst__opencl *cl;
    cl_command_queue queue;
    clconst__target target;
    cl_uint num_wait;
    const cl_event *wait_list;
    cl_event *event; /* receives the event of all commands, unless NULL */
    bool is_fresh;   /* nothing has written to the buffer, which is zero */
    bool is_ordered; /* later commands need the bytes of earlier ones */
    bool is_sub_buffer;
    bool is_read_only; /* kernels may not write the buffer */

    cl_event last; /* of the last command; NULL when nobody waits for it */
    size_t command_count;
} clconst__submission;

/*
 * A submission without commands; its engine is to be set. Inline and with each
 * member named, since a small enqueue makes one: the instruction by which gcc
 * clears the rest of a structure takes as long as a question to the driver.
 */
static inline clconst__submission
clconst__submission_begin(cl_command_queue queue,
                          cl_mem buffer,
                          cl_uint num_wait,
                          const cl_event *wait_list,
                          cl_event *event)
{
    return (clconst__submission){
        .cl = NULL,
        .queue = queue,
        .target = {buffer, NULL, NULL},
        .num_wait = num_wait,
        .wait_list = wait_list,
        .event = event,
        .is_fresh = false,
        .is_ordered = false,
        .is_sub_buffer = false,
        .is_read_only = false,
        .last = NULL,
        .command_count = 0,
    };
}

/* What the alignment of patterns is about: the address of a pointer's byte, and
 * the offset of a buffer's. */
static inline size_t
clconst__submission_position(const clconst__submission *submission,
                             size_t offset)
{
    return (size_t)(uintptr_t)submission->target.pointer + offset;
}

/* The target as the first argument of a kernel. */
clconst_status
clconst__submission_set_argument(const clconst__submission *submission,
                                 cl_kernel kernel,
                                 clconst_error *error);

/* clEnqueueFillBuffer with pattern_size bytes of pattern, or the pointer's. */
clconst_status clconst__submission_fill(clconst__submission *submission,
                                        const void *pattern,
                                        size_t pattern_size,
                                        size_t offset,
                                        size_t size,
                                        clconst_error *error);

/* clEnqueueWriteBuffer, or the pointer's copy; src is read when the command
 * runs. */
clconst_status clconst__submission_write(clconst__submission *submission,
                                         const void *src,
                                         size_t offset,
                                         size_t size,
                                         clconst_error *error);

/* clEnqueueNDRangeKernel in one dimension. */
clconst_status clconst__submission_launch(clconst__submission *submission,
                                          cl_kernel kernel,
                                          size_t global_size,
                                          size_t group_size,
                                          clconst_error *error);

/*
 * clEnqueueNativeKernel of the function with a copy of size bytes of arguments,
 * in which the buffer's address takes the place of the cl_mem at memory. The
 * target is a buffer.
 */
clconst_status clconst__submission_native(clconst__submission *submission,
                                          void(CL_CALLBACK *function)(void *),
                                          void *arguments,
                                          size_t size,
                                          const void *memory,
                                          clconst_error *error);

/*
 * Ends the submission and releases what it holds. status is how its commands,
 * which write size bytes, came out; only after success there is an event, and
 * the wait list is honoured without commands too. Returns status, or how the
 * end failed.
 */
clconst_status clconst__submission_finish(clconst__submission *submission,
                                          clconst_status status,
                                          size_t size,
                                          clconst_error *error);

#endif
