/*
 * The configurations that need no OpenCL: the CPU engine in the group's
 * destination, and any engine in memory of its own.
 */
#ifndef CLCONST_CLI_BENCH_FILL_H
#define CLCONST_CLI_BENCH_FILL_H

#include "cli/bench_group.h"

/* The same few tensors over and over, and one sample of all their bytes. */
struct cli_bench_batch {
    const char *path; /* of the batch, for reports */
    /* Of several before one finish, and of the driver's commands for them. */
    const char *pipelined_path;
    const char *pipelined_driver_path;
    const char *one_path;  /* of one fill of its bytes */
    const char *host_path; /* of the batch by the CPU engine */
    size_t large_size;     /* of the first tensor; 0: there is none */
    size_t small_size;
    size_t small_count;
    cli_sample large;
    cli_sample small;
    cli_sample all; /* the arena as one fill */
    clconst_batch *batch;
};

/* path and sizes are set. info is of the engine that will run it. */
cli_outcome cli_bench_batch_create(cli_bench_batch *batch,
                                   const clconst_engine_info *info,
                                   clconst_error *error);

size_t cli_bench_batch_arena_size(const cli_bench_batch *batch);

/* The tensor of this index, and its place. */
const cli_sample *
cli_bench_batch_get(const cli_bench_batch *batch, size_t index, size_t *offset);

size_t cli_bench_batch_count(const cli_bench_batch *batch);

void cli_bench_batch_release(cli_bench_batch *batch);

/* UNMET when the case's range of the destination does not hold its sample. */
cli_outcome cli_bench_check_bytes(const cli_bench_case *bench,
                                  const uint8_t *bytes,
                                  clconst_error *error);

/* clconst_write with the CPU engine. */
cli_outcome cli_bench_fill_add_write(cli_bench_group *group,
                                     clconst_engine *host,
                                     const cli_sample *sample,
                                     size_t offset,
                                     clconst_error *error);

/* clconst_batch_write with the CPU engine. */
cli_outcome cli_bench_fill_add_batch(cli_bench_group *group,
                                     clconst_engine *host,
                                     const cli_bench_batch *batch,
                                     clconst_error *error);

/* UNMET when the bytes, of the arena, do not hold the case's batch. */
cli_outcome cli_bench_check_batch(const cli_bench_case *bench,
                                  const uint8_t *bytes,
                                  clconst_error *error);

/* clconst_run. */
cli_outcome cli_bench_fill_add_run(cli_bench_group *group,
                                   clconst_engine *engine,
                                   const char *path,
                                   const cli_sample *sample,
                                   clconst_error *error);

#endif
