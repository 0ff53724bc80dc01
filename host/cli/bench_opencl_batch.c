/* The batches of an OpenCL device, and what they are measured against. */
#include "cli/bench_opencl.h"

static cli_outcome enqueue_batch(const cli_bench_case *bench,
                                 clconst_error *error)
{
    const cli_bench_device *device = bench->context;
    return cli_outcome_of(clconst_batch_enqueue(bench->engine,
                                                bench->batch->batch,
                                                0,
                                                device->opencl.queue,
                                                device->buffer,
                                                0,
                                                0,
                                                NULL,
                                                NULL,
                                                error));
}

static cli_outcome run_batch(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_device_repeat(bench, enqueue_batch, error);
}

static cli_outcome run_all(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_device_repeat(bench, cli_bench_device_enqueue, error);
}

/* A command for each tensor. */
static cli_outcome fill_each(const cli_bench_case *bench, clconst_error *error)
{
    cli_bench_device *device = bench->context;
    size_t count = cli_bench_batch_count(bench->batch);
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < count && code == CL_SUCCESS; i++) {
        size_t offset;
        const cli_sample *sample =
            cli_bench_batch_get(bench->batch, i, &offset);
        code = clEnqueueFillBuffer(device->opencl.queue,
                                   device->buffer,
                                   sample->element,
                                   sample->bits / 8,
                                   offset,
                                   cli_sample_size(sample),
                                   0,
                                   NULL,
                                   NULL);
    }
    return cli_opencl_outcome(code, "clEnqueueFillBuffer", error);
}

static cli_outcome run_driver(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_device_repeat(bench, fill_each, error);
}

static cli_outcome verify_batch(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_device_inspect(
        bench->context, bench, cli_bench_check_batch, error);
}

static cli_outcome verify_all(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_device_inspect(
        bench->context, bench, cli_bench_check_bytes, error);
}

cli_outcome cli_bench_device_add_batch(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_bench_batch *batch,
                                       bool is_quick,
                                       clconst_error *error)
{
    cli_outcome outcome = cli_bench_device_bind(device, group, error);
    cli_bench_case bench = {
        .path = "fillbuffer each",
        .role = CLI_BENCH_DRIVER,
        .sample = &batch->all,
        .fill_count = 1,
        .has_no_limit = !device->opencl.is_cpu,
        .run = run_driver,
        .verify = verify_batch,
        .batch = batch,
        .context = device,
    };
    if (outcome == CLI_DONE) {
        outcome = cli_bench_group_add_both(
            group,
            &bench,
            is_quick ? NULL : batch->pipelined_driver_path,
            error);
    }
    bench.role = CLI_BENCH_FILL;
    bench.engine = device->opencl.paths[0].engine;
    bench.path = batch->path;
    bench.run = run_batch;
    if (outcome == CLI_DONE) {
        outcome = cli_bench_group_add_both(
            group, &bench, is_quick ? NULL : batch->pipelined_path, error);
    }
    bench.path = batch->one_path;
    bench.run = run_all;
    bench.verify = verify_all;
    return outcome == CLI_DONE ? cli_bench_group_add(group, &bench, error)
                               : outcome;
}
