#include "backend/opencl/engine.h"

#include <stdio.h>
#include <string.h>

#include "backend/opencl/cache.h"
#include "backend/opencl/commands.h"
#include "backend/opencl/devices.h"
#include "backend/opencl/memory.h"
#include "backend/opencl/native.h"
#include "backend/opencl/status.h"
#include "base/alloc.h"

static void get_info(const clconst_engine *engine, clconst_engine_info *info)
{
    const clconst__opencl *cl = (const clconst__opencl *)engine;
    info->kind = CLCONST_ENGINE_OPENCL;
    info->name = cl->device.name;
    info->global_memory_size = cl->device.global_memory_size;
    info->max_allocation_size = cl->device.max_allocation_size;
    info->alignment = cl->device.alignment;
    info->expand_size = cl->tuning->expand_size;
}

static void get_counters(const clconst_engine *engine,
                         clconst_engine_counters *counters)
{
    clconst__opencl *cl = (clconst__opencl *)engine;
    counters->command_count = atomic_load(&cl->command_count);
    counters->byte_size = atomic_load(&cl->byte_size);
    counters->programs_built = atomic_load(&cl->programs.built_count);
    counters->programs_loaded = atomic_load(&cl->programs.loaded_count);
}

/* Where native kernels serve, only sub-buffers, pointers and shapes on the
 * device need a program. Elsewhere all kernels are built, those too that the
 * device's tuning does not prefer: a range of any alignment may need them. */
static clconst_status prepare(clconst_engine *engine, clconst_error *error)
{
    clconst__opencl *cl = (clconst__opencl *)engine;
    const clconst__submission any = {.cl = cl};
    if (clconst__native_serves(&any)) {
        return CLCONST_OK;
    }
    clconst_status status = CLCONST_OK;
    for (int i = 0; i < CLCONST__KERNEL_COUNT && status == CLCONST_OK; i++) {
        clconst__kernel *kernel;
        status = clconst__programs_lock(
            &cl->programs, (clconst__kernel_name)i, &kernel, error);
        if (status == CLCONST_OK) {
            clconst__programs_unlock(&cl->programs);
        }
    }
    return status;
}

/* Copies have a queue of their own, so that fills and copies overlap where the
 * device can do both. */
static cl_command_queue choose_queue(const clconst__opencl *cl,
                                     const clconst__arena *arena)
{
    return arena->direct.count == arena->all.count ? cl->copy_queue : cl->queue;
}

/* Why commands failed: their event knows more than the call that waited. */
static cl_int failure_code(cl_event event, cl_int code)
{
    cl_int state = CL_COMPLETE;
    if (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
        (void)clGetEventInfo(event,
                             CL_EVENT_COMMAND_EXECUTION_STATUS,
                             sizeof(state),
                             &state,
                             NULL);
    }
    return state < 0 ? state : code;
}

static clconst_status start(clconst_engine *engine,
                            const clconst__arena *arena,
                            const clconst__placed *placed,
                            clconst__memory *memory,
                            void **work,
                            clconst_error *error)
{
    clconst__opencl *cl = (clconst__opencl *)engine;
    *work = NULL;
    if (memory->size == 0) {
        return CLCONST_OK;
    }
    clconst__opencl_memory *target = (clconst__opencl_memory *)memory;
    cl_event event = NULL;
    clconst__submission submission = clconst__submission_begin(
        choose_queue(cl, arena), target->buffer, 0, NULL, &event);
    submission.cl = cl;
    submission.is_fresh = target->is_fresh;
    target->is_fresh = false;
    clconst_status status =
        clconst__commands_enqueue(&submission, arena, placed, 0, error);
    if (status == CLCONST_OK) {
        status = CLCONST__CL(clFlush(submission.queue), error);
    }
    if (status != CLCONST_OK) {
        /* The caller may free the plans that queued commands read. */
        clFinish(submission.queue);
        if (event != NULL) {
            clReleaseEvent(event);
        }
        return status;
    }
    *work = event;
    return CLCONST_OK;
}

static clconst_status
finish(clconst_engine *engine, void *work, clconst_error *error)
{
    const clconst__opencl *cl = (const clconst__opencl *)engine;
    cl_event event = work;
    clconst_status status = CLCONST_OK;
    /* clFinish would not tell of commands that fail. */
    cl_int code = clWaitForEvents(1, &event);
    if (code != CL_SUCCESS) {
        /* Commands may still run, and the caller may free what they use. */
        clFinish(cl->queue);
        clFinish(cl->copy_queue);
        status = clconst__cl_check(failure_code(event, code),
                                   "clWaitForEvents for the commands",
                                   error);
    }
    clReleaseEvent(event);
    return status;
}

static void destroy(clconst_engine *engine)
{
    clconst__opencl *cl = (clconst__opencl *)engine;
    clconst__programs_clear(&cl->programs);
    cl_command_queue queues[] = {cl->queue, cl->copy_queue};
    for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
        if (queues[i] != NULL) {
            clReleaseCommandQueue(queues[i]);
        }
    }
    if (cl->context != NULL) {
        clReleaseDevice(cl->device.id);
        clReleaseContext(cl->context);
    }
    clconst__device_clear(&cl->device);
    clconst__free(cl->cache_dir);
    clconst__free(cl);
}

static const clconst__backend opencl_backend = {
    .get_info = get_info,
    .get_counters = get_counters,
    .prepare = prepare,
    .allocate = clconst__opencl_allocate,
    .start = start,
    .finish = finish,
    .read = clconst__opencl_read,
    .release = clconst__opencl_release,
    .destroy = destroy,
};

clconst__opencl *clconst__opencl_from(clconst_engine *engine)
{
    return engine->backend == &opencl_backend ? (clconst__opencl *)engine
                                              : NULL;
}

/* An own copy of the options' folder, or none where it cannot serve: then
 * programs are built as without a cache, and the caller is told. */
static clconst_status open_cache(const clconst_engine_options *options,
                                 char **cache_dir,
                                 clconst_error *error)
{
    const char *wanted = options->cache_dir;
    char path[CLCONST__CACHE_PATH_SIZE];
    if (wanted == NULL) {
        return CLCONST_OK;
    }
    if (!clconst__cache_open(wanted, path)) {
        if (options->note != NULL) {
            char text[512];
            snprintf(text,
                     sizeof(text),
                     "cache_dir is \"%.400s\"; it must be a folder to read and "
                     "write",
                     wanted);
            options->note(options->note_context, CLCONST_NOTE_CACHE, text);
        }
        return CLCONST_OK;
    }
    size_t size = strlen(path) + 1;
    clconst_status status = clconst__alloc(size, 1, cache_dir, error);
    if (status == CLCONST_OK) {
        memcpy(*cache_dir, path, size);
    }
    return status;
}

/* An engine without OpenCL objects. Takes over the description, on failure
 * too. */
static clconst_status start_engine(cl_context context,
                                   clconst__device *device,
                                   const clconst_engine_options *options,
                                   clconst__opencl **engine,
                                   clconst_error *error)
{
    clconst__opencl *created = NULL;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status == CLCONST_OK) {
        status = open_cache(options, &created->cache_dir, error);
    }
    if (status == CLCONST_OK && !clconst__programs_init(&created->programs,
                                                        context,
                                                        &created->device,
                                                        created->cache_dir)) {
        status = clconst__fail(error,
                               CLCONST_OUT_OF_MEMORY,
                               "no memory for the lock of a program");
    }
    if (status != CLCONST_OK) {
        clconst__device_clear(device);
        if (created != NULL) {
            clconst__free(created->cache_dir);
        }
        clconst__free(created);
        return status;
    }
    clconst__refs_init(&created->base.refs);
    created->base.backend = &opencl_backend;
    created->device = *device;
    created->fill_path = options->fill_path;
    created->workers = clconst__workers_from(options);
    created->tuning = clconst__tuning_find(device->platform, device->type);
    atomic_init(&created->has_driver_fill, true);
    *engine = created;
    return CLCONST_OK;
}

/* Both or none. */
static clconst_status
retain(clconst__opencl *cl, cl_context context, clconst_error *error)
{
    clconst_status status = CLCONST__CL(clRetainDevice(cl->device.id), error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = CLCONST__CL(clRetainContext(context), error);
    if (status != CLCONST_OK) {
        clReleaseDevice(cl->device.id);
        return status;
    }
    cl->context = context;
    return CLCONST_OK;
}

/* Retains the context. Takes over the description, on failure too. */
static clconst_status make_engine(cl_context context,
                                  clconst__device *device,
                                  const clconst_engine_options *options,
                                  clconst_engine **engine,
                                  clconst_error *error)
{
    clconst__opencl *created;
    clconst_status status =
        start_engine(context, device, options, &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = retain(created, context, error);
    cl_command_queue *queues[] = {&created->queue, &created->copy_queue};
    for (size_t i = 0; i < 2 && status == CLCONST_OK; i++) {
        cl_int code;
        status = CLCONST__CL_CREATE(
            *queues[i],
            clCreateCommandQueue(context, created->device.id, 0, &code),
            error);
    }
    if (status != CLCONST_OK) {
        destroy(&created->base);
        return status;
    }
    *engine = &created->base;
    return CLCONST_OK;
}

clconst_status clconst__opencl_create(const clconst_engine_options *options,
                                      clconst_engine **engine,
                                      clconst_error *error)
{
    clconst__devices devices;
    clconst_status status = clconst__devices_read(&devices, error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t index = 0;
    status = clconst__devices_choose(&devices, options->device, &index, error);
    if (status == CLCONST_OK) {
        clconst__device *device = &devices.entries[index].device;
        const cl_context_properties properties[] = {
            CL_CONTEXT_PLATFORM, (cl_context_properties)device->platform_id, 0};
        cl_context context;
        cl_int code;
        status = CLCONST__CL_CREATE(
            context,
            clCreateContext(properties, 1, &device->id, NULL, NULL, &code),
            error);
        if (status == CLCONST_OK) {
            status = make_engine(context, device, options, engine, error);
            clReleaseContext(context);
            /* The engine has the description; the list must not free it. */
            memset(device, 0, sizeof(*device));
        }
    }
    clconst__devices_clear(&devices);
    return status;
}

static clconst_status check_device_in_context(cl_context context,
                                              cl_device_id device,
                                              clconst_error *error)
{
    size_t size;
    clconst_status status = CLCONST__CL(
        clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &size), error);
    if (status != CLCONST_OK) {
        return status;
    }
    cl_device_id *ids;
    status = clconst__alloc(1, size, &ids, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = CLCONST__CL(
        clGetContextInfo(context, CL_CONTEXT_DEVICES, size, ids, NULL), error);
    bool is_found = false;
    for (size_t i = 0; i < size / sizeof(*ids); i++) {
        is_found = is_found || ids[i] == device;
    }
    clconst__free(ids);
    if (status == CLCONST_OK && !is_found) {
        return clconst__fail(error,
                             CLCONST_NO_DEVICE,
                             "device is not of the context; it must be one of "
                             "its devices");
    }
    return status;
}

clconst_status
clconst_engine_create_opencl(cl_context context,
                             cl_device_id device,
                             const clconst_engine_options *options,
                             clconst_engine **engine,
                             clconst_error *error)
{
    if (context == NULL || device == NULL || engine == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "context, device or engine is NULL; all are "
                             "required");
    }
    clconst_engine_options own;
    clconst_status status = clconst__engine_options_read(&own, options, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (own.device != NULL || own.require_device) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "options choose a device; the device is an "
                             "argument here");
    }
    status = check_device_in_context(context, device, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__device description;
    status = clconst__device_read(&description, device, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (!clconst__device_is_usable(&description)) {
        status = clconst__fail(error,
                               CLCONST_NO_DEVICE,
                               "device is unusable; %s",
                               description.reason);
        clconst__device_clear(&description);
        return status;
    }
    return make_engine(context, &description, &own, engine, error);
}
