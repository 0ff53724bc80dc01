/* What each way to fill of the CPU engine, and the limit, take for right. */
#include "cli/bench_limit.h"
#include "measure.h"

static clconst_engine *create_host(void)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    clconst_engine *host;
    ck_assert_ok(clconst_engine_create(&options, &host, error));
    return host;
}

/* Of an element whose bytes all differ, and of 6-bit ones. */
static const clconst_dtype dtypes[] = {CLCONST_COMPLEX128, CLCONST_FLOAT6E2M3};

START_TEST(writes_are_verified_to_the_last_byte)
{
    clconst_engine *host = create_host();
    cli_sample sample;
    cli_bench_group group;
    ck_assert_done(cli_sample_create_of_size(
        dtypes[_i], MEASURE_SIZE, false, &sample, error));
    ck_assert_done(cli_bench_group_create(MEASURE_SIZE, false, &group, error));
    ck_assert_done(cli_bench_fill_add_write(&group, host, &sample, 0, error));
    ck_assert_done(cli_bench_fill_add_write(&group, host, &sample, 1, error));
    measure_assert_verified(&group, measure_flip_on_host);
    cli_bench_group_release(&group);
    cli_sample_release(&sample);
    clconst_engine_destroy(host);
}
END_TEST

START_TEST(fresh_tensors_are_verified_to_the_last_byte)
{
    clconst_engine *host = create_host();
    cli_sample samples[2];
    cli_bench_group group;
    ck_assert_done(cli_bench_group_create(MEASURE_SIZE, true, &group, error));
    for (size_t i = 0; i < 2; i++) {
        ck_assert_done(cli_sample_create_of_size(
            dtypes[_i], MEASURE_SIZE, i > 0, &samples[i], error));
        ck_assert_done(cli_bench_fill_add_run(
            &group, host, "cpu run", &samples[i], error));
    }
    measure_assert_verified(&group, measure_flip_on_host);
    cli_bench_group_release(&group);
    cli_sample_release(&samples[0]);
    cli_sample_release(&samples[1]);
    clconst_engine_destroy(host);
}
END_TEST

START_TEST(batches_are_verified_to_the_last_byte)
{
    clconst_engine *host = create_host();
    cli_bench_batch batch;
    cli_bench_group group;
    measure_create_batch(&batch, host);
    ck_assert_done(cli_bench_group_create(
        cli_bench_batch_arena_size(&batch), false, &group, error));
    ck_assert_done(cli_bench_fill_add_batch(&group, host, &batch, error));
    measure_assert_verified(&group, measure_flip_on_host);
    cli_bench_group_release(&group);
    cli_bench_batch_release(&batch);
    clconst_engine_destroy(host);
}
END_TEST

/* In warm and in fresh memory. */
START_TEST(stores_of_the_limit_are_verified_to_the_last_byte)
{
    cli_sample sample;
    cli_bench_group group;
    ck_assert_done(cli_sample_create_of_size(
        CLCONST_UINT8, MEASURE_SIZE, false, &sample, error));
    ck_assert_done(cli_bench_group_create(MEASURE_SIZE, _i > 0, &group, error));
    ck_assert_done(cli_bench_limit_add(&group, &sample, 1, error));
    ck_assert_done(
        cli_bench_limit_add(&group, &sample, CLI_BENCH_PIPELINED_COUNT, error));
    measure_assert_verified(&group, measure_flip_on_host);
    cli_bench_group_release(&group);
    cli_sample_release(&sample);
}
END_TEST

Suite *measure_cases_suite(void)
{
    Suite *suite = suite_create("measure_cases");
    TCase *tcase = tcase_create("measure_cases");
    tcase_add_loop_test(tcase, writes_are_verified_to_the_last_byte, 0, 2);
    tcase_add_loop_test(
        tcase, fresh_tensors_are_verified_to_the_last_byte, 0, 2);
    tcase_add_test(tcase, batches_are_verified_to_the_last_byte);
    tcase_add_loop_test(
        tcase, stores_of_the_limit_are_verified_to_the_last_byte, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
