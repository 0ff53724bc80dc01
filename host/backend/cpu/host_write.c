/* Plans written to the caller's host memory. */
#include "backend/cpu/box.h"
#include "backend/cpu/engine.h"
#include "backend/cpu/write.h"
#include "base/checked.h"
#include "core/batch.h"

/* The engine's workers, or the caller alone without an engine. */
static clconst_status find_workers(const clconst_engine *engine,
                                   const clconst__workers **workers,
                                   clconst_error *error)
{
    static const clconst__workers caller = {.thread_count = 1};
    *workers = engine == NULL ? &caller : clconst__cpu_workers(engine);
    if (*workers == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "engine is a device's; host memory takes a CPU "
                             "engine or NULL");
    }
    return CLCONST_OK;
}

static clconst_status check_memory(const void *dst,
                                   size_t size,
                                   size_t output_size,
                                   clconst_error *error)
{
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
    const clconst__workers *workers;
    clconst_status status = find_workers(engine, &workers, error);
    if (status == CLCONST_OK) {
        status = check_memory(dst, size, plan->size, error);
    }
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
    const clconst__workers *workers;
    clconst_status status = find_workers(engine, &workers, error);
    if (status == CLCONST_OK) {
        status = check_memory(dst, size, source->size, error);
    }
    if (status == CLCONST_OK) {
        clconst__cpu_write_all(batch->placed + source->all.first,
                               source->all.count,
                               dst,
                               false,
                               workers);
    }
    return status;
}

clconst_status clconst_write_region(const clconst_engine *engine,
                                    const clconst_plan *plan,
                                    void *dst,
                                    size_t size,
                                    size_t offset,
                                    const size_t *strides,
                                    clconst_error *error)
{
    if (plan == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_ARGUMENT, "plan is NULL; it is required");
    }
    const clconst__workers *workers;
    clconst__box box;
    clconst_status status = find_workers(engine, &workers, error);
    if (status == CLCONST_OK) {
        status = clconst__box_create(plan, strides, &box, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (dst == NULL && box.extent > 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "dst is NULL; the region has %zu bytes",
                             box.extent);
    }
    if (!clconst__range_fits(offset, box.extent, size)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "range is %zu bytes at offset %zu; it must lie in "
                             "dst's %zu bytes",
                             box.extent,
                             offset,
                             size);
    }
    if (box.row_count > 1) {
        clconst__cpu_write_box(
            &box, &plan->pattern, (uint8_t *)dst + offset, workers);
    } else if (box.row_count == 1) {
        clconst__cpu_write(plan, (uint8_t *)dst + offset, false, workers);
    }
    return CLCONST_OK;
}
