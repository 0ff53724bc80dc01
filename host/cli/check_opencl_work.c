#include "cli/check_opencl_work.h"

#include "cli/bench_group.h"
#include "cli/check_sample.h"
#include "cli/check_speed.h"

enum { BATCH_COUNT = 64, CHUNK_WORDS = 1024, WORD_SIZE = 16 };

static const char source[] =
    "kernel void chunked(global uint4 *out, uint words)"
    "{"
    "    size_t first = get_global_id(0) * words;"
    "    for (uint i = 0; i < words; i++) {"
    "        out[first + i] = (uint4)(0x5b5b5b5b);"
    "    }"
    "}"
    "kernel void coalesced(global uint4 *out, uint words)"
    "{"
    "    out[get_global_id(0)] = (uint4)(0x5b5b5b5b);"
    "}";

/* One piece of work; what it does not need is zero. */
typedef struct device_work {
    const cli_opencl_bench *bench;
    clconst_engine *engine;
    const clconst_plan *plan;
    size_t width;
    size_t expand_size;
    cl_kernel kernel;
    size_t item_count;
    bool is_on_host;
} device_work;

cli_outcome cli_opencl_bench_open(const cli_opencl_paths *paths,
                                  cli_opencl_bench *bench,
                                  clconst_error *error)
{
    *bench = (cli_opencl_bench){.paths = paths};
    cl_int code;
    bench->buffer = clCreateBuffer(
        paths->context, CL_MEM_READ_WRITE, CLI_SPEED_SIZE_MAX, NULL, &code);
    cli_outcome outcome = cli_opencl_outcome(code, "clCreateBuffer", error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    const char *text = source;
    bench->program =
        clCreateProgramWithSource(paths->context, 1, &text, NULL, &code);
    outcome = cli_opencl_outcome(code, "clCreateProgramWithSource", error);
    return outcome == CLI_DONE
               ? cli_opencl_outcome(
                     clBuildProgram(
                         bench->program, 1, &paths->device, "", NULL, NULL),
                     "clBuildProgram",
                     error)
               : outcome;
}

void cli_opencl_bench_close(cli_opencl_bench *bench)
{
    if (bench->program != NULL) {
        clReleaseProgram(bench->program);
    }
    if (bench->buffer != NULL) {
        clReleaseMemObject(bench->buffer);
    }
    *bench = (cli_opencl_bench){0};
}

/* Also after a failure, since commands may still read what they were given. */
static cli_outcome
finish(const device_work *work, cli_outcome outcome, clconst_error *error)
{
    cl_int code = clFinish(work->bench->paths->queue);
    return outcome == CLI_DONE ? cli_opencl_outcome(code, "clFinish", error)
                               : outcome;
}

static cli_outcome run_fill(void *context, clconst_error *error)
{
    const device_work *work = context;
    cli_outcome outcome =
        cli_outcome_of(clconst_enqueue(work->engine,
                                       work->plan,
                                       work->bench->paths->queue,
                                       work->bench->buffer,
                                       0,
                                       0,
                                       NULL,
                                       NULL,
                                       error));
    return finish(work, outcome, error);
}

/* Times run, which takes a plan of this size and a path's engine. */
static cli_outcome time_plan(const cli_opencl_bench *bench,
                             cli_speed_work run,
                             size_t path,
                             size_t size,
                             size_t expand_size,
                             double *seconds,
                             clconst_error *error)
{
    cli_sample sample;
    cli_outcome outcome = cli_sample_create_of_size(
        CLCONST_COMPLEX128, size, false, &sample, error);
    if (outcome == CLI_DONE) {
        device_work work = {
            .bench = bench,
            .engine = bench->paths->paths[path].engine,
            .plan = sample.plan,
            .expand_size = expand_size,
        };
        outcome = cli_speed_measure(run, &work, seconds, error);
    }
    cli_sample_release(&sample);
    return outcome;
}

cli_outcome cli_opencl_time_fill(const cli_opencl_bench *bench,
                                 size_t path,
                                 size_t size,
                                 double *seconds,
                                 clconst_error *error)
{
    return time_plan(bench, run_fill, path, size, 0, seconds, error);
}

static cli_outcome
fill_by_driver(const device_work *work, cl_mem buffer, clconst_error *error)
{
    static const cl_ulong16 pattern;
    return cli_opencl_outcome(clEnqueueFillBuffer(work->bench->paths->queue,
                                                  buffer,
                                                  &pattern,
                                                  work->width,
                                                  0,
                                                  CLI_SPEED_SIZE_MAX,
                                                  0,
                                                  NULL,
                                                  NULL),
                              "clEnqueueFillBuffer",
                              error);
}

static cli_outcome run_pattern(void *context, clconst_error *error)
{
    const device_work *work = context;
    return finish(
        work, fill_by_driver(work, work->bench->buffer, error), error);
}

cli_outcome cli_opencl_time_pattern(const cli_opencl_bench *bench,
                                    size_t width,
                                    double *seconds,
                                    clconst_error *error)
{
    device_work work = {.bench = bench, .width = width};
    return cli_speed_measure(run_pattern, &work, seconds, error);
}

static cli_outcome run_kernel(void *context, clconst_error *error)
{
    const device_work *work = context;
    cli_outcome outcome =
        cli_opencl_outcome(clEnqueueNDRangeKernel(work->bench->paths->queue,
                                                  work->kernel,
                                                  1,
                                                  NULL,
                                                  &work->item_count,
                                                  NULL,
                                                  0,
                                                  NULL,
                                                  NULL),
                           "clEnqueueNDRangeKernel",
                           error);
    return finish(work, outcome, error);
}

cli_outcome cli_opencl_time_kernel(const cli_opencl_bench *bench,
                                   bool is_chunked,
                                   double *seconds,
                                   clconst_error *error)
{
    const cl_uint words = CHUNK_WORDS;
    size_t word_count = CLI_SPEED_SIZE_MAX / WORD_SIZE;
    cl_int code;
    cl_kernel kernel = clCreateKernel(
        bench->program, is_chunked ? "chunked" : "coalesced", &code);
    cli_outcome outcome = cli_opencl_outcome(code, "clCreateKernel", error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    code = clSetKernelArg(kernel, 0, sizeof(bench->buffer), &bench->buffer);
    code = code == CL_SUCCESS ? clSetKernelArg(kernel, 1, sizeof(words), &words)
                              : code;
    outcome = cli_opencl_outcome(code, "clSetKernelArg", error);
    if (outcome == CLI_DONE) {
        device_work work = {
            .bench = bench,
            .kernel = kernel,
            .item_count = is_chunked ? word_count / CHUNK_WORDS : word_count,
        };
        outcome = cli_speed_measure(run_kernel, &work, seconds, error);
    }
    clReleaseKernel(kernel);
    return outcome;
}

static cli_outcome run_batch(void *context, clconst_error *error)
{
    const device_work *work = context;
    const clconst_plan *plans[BATCH_COUNT];
    for (size_t i = 0; i < BATCH_COUNT; i++) {
        plans[i] = work->plan;
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.expand_size = work->expand_size;
    clconst_batch *batch = NULL;
    cli_outcome outcome = cli_outcome_of(
        clconst_batch_create(plans, BATCH_COUNT, &options, &batch, error));
    if (outcome == CLI_DONE) {
        outcome =
            cli_outcome_of(clconst_batch_enqueue(work->engine,
                                                 batch,
                                                 0,
                                                 work->bench->paths->queue,
                                                 work->bench->buffer,
                                                 0,
                                                 0,
                                                 NULL,
                                                 NULL,
                                                 error));
        outcome = finish(work, outcome, error);
    }
    clconst_batch_destroy(batch);
    return outcome;
}

cli_outcome cli_opencl_time_batch(const cli_opencl_bench *bench,
                                  size_t path,
                                  size_t size,
                                  size_t expand_size,
                                  double *seconds,
                                  clconst_error *error)
{
    return time_plan(bench, run_batch, path, size, expand_size, seconds, error);
}

static cli_outcome run_fresh(void *context, clconst_error *error)
{
    const device_work *work = context;
    void *block = work->is_on_host ? cli_bench_map(CLI_SPEED_SIZE_MAX) : NULL;
    if (work->is_on_host && block == NULL) {
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for a buffer's bytes");
    }
    cl_mem_flags flags =
        CL_MEM_READ_WRITE |
        (work->is_on_host ? (cl_mem_flags)CL_MEM_USE_HOST_PTR : 0);
    cl_int code;
    cl_mem buffer = clCreateBuffer(
        work->bench->paths->context, flags, CLI_SPEED_SIZE_MAX, block, &code);
    cli_outcome outcome = cli_opencl_outcome(code, "clCreateBuffer", error);
    if (outcome == CLI_DONE) {
        outcome = finish(work, fill_by_driver(work, buffer, error), error);
        clReleaseMemObject(buffer);
    }
    if (block != NULL) {
        cli_bench_unmap(block, CLI_SPEED_SIZE_MAX);
    }
    return outcome;
}

cli_outcome cli_opencl_time_fresh(const cli_opencl_bench *bench,
                                  bool is_on_host,
                                  double *seconds,
                                  clconst_error *error)
{
    device_work work = {.bench = bench, .width = 1, .is_on_host = is_on_host};
    return cli_speed_measure(run_fresh, &work, seconds, error);
}
