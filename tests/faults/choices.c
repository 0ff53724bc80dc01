/*
 * What CLCONST_PATH_AUTO asks a driver for, on each kind of device: the layer
 * says what the device is, and sees the calls. Measurements say what is right
 * where: of PoCL, of rusticl on llvmpipe and of Oclgrind their own (R139,
 * R140), for others there are none, but for reports.
 */
#include <stdio.h>
#include <string.h>

#include "faults/steered.h"
#include "faults/suites.h"
#include "harness/oracle.h"

enum {
    TINY_SIZE = 3968,
    SMALL_SIZE = 64 << 10,
    BUFFER_SIZE = 4 << 20,
    PERIOD_COUNT = 5,
    BATCH_COUNT = 20,
};

/* What writes. */
typedef enum writer {
    BY_DRIVER, /* clEnqueueFillBuffer */
    BY_NATIVE, /* clEnqueueNativeKernel */
    IN_CHUNKS, /* clconst_fill_chunked */
    COALESCED, /* clconst_fill_coalesced */
    BY_TABLE,  /* clconst_fill_batch */
    WRITER_COUNT,
} writer;

static const struct {
    layer_entry entry;
    const char *kernel; /* NULL: none is launched */
} writers[WRITER_COUNT] = {
    [BY_DRIVER] = {LAYER_clEnqueueFillBuffer, NULL},
    [BY_NATIVE] = {LAYER_clEnqueueNativeKernel, NULL},
    [IN_CHUNKS] = {LAYER_clEnqueueNDRangeKernel, "clconst_fill_chunked"},
    [COALESCED] = {LAYER_clEnqueueNDRangeKernel, "clconst_fill_coalesced"},
    [BY_TABLE] = {LAYER_clEnqueueNDRangeKernel, "clconst_fill_batch"},
};

static const cl_device_type cpu = CL_DEVICE_TYPE_CPU;
static const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
static const cl_device_type accelerator = CL_DEVICE_TYPE_ACCELERATOR;
static const cl_device_type all_types =
    CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CPU;
static const cl_device_exec_capabilities kernels = CL_EXEC_KERNEL;
static const cl_device_exec_capabilities native =
    CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL;

/* Small fills have 64 KiB, large ones 4 MiB, which are on the two sides of
 * every crossover that was measured. Tiny ones are the driver's everywhere. */
typedef struct choice_row {
    const char *name;
    const char *platform;
    const cl_device_type *type;
    const cl_device_exec_capabilities *capabilities;
    writer small;
    writer large;
    writer batch;
    /* The driver's pattern for periods of 1, 2, 4, 8 and 16 bytes. */
    size_t widths[PERIOD_COUNT];
} choice_row;

static const char pocl[] = "Portable Computing Language";

static const choice_row choice_rows[] = {
    {"PoCL",
     pocl,
     &cpu,
     &native,
     BY_NATIVE,
     BY_NATIVE,
     BY_NATIVE,
     {1, 16, 16, 16, 16}},
    /* Its fill by 2 bytes is the slowest, by 1 the fastest. */
    {"PoCL without native kernels",
     pocl,
     &cpu,
     &kernels,
     BY_DRIVER,
     IN_CHUNKS,
     BY_TABLE,
     {1, 16, 16, 16, 16}},
    /* Fast are 1 and 4 bytes, or else 128; kernels never are. */
    {"rusticl",
     "rusticl",
     &cpu,
     &kernels,
     BY_DRIVER,
     BY_DRIVER,
     BY_DRIVER,
     {1, 4, 4, 128, 128}},
    /* Its fill is a loop of the host's, its kernels are interpreted. */
    {"Oclgrind",
     "Oclgrind",
     &all_types,
     &native,
     BY_DRIVER,
     BY_DRIVER,
     BY_DRIVER,
     {1, 2, 4, 8, 16}},
    /* Nobody has measured that native kernels serve there. */
    {"another CPU",
     "another",
     &cpu,
     &native,
     BY_DRIVER,
     IN_CHUNKS,
     BY_TABLE,
     {1, 16, 16, 16, 16}},
    /* Level Zero lost patterns of 2 bytes (intel/compute-runtime issue 567). */
    {"GPU",
     "another",
     &gpu,
     &kernels,
     BY_DRIVER,
     COALESCED,
     BY_TABLE,
     {4, 4, 4, 8, 16}},
    {"GPU of PoCL",
     pocl,
     &gpu,
     &native,
     BY_DRIVER,
     COALESCED,
     BY_TABLE,
     {4, 4, 4, 8, 16}},
    {"accelerator",
     "another",
     &accelerator,
     &kernels,
     BY_DRIVER,
     COALESCED,
     BY_TABLE,
     {4, 4, 4, 8, 16}},
};

static const int period_dtypes[PERIOD_COUNT] = {
    CLCONST_UINT8,
    CLCONST_UINT16,
    CLCONST_UINT32,
    CLCONST_UINT64,
    CLCONST_COMPLEX128,
};

static const layer_lie pocl_lies[] = {
    {CL_PLATFORM_NAME, sizeof(pocl), pocl},
    {CL_DEVICE_TYPE, sizeof(cpu), &cpu},
};

static cl_mem create_buffer(void)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(
        steered.context, CL_MEM_READ_WRITE, BUFFER_SIZE, NULL, &code);
    ck_assert_cl(code);
    return buffer;
}

/* Calls of what writes, before a fill and since. */
typedef struct watch {
    size_t counts[WRITER_COUNT];
} watch;

static watch begin_watch(void)
{
    watch before;
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        before.counts[i] = steer_count(writers[i].entry);
    }
    layer->launched[0] = '\0';
    steer_forget_fills();
    return before;
}

/* One writer was called, and no other. */
static void
end_watch(const watch *before, writer expected, size_t count, const char *row)
{
    ck_assert_cl(clFinish(steered.queue));
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        bool is_expected = writers[i].entry == writers[expected].entry;
        size_t calls = steer_count(writers[i].entry) - before->counts[i];
        ck_assert_msg(calls == (is_expected ? count : 0),
                      "%s: %s was called %zu times",
                      row,
                      steer_entry_name(writers[i].entry),
                      calls);
    }
    const char *kernel = writers[expected].kernel;
    ck_assert_msg(strcmp(layer->launched, kernel != NULL ? kernel : "") == 0,
                  "%s: \"%s\" was launched",
                  row,
                  layer->launched);
}

static bool has_native_kernels(void)
{
    cl_device_exec_capabilities capabilities;
    ck_assert_cl(clGetDeviceInfo(steered.device,
                                 CL_DEVICE_EXECUTION_CAPABILITIES,
                                 sizeof(capabilities),
                                 &capabilities,
                                 NULL));
    bool has_them = (capabilities & CL_EXEC_NATIVE_KERNEL) != 0;
    if (!has_them) {
        printf("SKIP: the device has no native kernels\n");
    }
    return has_them;
}

/* The buffer holds elements of so many bytes. */
static void check_bytes(cl_mem buffer, size_t size, size_t element_size)
{
    cl_int code;
    uint8_t *bytes = clEnqueueMapBuffer(steered.queue,
                                        buffer,
                                        CL_TRUE,
                                        CL_MAP_READ,
                                        0,
                                        size,
                                        0,
                                        NULL,
                                        NULL,
                                        &code);
    ck_assert_cl(code);
    for (size_t i = 0; i < size; i += element_size) {
        ck_assert_msg(memcmp(bytes + i, harness_element, element_size) == 0,
                      "elements of %zu bytes: wrong at byte %zu",
                      element_size,
                      i);
    }
    ck_assert_cl(
        clEnqueueUnmapMemObject(steered.queue, buffer, bytes, 0, NULL, NULL));
}

/* One fill at offset 0, of a multiple of all patterns. */
static void check_fill(
    const choice_row *row, cl_mem buffer, size_t period, size_t size, writer w)
{
    int dtype = period_dtypes[period];
    clconst_plan *plan = harness_fill_plan(
        dtype, harness_element, (int64_t)(size / oracle_size(dtype, 1)));
    watch before = begin_watch();
    ck_assert_ok(clconst_enqueue(
        steered.engine, plan, steered.queue, buffer, 0, 0, NULL, NULL, error));
    end_watch(&before, w, 1, row->name);
    if (w == BY_DRIVER) {
        ck_assert_uint_eq(layer->fills[0].pattern_size, row->widths[period]);
    }
    check_bytes(buffer, size, oracle_size(dtype, 1));
    clconst_plan_destroy(plan);
}

/* Tensors that no host expands. The table goes there with a write. */
static void check_batch(const choice_row *row, cl_mem buffer)
{
    const clconst_plan *plans[BATCH_COUNT];
    clconst_plan *plan =
        harness_fill_plan(CLCONST_UINT16, harness_element, 2048);
    for (size_t i = 0; i < BATCH_COUNT; i++) {
        plans[i] = plan;
    }
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    clconst_batch *batch;
    options.expand_size = 1;
    ck_assert_ok(
        clconst_batch_create(plans, BATCH_COUNT, &options, &batch, error));
    watch before = begin_watch();
    ck_assert_ok(clconst_batch_enqueue(steered.engine,
                                       batch,
                                       0,
                                       steered.queue,
                                       buffer,
                                       0,
                                       0,
                                       NULL,
                                       NULL,
                                       error));
    end_watch(&before,
              row->batch,
              row->batch == BY_DRIVER ? BATCH_COUNT : 1,
              "batch");
    clconst_batch_destroy(batch);
    clconst_plan_destroy(plan);
}

START_TEST(auto_asks_for_what_was_measured)
{
    const choice_row *row = &choice_rows[_i];
    const layer_lie lies[] = {
        {CL_PLATFORM_NAME, strlen(row->platform) + 1, row->platform},
        {CL_DEVICE_TYPE, sizeof(*row->type), row->type},
        {CL_DEVICE_EXECUTION_CAPABILITIES,
         sizeof(*row->capabilities),
         row->capabilities},
    };
    if (row->small == BY_NATIVE && !has_native_kernels()) {
        return;
    }
    steer_lie(lies, COUNT_OF(lies));
    open_engine(CLCONST_PATH_AUTO);
    cl_mem buffer = create_buffer();
    for (size_t period = 0; period < PERIOD_COUNT; period++) {
        check_fill(row, buffer, period, TINY_SIZE, BY_DRIVER);
        check_fill(row, buffer, period, SMALL_SIZE, row->small);
        check_fill(row, buffer, period, BUFFER_SIZE, row->large);
    }
    check_batch(row, buffer);
    ck_assert_cl(clReleaseMemObject(buffer));
}
END_TEST

/* Fills of few bytes that the driver cannot do, or not in one command: a period
 * of 3 bytes, a last byte of its own, an offset off the period. One is not the
 * driver's because the caller says so. The last would be two of its commands by
 * a wide pattern. */
static const struct {
    clconst_fill_path path;
    int dtype;
    int64_t count;
    size_t offset;
    writer writer;
} tiny_rows[] = {
    {CLCONST_PATH_AUTO, CLCONST_FLOAT6E2M3, 64, 0, BY_NATIVE},
    {CLCONST_PATH_AUTO, CLCONST_UINT4, 99, 0, BY_NATIVE},
    {CLCONST_PATH_AUTO, CLCONST_UINT32, 16, 2, BY_NATIVE},
    {CLCONST_PATH_NATIVE, CLCONST_UINT32, 16, 0, BY_NATIVE},
    {CLCONST_PATH_AUTO, CLCONST_UINT32, 5, 0, BY_DRIVER},
};

START_TEST(tiny_fills_are_one_command)
{
    if (!has_native_kernels()) {
        return;
    }
    steer_lie(pocl_lies, COUNT_OF(pocl_lies));
    open_engine(tiny_rows[_i].path);
    cl_mem buffer = create_buffer();
    clconst_plan *plan = harness_fill_plan(
        tiny_rows[_i].dtype, harness_element, tiny_rows[_i].count);
    watch before = begin_watch();
    ck_assert_ok(clconst_enqueue(steered.engine,
                                 plan,
                                 steered.queue,
                                 buffer,
                                 tiny_rows[_i].offset,
                                 0,
                                 NULL,
                                 NULL,
                                 error));
    end_watch(&before, tiny_rows[_i].writer, 1, "tiny");
    clconst_plan_destroy(plan);
    ck_assert_cl(clReleaseMemObject(buffer));
}
END_TEST

Suite *choices_suite(void)
{
    Suite *suite = suite_create("choices");
    TCase *tcase = tcase_create("choices");
    tcase_add_checked_fixture(tcase, open_steered, close_steered);
    tcase_add_loop_test(
        tcase, auto_asks_for_what_was_measured, 0, COUNT_OF(choice_rows));
    tcase_add_loop_test(
        tcase, tiny_fills_are_one_command, 0, COUNT_OF(tiny_rows));
    suite_add_tcase(suite, tcase);
    return suite;
}
