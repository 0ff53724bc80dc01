#include "cli/bench_opencl.h"

#include <stdlib.h>

static const char *const pipelined_names[CLI_PATH_COUNT] = {
    "auto x8", "kernel x8", "driver x8", "native x8"};

cli_outcome cli_bench_device_open(clconst_engine *engine,
                                  cli_bench_device **device,
                                  clconst_error *error)
{
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(engine, &info);
    *device = NULL;
    if (info.kind == CLCONST_ENGINE_CPU) {
        return CLI_DONE;
    }
    cli_bench_device *opened;
    cli_outcome outcome = cli_alloc(1, sizeof(*opened), &opened, error);
    if (outcome == CLI_DONE) {
        outcome = cli_opencl_paths_open(engine, &opened->opencl, error);
    }
    if (outcome != CLI_DONE) {
        cli_bench_device_close(opened);
        return outcome;
    }
    *device = opened;
    return CLI_DONE;
}

void cli_bench_device_unbind(cli_bench_device *device)
{
    if (device != NULL && device->buffer != NULL) {
        clReleaseMemObject(device->buffer);
        device->buffer = NULL;
    }
}

void cli_bench_device_close(cli_bench_device *device)
{
    if (device != NULL) {
        cli_bench_device_unbind(device);
        cli_opencl_paths_release(&device->opencl);
        free(device);
    }
}

cli_outcome cli_bench_device_bind(cli_bench_device *device,
                                  const cli_bench_group *group,
                                  clconst_error *error)
{
    if (device->buffer != NULL) {
        return CLI_DONE;
    }
    bool is_shared = device->opencl.is_cpu;
    cl_int code;
    device->buffer = clCreateBuffer(
        device->opencl.context,
        CL_MEM_READ_WRITE | (is_shared ? (cl_mem_flags)CL_MEM_USE_HOST_PTR : 0),
        group->mapped_size,
        is_shared ? group->bytes : NULL,
        &code);
    return cli_opencl_outcome(code, "clCreateBuffer", error);
}

/* Waits for the queue, whatever the outcome so far is: commands read plans and
 * batches. */
static cli_outcome
finish(cli_bench_device *device, cli_outcome outcome, clconst_error *error)
{
    cl_int code = clFinish(device->opencl.queue);
    return outcome == CLI_DONE ? cli_opencl_outcome(code, "clFinish", error)
                               : outcome;
}

cli_outcome cli_bench_device_repeat(
    cli_bench_case *bench,
    cli_outcome (*enqueue)(const cli_bench_case *bench, clconst_error *error),
    clconst_error *error)
{
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < bench->fill_count && outcome == CLI_DONE; i++) {
        outcome = enqueue(bench, error);
    }
    return finish(bench->context, outcome, error);
}

cli_outcome cli_bench_device_enqueue(const cli_bench_case *bench,
                                     clconst_error *error)
{
    const cli_bench_device *device = bench->context;
    return cli_outcome_of(clconst_enqueue(bench->engine,
                                          bench->sample->plan,
                                          device->opencl.queue,
                                          device->buffer,
                                          bench->offset,
                                          0,
                                          NULL,
                                          NULL,
                                          error));
}

cli_outcome
cli_bench_device_inspect(cli_bench_device *device,
                         cli_bench_case *bench,
                         cli_outcome (*check)(const cli_bench_case *bench,
                                              const uint8_t *bytes,
                                              clconst_error *error),
                         clconst_error *error)
{
    cl_mem buffer = bench->block != NULL ? bench->block : device->buffer;
    cl_int code;
    void *bytes = clEnqueueMapBuffer(device->opencl.queue,
                                     buffer,
                                     CL_TRUE,
                                     CL_MAP_READ,
                                     0,
                                     bench->offset + bench->group->size,
                                     0,
                                     NULL,
                                     NULL,
                                     &code);
    cli_outcome outcome = cli_opencl_outcome(code, "clEnqueueMapBuffer", error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    outcome = check(bench, bytes, error);
    clEnqueueUnmapMemObject(device->opencl.queue, buffer, bytes, 0, NULL, NULL);
    clFinish(device->opencl.queue);
    return outcome;
}

static cli_outcome verify_buffer(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_device_inspect(
        bench->context, bench, cli_bench_check_bytes, error);
}

static cli_outcome run_enqueue(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_device_repeat(bench, cli_bench_device_enqueue, error);
}

/* Bytes of one element; narrower ones are filled a byte at a time. */
static size_t driver_width(const cli_sample *sample)
{
    return sample->bits < 8 ? 1 : sample->bits / 8;
}

static void make_driver_pattern(const cli_sample *sample, uint8_t *pattern)
{
    for (size_t i = 0; i < driver_width(sample); i++) {
        pattern[i] = cli_sample_byte(sample, i);
    }
}

static cli_outcome fill_by_driver(const cli_bench_case *bench,
                                  clconst_error *error)
{
    const cli_bench_device *device = bench->context;
    uint8_t pattern[16];
    make_driver_pattern(bench->sample, pattern);
    return cli_opencl_outcome(
        clEnqueueFillBuffer(device->opencl.queue,
                            device->buffer,
                            pattern,
                            driver_width(bench->sample),
                            bench->offset,
                            cli_sample_size(bench->sample),
                            0,
                            NULL,
                            NULL),
        "clEnqueueFillBuffer",
        error);
}

static cli_outcome run_driver(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_device_repeat(bench, fill_by_driver, error);
}

/* Elements of 6 bits have no pattern that the driver knows. At an odd offset
 * it has none either for wider ones than a byte; offset 0 stands for it. */
static cli_outcome add_driver(cli_bench_device *device,
                              cli_bench_group *group,
                              const cli_sample *sample,
                              clconst_error *error)
{
    const cli_bench_case bench = {
        .path = "fillbuffer",
        .role = CLI_BENCH_DRIVER,
        .sample = sample,
        .fill_count = 1,
        .has_no_limit = !device->opencl.is_cpu,
        .run = run_driver,
        .verify = verify_buffer,
        .context = device,
    };
    return sample->bits == 6 ? CLI_DONE
                             : cli_bench_group_add(group, &bench, error);
}

static cli_outcome add_path(cli_bench_device *device,
                            cli_bench_group *group,
                            const cli_sample *sample,
                            size_t offset,
                            size_t path,
                            bool is_quick,
                            clconst_error *error)
{
    const cli_bench_case bench = {
        .path = device->opencl.paths[path].name,
        .sample = sample,
        .offset = offset,
        .fill_count = 1,
        .has_no_limit = !device->opencl.is_cpu,
        .run = run_enqueue,
        .verify = verify_buffer,
        .engine = device->opencl.paths[path].engine,
        .context = device,
    };
    return cli_bench_group_add_both(
        group, &bench, is_quick ? NULL : pipelined_names[path], error);
}

cli_outcome cli_bench_device_add_fills(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_sample *sample,
                                       size_t offset,
                                       bool is_quick,
                                       clconst_error *error)
{
    cli_outcome outcome = cli_bench_device_bind(device, group, error);
    if (outcome == CLI_DONE && offset == 0) {
        outcome = add_driver(device, group, sample, error);
    }
    size_t count = is_quick ? 1 : CLI_PATH_COUNT;
    for (size_t i = 0; i < count && outcome == CLI_DONE; i++) {
        outcome = add_path(device, group, sample, offset, i, is_quick, error);
    }
    return outcome;
}

static void release_buffer(cli_bench_case *bench)
{
    if (bench->block != NULL) {
        clReleaseMemObject(bench->block);
        bench->block = NULL;
    }
}

static cli_outcome run_fresh(cli_bench_case *bench, clconst_error *error)
{
    cli_bench_device *device = bench->context;
    uint8_t pattern[16];
    make_driver_pattern(bench->sample, pattern);
    cl_int code;
    cl_mem buffer = clCreateBuffer(device->opencl.context,
                                   CL_MEM_READ_WRITE,
                                   bench->group->size,
                                   NULL,
                                   &code);
    cli_outcome outcome = cli_opencl_outcome(code, "clCreateBuffer", error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    bench->block = buffer;
    outcome =
        cli_opencl_outcome(clEnqueueFillBuffer(device->opencl.queue,
                                               buffer,
                                               pattern,
                                               driver_width(bench->sample),
                                               0,
                                               bench->group->size,
                                               0,
                                               NULL,
                                               NULL),
                           "clEnqueueFillBuffer",
                           error);
    return finish(device, outcome, error);
}

cli_outcome cli_bench_device_add_fresh(cli_bench_device *device,
                                       cli_bench_group *group,
                                       const cli_sample *sample,
                                       clconst_error *error)
{
    const cli_bench_case bench = {
        .path = "fillbuffer",
        .role = CLI_BENCH_DRIVER,
        .sample = sample,
        .fill_count = 1,
        .has_no_limit = !device->opencl.is_cpu,
        .run = run_fresh,
        .reset = release_buffer,
        .verify = verify_buffer,
        .context = device,
    };
    return cli_bench_group_add(group, &bench, error);
}
