/* The subcommand that measures the paths of a device, by size. */
#include <math.h>

#include "cli/bench_chart.h"
#include "cli/bench_device.h"
#include "cli/bench_limit.h"
#include "cli/bench_rows.h"
#include "cli/bench_sizes.h"
#include "cli/command.h"
#include "cli/engines.h"
#include "cli/table.h"
#include "cli/text.h"

#define KIBIBYTES(count) ((size_t)(count) << 10)
#define MEBIBYTES(count) ((size_t)(count) << 20)

/* One of each width. */
static const clconst_dtype widths[] = {
    CLCONST_FLOAT,
    CLCONST_UINT2,
    CLCONST_UINT4,
    CLCONST_FLOAT6E2M3,
    CLCONST_UINT8,
    CLCONST_FLOAT16,
    CLCONST_DOUBLE,
    CLCONST_COMPLEX128,
};

enum { WIDTH_COUNT = sizeof(widths) / sizeof(widths[0]) };

/* One run of the subcommand. */
typedef struct bench_run {
    const cli_args *args;
    cli_report *report;
    cli_engines engines;
    cli_bench_device *device; /* NULL: the CPU engine alone */
    cli_bench_sizes sizes;
    cli_bench_effort effort;
    cli_bench_idle idle;
    json_t *rows;
} bench_run;

/* A quick run has fewer rounds, and fewer still where the machine is slow or
 * does other work, unless the user wants to wait for idle moments. */
static cli_bench_effort choose_effort(bool is_quick, bool is_idle_wanted)
{
    static const double quick_seconds = 15;
    return (cli_bench_effort){
        .round_count = is_quick ? 5 : 11,
        .seconds_left = is_quick && !is_idle_wanted ? quick_seconds : INFINITY,
    };
}

static cli_outcome
measure(bench_run *run, cli_bench_group *group, clconst_error *error)
{
    cli_outcome outcome =
        cli_bench_group_measure(group, &run->effort, &run->idle, error);
    return outcome == CLI_DONE ? cli_bench_rows_add(group, run->rows, error)
                               : outcome;
}

static cli_outcome add_fill(bench_run *run,
                            cli_bench_group *group,
                            const cli_sample *sample,
                            size_t offset,
                            clconst_error *error)
{
    cli_outcome outcome = cli_bench_fill_add_write(
        group, run->engines.host, sample, offset, error);
    if (outcome == CLI_DONE && run->device != NULL) {
        outcome = cli_bench_device_add_fills(
            run->device, group, sample, offset, run->args->quick, error);
    }
    return outcome;
}

/* For one fill in a call, and for several. */
static cli_outcome add_limits(const bench_run *run,
                              cli_bench_group *group,
                              const cli_sample *sample,
                              clconst_error *error)
{
    cli_outcome outcome = cli_bench_limit_add(group, sample, 1, error);
    return outcome != CLI_DONE || run->args->quick
               ? outcome
               : cli_bench_limit_add(
                     group, sample, CLI_BENCH_PIPELINED_COUNT, error);
}

/* Fills of one size: floats, or each width. */
static cli_outcome
measure_size(bench_run *run, size_t size, bool is_wide, clconst_error *error)
{
    cli_sample samples[WIDTH_COUNT] = {0};
    cli_bench_group group;
    cli_outcome outcome = cli_bench_group_create(size, false, &group, error);
    size_t width_count = is_wide ? WIDTH_COUNT : 1;
    if (outcome == CLI_DONE) {
        outcome = add_limits(run, &group, &samples[0], error);
    }
    for (size_t i = 0; i < width_count && outcome == CLI_DONE; i++) {
        outcome = cli_sample_create_of_size(
            widths[i], size, false, &samples[i], error);
        if (outcome == CLI_DONE) {
            outcome = add_fill(run, &group, &samples[i], 0, error);
        }
        if (outcome == CLI_DONE && is_wide && !run->args->quick) {
            outcome = add_fill(run, &group, &samples[i], 1, error);
        }
    }
    if (outcome == CLI_DONE) {
        outcome = measure(run, &group, error);
    }
    cli_bench_device_unbind(run->device);
    cli_bench_group_release(&group);
    for (size_t i = 0; i < WIDTH_COUNT; i++) {
        cli_sample_release(&samples[i]);
    }
    return outcome;
}

static cli_outcome add_fresh(bench_run *run,
                             cli_bench_group *group,
                             const cli_sample *sample,
                             bool is_zero,
                             clconst_error *error)
{
    cli_outcome outcome =
        cli_bench_fill_add_run(group,
                               run->engines.host,
                               is_zero ? "cpu run of zeros" : "cpu run",
                               sample,
                               error);
    if (outcome == CLI_DONE && run->device != NULL) {
        outcome = cli_bench_fill_add_run(group,
                                         run->engines.device,
                                         is_zero ? "run of zeros" : "run",
                                         sample,
                                         error);
    }
    return outcome;
}

/* Tensors in memory of their own, of zeros and of others. */
static cli_outcome
measure_fresh(bench_run *run, size_t size, clconst_error *error)
{
    enum { SAMPLE_COUNT = 2 };
    cli_sample samples[SAMPLE_COUNT] = {0};
    cli_bench_group group;
    cli_outcome outcome = cli_bench_group_create(size, true, &group, error);
    for (size_t i = 0; i < SAMPLE_COUNT && outcome == CLI_DONE; i++) {
        outcome = cli_sample_create_of_size(
            CLCONST_FLOAT, size, i > 0, &samples[i], error);
        if (outcome == CLI_DONE) {
            outcome = add_fresh(run, &group, &samples[i], i > 0, error);
        }
    }
    if (outcome == CLI_DONE) {
        outcome = cli_bench_limit_add(&group, &samples[0], 1, error);
    }
    if (outcome == CLI_DONE && run->device != NULL) {
        outcome =
            cli_bench_device_add_fresh(run->device, &group, &samples[0], error);
    }
    if (outcome == CLI_DONE) {
        outcome = measure(run, &group, error);
    }
    cli_bench_group_release(&group);
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        cli_sample_release(&samples[i]);
    }
    return outcome;
}

static cli_outcome measure_made_batch(bench_run *run,
                                      const cli_bench_batch *batch,
                                      clconst_error *error)
{
    cli_bench_group group;
    cli_outcome outcome = cli_bench_group_create(
        cli_bench_batch_arena_size(batch), false, &group, error);
    if (outcome == CLI_DONE) {
        outcome = add_limits(run, &group, &batch->all, error);
    }
    if (outcome == CLI_DONE) {
        outcome =
            cli_bench_fill_add_batch(&group, run->engines.host, batch, error);
    }
    if (outcome == CLI_DONE && run->device != NULL) {
        outcome = cli_bench_device_add_batch(
            run->device, &group, batch, run->args->quick, error);
    }
    if (outcome == CLI_DONE) {
        outcome = measure(run, &group, error);
    }
    cli_bench_device_unbind(run->device);
    cli_bench_group_release(&group);
    return outcome;
}

static cli_outcome
measure_batch(bench_run *run, cli_bench_batch *batch, clconst_error *error)
{
    bool fits = false;
    cli_outcome outcome =
        cli_bench_batch_create(batch, &run->engines.info, error);
    if (outcome == CLI_DONE) {
        outcome = cli_bench_size_fits(&run->engines,
                                      cli_bench_batch_arena_size(batch),
                                      &fits,
                                      run->report,
                                      error);
    }
    if (outcome == CLI_DONE && fits) {
        outcome = measure_made_batch(run, batch, error);
    }
    cli_bench_batch_release(batch);
    return outcome;
}

static cli_outcome measure_batches(bench_run *run, clconst_error *error)
{
    static const cli_bench_batch batches[] = {
        {.path = "batch 1000x64",
         .pipelined_path = "batch 1000x64 x8",
         .pipelined_driver_path = "fillbuffer each x8",
         .one_path = "one fill of 1000x64",
         .host_path = "cpu batch 1000x64",
         .small_size = 64,
         .small_count = 1000},
        {.path = "batch 1000x1Ki",
         .pipelined_path = "batch 1000x1Ki x8",
         .pipelined_driver_path = "fillbuffer each x8",
         .one_path = "one fill of 1000x1Ki",
         .host_path = "cpu batch 1000x1Ki",
         .small_size = KIBIBYTES(1),
         .small_count = 1000},
        {.path = "batch 64Mi+10000x64",
         .pipelined_path = "batch 64Mi+10000x64 x8",
         .pipelined_driver_path = "fillbuffer each x8",
         .one_path = "one fill of 64Mi+10000x64",
         .host_path = "cpu batch 64Mi+10000x64",
         .large_size = MEBIBYTES(64),
         .small_size = 64,
         .small_count = 10000},
    };
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizeof(batches) / sizeof(batches[0]); i++) {
        cli_bench_batch batch = batches[i];
        if (outcome == CLI_DONE) {
            outcome = measure_batch(run, &batch, error);
        }
    }
    return outcome;
}

static cli_outcome measure_all(bench_run *run, clconst_error *error)
{
    const cli_bench_sizes *sizes = &run->sizes;
    size_t wide = cli_bench_sizes_find_wide(sizes);
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizes->count && outcome == CLI_DONE; i++) {
        outcome = measure_size(run, sizes->items[i], i == wide, error);
    }
    if (outcome == CLI_DONE && run->args->size == NULL) {
        outcome = measure_batches(run, error);
    }
    /* Smaller tensors find memory that the heap has used before. */
    bool is_fresh = sizes->items[wide] >= CLI_BENCH_COLD_SIZE;
    return outcome == CLI_DONE && is_fresh
               ? measure_fresh(run, sizes->items[wide], error)
               : outcome;
}

static cli_outcome make_report(const bench_run *run, clconst_error *error)
{
    return cli_report_set(
        run->report,
        json_pack("{so so sO sO}",
                  "device",
                  cli_text_json_string(run->engines.info.name),
                  "disturbed",
                  run->idle.is_wanted ? cli_json_size(run->idle.disturbed_count)
                                      : json_null(),
                  "rows",
                  run->rows,
                  "notes",
                  run->report->notes),
        error);
}

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    bench_run run = {.args = args, .report = report, .rows = json_array()};
    FILE *chart = NULL;
    cli_outcome outcome = cli_bench_idle_read(args->idle, &run.idle, error);
    run.effort = choose_effort(args->quick, run.idle.is_wanted);
    if (outcome == CLI_DONE) {
        outcome =
            cli_bench_sizes_read(args->size, args->quick, &run.sizes, error);
    }
    if (outcome == CLI_DONE && args->svg != NULL) {
        outcome = cli_bench_chart_open(args->svg, &chart, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_engines_open(args, report, &run.engines, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_bench_sizes_fit(&run.sizes, &run.engines, report, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_bench_device_open(run.engines.device, &run.device, error);
    }
    if (outcome == CLI_DONE) {
        outcome = measure_all(&run, error);
    }
    if (outcome == CLI_DONE && chart != NULL) {
        outcome = cli_bench_chart_write(
            chart, run.engines.info.name, run.rows, error);
        chart = NULL;
    }
    if (outcome == CLI_DONE) {
        outcome = make_report(&run, error);
    }
    if (chart != NULL) {
        fclose(chart);
    }
    json_decref(run.rows);
    cli_bench_sizes_release(&run.sizes);
    cli_bench_device_close(run.device);
    cli_engines_release(&run.engines);
    return outcome;
}

static cli_outcome
print(const json_t *report, FILE *stream, clconst_error *error)
{
    static const cli_column head[] = {
        {"device", "device", false},
        {"disturbed", "measured beside others", false},
    };
    static const cli_column columns[] = {
        {"path", "path", false},
        {"dtype", "dtype", false},
        {"bytes", "bytes", true},
        {"offset", "offset", true},
        {"fresh", "fresh", false},
        {"gbps", "GB/s", true},
        {"limit_gbps", "limit GB/s", true},
        {"microseconds", "microseconds", true},
        {"microseconds_min", "least", true},
        {"microseconds_max", "most", true},
        {"ratio_to_limit", "of the limit", true},
        {"least_ratio_to_limit", "of the least", true},
        {"ratio_to_driver", "of the driver", true},
        {"remark", "remark", false},
    };
    cli_table_print_object(
        report, head, sizeof(head) / sizeof(head[0]), stream);
    fputc('\n', stream);
    return cli_table_print(json_object_get(report, "rows"),
                           columns,
                           sizeof(columns) / sizeof(columns[0]),
                           stream,
                           error);
}

const cli_command cli_command_bench = {
    .name = "bench",
    .usage = " [--quick] [--size B,B,..] [--svg FILE]",
    .summary = "measure the fills of a device by path and size",
    .details = "Times are medians of rounds that run all ways to fill as many "
               "bytes in another\n"
               "order each, and are those of one fill; \"x8\" has eight fills "
               "or batches before it\n"
               "waits. The limit is that of bare stores, as often, to the "
               "same memory by threads\n"
               "that run already, one on each processor; the driver is "
               "clEnqueueFillBuffer with\n"
               "a pattern as wide as an element. Destinations below 4 MiB are "
               "in a cache when\n"
               "the clock starts, larger ones are in none. Of one row's "
               "ratios to the limit, the\n"
               "first is of medians and the second, \"of the least\", of the "
               "shortest times:\n"
               "undisturbed.\n\n"
               "Sizes are 16 bytes to 1 GiB. At 256 MiB, or the largest size "
               "up to that, each\n"
               "width and byte offset 1 are measured too, and from 4 MiB on "
               "fresh memory. What\n"
               "device or memory cannot hold is left out, with a note. A quick "
               "run leaves out\n"
               "larger sizes, offset 1, all paths but auto, and rounds where "
               "they take long; if\n"
               "it has the usual sizes, it ends within 40 seconds.\n",
    .example = "bench --quick --svg speed.svg",
    .syntax =
        {
            .options = CLI_QUICK | CLI_SIZE | CLI_IDLE | CLI_SVG | CLI_DEVICE,
            .operand = "",
        },
    .run = run,
    .print = print,
};
