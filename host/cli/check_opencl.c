#include <stdlib.h>
#include <string.h>

#include "cli/check_opencl_row.h"
#include "cli/check_paths.h"
#include "cli/text.h"

/* Longer texts of drivers are left out. */
enum { TEXT_SIZE = 256 };

struct cli_check_device {
    cli_opencl_paths opencl;
    cl_mem buffer;
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

/* A name of clGetDeviceInfo and of clGetPlatformInfo as JSON; null when the
 * driver does not tell. */
static json_t *text_of_device(cl_device_id device, cl_device_info name)
{
    char text[TEXT_SIZE] = "";
    cl_int code = clGetDeviceInfo(device, name, sizeof(text) - 1, text, NULL);
    return cli_text_json_string(code == CL_SUCCESS ? text : NULL);
}

static json_t *platform_of_device(cl_device_id device)
{
    char text[TEXT_SIZE] = "";
    cl_platform_id platform;
    cl_int code = clGetDeviceInfo(
        device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL);
    if (code == CL_SUCCESS) {
        code = clGetPlatformInfo(
            platform, CL_PLATFORM_NAME, sizeof(text) - 1, text, NULL);
    }
    return cli_text_json_string(code == CL_SUCCESS ? text : NULL);
}

cli_outcome cli_check_device_describe(const cli_check_device *device,
                                      json_t *report,
                                      clconst_error *error)
{
    if (device == NULL) {
        return CLI_DONE;
    }
    cl_device_id id = device->opencl.device;
    cl_device_type type = 0;
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
    const char *rest = (type & CL_DEVICE_TYPE_GPU) != 0 ? "gpu" : "accelerator";
    json_t *facts = json_pack("{so ss so so}",
                              "platform",
                              platform_of_device(id),
                              "type",
                              device->opencl.is_cpu ? "cpu" : rest,
                              "version",
                              text_of_device(id, CL_DEVICE_VERSION),
                              "driver",
                              text_of_device(id, CL_DRIVER_VERSION));
    int result = json_object_update(report, facts);
    json_decref(facts);
    return result == 0 ? CLI_DONE
                       : cli_fail(error,
                                  CLCONST_OUT_OF_MEMORY,
                                  "no memory for the report");
}

cli_outcome cli_check_device_measure(const cli_check_device *device,
                                     json_t *speed,
                                     json_t *report,
                                     clconst_error *error)
{
    json_t *row = NULL;
    cli_outcome outcome =
        cli_opencl_row_measure(&device->opencl, speed, &row, error);
    if (outcome == CLI_DONE) {
        json_object_set_new(report, "row", row);
    }
    return outcome;
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
