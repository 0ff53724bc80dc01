/*
 * The function that writes plans to memory that a pointer names.
 */
#include <stdint.h>

#include "backend/opencl/caller.h"
#include "backend/opencl/commands.h"
#include "core/arena.h"

/* Finds the calls for the pointer, and checks it as a range. */
static clconst_status set_target(clconst__submission *submission,
                                 clconst__pointer_calls *calls,
                                 void *pointer,
                                 size_t size,
                                 size_t output_size,
                                 clconst_error *error)
{
    const clconst__opencl *cl = submission->cl;
    submission->target.pointer = pointer;
    submission->target.calls = calls;
    if (!clconst__pointers_find(&cl->device, cl->context, pointer, calls)) {
        return clconst__fail(
            error,
            CLCONST_UNSUPPORTED,
            "device is %.200s; it takes no such pointer, which "
            "needs shared virtual memory or "
            "cl_intel_unified_shared_memory",
            cl->device.name);
    }
    if (pointer == NULL && output_size > 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "pointer is NULL; %zu bytes need one",
                             output_size);
    }
    if (output_size > size || size > UINTPTR_MAX - (uintptr_t)pointer) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "output has %zu bytes; it must lie in the "
                             "pointer's %zu bytes",
                             output_size,
                             size);
    }
    return CLCONST_OK;
}

clconst_status clconst_enqueue_svm(clconst_engine *engine,
                                   const clconst_plan *plan,
                                   cl_command_queue queue,
                                   void *pointer,
                                   size_t size,
                                   cl_uint num_wait,
                                   const cl_event *wait_list,
                                   cl_event *event,
                                   clconst_error *error)
{
    clconst__submission submission =
        clconst__submission_begin(queue, NULL, num_wait, wait_list, event);
    clconst__pointer_calls calls;
    clconst_status status = clconst__caller_check_plan(engine, plan, error);
    if (status == CLCONST_OK) {
        status = clconst__caller_open(&submission, engine, error);
    }
    if (status == CLCONST_OK) {
        status =
            set_target(&submission, &calls, pointer, size, plan->size, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__placed placed = {plan, 0};
    return clconst__commands_enqueue(
        &submission, clconst__arena_of_one(plan), &placed, 0, error);
}
