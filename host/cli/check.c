/* The subcommand that tests a device. */
#include <stdlib.h>
#include <string.h>

#include "cli/check_page.h"
#include "cli/check_paths.h"
#include "cli/check_tally.h"
#include "cli/check_write.h"
#include "cli/command.h"
#include "cli/engines.h"
#include "cli/text.h"

/* Sizes around words and patterns, with all offsets or with the first few. */
static const struct {
    size_t element_count;
    size_t offset_count;
    bool is_zero;
} rows[] = {
    {1, 18, false},
    {2, 2, false},
    {3, 3, false},
    {7, 18, false},
    {64, 2, false},
    {131, 18, false},
    {4097, 18, false},
    {4096, 2, true},
    {30011, 3, false},
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static const clconst_dtype dtypes[] = {
#define CLCONST_X(name, number, bits, text) CLCONST_##name,
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
};

enum { DTYPE_COUNT = sizeof(dtypes) / sizeof(dtypes[0]) };

/* A way to fill: fills the sample at the offset, with guards around it, and
 * has bytes hold all three. */
typedef struct check_run check_run;
typedef cli_outcome (*fill_function)(check_run *run,
                                     const cli_sample *sample,
                                     size_t offset,
                                     clconst_error *error);

/* One run of the subcommand. */
struct check_run {
    cli_engines engines;
    cli_check_device *device; /* NULL: the CPU engine alone */
    size_t path;              /* of the device */
    uint8_t *bytes;
    uint8_t *expected; /* what the host's clconst_write makes of the sample */
    cli_check_tally tally; /* of the path that is checked */
    json_t *cases;
    json_t *classes;
    json_t *speed;
    size_t passed;
    size_t failed;
};

static cli_outcome fill_by_device(check_run *run,
                                  const cli_sample *sample,
                                  size_t offset,
                                  clconst_error *error)
{
    return cli_check_device_fill(
        run->device, run->path, sample, offset, run->bytes, error);
}

static cli_outcome fill_by_write(check_run *run,
                                 const cli_sample *sample,
                                 size_t offset,
                                 clconst_error *error)
{
    size_t size = cli_sample_size(sample);
    uint8_t *begin = run->bytes + offset;
    memset(begin, CLI_CHECK_POISON, size + 2 * CLI_CHECK_GUARD);
    cli_outcome outcome = cli_outcome_of(clconst_write(
        run->engines.host, sample->plan, begin + CLI_CHECK_GUARD, size, error));
    memmove(run->bytes, begin, size + 2 * CLI_CHECK_GUARD);
    return outcome;
}

/* A tensor of its own has no offset and no guards. */
static cli_outcome fill_by_run(check_run *run,
                               const cli_sample *sample,
                               size_t offset,
                               clconst_error *error)
{
    (void)offset;
    size_t size = cli_sample_size(sample);
    memset(run->bytes, CLI_CHECK_POISON, size + 2 * CLI_CHECK_GUARD);
    clconst_tensor *tensor = NULL;
    cli_outcome outcome =
        cli_engines_run(&run->engines, sample->plan, &tensor, error);
    if (outcome == CLI_DONE) {
        outcome = cli_outcome_of(clconst_tensor_read(
            tensor, 0, run->bytes + CLI_CHECK_GUARD, size, error));
    }
    clconst_tensor_destroy(tensor);
    return outcome;
}

/* The first wrong byte, counted from the output's first one. */
static cli_outcome
find_fault(const check_run *run, const cli_sample *sample, clconst_error *error)
{
    size_t size = cli_sample_size(sample);
    for (size_t i = 0; i < size + 2 * CLI_CHECK_GUARD; i++) {
        bool is_guard = i < CLI_CHECK_GUARD || i >= CLI_CHECK_GUARD + size;
        size_t index = i - CLI_CHECK_GUARD;
        uint8_t expected =
            is_guard ? CLI_CHECK_POISON : cli_sample_byte(sample, index);
        if (run->bytes[i] != expected) {
            return cli_fail(error,
                            CLCONST_DEVICE_ERROR,
                            "byte %lld of %zu is 0x%02x; it must be 0x%02x",
                            (long long)i - (long long)CLI_CHECK_GUARD,
                            size,
                            run->bytes[i],
                            expected);
        }
        if (!is_guard && run->expected[index] != expected) {
            return cli_fail(error,
                            CLCONST_DEVICE_ERROR,
                            "byte %zu of %zu is 0x%02x on the host; it must "
                            "be 0x%02x",
                            index,
                            size,
                            run->expected[index],
                            expected);
        }
    }
    return CLI_DONE;
}

static cli_outcome check_one(check_run *run,
                             const cli_sample *sample,
                             size_t offset,
                             fill_function fill,
                             clconst_error *error)
{
    cli_outcome outcome = cli_outcome_of(clconst_write(
        NULL, sample->plan, run->expected, cli_sample_size(sample), error));
    if (outcome == CLI_DONE) {
        outcome = fill(run, sample, offset, error);
    }
    return outcome == CLI_DONE ? find_fault(run, sample, error) : outcome;
}

/* Adds a row of the report. fault says what went wrong first. */
static cli_outcome add_case(check_run *run,
                            const char *path,
                            clconst_dtype dtype,
                            const size_t counts[2],
                            const char *fault,
                            clconst_error *error)
{
    json_t *row = json_pack("{ss ss sb so so so}",
                            "path",
                            path,
                            "dtype",
                            clconst_dtype_name(dtype),
                            "ok",
                            counts[1] == 0,
                            "passed",
                            cli_json_size(counts[0]),
                            "failed",
                            cli_json_size(counts[1]),
                            "reason",
                            cli_text_json_string(fault));
    if (json_array_append_new(run->cases, row) != 0) {
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
    }
    run->passed += counts[1] == 0;
    run->failed += counts[1] > 0;
    return CLI_DONE;
}

/* All sizes and offsets of one dtype on one path. */
static cli_outcome check_dtype(check_run *run,
                               const char *path,
                               clconst_dtype dtype,
                               fill_function fill,
                               clconst_error *error)
{
    size_t counts[2] = {0, 0};
    clconst_error fault;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        cli_sample sample;
        cli_outcome outcome = cli_sample_create(
            dtype, rows[i].element_count, rows[i].is_zero, &sample, error);
        if (outcome != CLI_DONE) {
            return outcome;
        }
        for (size_t j = 0; j < rows[i].offset_count; j++) {
            clconst_error reason;
            bool is_bad = check_one(run, &sample, j, fill, &reason) != CLI_DONE;
            if (is_bad && counts[1] == 0) {
                cli_error_set(&fault,
                              (clconst_status)reason.status,
                              reason.native_code,
                              "%zu elements at offset %zu: %.400s",
                              rows[i].element_count,
                              j,
                              reason.message);
            }
            counts[is_bad]++;
            cli_check_tally_add(&run->tally, rows[i].element_count, j, is_bad);
        }
        cli_sample_release(&sample);
    }
    return add_case(
        run, path, dtype, counts, counts[1] > 0 ? fault.message : NULL, error);
}

static cli_outcome check_path(check_run *run,
                              const char *path,
                              fill_function fill,
                              clconst_error *error)
{
    cli_outcome outcome = CLI_DONE;
    run->tally = (cli_check_tally){0};
    for (size_t i = 0; i < DTYPE_COUNT && outcome == CLI_DONE; i++) {
        if (dtypes[i] != CLCONST_STRING) {
            outcome = check_dtype(run, path, dtypes[i], fill, error);
        }
    }
    return outcome == CLI_DONE
               ? cli_check_tally_report(&run->tally, path, run->classes, error)
               : outcome;
}

static cli_outcome check_paths(check_run *run, clconst_error *error)
{
    cli_outcome outcome = check_path(run, "run", fill_by_run, error);
    if (outcome == CLI_DONE && run->device == NULL) {
        outcome = check_path(run, "write", fill_by_write, error);
    }
    while (outcome == CLI_DONE) {
        const char *path = cli_check_device_path(run->device, run->path);
        if (path == NULL) {
            break;
        }
        outcome = check_path(run, path, fill_by_device, error);
        run->path++;
    }
    return outcome;
}

/* A device that cannot be measured still has a report, which says so. */
static cli_outcome measure(check_run *run, json_t *report, clconst_error *error)
{
    if (run->device == NULL) {
        return cli_check_measure_write(run->engines.host, run->speed, error);
    }
    clconst_error reason;
    if (cli_check_device_measure(run->device, run->speed, report, &reason) ==
        CLI_DONE) {
        return CLI_DONE;
    }
    json_t *text = cli_text_json_string(reason.message);
    return json_object_set_new(report, "not_measured", text) == 0
               ? CLI_DONE
               : cli_fail(
                     error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
}

static cli_outcome
make_report(check_run *run, cli_report *report, clconst_error *error)
{
    cli_outcome outcome =
        cli_report_set(report,
                       json_pack("{ss so so so sO sO sO}",
                                 "clconst",
                                 clconst_version(),
                                 "device",
                                 cli_text_json_string(run->engines.info.name),
                                 "passed",
                                 cli_json_size(run->passed),
                                 "failed",
                                 cli_json_size(run->failed),
                                 "cases",
                                 run->cases,
                                 "classes",
                                 run->classes,
                                 "speed",
                                 run->speed),
                       error);
    if (outcome == CLI_DONE) {
        outcome = cli_check_device_describe(run->device, report->json, error);
    }
    return outcome == CLI_DONE ? measure(run, report->json, error) : outcome;
}

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    enum { SIZE = CLI_CHECK_SIZE_MAX + 2 * CLI_CHECK_GUARD };
    check_run run = {
        .cases = json_array(),
        .classes = json_array(),
        .speed = json_array(),
    };
    cli_outcome outcome = cli_engines_open(args, report, &run.engines, error);
    if (outcome == CLI_DONE) {
        outcome = cli_check_device_open(run.engines.device, &run.device, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_alloc(SIZE, 1, &run.bytes, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_alloc(SIZE, 1, &run.expected, error);
    }
    if (outcome == CLI_DONE) {
        outcome = check_paths(&run, error);
    }
    if (outcome == CLI_DONE) {
        outcome = make_report(&run, report, error);
    }
    if (outcome == CLI_DONE && run.failed > 0) {
        outcome = cli_fail(error,
                           CLCONST_DEVICE_ERROR,
                           "%zu of %zu cases failed",
                           run.failed,
                           run.failed + run.passed);
    }
    json_decref(run.cases);
    json_decref(run.classes);
    json_decref(run.speed);
    free(run.bytes);
    free(run.expected);
    cli_check_device_close(run.device);
    cli_engines_release(&run.engines);
    return outcome;
}

const cli_command cli_command_check = {
    .name = "check",
    .usage = "",
    .summary = "test that a device fills what it is asked to fill",
    .details =
        "Each path of the device fills tensors of each dtype, of many sizes "
        "and at the\nbyte offsets 0 to 17. Each byte, and 64 bytes before and "
        "behind, is compared\nwith what the host writes and with a bit by bit "
        "expansion. The page is meant for\nbug reports: device and driver, "
        "what failed by dtype and by size and offset, the\nspeed of each "
        "path, and what the library's table of paths should say of the\n"
        "device.\n",
    .example = "check --device opencl",
    .syntax = {.options = CLI_DEVICE, .operand = ""},
    .run = run,
    .print = cli_check_page_print,
};
