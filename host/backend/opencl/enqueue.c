/*
 * The functions that write plans and arenas into a caller's buffer through a
 * caller's queue. All checks come before the first command.
 */
#include "backend/opencl/caller.h"
#include "backend/opencl/commands.h"
#include "core/arena.h"

/* The common part: size bytes of the buffer from offset on take the arena. */
static clconst_status enqueue(clconst_engine *engine,
                              const clconst__arena *arena,
                              const clconst__placed *placed,
                              clconst__submission *submission,
                              size_t offset,
                              size_t size,
                              clconst_error *error)
{
    clconst__buffer_facts facts;
    clconst_status status = clconst__caller_open(submission, engine, error);
    if (status == CLCONST_OK) {
        status = clconst__caller_check_output(
            submission, offset, size, &facts, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__commands_check(
            submission, facts.flags, arena, placed, offset, error);
    }
    return status == CLCONST_OK ? clconst__commands_enqueue(
                                      submission, arena, placed, offset, error)
                                : status;
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
    clconst_status status = clconst__caller_check_plan(engine, plan, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__placed placed = {plan, 0};
    clconst__submission submission =
        clconst__submission_begin(queue, buffer, num_wait, wait_list, event);
    return enqueue(engine,
                   clconst__arena_of_one(plan),
                   &placed,
                   &submission,
                   offset,
                   plan->size,
                   error);
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
    clconst__submission submission =
        clconst__submission_begin(queue, buffer, num_wait, wait_list, event);
    return enqueue(engine,
                   &batch->arenas[arena],
                   batch->placed,
                   &submission,
                   offset,
                   batch->arenas[arena].size,
                   error);
}
