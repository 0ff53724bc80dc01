/*
 * Which calls serve a pointer. The linker sends two functions of OpenCL here
 * (--wrap), where they answer for the device under test as another one would:
 * with cl_intel_unified_shared_memory, which forwards to shared virtual memory
 * and counts, or with nothing of the kind.
 */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/oracle.h"

enum { SIZE = 256 };

/* False answers; what is NULL or 0 is answered truly. */
typedef struct lies {
    const char *extensions;
    const char *version;
    bool hides_shared;
    bool hides_functions;
    cl_uint type; /* of any pointer, as clGetMemAllocInfoINTEL names it */
} lies;

static lies told;

/* Calls of the extension. */
static unsigned fill_count;
static unsigned copy_count;
static unsigned argument_count;

cl_int __real_clGetDeviceInfo(cl_device_id device,
                              cl_device_info key,
                              size_t size,
                              void *value,
                              size_t *needed_size);
cl_int __wrap_clGetDeviceInfo(cl_device_id device,
                              cl_device_info key,
                              size_t size,
                              void *value,
                              size_t *needed_size);
void *__wrap_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                      const char *name);

cl_int __wrap_clGetDeviceInfo(cl_device_id device,
                              cl_device_info key,
                              size_t size,
                              void *value,
                              size_t *needed_size)
{
    static const cl_device_svm_capabilities none = 0;
    const void *answer = NULL;
    size_t answer_size = 0;
    const char *text = key == CL_DEVICE_EXTENSIONS ? told.extensions
                       : key == CL_DEVICE_VERSION  ? told.version
                                                   : NULL;
    if (text != NULL) {
        answer = text;
        answer_size = strlen(text) + 1;
    } else if (key == CL_DEVICE_SVM_CAPABILITIES && told.hides_shared) {
        answer = &none;
        answer_size = sizeof(none);
    } else {
        return __real_clGetDeviceInfo(device, key, size, value, needed_size);
    }
    if (value != NULL) {
        memcpy(value, answer, answer_size);
    }
    if (needed_size != NULL) {
        *needed_size = answer_size;
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL fill(cl_command_queue queue,
                               void *pointer,
                               const void *pattern,
                               size_t pattern_size,
                               size_t size,
                               cl_uint num_wait,
                               const cl_event *wait_list,
                               cl_event *event)
{
    fill_count++;
    return clEnqueueSVMMemFill(queue,
                               pointer,
                               pattern,
                               pattern_size,
                               size,
                               num_wait,
                               wait_list,
                               event);
}

static cl_int CL_API_CALL copy(cl_command_queue queue,
                               cl_bool is_blocking,
                               void *dst,
                               const void *src,
                               size_t size,
                               cl_uint num_wait,
                               const cl_event *wait_list,
                               cl_event *event)
{
    copy_count++;
    return clEnqueueSVMMemcpy(
        queue, is_blocking, dst, src, size, num_wait, wait_list, event);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel,
                                       cl_uint index,
                                       const void *pointer)
{
    argument_count++;
    return clSetKernelArgSVMPointer(kernel, index, pointer);
}

static cl_int CL_API_CALL get_info(cl_context context,
                                   const void *pointer,
                                   cl_uint key,
                                   size_t size,
                                   void *value,
                                   size_t *needed_size)
{
    (void)context;
    (void)pointer;
    (void)needed_size;
    ck_assert_uint_eq(key, CL_MEM_ALLOC_TYPE_INTEL);
    ck_assert_uint_eq(size, sizeof(told.type));
    memcpy(value, &told.type, sizeof(told.type));
    return CL_SUCCESS;
}

void *__wrap_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                      const char *name)
{
    __typeof__(&fill) fill_function = fill;
    __typeof__(&copy) copy_function = copy;
    __typeof__(&set_argument) argument_function = set_argument;
    __typeof__(&get_info) info_function = get_info;
    const struct {
        const char *name;
        const void *function;
    } rows[] = {
        {"clEnqueueMemFillINTEL", &fill_function},
        {"clEnqueueMemcpyINTEL", &copy_function},
        {"clSetKernelArgMemPointerINTEL", &argument_function},
        {"clGetMemAllocInfoINTEL", &info_function},
    };
    void *address = NULL;
    ck_assert_ptr_nonnull(platform);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, name) == 0 && !told.hides_functions) {
            memcpy(&address, rows[i].function, sizeof(address));
        }
    }
    return address;
}

static bool has_shared_memory(cl_device_id device)
{
    char version[256];
    cl_device_svm_capabilities capabilities = 0;
    ck_assert_cl(__real_clGetDeviceInfo(
        device, CL_DEVICE_VERSION, sizeof(version), version, NULL));
    return strncmp(version, "OpenCL 1.", 9) != 0 &&
           __real_clGetDeviceInfo(device,
                                  CL_DEVICE_SVM_CAPABILITIES,
                                  sizeof(capabilities),
                                  &capabilities,
                                  NULL) == CL_SUCCESS &&
           (capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
}

/* An engine of a device that tells these lies, and memory of the real one;
 * false, with a printed reason, where that has none. */
static bool open_setting(fixture *f,
                         const lies *l,
                         clconst_fill_path path,
                         uint8_t **memory)
{
    told = *l;
    fixture_open(f, path);
    if (!has_shared_memory(f->device)) {
        printf("SKIP: the device has no memory to forward to\n");
        fixture_close(f);
        return false;
    }
    *memory = clSVMAlloc(
        f->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, SIZE, 0);
    ck_assert_ptr_nonnull(*memory);
    memset(*memory, FIXTURE_GUARD, SIZE);
    return true;
}

static void close_setting(fixture *f, uint8_t *memory)
{
    ck_assert_cl(clFinish(f->queue));
    clSVMFree(f->context, memory);
    fixture_close(f);
}

static clconst_status enqueue(const fixture *f,
                              const clconst_plan *plan,
                              uint8_t *memory,
                              clconst_error *error)
{
    clconst_status status = clconst_enqueue_svm(
        f->engine, plan, f->queue, memory, SIZE, 0, NULL, NULL, error);
    ck_assert_cl(clFinish(f->queue));
    return status;
}

START_TEST(unified_memory_takes_the_calls_of_its_extension)
{
    static const lies unified = {
        .extensions = "cl_khr_fp64 cl_intel_unified_shared_memory cl_x",
        .hides_shared = true,
        .type = CL_MEM_TYPE_SHARED_INTEL,
    };
    uint8_t expected[SIZE];
    fixture f;
    uint8_t *memory;
    if (!open_setting(&f, &unified, CLCONST_PATH_DRIVER, &memory)) {
        return;
    }
    clconst_plan *fill_plan =
        harness_fill_plan(CLCONST_INT64, harness_element, 9);
    clconst_plan *copy_plan =
        harness_copy_plan(CLCONST_UINT8, harness_element, 5);
    memset(expected, FIXTURE_GUARD, SIZE);

    oracle_fill(expected, CLCONST_INT64, harness_element, 9);
    ck_assert_ok(enqueue(&f, fill_plan, memory, error));
    harness_assert_bytes(memory, expected, SIZE, "fill");
    ck_assert_uint_gt(fill_count, 0);
    ck_assert_uint_eq(argument_count, 0);

    memcpy(expected + 100, harness_element, 5);
    ck_assert_ok(enqueue(&f, copy_plan, memory + 100, error));
    harness_assert_bytes(memory, expected, SIZE, "copy");
    ck_assert_uint_eq(copy_count, 1);

    oracle_fill(expected + 121, CLCONST_INT64, harness_element, 9);
    ck_assert_ok(enqueue(&f, fill_plan, memory + 121, error));
    harness_assert_bytes(memory, expected, SIZE, "kernel");
    ck_assert_uint_eq(argument_count, 1);

    clconst_plan_destroy(fill_plan);
    clconst_plan_destroy(copy_plan);
    close_setting(&f, memory);
}
END_TEST

/* The extension knows its own pointers; others are shared virtual memory. */
START_TEST(other_pointers_take_the_calls_of_shared_memory)
{
    static const lies both = {
        .extensions = "cl_intel_unified_shared_memory",
        .type = CL_MEM_TYPE_UNKNOWN_INTEL,
    };
    fixture f;
    uint8_t *memory;
    if (!open_setting(&f, &both, CLCONST_PATH_DRIVER, &memory)) {
        return;
    }
    clconst_plan *plan = harness_fill_plan(CLCONST_UINT8, harness_element, 1);
    ck_assert_ok(enqueue(&f, plan, memory, error));
    ck_assert_uint_eq(memory[0], harness_element[0]);
    ck_assert_uint_eq(fill_count, 0);
    clconst_plan_destroy(plan);
    close_setting(&f, memory);
}
END_TEST

static const lies without[] = {
    /* Neither kind. */
    {"cl_khr_fp64", NULL, true, false, CL_MEM_TYPE_SHARED_INTEL},
    /* Names of other extensions. */
    {"cl_intel_unified_shared_memory_x xcl_intel_unified_shared_memory",
     NULL,
     true,
     false,
     CL_MEM_TYPE_SHARED_INTEL},
    /* No functions, and pointers of unknown origin. */
    {"cl_intel_unified_shared_memory",
     NULL,
     true,
     true,
     CL_MEM_TYPE_SHARED_INTEL},
    {"cl_intel_unified_shared_memory",
     NULL,
     true,
     false,
     CL_MEM_TYPE_UNKNOWN_INTEL},
    /* OpenCL 1.2, where calls of 2.0 may never return. */
    {"", "OpenCL 1.2 old", false, false, CL_MEM_TYPE_SHARED_INTEL},
};

START_TEST(pointers_are_unsupported_without_their_calls)
{
    fixture f;
    char name[128];
    char message[256];
    uint8_t byte = FIXTURE_GUARD;
    told = without[_i];
    fixture_open(&f, CLCONST_PATH_AUTO);
    ck_assert_cl(
        clGetDeviceInfo(f.device, CL_DEVICE_NAME, sizeof(name), name, NULL));
    snprintf(message,
             sizeof(message),
             "device is %s; it takes no such pointer, which needs shared "
             "virtual memory or cl_intel_unified_shared_memory",
             name);
    clconst_plan *plan = harness_fill_plan(CLCONST_UINT8, harness_element, 1);
    ck_assert_fails(
        enqueue(&f, plan, &byte, error), CLCONST_UNSUPPORTED, message);
    ck_assert_uint_eq(byte, FIXTURE_GUARD);
    ck_assert_uint_eq(fixture_command_count(&f), 0);
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

Suite *opencl_pointers_suite(void)
{
    Suite *suite = suite_create("opencl_pointers");
    TCase *tcase = tcase_create("opencl_pointers");
    tcase_add_test(tcase, unified_memory_takes_the_calls_of_its_extension);
    tcase_add_test(tcase, other_pointers_take_the_calls_of_shared_memory);
    tcase_add_loop_test(tcase,
                        pointers_are_unsupported_without_their_calls,
                        0,
                        sizeof(without) / sizeof(without[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
