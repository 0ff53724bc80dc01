#include "cli/bench_fill.h"

#include <stdlib.h>

cli_outcome cli_bench_batch_create(cli_bench_batch *batch,
                                   const clconst_engine_info *info,
                                   clconst_error *error)
{
    size_t count = cli_bench_batch_count(batch);
    const clconst_plan **plans = NULL;
    cli_outcome outcome = cli_sample_create_of_size(
        CLCONST_FLOAT, batch->large_size, false, &batch->large, error);
    if (outcome == CLI_DONE) {
        outcome = cli_sample_create_of_size(
            CLCONST_FLOAT, batch->small_size, false, &batch->small, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_alloc(count, sizeof(*plans), &plans, error);
    }
    if (outcome != CLI_DONE) {
        return outcome;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_large = i == 0 && batch->large_size > 0;
        plans[i] = is_large ? batch->large.plan : batch->small.plan;
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.expand_size = info->expand_size;
    outcome = cli_outcome_of(
        clconst_batch_create(plans, count, &options, &batch->batch, error));
    free(plans);
    if (outcome == CLI_DONE) {
        outcome = cli_sample_create_of_size(CLCONST_FLOAT,
                                            cli_bench_batch_arena_size(batch),
                                            false,
                                            &batch->all,
                                            error);
    }
    return outcome;
}

size_t cli_bench_batch_arena_size(const cli_bench_batch *batch)
{
    return clconst_batch_get_arena_size(batch->batch, 0);
}

const cli_sample *
cli_bench_batch_get(const cli_bench_batch *batch, size_t index, size_t *offset)
{
    clconst_place place = CLCONST_PLACE_INIT;
    /* The index is of the batch. */
    (void)clconst_batch_get_place(batch->batch, index, &place, NULL);
    *offset = place.offset;
    bool is_large = index == 0 && batch->large_size > 0;
    return is_large ? &batch->large : &batch->small;
}

size_t cli_bench_batch_count(const cli_bench_batch *batch)
{
    return batch->small_count + (batch->large_size > 0);
}

void cli_bench_batch_release(cli_bench_batch *batch)
{
    clconst_batch_destroy(batch->batch);
    cli_sample_release(&batch->large);
    cli_sample_release(&batch->small);
    cli_sample_release(&batch->all);
}

cli_outcome cli_bench_check_bytes(const cli_bench_case *bench,
                                  const uint8_t *bytes,
                                  clconst_error *error)
{
    return cli_sample_fits(bench->sample, bytes + bench->offset)
               ? CLI_DONE
               : cli_fail(error,
                          CLCONST_DEVICE_ERROR,
                          "%zu bytes of %s at offset %zu are not what was "
                          "filled",
                          cli_sample_size(bench->sample),
                          clconst_dtype_name(bench->sample->dtype),
                          bench->offset);
}

static cli_outcome verify_bytes(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_check_bytes(bench, bench->group->bytes, error);
}

static cli_outcome run_write(cli_bench_case *bench, clconst_error *error)
{
    return cli_outcome_of(clconst_write(bench->engine,
                                        bench->sample->plan,
                                        bench->group->bytes + bench->offset,
                                        cli_sample_size(bench->sample),
                                        error));
}

cli_outcome cli_bench_fill_add_write(cli_bench_group *group,
                                     clconst_engine *host,
                                     const cli_sample *sample,
                                     size_t offset,
                                     clconst_error *error)
{
    const cli_bench_case bench = {
        .path = "cpu",
        .sample = sample,
        .offset = offset,
        .fill_count = 1,
        .run = run_write,
        .verify = verify_bytes,
        .engine = host,
    };
    return cli_bench_group_add(group, &bench, error);
}

cli_outcome cli_bench_check_batch(const cli_bench_case *bench,
                                  const uint8_t *bytes,
                                  clconst_error *error)
{
    for (size_t i = 0; i < cli_bench_batch_count(bench->batch); i++) {
        size_t offset;
        const cli_sample *sample =
            cli_bench_batch_get(bench->batch, i, &offset);
        if (!cli_sample_fits(sample, bytes + offset)) {
            return cli_fail(error,
                            CLCONST_DEVICE_ERROR,
                            "tensor %zu of the batch is not what was filled",
                            i);
        }
    }
    return CLI_DONE;
}

static cli_outcome run_batch(cli_bench_case *bench, clconst_error *error)
{
    return cli_outcome_of(clconst_batch_write(bench->engine,
                                              bench->batch->batch,
                                              0,
                                              bench->group->bytes,
                                              bench->group->size,
                                              error));
}

static cli_outcome verify_batch(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_check_batch(bench, bench->group->bytes, error);
}

cli_outcome cli_bench_fill_add_batch(cli_bench_group *group,
                                     clconst_engine *host,
                                     const cli_bench_batch *batch,
                                     clconst_error *error)
{
    const cli_bench_case bench = {
        .path = batch->host_path,
        .sample = &batch->all,
        .fill_count = 1,
        .run = run_batch,
        .verify = verify_batch,
        .engine = host,
        .batch = batch,
    };
    return cli_bench_group_add(group, &bench, error);
}

static cli_outcome run_run(cli_bench_case *bench, clconst_error *error)
{
    return cli_outcome_of(
        clconst_run(bench->engine, bench->sample->plan, &bench->tensor, error));
}

static void destroy_tensor(cli_bench_case *bench)
{
    clconst_tensor_destroy(bench->tensor);
    bench->tensor = NULL;
}

static cli_outcome verify_run(cli_bench_case *bench, clconst_error *error)
{
    size_t size = cli_sample_size(bench->sample);
    uint8_t *bytes;
    cli_outcome outcome = cli_alloc(size, 1, &bytes, error);
    if (outcome == CLI_DONE) {
        outcome = cli_outcome_of(
            clconst_tensor_read(bench->tensor, 0, bytes, size, error));
    }
    if (outcome == CLI_DONE) {
        outcome = cli_bench_check_bytes(bench, bytes, error);
    }
    free(bytes);
    return outcome;
}

cli_outcome cli_bench_fill_add_run(cli_bench_group *group,
                                   clconst_engine *engine,
                                   const char *path,
                                   const cli_sample *sample,
                                   clconst_error *error)
{
    const cli_bench_case bench = {
        .path = path,
        .sample = sample,
        .fill_count = 1,
        .has_no_limit = cli_sample_byte(sample, 0) == 0,
        .run = run_run,
        .reset = destroy_tensor,
        .verify = verify_run,
        .engine = engine,
    };
    return cli_bench_group_add(group, &bench, error);
}
