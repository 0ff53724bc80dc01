/*
 * What the configurations of an OpenCL device share: its paths, and a buffer
 * in which the group's destination is. It does not know what is measured.
 */
#ifndef CLCONST_CLI_BENCH_OPENCL_H
#define CLCONST_CLI_BENCH_OPENCL_H

#include "cli/bench_device.h"
#include "cli/check_opencl_paths.h"

struct cli_bench_device {
    cli_opencl_paths opencl;
    /* Over the group's bytes on CPU devices, else in device memory. */
    cl_mem buffer;
};

/* Makes the buffer unless there is one. */
cli_outcome cli_bench_device_bind(cli_bench_device *device,
                                  const cli_bench_group *group,
                                  clconst_error *error);

/* Maps what the case has written, which is in a buffer of its own or in the
 * destination, lets check see it, and unmaps it. */
cli_outcome
cli_bench_device_inspect(cli_bench_device *device,
                         cli_bench_case *bench,
                         cli_outcome (*check)(const cli_bench_case *bench,
                                              const uint8_t *bytes,
                                              clconst_error *error),
                         clconst_error *error);

/* Enqueues as often as the case has fills, and waits, in failure too: commands
 * read plans and batches. */
cli_outcome cli_bench_device_repeat(
    cli_bench_case *bench,
    cli_outcome (*enqueue)(const cli_bench_case *bench, clconst_error *error),
    clconst_error *error);

/* clconst_enqueue of the case's sample. */
cli_outcome cli_bench_device_enqueue(const cli_bench_case *bench,
                                     clconst_error *error);

#endif
