/*
 * Pieces of work on an OpenCL device, timed. It does not know what they are
 * compared for.
 */
#ifndef CLCONST_CLI_CHECK_OPENCL_WORK_H
#define CLCONST_CLI_CHECK_OPENCL_WORK_H

#include "cli/check_opencl_paths.h"

/* paths are borrowed. */
typedef struct cli_opencl_bench {
    const cli_opencl_paths *paths;
    cl_mem buffer;
    cl_program program;
} cli_opencl_bench;

cli_outcome cli_opencl_bench_open(const cli_opencl_paths *paths,
                                  cli_opencl_bench *bench,
                                  clconst_error *error);

/* Accepts a bench that is zeroed. */
void cli_opencl_bench_close(cli_opencl_bench *bench);

/* One fill of a path; each starts with an idle device and ends with one. */
cli_outcome cli_opencl_time_fill(const cli_opencl_bench *bench,
                                 size_t path,
                                 size_t size,
                                 double *seconds,
                                 clconst_error *error);

/* The driver's own fill, with a pattern of this width. */
cli_outcome cli_opencl_time_pattern(const cli_opencl_bench *bench,
                                    size_t width,
                                    double *seconds,
                                    clconst_error *error);

/* A kernel of the bench that writes all of the buffer, each work-item a
 * contiguous piece, or neighbouring work-items neighbouring words. */
cli_outcome cli_opencl_time_kernel(const cli_opencl_bench *bench,
                                   bool is_chunked,
                                   double *seconds,
                                   clconst_error *error);

/* A batch of fills of this size, made and enqueued by a path's engine. */
cli_outcome cli_opencl_time_batch(const cli_opencl_bench *bench,
                                  size_t path,
                                  size_t size,
                                  size_t expand_size,
                                  double *seconds,
                                  clconst_error *error);

/* A buffer of its own, over new host memory or not, and one fill of it. */
cli_outcome cli_opencl_time_fresh(const cli_opencl_bench *bench,
                                  bool is_on_host,
                                  double *seconds,
                                  clconst_error *error);

#endif
