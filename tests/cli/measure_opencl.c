/* What each way to fill of an OpenCL device takes for right. */
#include "backend/engines.h"
#include "cli/bench_opencl.h"
#include "measure.h"

/* A case's own buffer is the driver's; the destination lies in one as well. */
static void flip_on_device(const cli_bench_case *bench, size_t index)
{
    cli_bench_device *device = bench->context;
    cl_mem buffer = device->buffer;
    if (bench->block != NULL) {
        buffer = bench->block;
    }
    cl_int code;
    uint8_t *byte = clEnqueueMapBuffer(device->opencl.queue,
                                       buffer,
                                       CL_TRUE,
                                       CL_MAP_READ | CL_MAP_WRITE,
                                       bench->offset + index,
                                       1,
                                       0,
                                       NULL,
                                       NULL,
                                       &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    *byte ^= 0x10;
    code = clEnqueueUnmapMemObject(
        device->opencl.queue, buffer, byte, 0, NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clFinish(device->opencl.queue), CL_SUCCESS);
}

typedef struct measured_device {
    clconst_engine *engine;
    cli_bench_device *device;
} measured_device;

static void open_device(measured_device *measured)
{
    measured->engine = engines_create(CLCONST_PATH_AUTO);
    ck_assert_done(
        cli_bench_device_open(measured->engine, &measured->device, error));
}

static void close_device(measured_device *measured)
{
    cli_bench_device_close(measured->device);
    clconst_engine_destroy(measured->engine);
}

/* Each path, alone and in a row, at an offset too, and the driver. */
START_TEST(fills_are_verified_to_the_last_byte)
{
    measured_device m;
    cli_sample sample;
    cli_bench_group group;
    open_device(&m);
    ck_assert_done(cli_sample_create_of_size(
        CLCONST_COMPLEX128, MEASURE_SIZE, false, &sample, error));
    ck_assert_done(cli_bench_group_create(MEASURE_SIZE, false, &group, error));
    for (size_t offset = 0; offset < 2; offset++) {
        ck_assert_done(cli_bench_device_add_fills(
            m.device, &group, &sample, offset, false, error));
    }
    ck_assert_uint_eq(group.case_count, 1 + 2 * 2 * CLI_PATH_COUNT);
    measure_assert_verified(&group, flip_on_device);
    cli_bench_device_unbind(m.device);
    cli_bench_group_release(&group);
    cli_sample_release(&sample);
    close_device(&m);
}
END_TEST

START_TEST(fresh_buffers_are_verified_to_the_last_byte)
{
    measured_device m;
    cli_sample sample;
    cli_bench_group group;
    open_device(&m);
    ck_assert_done(cli_sample_create_of_size(
        CLCONST_FLOAT, MEASURE_SIZE, false, &sample, error));
    ck_assert_done(cli_bench_group_create(MEASURE_SIZE, true, &group, error));
    ck_assert_done(
        cli_bench_device_add_fresh(m.device, &group, &sample, error));
    measure_assert_verified(&group, flip_on_device);
    cli_bench_group_release(&group);
    cli_sample_release(&sample);
    close_device(&m);
}
END_TEST

START_TEST(device_batches_are_verified_to_the_last_byte)
{
    measured_device m;
    cli_bench_batch batch;
    cli_bench_group group;
    open_device(&m);
    measure_create_batch(&batch, m.engine);
    ck_assert_done(cli_bench_group_create(
        cli_bench_batch_arena_size(&batch), false, &group, error));
    ck_assert_done(
        cli_bench_device_add_batch(m.device, &group, &batch, false, error));
    measure_assert_verified(&group, flip_on_device);
    cli_bench_device_unbind(m.device);
    cli_bench_group_release(&group);
    cli_bench_batch_release(&batch);
    close_device(&m);
}
END_TEST

Suite *measure_opencl_suite(void)
{
    Suite *suite = suite_create("measure_opencl");
    TCase *tcase = tcase_create("measure_opencl");
    tcase_add_test(tcase, fills_are_verified_to_the_last_byte);
    tcase_add_test(tcase, fresh_buffers_are_verified_to_the_last_byte);
    tcase_add_test(tcase, device_batches_are_verified_to_the_last_byte);
    suite_add_tcase(suite, tcase);
    return suite;
}
