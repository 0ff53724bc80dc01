/* Plans written to the caller's host memory. */
#include "backend/cpu/engine.h"
#include "backend/cpu/write.h"
#include "core/batch.h"

/* The engine's workers, the caller alone without an engine, or NULL for an
 * engine of another kind. */
static const clconst__workers *find_workers(const clconst_engine *engine)
{
    static const clconst__workers caller = {.thread_count = 1};
    return engine == NULL ? &caller : clconst__cpu_workers(engine);
}

static clconst_status check_arguments(const clconst__workers *workers,
                                      const void *dst,
                                      size_t size,
                                      size_t output_size,
                                      clconst_error *error)
{
    if (workers == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "engine is a device's; host memory takes a CPU "
                             "engine or NULL");
    }
    if (size != output_size) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "size is %zu; the output has %zu bytes",
                             size,
                             output_size);
    }
    if (dst == NULL && size > 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "dst is NULL; the output has %zu bytes",
                             size);
    }
    return CLCONST_OK;
}

clconst_status clconst_write(const clconst_engine *engine,
                             const clconst_plan *plan,
                             void *dst,
                             size_t size,
                             clconst_error *error)
{
    if (plan == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_ARGUMENT, "plan is NULL; it is required");
    }
    if (plan->kind == CLCONST_PLAN_STRINGS) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "dtype is string; strings are read from their "
                             "operator's value");
    }
    const clconst__workers *workers = find_workers(engine);
    clconst_status status =
        check_arguments(workers, dst, size, plan->size, error);
    if (status == CLCONST_OK) {
        clconst__cpu_write(plan, dst, false, workers);
    }
    return status;
}

clconst_status clconst_batch_write(const clconst_engine *engine,
                                   const clconst_batch *batch,
                                   size_t arena,
                                   void *dst,
                                   size_t size,
                                   clconst_error *error)
{
    if (batch == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_ARGUMENT, "batch is NULL; it is required");
    }
    if (arena >= batch->arena_count) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "arena is %zu; the batch has %zu",
                             arena,
                             batch->arena_count);
    }
    const clconst__arena *source = &batch->arenas[arena];
    const clconst__workers *workers = find_workers(engine);
    clconst_status status =
        check_arguments(workers, dst, size, source->size, error);
    if (status == CLCONST_OK) {
        clconst__cpu_write_all(batch->placed + source->all.first,
                               source->all.count,
                               dst,
                               false,
                               workers);
    }
    return status;
}
