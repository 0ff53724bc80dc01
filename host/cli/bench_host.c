/* What stands for the configurations of devices in a program without OpenCL,
 * whose engines are all CPU engines. */
#include "cli/bench_device.h"

cli_outcome cli_bench_device_open(clconst_engine *engine,
                                  cli_bench_device **device,
                                  clconst_error *error)
{
    (void)engine;
    (void)error;
    *device = NULL;
    return CLI_DONE;
}

cli_outcome cli_bench_device_add_fills(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_sample *sample,
                                       size_t offset,
                                       bool is_quick,
                                       clconst_error *error)
{
    (void)device;
    (void)group;
    (void)sample;
    (void)offset;
    (void)is_quick;
    (void)error;
    return CLI_DONE;
}

cli_outcome cli_bench_device_add_fresh(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_sample *sample,
                                       clconst_error *error)
{
    (void)device;
    (void)group;
    (void)sample;
    (void)error;
    return CLI_DONE;
}

cli_outcome cli_bench_device_add_batch(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_bench_batch *batch,
                                       bool is_quick,
                                       clconst_error *error)
{
    (void)device;
    (void)group;
    (void)batch;
    (void)is_quick;
    (void)error;
    return CLI_DONE;
}

void cli_bench_device_unbind(cli_bench_device *device)
{
    (void)device;
}

void cli_bench_device_close(cli_bench_device *device)
{
    (void)device;
}
