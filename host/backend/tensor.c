#include "backend/tensor.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "core/arena.h"

clconst_status clconst__tensor_allocate(clconst_engine *engine,
                                        size_t size,
                                        size_t copied_size,
                                        clconst_tensor **tensor,
                                        clconst_error *error)
{
    clconst_tensor *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__refs_retain(&engine->refs);
    created->engine = engine;
    created->arena_dim = (int64_t)size;
    status = engine->backend->allocate(
        engine, size, copied_size, &created->memory, error);
    if (status != CLCONST_OK) {
        clconst_tensor_destroy(created);
        return status;
    }
    *tensor = created;
    return CLCONST_OK;
}

/* Writes the plan to the tensor that is made for it. */
static clconst_status write_plan(clconst_tensor *tensor,
                                 const clconst_plan *plan,
                                 clconst_error *error)
{
    const clconst__backend *backend = tensor->engine->backend;
    clconst__placed placed = {plan, 0};
    const clconst__arena *arena = clconst__arena_of_one(plan);
    void *work;
    clconst_status status = backend->start(
        tensor->engine, arena, &placed, tensor->memory, &work, error);
    return status == CLCONST_OK && work != NULL
               ? backend->finish(tensor->engine, work, error)
               : status;
}

clconst_status clconst_run(clconst_engine *engine,
                           const clconst_plan *plan,
                           clconst_tensor **tensor,
                           clconst_error *error)
{
    if (engine == NULL || plan == NULL || tensor == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "engine, plan or tensor is NULL; all are "
                             "required");
    }
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    engine->backend->get_info(engine, &info);
    if (plan->kind == CLCONST_PLAN_STRINGS && info.kind != CLCONST_ENGINE_CPU) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "dtype is string; strings stay on the host and "
                             "have no device memory");
    }
    clconst_tensor *created;
    clconst_status status =
        clconst__tensor_allocate(engine, plan->size, 0, &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = write_plan(created, plan, error);
    if (status != CLCONST_OK) {
        clconst_tensor_destroy(created);
        return status;
    }
    created->plan = clconst__plan_retain(plan);
    *tensor = created;
    return CLCONST_OK;
}

void clconst_tensor_get_view(const clconst_tensor *tensor, clconst_view *view)
{
    view->data = tensor->memory->host;
    view->size = tensor->memory->size;
    if (tensor->plan != NULL) {
        view->dtype = tensor->plan->dtype;
        view->shape.dims = tensor->plan->dims;
        view->shape.rank = tensor->plan->rank;
    } else {
        view->dtype = CLCONST_UINT8;
        view->shape.dims = &tensor->arena_dim;
        view->shape.rank = 1;
    }
}

clconst_status clconst_tensor_read(const clconst_tensor *tensor,
                                   size_t offset,
                                   void *dst,
                                   size_t size,
                                   clconst_error *error)
{
    if (tensor == NULL || (dst == NULL && size > 0)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "tensor or dst is NULL; both are required");
    }
    if (tensor->plan != NULL && tensor->plan->kind == CLCONST_PLAN_STRINGS) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "dtype is string; strings are read through the "
                             "tensor's view");
    }
    if (!clconst__range_fits(offset, size, tensor->memory->size)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "range is %zu bytes at offset %zu; it must lie in "
                             "the tensor's %zu bytes",
                             size,
                             offset,
                             tensor->memory->size);
    }
    if (size == 0) {
        return CLCONST_OK;
    }
    return tensor->engine->backend->read(
        tensor->engine, tensor->memory, offset, dst, size, error);
}

void clconst_tensor_destroy(clconst_tensor *tensor)
{
    if (tensor == NULL) {
        return;
    }
    if (tensor->memory != NULL) {
        tensor->engine->backend->release(tensor->engine, tensor->memory);
    }
    clconst_plan_destroy(tensor->plan);
    clconst_engine_destroy(tensor->engine);
    clconst__free(tensor);
}
