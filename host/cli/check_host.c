/* What stands for the paths of devices in a program without OpenCL, whose
 * engines are all CPU engines. */
#include "cli/check_paths.h"

cli_outcome cli_check_device_open(clconst_engine *engine,
                                  cli_check_device **device,
                                  clconst_error *error)
{
    (void)engine;
    (void)error;
    *device = NULL;
    return CLI_DONE;
}

const char *cli_check_device_path(const cli_check_device *device, size_t index)
{
    (void)device;
    (void)index;
    return NULL;
}

cli_outcome cli_check_device_describe(const cli_check_device *device,
                                      json_t *report,
                                      clconst_error *error)
{
    (void)device;
    (void)report;
    (void)error;
    return CLI_DONE;
}

cli_outcome cli_check_device_measure(const cli_check_device *device,
                                     json_t *speed,
                                     json_t *report,
                                     clconst_error *error)
{
    (void)device;
    (void)speed;
    (void)report;
    return cli_fail(error, CLCONST_NO_DEVICE, "the program has no OpenCL");
}

cli_outcome cli_check_device_fill(cli_check_device *device,
                                  size_t path,
                                  const cli_sample *sample,
                                  size_t offset,
                                  uint8_t *bytes,
                                  clconst_error *error)
{
    (void)device;
    (void)path;
    (void)sample;
    (void)offset;
    (void)bytes;
    return cli_fail(error, CLCONST_NO_DEVICE, "the program has no OpenCL");
}

void cli_check_device_close(cli_check_device *device)
{
    (void)device;
}
