#include <stdlib.h>
#include <string.h>

#include "cli/check_opencl_paths.h"
#include "cli/check_paths.h"

struct cli_check_device {
    cli_opencl_paths opencl;
    cl_mem buffer;
    char driver[128];
    uint8_t poison[CLI_CHECK_SIZE_MAX + 2 * CLI_CHECK_GUARD];
};

static cli_outcome make_buffer(cli_check_device *device, clconst_error *error)
{
    memset(device->poison, CLI_CHECK_POISON, sizeof(device->poison));
    cl_int code;
    device->buffer = clCreateBuffer(device->opencl.context,
                                    CL_MEM_READ_WRITE,
                                    sizeof(device->poison),
                                    NULL,
                                    &code);
    return cli_opencl_outcome(code, "clCreateBuffer", error);
}

cli_outcome cli_check_device_open(clconst_engine *engine,
                                  cli_check_device **device,
                                  clconst_error *error)
{
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(engine, &info);
    *device = NULL;
    if (info.kind == CLCONST_ENGINE_CPU) {
        return CLI_DONE;
    }
    cli_check_device *opened;
    cli_outcome outcome = cli_alloc(1, sizeof(*opened), &opened, error);
    if (outcome == CLI_DONE) {
        outcome = cli_opencl_paths_open(engine, &opened->opencl, error);
    }
    if (outcome == CLI_DONE) {
        /* A version that is too long for its place is left out. */
        (void)clGetDeviceInfo(opened->opencl.device,
                              CL_DRIVER_VERSION,
                              sizeof(opened->driver) - 1,
                              opened->driver,
                              NULL);
        outcome = make_buffer(opened, error);
    }
    if (outcome != CLI_DONE) {
        cli_check_device_close(opened);
        return outcome;
    }
    *device = opened;
    return CLI_DONE;
}

const char *cli_check_device_path(const cli_check_device *device, size_t index)
{
    return device != NULL && index < CLI_PATH_COUNT
               ? device->opencl.paths[index].name
               : NULL;
}

const char *cli_check_device_driver(const cli_check_device *device)
{
    return device != NULL ? device->driver : NULL;
}

cli_outcome cli_check_device_fill(cli_check_device *device,
                                  size_t path,
                                  const cli_sample *sample,
                                  size_t offset,
                                  uint8_t *bytes,
                                  clconst_error *error)
{
    cl_command_queue queue = device->opencl.queue;
    size_t size = cli_sample_size(sample) + 2 * CLI_CHECK_GUARD;
    cli_outcome outcome =
        cli_opencl_outcome(clEnqueueWriteBuffer(queue,
                                                device->buffer,
                                                CL_TRUE,
                                                offset,
                                                size,
                                                device->poison,
                                                0,
                                                NULL,
                                                NULL),
                           "clEnqueueWriteBuffer",
                           error);
    if (outcome == CLI_DONE) {
        outcome =
            cli_outcome_of(clconst_enqueue(device->opencl.paths[path].engine,
                                           sample->plan,
                                           queue,
                                           device->buffer,
                                           offset + CLI_CHECK_GUARD,
                                           0,
                                           NULL,
                                           NULL,
                                           error));
    }
    if (outcome == CLI_DONE) {
        outcome = cli_opencl_outcome(clEnqueueReadBuffer(queue,
                                                         device->buffer,
                                                         CL_TRUE,
                                                         offset,
                                                         size,
                                                         bytes,
                                                         0,
                                                         NULL,
                                                         NULL),
                                     "clEnqueueReadBuffer",
                                     error);
    }
    if (outcome != CLI_DONE) {
        /* Commands in the queue may still read the plan. */
        clFinish(queue);
    }
    return outcome;
}

void cli_check_device_close(cli_check_device *device)
{
    if (device != NULL) {
        if (device->buffer != NULL) {
            clReleaseMemObject(device->buffer);
        }
        cli_opencl_paths_release(&device->opencl);
        free(device);
    }
}
