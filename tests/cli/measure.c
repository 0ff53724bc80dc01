#include "measure.h"

#include <stdbool.h>

void measure_create_batch(cli_bench_batch *batch, const clconst_engine *engine)
{
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(engine, &info);
    *batch = (cli_bench_batch){
        .path = "batch",
        .pipelined_path = "batch x8",
        .pipelined_driver_path = "fillbuffer each x8",
        .one_path = "one fill",
        .host_path = "cpu batch",
        .small_size = 64,
        .small_count = 10,
    };
    ck_assert_done(cli_bench_batch_create(batch, &info, error));
}

static void assert_verdict(cli_bench_case *bench, bool is_good, size_t index)
{
    clconst_error error = {0, 0, ""};
    cli_outcome outcome = bench->verify(bench, &error);
    ck_assert_msg(outcome == (is_good ? CLI_DONE : CLI_UNMET),
                  "path %s of %zu bytes, byte %zu: outcome %d: %s",
                  bench->path,
                  bench->group->size,
                  index,
                  (int)outcome,
                  error.message);
}

void measure_assert_verified(cli_bench_group *group,
                             void (*flip)(const cli_bench_case *bench,
                                          size_t index))
{
    ck_assert_uint_gt(group->case_count, 0);
    for (size_t i = 0; i < group->case_count; i++) {
        cli_bench_case *bench = &group->cases[i];
        /* What lies behind the tensors of a batch is not written. */
        size_t size =
            bench->batch != NULL && bench->sample == &bench->batch->all
                ? bench->batch->small_size * bench->batch->small_count
                : cli_sample_size(bench->sample);
        const size_t indices[] = {0, 47, 48, size / 2, size - 2, size - 1};
        if (bench->start != NULL) {
            ck_assert_done(bench->start(bench, error));
        }
        ck_assert_done(bench->run(bench, error));
        assert_verdict(bench, true, size);
        for (size_t k = 0; k < sizeof(indices) / sizeof(indices[0]); k++) {
            flip(bench, indices[k]);
            assert_verdict(bench, false, indices[k]);
            flip(bench, indices[k]);
        }
        assert_verdict(bench, true, size);
        if (bench->reset != NULL) {
            bench->reset(bench);
        }
    }
}

void measure_flip_on_host(const cli_bench_case *bench, size_t index)
{
    uint8_t *bytes = bench->group->bytes;
    if (bench->block != NULL) {
        bytes = bench->block;
    } else if (bench->tensor != NULL) {
        clconst_view view;
        clconst_tensor_get_view(bench->tensor, &view);
        bytes = (uint8_t *)view.data;
    }
    bytes[bench->offset + index] ^= 0x10;
}
