#include "cli/check_opencl_row.h"

#include "cli/check_opencl_work.h"
#include "cli/check_speed.h"
#include "cli/report.h"

/* A way that is not this much faster than the simpler one does not count. */
static const double margin = 0.95;

enum { PATH_KERNEL = 1, PATH_DRIVER = 2, PATH_NATIVE = 3 };

/* Everything that is measured on one device. */
typedef struct row_meter {
    cli_opencl_bench bench;
    double seconds[CLI_PATH_COUNT][CLI_SPEED_SIZE_COUNT];
    json_t *row;
} row_meter;

static cli_outcome
add(row_meter *meter, const char *key, json_t *value, clconst_error *error)
{
    return json_object_set_new(meter->row, key, value) == 0
               ? CLI_DONE
               : cli_fail(
                     error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
}

static cli_outcome
measure_paths(row_meter *meter, json_t *speed, clconst_error *error)
{
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < CLI_PATH_COUNT && outcome == CLI_DONE; i++) {
        for (size_t j = 0; j < CLI_SPEED_SIZE_COUNT && outcome == CLI_DONE;
             j++) {
            outcome = cli_opencl_time_fill(&meter->bench,
                                           i,
                                           cli_speed_sizes[j],
                                           &meter->seconds[i][j],
                                           error);
            if (outcome == CLI_DONE) {
                outcome = cli_speed_add(speed,
                                        meter->bench.paths->paths[i].name,
                                        cli_speed_sizes[j],
                                        meter->seconds[i][j],
                                        error);
            }
        }
    }
    return outcome;
}

/* For each period that the driver can repeat, the fastest of the patterns that
 * are multiples of it; the narrowest of those that are as fast. */
static cli_outcome add_pattern_sizes(row_meter *meter, clconst_error *error)
{
    enum { PERIOD_COUNT = 5, WIDTH_COUNT = 8 };
    double seconds[WIDTH_COUNT];
    json_t *sizes = json_array();
    cli_outcome outcome = add(meter, "pattern_sizes", sizes, error);
    for (size_t i = 0; i < WIDTH_COUNT && outcome == CLI_DONE; i++) {
        outcome = cli_opencl_time_pattern(
            &meter->bench, (size_t)1 << i, &seconds[i], error);
    }
    for (size_t i = 0; i < PERIOD_COUNT && outcome == CLI_DONE; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < WIDTH_COUNT; j++) {
            best = seconds[j] < seconds[best] * margin ? j : best;
        }
        json_array_append_new(sizes, json_integer((json_int_t)1 << best));
    }
    return outcome;
}

/* The largest size at which the driver is as fast as the kernel. */
static cli_outcome add_driver_size(row_meter *meter, clconst_error *error)
{
    size_t index = CLI_SPEED_SIZE_COUNT;
    while (index > 0 && meter->seconds[PATH_DRIVER][index - 1] >
                            meter->seconds[PATH_KERNEL][index - 1]) {
        index--;
    }
    bool is_any = index == CLI_SPEED_SIZE_COUNT;
    size_t size = index > 0 ? cli_speed_sizes[index - 1] : 0;
    return add(meter,
               "driver_size_max",
               is_any ? json_null() : cli_json_size(size),
               error);
}

static cli_outcome add_access(row_meter *meter, clconst_error *error)
{
    double chunked;
    double coalesced;
    cli_outcome outcome =
        cli_opencl_time_kernel(&meter->bench, true, &chunked, error);
    if (outcome == CLI_DONE) {
        outcome =
            cli_opencl_time_kernel(&meter->bench, false, &coalesced, error);
    }
    return outcome == CLI_DONE
               ? add(meter,
                     "access",
                     json_string(chunked < coalesced ? "CHUNKED" : "COALESCED"),
                     error)
               : outcome;
}

/* The largest output that the host expands faster than the device fills it. */
static cli_outcome add_expand_size(row_meter *meter, clconst_error *error)
{
    static const size_t sizes[] = {64, 128, 1024, 4096, 16384, 65536};
    size_t best = 0;
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        double expanded;
        double filled;
        outcome = cli_opencl_time_batch(
            &meter->bench, 0, sizes[i], sizes[i], &expanded, error);
        if (outcome == CLI_DONE) {
            outcome = cli_opencl_time_batch(
                &meter->bench, 0, sizes[i], 1, &filled, error);
        }
        if (outcome != CLI_DONE) {
            break;
        }
        best = expanded < filled ? sizes[i] : best;
    }
    return outcome == CLI_DONE
               ? add(meter, "expand_size", cli_json_size(best), error)
               : outcome;
}

/* One launch over a table against a fill command of the driver for each. */
static cli_outcome add_tables(row_meter *meter, clconst_error *error)
{
    enum { SIZE = 16384 };
    double tables;
    double commands;
    cli_outcome outcome = cli_opencl_time_batch(
        &meter->bench, PATH_KERNEL, SIZE, 1, &tables, error);
    if (outcome == CLI_DONE) {
        outcome = cli_opencl_time_batch(
            &meter->bench, PATH_DRIVER, SIZE, 1, &commands, error);
    }
    return outcome == CLI_DONE ? add(meter,
                                     "has_fast_tables",
                                     json_boolean(tables < commands * margin),
                                     error)
                               : outcome;
}

static cli_outcome add_preferences(row_meter *meter, clconst_error *error)
{
    enum { LAST = CLI_SPEED_SIZE_COUNT - 1 };
    double native = meter->seconds[PATH_NATIVE][LAST];
    bool prefers_native = native < meter->seconds[PATH_DRIVER][LAST] * margin &&
                          native < meter->seconds[PATH_KERNEL][LAST] * margin;
    double on_device;
    double on_host;
    cli_outcome outcome =
        add(meter, "prefers_native", json_boolean(prefers_native), error);
    if (outcome == CLI_DONE) {
        outcome =
            cli_opencl_time_fresh(&meter->bench, false, &on_device, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_opencl_time_fresh(&meter->bench, true, &on_host, error);
    }
    return outcome == CLI_DONE ? add(meter,
                                     "prefers_host_memory",
                                     json_boolean(on_host < on_device * margin),
                                     error)
                               : outcome;
}

cli_outcome cli_opencl_row_measure(const cli_opencl_paths *paths,
                                   json_t *speed,
                                   json_t **row,
                                   clconst_error *error)
{
    static cli_outcome (*const steps[])(row_meter * meter,
                                        clconst_error * error) = {
        add_pattern_sizes,
        add_driver_size,
        add_access,
        add_expand_size,
        add_tables,
        add_preferences,
    };
    row_meter meter = {.row = json_object()};
    cli_outcome outcome = cli_opencl_bench_open(paths, &meter.bench, error);
    if (outcome == CLI_DONE) {
        outcome = measure_paths(&meter, speed, error);
    }
    for (size_t i = 0;
         i < sizeof(steps) / sizeof(steps[0]) && outcome == CLI_DONE;
         i++) {
        outcome = steps[i](&meter, error);
    }
    cli_opencl_bench_close(&meter.bench);
    if (outcome != CLI_DONE) {
        json_decref(meter.row);
        return outcome;
    }
    *row = meter.row;
    return CLI_DONE;
}
