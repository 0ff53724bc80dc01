/*
 * The configurations of an OpenCL device. A program without OpenCL has none.
 */
#ifndef CLCONST_CLI_BENCH_DEVICE_H
#define CLCONST_CLI_BENCH_DEVICE_H

#include "cli/bench_fill.h"

typedef struct cli_bench_device cli_bench_device;

/* NULL for the CPU engine. */
cli_outcome cli_bench_device_open(clconst_engine *engine,
                                  cli_bench_device **device,
                                  clconst_error *error);

/*
 * Fills of the group's destination through a queue: when quick, the default
 * path alone, else each path, and the same with several fills before one
 * finish; beside them the driver's own fill. sample and group outlive the
 * measurement.
 */
cli_outcome cli_bench_device_add_fills(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_sample *sample,
                                       size_t offset,
                                       bool is_quick,
                                       clconst_error *error);

/* The driver's fill of a default buffer that is made in the measured time. */
cli_outcome cli_bench_device_add_fresh(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_sample *sample,
                                       clconst_error *error);

/* A batch in the group's destination, one fill of as many bytes, and one fill
 * command of the driver for each of its tensors. */
cli_outcome cli_bench_device_add_batch(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_bench_batch *batch,
                                       bool is_quick,
                                       clconst_error *error);

/* Before the group's destination goes. device may be NULL. */
void cli_bench_device_unbind(cli_bench_device *device);

void cli_bench_device_close(cli_bench_device *device);

#endif
