#include "cli/bench_sizes.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/bench_group.h"
#include "cli/shape.h"

#define SIZE_OF(log2) ((size_t)1 << (log2))

/* From here on nothing new is seen of widths, but much time goes by. */
enum { WIDE_LOG2 = 28 };

static const size_t usual_sizes[] = {
    SIZE_OF(CLI_BENCH_SIZE_LOG2_MIN),
    SIZE_OF(8),
    SIZE_OF(12),
    SIZE_OF(16),
    SIZE_OF(20),
    SIZE_OF(24),
    SIZE_OF(WIDE_LOG2),
    SIZE_OF(CLI_BENCH_SIZE_LOG2_MAX),
};

enum { USUAL_COUNT = sizeof(usual_sizes) / sizeof(usual_sizes[0]) };

static int compare_sizes(const void *left, const void *right)
{
    const size_t *a = left;
    const size_t *b = right;
    return (*a > *b) - (*a < *b);
}

/* In ascending order, each once. */
static void sort(cli_bench_sizes *sizes)
{
    size_t kept = 0;
    qsort(sizes->items, sizes->count, sizeof(*sizes->items), compare_sizes);
    for (size_t i = 0; i < sizes->count; i++) {
        if (kept == 0 || sizes->items[i] != sizes->items[kept - 1]) {
            sizes->items[kept++] = sizes->items[i];
        }
    }
    sizes->count = kept;
}

static cli_outcome
take_usual(bool is_quick, cli_bench_sizes *sizes, clconst_error *error)
{
    cli_outcome outcome =
        cli_alloc(USUAL_COUNT, sizeof(*sizes->items), &sizes->items, error);
    for (size_t i = 0; i < USUAL_COUNT && outcome == CLI_DONE; i++) {
        if (!is_quick || usual_sizes[i] <= SIZE_OF(WIDE_LOG2)) {
            sizes->items[sizes->count++] = usual_sizes[i];
        }
    }
    return outcome;
}

static cli_outcome take_dims(const int64_t *dims,
                             size_t count,
                             cli_bench_sizes *sizes,
                             clconst_error *error)
{
    cli_outcome outcome =
        cli_alloc(count, sizeof(*sizes->items), &sizes->items, error);
    for (size_t i = 0; i < count && outcome == CLI_DONE; i++) {
        if (dims[i] < (int64_t)SIZE_OF(CLI_BENCH_SIZE_LOG2_MIN) ||
            dims[i] > (int64_t)SIZE_OF(CLI_BENCH_SIZE_LOG2_MAX)) {
            return cli_fail(error,
                            CLCONST_INVALID_ARGUMENT,
                            "size %zu is %lld; it must be %zu to %zu bytes",
                            i,
                            (long long)dims[i],
                            SIZE_OF(CLI_BENCH_SIZE_LOG2_MIN),
                            SIZE_OF(CLI_BENCH_SIZE_LOG2_MAX));
        }
        sizes->items[sizes->count++] = (size_t)dims[i];
    }
    return outcome;
}

cli_outcome cli_bench_sizes_read(const char *text,
                                 bool is_quick,
                                 cli_bench_sizes *sizes,
                                 clconst_error *error)
{
    *sizes = (cli_bench_sizes){0};
    if (text == NULL) {
        return take_usual(is_quick, sizes, error);
    }
    int64_t *dims;
    size_t count;
    cli_outcome outcome = cli_shape_parse(text, "size", &dims, &count, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    if (count == 0) {
        outcome = cli_fail_usage(error, "option --size lists no size");
    } else {
        outcome = take_dims(dims, count, sizes, error);
    }
    free(dims);
    if (outcome == CLI_DONE) {
        sort(sizes);
    }
    return outcome;
}

/* Zeros take memory that nothing is written to, where that is free. */
static cli_outcome
try_tensor(clconst_engine *engine, size_t size, clconst_error *error)
{
    cli_sample sample;
    clconst_tensor *tensor;
    cli_outcome outcome =
        cli_sample_create_of_size(CLCONST_UINT8, size, true, &sample, error);
    if (outcome == CLI_DONE) {
        outcome =
            cli_outcome_of(clconst_run(engine, sample.plan, &tensor, error));
    }
    if (outcome == CLI_DONE) {
        clconst_tensor_destroy(tensor);
    }
    cli_sample_release(&sample);
    return outcome;
}

cli_outcome cli_bench_size_fits(const cli_engines *engines,
                                size_t size,
                                bool *fits,
                                cli_report *report,
                                clconst_error *error)
{
    size_t whole_size = size + CLI_BENCH_MARGIN;
    cli_outcome outcome = try_tensor(engines->device, whole_size, error);
    if (outcome == CLI_DONE) {
        outcome = try_tensor(engines->host, 2 * whole_size, error);
        cli_explain(outcome, error, "with a copy to check");
    }
    *fits = outcome == CLI_DONE;
    if (*fits || (error->status != CLCONST_TOO_LARGE &&
                  error->status != CLCONST_OUT_OF_MEMORY)) {
        return outcome;
    }
    char note[sizeof(error->message) + 64];
    snprintf(
        note, sizeof(note), "%zu bytes are left out: %s", size, error->message);
    cli_report_tell(report, note);
    return CLI_DONE;
}

cli_outcome cli_bench_sizes_fit(cli_bench_sizes *sizes,
                                const cli_engines *engines,
                                cli_report *report,
                                clconst_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < sizes->count; i++) {
        bool fits;
        cli_outcome outcome =
            cli_bench_size_fits(engines, sizes->items[i], &fits, report, error);
        if (outcome != CLI_DONE) {
            return outcome;
        }
        if (fits) {
            sizes->items[kept++] = sizes->items[i];
        }
    }
    sizes->count = kept;
    /* The error is about the last one. */
    return kept > 0 ? CLI_DONE : CLI_UNMET;
}

size_t cli_bench_sizes_find_wide(const cli_bench_sizes *sizes)
{
    size_t index = sizes->count;
    while (--index > 0 && sizes->items[index] > SIZE_OF(WIDE_LOG2)) {
    }
    return index;
}

void cli_bench_sizes_release(cli_bench_sizes *sizes)
{
    free(sizes->items);
    *sizes = (cli_bench_sizes){0};
}
