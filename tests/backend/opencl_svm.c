/* Memory that a pointer names: which bytes change, and what is refused. */
#define CL_TARGET_OPENCL_VERSION 200
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/oracle.h"

enum { SIZE = 1024 };

/* Each fill path, with coarse- and with fine-grained memory: twice the path,
 * and one more for fine. */
enum { SETTING_COUNT = 2 * (CLCONST_PATH_NATIVE + 1) };

typedef struct setting {
    fixture f;
    uint8_t *pointer; /* aligned to 128 */
    size_t size;
    bool is_fine;
} setting;

/* The device's kinds of shared memory; 0 when it is of OpenCL 1.2. Only then
 * calls of 2.0 may be made. */
static cl_device_svm_capabilities find_capabilities(const fixture *f)
{
    char version[256];
    cl_device_svm_capabilities capabilities = 0;
    ck_assert_cl(clGetDeviceInfo(
        f->device, CL_DEVICE_VERSION, sizeof(version), version, NULL));
    if (strncmp(version, "OpenCL 1.", 9) != 0) {
        ck_assert_cl(clGetDeviceInfo(f->device,
                                     CL_DEVICE_SVM_CAPABILITIES,
                                     sizeof(capabilities),
                                     &capabilities,
                                     NULL));
    }
    return capabilities;
}

/* False, with a printed reason, when the device has no such memory. */
static bool open_setting(setting *s, int number, size_t size)
{
    s->is_fine = number % 2 == 1;
    s->size = size;
    fixture_open(&s->f, (clconst_fill_path)(number / 2));
    cl_device_svm_capabilities wanted = s->is_fine
                                            ? CL_DEVICE_SVM_FINE_GRAIN_BUFFER
                                            : CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    if ((find_capabilities(&s->f) & wanted) == 0) {
        printf("SKIP: the device has no %s-grained shared memory\n",
               s->is_fine ? "fine" : "coarse");
        fixture_close(&s->f);
        return false;
    }
    cl_svm_mem_flags flags =
        CL_MEM_READ_WRITE | (s->is_fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
    s->pointer = clSVMAlloc(s->f.context, flags, size, 128);
    ck_assert_ptr_nonnull(s->pointer);
    return true;
}

static void close_setting(setting *s)
{
    ck_assert_cl(clFinish(s->f.queue));
    clSVMFree(s->f.context, s->pointer);
    fixture_close(&s->f);
}

static void map(const setting *s)
{
    ck_assert_cl(clFinish(s->f.queue));
    if (!s->is_fine) {
        ck_assert_cl(clEnqueueSVMMap(s->f.queue,
                                     CL_TRUE,
                                     CL_MAP_READ | CL_MAP_WRITE,
                                     s->pointer,
                                     s->size,
                                     0,
                                     NULL,
                                     NULL));
    }
}

static void unmap(const setting *s)
{
    if (!s->is_fine) {
        ck_assert_cl(clEnqueueSVMUnmap(s->f.queue, s->pointer, 0, NULL, NULL));
        ck_assert_cl(clFinish(s->f.queue));
    }
}

static void reset(const setting *s)
{
    map(s);
    memset(s->pointer, FIXTURE_GUARD, s->size);
    unmap(s);
}

/* Compares all of the memory: expected bytes at offset, guards around them. */
static void assert_memory(const setting *s,
                          size_t offset,
                          const void *expected,
                          size_t size,
                          const char *row)
{
    uint8_t *wanted = malloc(s->size);
    memset(wanted, FIXTURE_GUARD, s->size);
    memcpy(wanted + offset, expected, size);
    map(s);
    harness_assert_bytes(s->pointer, wanted, s->size, row);
    unmap(s);
    free(wanted);
}

/* Writes the plan over guards at offset, and compares. */
static void assert_plan(const setting *s,
                        const clconst_plan *plan,
                        size_t offset,
                        const void *expected,
                        const char *row)
{
    size_t size = harness_plan_size(plan);
    cl_event event;
    reset(s);
    ck_assert_ok(clconst_enqueue_svm(s->f.engine,
                                     plan,
                                     s->f.queue,
                                     s->pointer + offset,
                                     size,
                                     0,
                                     NULL,
                                     &event,
                                     error));
    ck_assert_cl(clWaitForEvents(1, &event));
    assert_memory(s, offset, expected, size, row);
    ck_assert_cl(clReleaseEvent(event));
}

START_TEST(svm_fills_each_dtype_at_each_address)
{
    static const int64_t counts[] = {1, 3, 33, 16, 31};
    uint8_t expected[33 * 16];
    setting s;
    if (!open_setting(&s, _i, SIZE)) {
        return;
    }
#define CLCONST_X(name, number, bits, text)                                    \
    for (size_t offset = 0; offset < 34 && number != CLCONST_STRING;           \
         offset++) {                                                           \
        int64_t count = counts[offset % 5];                                    \
        clconst_plan *plan =                                                   \
            harness_fill_plan(number, harness_element, count);                 \
        oracle_fill(expected, number, harness_element, (uint64_t)count);       \
        assert_plan(&s, plan, offset, expected, text);                         \
        clconst_plan_destroy(plan);                                            \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
    close_setting(&s);
}
END_TEST

/* Large enough for a kernel everywhere but on the driver's path. */
START_TEST(svm_fills_large_memory)
{
    enum { LARGE = (3 << 20) + 256, COUNT = (3 << 20) / 8 };
    static uint8_t expected[COUNT * 8];
    setting s;
    if (!open_setting(&s, _i, LARGE)) {
        return;
    }
    oracle_fill(expected, CLCONST_INT64, harness_element, COUNT);
    clconst_plan *plan =
        harness_fill_plan(CLCONST_INT64, harness_element, COUNT);
    assert_plan(&s, plan, 8, expected, "aligned");
    assert_plan(&s, plan, 13, expected, "off alignment");
    clconst_plan_destroy(plan);
    close_setting(&s);
}
END_TEST

START_TEST(svm_copies_and_scatters_at_each_address)
{
    static const int64_t dense[] = {101};
    static const int64_t at[] = {0, 1, 7, 64, 99, 100};
    uint8_t source[64];
    uint8_t expected[101 * 8];
    memset(source, 0xf7, sizeof(source));
    setting s;
    if (!open_setting(&s, _i, SIZE)) {
        return;
    }
    for (size_t offset = 0; offset < 20; offset++) {
        clconst_plan *copy = harness_copy_plan(CLCONST_UINT2, source, 77);
        oracle_copy(expected, CLCONST_UINT2, source, 77);
        assert_plan(&s, copy, offset, expected, "copy");
        clconst_plan_destroy(copy);
        clconst_plan *sparse =
            harness_sparse_plan(CLCONST_INT64, source, at, 6, dense);
        memset(expected, 0, sizeof(expected));
        for (uint64_t i = 0; i < 6; i++) {
            oracle_place(expected, CLCONST_INT64, (uint64_t)at[i], source, i);
        }
        assert_plan(&s, sparse, offset, expected, "scatter");
        clconst_plan_destroy(sparse);
    }
    close_setting(&s);
}
END_TEST

/* The driver's fill needs a pointer aligned to the pattern (OpenCL 2.0
 * specification, section 5.6.1); whatever is not takes a kernel. */
START_TEST(svm_fill_by_the_driver_needs_alignment)
{
    static const size_t offsets[] = {8, 1, 2, 4};
    uint8_t expected[72];
    setting s;
    if (!open_setting(&s, 2 * CLCONST_PATH_DRIVER, SIZE)) {
        return;
    }
    oracle_fill(expected, CLCONST_UINT64, harness_element, 9);
    clconst_plan *plan = harness_fill_plan(CLCONST_UINT64, harness_element, 9);
    for (size_t i = 0; i < 4; i++) {
        assert_plan(&s, plan, offsets[i], expected, "uint64");
        ck_assert_uint_eq(fixture_programs_built(&s.f), i == 0 ? 0 : 1);
    }
    clconst_plan_destroy(plan);
    close_setting(&s);
}
END_TEST

START_TEST(svm_waits_and_tells_when_it_is_done)
{
    uint8_t expected[51];
    setting s;
    if (!open_setting(&s, _i, SIZE)) {
        return;
    }
    cl_command_queue queue = fixture_create_out_of_order_queue(&s.f);
    if (queue == NULL) {
        close_setting(&s);
        return;
    }
    reset(&s);
    oracle_fill(expected, CLCONST_UINT4, harness_element, 101);
    clconst_plan *plan = harness_fill_plan(CLCONST_UINT4, harness_element, 101);
    cl_int code;
    cl_event gate = clCreateUserEvent(s.f.context, &code);
    ck_assert_cl(code);
    cl_event event;
    ck_assert_ok(clconst_enqueue_svm(s.f.engine,
                                     plan,
                                     queue,
                                     s.pointer + 3,
                                     SIZE - 3,
                                     1,
                                     &gate,
                                     &event,
                                     error));
    assert_memory(&s, 0, "", 0, "before the gate opens");
    ck_assert_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    ck_assert_cl(clWaitForEvents(1, &event));
    assert_memory(&s, 3, expected, sizeof(expected), "after");
    ck_assert_cl(clReleaseEvent(gate));
    ck_assert_cl(clReleaseEvent(event));
    ck_assert_cl(clReleaseCommandQueue(queue));
    clconst_plan_destroy(plan);
    close_setting(&s);
}
END_TEST

/* Drivers refuse fills of no bytes; the event comes all the same. */
START_TEST(svm_of_an_empty_output_is_an_event)
{
    setting s;
    if (!open_setting(&s, _i, SIZE)) {
        return;
    }
    clconst_plan *plans[] = {
        harness_fill_plan(CLCONST_FLOAT, harness_element, 0),
        harness_copy_plan(CLCONST_INT4, NULL, 0),
    };
    reset(&s);
    for (size_t i = 0; i < 4; i++) {
        cl_event event = NULL;
        ck_assert_ok(clconst_enqueue_svm(s.f.engine,
                                         plans[i % 2],
                                         s.f.queue,
                                         i < 2 ? NULL : s.pointer + 1,
                                         0,
                                         0,
                                         NULL,
                                         &event,
                                         error));
        ck_assert_cl(clWaitForEvents(1, &event));
        ck_assert_cl(clReleaseEvent(event));
    }
    ck_assert_uint_eq(fixture_command_count(&s.f), 4);
    assert_memory(&s, 0, "", 0, "empty");
    clconst_plan_destroy(plans[0]);
    clconst_plan_destroy(plans[1]);
    close_setting(&s);
}
END_TEST

START_TEST(svm_refuses_bad_arguments)
{
    static const clconst_string strings[] = {{"one", 3}};
    const clconst_view value = {
        CLCONST_STRING, {NULL, 0}, strings, sizeof(strings)};
    setting s;
    if (!open_setting(&s, 0, SIZE)) {
        return;
    }
    clconst_plan *plan = harness_fill_plan(CLCONST_FLOAT, harness_element, 3);
    clconst_op *op;
    clconst_plan *string_plan;
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &string_plan, error));
    const struct {
        const clconst_plan *plan;
        void *pointer;
        size_t size;
        clconst_status status;
        const char *message;
    } rows[] = {
        {NULL,
         s.pointer,
         12,
         CLCONST_INVALID_ARGUMENT,
         "engine or plan is NULL; both are required"},
        {string_plan,
         s.pointer,
         16,
         CLCONST_UNSUPPORTED,
         "dtype is string; strings stay on the host and have no device memory"},
        {plan,
         NULL,
         12,
         CLCONST_INVALID_ARGUMENT,
         "pointer is NULL; 12 bytes need one"},
        {plan,
         s.pointer,
         11,
         CLCONST_INVALID_ARGUMENT,
         "output has 12 bytes; it must lie in the pointer's 11 bytes"},
        {plan,
         s.pointer,
         SIZE_MAX,
         CLCONST_INVALID_ARGUMENT,
         "output has 12 bytes; it must lie in the pointer's "
         "18446744073709551615 bytes"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ck_assert_fails(clconst_enqueue_svm(s.f.engine,
                                            rows[i].plan,
                                            s.f.queue,
                                            rows[i].pointer,
                                            rows[i].size,
                                            0,
                                            NULL,
                                            NULL,
                                            error),
                        rows[i].status,
                        rows[i].message);
    }
    ck_assert_uint_eq(fixture_command_count(&s.f), 0);
    clconst_plan_destroy(plan);
    clconst_plan_destroy(string_plan);
    clconst_op_destroy(op);
    close_setting(&s);
}
END_TEST

Suite *opencl_svm_suite(void)
{
    Suite *suite = suite_create("opencl_svm");
    TCase *tcase = tcase_create("opencl_svm");
    tcase_add_loop_test(
        tcase, svm_fills_each_dtype_at_each_address, 0, SETTING_COUNT);
    tcase_add_loop_test(tcase, svm_fills_large_memory, 0, SETTING_COUNT);
    tcase_add_loop_test(
        tcase, svm_copies_and_scatters_at_each_address, 0, SETTING_COUNT);
    tcase_add_test(tcase, svm_fill_by_the_driver_needs_alignment);
    tcase_add_loop_test(
        tcase, svm_waits_and_tells_when_it_is_done, 0, SETTING_COUNT);
    tcase_add_loop_test(
        tcase, svm_of_an_empty_output_is_an_event, 0, SETTING_COUNT);
    tcase_add_test(tcase, svm_refuses_bad_arguments);
    suite_add_tcase(suite, tcase);
    return suite;
}
