/*
 * Every OpenCL call made to fail: call number 1, 2, 3 and so on of each entry
 * point that an operation uses, with several codes, once and for ever, until
 * the operation succeeds untouched. Each time: the status, a message that names
 * the call and the code, nothing held, guard bytes whole, and the operation
 * works on the same engine afterwards.
 */
#include <stdio.h>
#include <string.h>

#include "faults/operations.h"
#include "faults/steer.h"
#include "faults/suites.h"

typedef struct code_row {
    cl_int code;
    const char *name;
    clconst_status status;
} code_row;

static const code_row code_rows[] = {
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)", CLCONST_OUT_OF_MEMORY},
    {-11, "CL_BUILD_PROGRAM_FAILURE (-11)", CLCONST_DEVICE_ERROR},
    {-59, "CL_INVALID_OPERATION (-59)", CLCONST_DEVICE_ERROR},
    {-6, "CL_OUT_OF_HOST_MEMORY (-6)", CLCONST_OUT_OF_MEMORY},
    {-5, "CL_OUT_OF_RESOURCES (-5)", CLCONST_DEVICE_ERROR},
    {-9999, "an unknown code (-9999)", CLCONST_DEVICE_ERROR},
};
enum { CODE_COUNT = sizeof(code_rows) / sizeof(code_rows[0]) };

/* One way to fail. */
typedef struct fault {
    layer_entry entry;
    const code_row *code;
    size_t first;
    bool is_forever;
} fault;

/* What no caller can do anything about, or has no bearing on the result. */
static bool is_of_no_consequence(layer_entry entry)
{
    switch (entry) {
    case LAYER_clReleaseDevice:
    case LAYER_clReleaseContext:
    case LAYER_clReleaseCommandQueue:
    case LAYER_clReleaseMemObject:
    case LAYER_clReleaseProgram:
    case LAYER_clReleaseKernel:
    case LAYER_clReleaseEvent:
    /* Of the folder of programs. */
    case LAYER_clGetProgramInfo:
    case LAYER_clCreateProgramWithBinary:
        return true;
    default:
        return false;
    }
}

static bool is_device_query(layer_entry entry)
{
    return entry == LAYER_clGetDeviceInfo || entry == LAYER_clGetPlatformInfo;
}

/* A binary that cannot be used is as good as none. */
static bool is_of_binary(layer_entry entry)
{
    return entry == LAYER_clBuildProgram || entry == LAYER_clCreateKernel ||
           entry == LAYER_clGetKernelWorkGroupInfo;
}

/* A device that does not tell of its shared memory has none. */
static bool hides_memory(const operation *o, const fault *f)
{
    return o->guard != NULL && f->entry == LAYER_clGetDeviceInfo;
}

/* What the operation has to give. */
static clconst_status expect(const operation *o, const fault *f)
{
    bool is_list = strcmp(o->name, "list devices") == 0;
    if (is_of_no_consequence(f->entry) ||
        ((f->entry == LAYER_clEnqueueFillBuffer ||
          f->entry == LAYER_clEnqueueSVMMemFill) &&
         f->code->code == CL_INVALID_OPERATION) ||
        (o->uses_folder && is_of_binary(f->entry) && !f->is_forever)) {
        return CLCONST_OK;
    }
    if (hides_memory(o, f)) {
        return CLCONST_UNSUPPORTED;
    }
    /* One broken driver does not hide the others. */
    if (f->entry == LAYER_clGetDeviceIDs ||
        (is_device_query(f->entry) &&
         f->code->status == CLCONST_DEVICE_ERROR)) {
        return is_list ? CLCONST_OK : CLCONST_NO_DEVICE;
    }
    return f->code->status;
}

static void assert_failure(const fault *f,
                           clconst_status status,
                           const clconst_error *error,
                           const char *row)
{
    if (status == CLCONST_UNSUPPORTED) {
        ck_assert_msg(strstr(error->message, "takes no such pointer") != NULL &&
                          error->native_code == 0,
                      "%s: the message is \"%s\"",
                      row,
                      error->message);
        return;
    }
    ck_assert_msg(error->status == (int32_t)status,
                  "%s: the error's status is %d",
                  row,
                  (int)error->status);
    ck_assert_msg(strstr(error->message, steer_entry_name(f->entry)) != NULL &&
                      strstr(error->message, f->code->name) != NULL,
                  "%s: the message is \"%s\"",
                  row,
                  error->message);
    cl_int native = status == CLCONST_NO_DEVICE ? 0 : f->code->code;
    ck_assert_msg(error->native_code == native,
                  "%s: the native code is %d",
                  row,
                  (int)error->native_code);
}

static void check_again(world *w, const operation *o, const char *row)
{
    ck_assert_msg(w->made_engine == NULL && w->event == NULL &&
                      (w->tensor == NULL || o->begin != NULL),
                  "%s: an output was written",
                  row);
    if (o->guard != NULL) {
        ck_assert_cl(clFinish(w->queue));
        o->guard(w, o, row);
    }
    ck_assert_ok(o->call(w, o, error));
    o->check(w, o);
}

/* What an enqueue never calls, so that nothing is flushed, finished or waited
 * for behind the caller. */
static size_t count_waits(void)
{
    return steer_count(LAYER_clFlush) + steer_count(LAYER_clFinish) +
           steer_count(LAYER_clWaitForEvents);
}

/* Whether the fault struck. */
static bool try_fault(world *w, const operation *o, const fault *f)
{
    char row[200];
    snprintf(row,
             sizeof(row),
             "%s, %s number %zu%s gives %d",
             o->name,
             steer_entry_name(f->entry),
             f->first,
             f->is_forever ? " and all behind it" : "",
             f->code->code);
    steer_live before = steer_get_live();
    operation_begin(w, o);
    clconst_error failure = {0, 0, ""};
    size_t waits = count_waits();
    steer_fail(f->entry, f->first, f->is_forever, f->code->code);
    clconst_status status = o->call(w, o, &failure);
    size_t struck = steer_stop();
    ck_assert_msg(o->guard == NULL || count_waits() == waits,
                  "%s: the queue is flushed, finished or waited for",
                  row);
    clconst_status expected = struck > 0 ? expect(o, f) : CLCONST_OK;
    ck_assert_msg(status == expected,
                  "%s: %s; expected %s: %s",
                  row,
                  clconst_status_name(status),
                  clconst_status_name(expected),
                  failure.message);
    if (status == CLCONST_OK) {
        o->check(w, o);
    } else {
        assert_failure(f, status, &failure, row);
        check_again(w, o, row);
    }
    operation_end(w, o);
    steer_assert_live(&before, row);
    return struck > 0;
}

/* How often the operation calls each entry point, untouched. */
static void
count_calls(world *w, const operation *o, size_t counts[LAYER_ENTRY_COUNT])
{
    operation_begin(w, o);
    for (int i = 0; i < LAYER_ENTRY_COUNT; i++) {
        counts[i] = steer_count((layer_entry)i);
    }
    ck_assert_ok(o->call(w, o, error));
    for (int i = 0; i < LAYER_ENTRY_COUNT; i++) {
        counts[i] = steer_count((layer_entry)i) - counts[i];
    }
    o->check(w, o);
    operation_end(w, o);
}

/* All codes where the code matters, and fewer where each try compiles. */
static size_t count_codes(const operation *o, layer_entry entry)
{
    if (is_of_no_consequence(entry)) {
        return 1;
    }
    return o->is_first && !o->uses_folder ? 3 : CODE_COUNT;
}

static size_t fail_each_call(world *w, const operation *o, layer_entry entry)
{
    size_t tried = 0;
    for (size_t i = 0; i < count_codes(o, entry); i++) {
        for (int is_forever = 0; is_forever < 2; is_forever++) {
            fault f = {entry, &code_rows[i], 1, is_forever != 0};
            while (try_fault(w, o, &f)) {
                f.first++;
            }
            ck_assert_uint_gt(f.first, 1);
            tried += f.first - 1;
        }
    }
    return tried;
}

START_TEST(operations_survive_each_failing_call)
{
    const operation *o = &operations[_i];
    size_t counts[LAYER_ENTRY_COUNT];
    size_t tried = 0;
    world w;
    steer_live before = steer_get_live();
    world_open(&w);
    operations_open(&w, o);
    /* The first call of a shared engine may make what all others find. */
    count_calls(&w, o, counts);
    count_calls(&w, o, counts);
    for (int i = 0; i < LAYER_ENTRY_COUNT; i++) {
        if (counts[i] > 0) {
            tried += fail_each_call(&w, o, (layer_entry)i);
        }
    }
    printf("%s: %zu faults\n", o->name, tried);
    operations_close(&w);
    world_close(&w);
    steer_assert_live(&before, o->name);
}
END_TEST

Suite *calls_suite(void)
{
    Suite *suite = suite_create("calls");
    TCase *tcase = tcase_create("calls");
    tcase_add_loop_test(
        tcase, operations_survive_each_failing_call, 0, (int)operation_count);
    suite_add_tcase(suite, tcase);
    return suite;
}
