#include "backend/engine.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"

/*
 * The only list of backends. A library without OpenCL has devices of no kind
 * but the host.
 */
#if CLCONST_WITH_OPENCL
static clconst_status create_on_device(const clconst_engine_options *options,
                                       clconst_engine **engine,
                                       clconst_error *error)
{
    return clconst__opencl_create(options, engine, error);
}

static clconst_status
list_devices(clconst_device_visitor visit, void *context, clconst_error *error)
{
    return clconst__opencl_list(visit, context, error);
}
#else
static clconst_status create_on_device(const clconst_engine_options *options,
                                       clconst_engine **engine,
                                       clconst_error *error)
{
    (void)engine;
    return clconst__fail(error,
                         CLCONST_NO_DEVICE,
                         "device is \"%s\"; this library is built without "
                         "OpenCL",
                         options->device);
}

static clconst_status
list_devices(clconst_device_visitor visit, void *context, clconst_error *error)
{
    (void)visit;
    (void)context;
    (void)error;
    return CLCONST_OK;
}
#endif

clconst_status clconst_device_list(clconst_device_visitor visit,
                                   void *context,
                                   clconst_error *error)
{
    if (visit == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_ARGUMENT, "visit is NULL; it is required");
    }
    clconst_status status = list_devices(visit, context, error);
    if (status == CLCONST_OK) {
        clconst__cpu_list(visit, context);
    }
    return status;
}

/* auto without a device: the CPU engine serves, and the caller is told why. */
static clconst_status fall_back(const clconst_engine_options *options,
                                const clconst_error *reason,
                                clconst_engine **engine,
                                clconst_error *error)
{
    clconst_status status = clconst__cpu_create(options, engine, error);
    if (status == CLCONST_OK && options->note != NULL) {
        char text[sizeof(reason->message) + 64];
        snprintf(
            text, sizeof(text), "the CPU engine serves: %s", reason->message);
        options->note(options->note_context, CLCONST_NOTE_FALLBACK, text);
    }
    return status;
}

clconst_status
clconst__engine_options_read(clconst_engine_options *own,
                             const clconst_engine_options *options,
                             clconst_error *error)
{
    clconst_status status =
        clconst__options_read(own, sizeof(*own), options, error);
    if (status != CLCONST_OK) {
        return status;
    }
    switch (own->fill_path) {
    case CLCONST_PATH_AUTO:
    case CLCONST_PATH_KERNEL:
    case CLCONST_PATH_DRIVER:
    case CLCONST_PATH_NATIVE:
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_ARGUMENT,
                         "fill_path is %d; it must be a clconst_fill_path",
                         (int)own->fill_path);
}

clconst_status clconst_engine_create(const clconst_engine_options *options,
                                     clconst_engine **engine,
                                     clconst_error *error)
{
    if (engine == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_ARGUMENT, "engine is NULL; it is required");
    }
    clconst_engine_options own;
    clconst_status status = clconst__engine_options_read(&own, options, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (own.device == NULL) {
        own.device = "auto";
    }
    /* A piece of every name. */
    if (own.device[0] == '\0') {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "device is empty; \"auto\" chooses one");
    }
    if (strcmp(own.device, "cpu") == 0) {
        return clconst__cpu_create(&own, engine, error);
    }
    bool may_fall_back = strcmp(own.device, "auto") == 0 && !own.require_device;
    if (!may_fall_back) {
        return create_on_device(&own, engine, error);
    }
    clconst_error reason;
    status = create_on_device(&own, engine, &reason);
    if (status == CLCONST_NO_DEVICE || status == CLCONST_DEVICE_ERROR) {
        return fall_back(&own, &reason, engine, error);
    }
    return status == CLCONST_OK ? status : clconst__fail_as(error, &reason);
}

clconst_status clconst_engine_prepare(clconst_engine *engine,
                                      clconst_error *error)
{
    if (engine == NULL) {
        return clconst__fail(
            error, CLCONST_INVALID_ARGUMENT, "engine is NULL; it is required");
    }
    return engine->backend->prepare(engine, error);
}

void clconst_engine_get_info(const clconst_engine *engine,
                             clconst_engine_info *info)
{
    clconst_engine_info own = CLCONST_ENGINE_INFO_INIT;
    engine->backend->get_info(engine, &own);
    clconst__output_write(info, &own, sizeof(own));
}

void clconst_engine_get_counters(const clconst_engine *engine,
                                 clconst_engine_counters *counters)
{
    clconst_engine_counters own = CLCONST_ENGINE_COUNTERS_INIT;
    engine->backend->get_counters(engine, &own);
    clconst__output_write(counters, &own, sizeof(own));
}

void clconst_engine_destroy(clconst_engine *engine)
{
    if (engine != NULL && clconst__refs_release(&engine->refs)) {
        engine->backend->destroy(engine);
    }
}
