#include "cli/check_opencl_paths.h"

#include "cli/check_sample.h"

cli_outcome
cli_opencl_outcome(cl_int code, const char *call, clconst_error *error)
{
    if (code == CL_SUCCESS) {
        return CLI_DONE;
    }
    cli_error_set(
        error, CLCONST_DEVICE_ERROR, code, "%s failed with %d", call, code);
    return CLI_UNMET;
}

/* An engine does not tell its context, but a buffer of it does. */
static cli_outcome find_context(cli_opencl_paths *paths, clconst_error *error)
{
    cli_sample sample;
    clconst_tensor *tensor = NULL;
    cli_outcome outcome =
        cli_sample_create(CLCONST_UINT8, 1, false, &sample, error);
    if (outcome == CLI_DONE) {
        outcome = cli_outcome_of(
            clconst_run(paths->engine, sample.plan, &tensor, error));
    }
    if (outcome == CLI_DONE) {
        outcome = cli_opencl_outcome(
            clGetMemObjectInfo(clconst_tensor_get_buffer(tensor),
                               CL_MEM_CONTEXT,
                               sizeof(paths->context),
                               &paths->context,
                               NULL),
            "clGetMemObjectInfo",
            error);
    }
    if (outcome == CLI_DONE) {
        /* The engine's own context has one device. */
        outcome = cli_opencl_outcome(clGetContextInfo(paths->context,
                                                      CL_CONTEXT_DEVICES,
                                                      sizeof(paths->device),
                                                      &paths->device,
                                                      NULL),
                                     "clGetContextInfo",
                                     error);
    }
    clconst_tensor_destroy(tensor);
    cli_sample_release(&sample);
    return outcome;
}

static cli_outcome open_queue(cli_opencl_paths *paths, clconst_error *error)
{
    cl_device_type type;
    cl_int code = clGetDeviceInfo(
        paths->device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
    cli_outcome outcome = cli_opencl_outcome(code, "clGetDeviceInfo", error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    paths->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    paths->queue =
        clCreateCommandQueue(paths->context, paths->device, 0, &code);
    return cli_opencl_outcome(code, "clCreateCommandQueue", error);
}

cli_outcome cli_opencl_paths_open(clconst_engine *engine,
                                  cli_opencl_paths *paths,
                                  clconst_error *error)
{
    *paths = (cli_opencl_paths){
        .engine = engine,
        .paths =
            {
                {"auto", CLCONST_PATH_AUTO, NULL},
                {"kernel", CLCONST_PATH_KERNEL, NULL},
                {"driver", CLCONST_PATH_DRIVER, NULL},
                {"native", CLCONST_PATH_NATIVE, NULL},
            },
    };
    cli_outcome outcome = find_context(paths, error);
    if (outcome == CLI_DONE) {
        outcome = open_queue(paths, error);
    }
    for (size_t i = 0; i < CLI_PATH_COUNT && outcome == CLI_DONE; i++) {
        clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
        options.fill_path = paths->paths[i].path;
        outcome =
            cli_outcome_of(clconst_engine_create_opencl(paths->context,
                                                        paths->device,
                                                        &options,
                                                        &paths->paths[i].engine,
                                                        error));
    }
    return outcome;
}

void cli_opencl_paths_release(cli_opencl_paths *paths)
{
    for (size_t i = 0; i < CLI_PATH_COUNT; i++) {
        clconst_engine_destroy(paths->paths[i].engine);
    }
    if (paths->queue != NULL) {
        clReleaseCommandQueue(paths->queue);
    }
    *paths = (cli_opencl_paths){0};
}
