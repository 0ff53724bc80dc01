/*
 * Which programs of a folder serve an engine: those alone that the same library
 * built from the same source for the same device and driver. The layer plays
 * the others. R numbers are those of reports about other software.
 */
#include <string.h>

#include "backend/opencl/binaries.h"
#include "faults/folders.h"
#include "faults/steered.h"
#include "faults/suites.h"

/* The same functions in a library of another version. */
const char *keys_other_version(void);
cl_program keys_other_load(const char *folder,
                           cl_context context,
                           const clconst__device *device,
                           const clconst__source *source,
                           const char *build_options);

const char *keys_other_version(void)
{
    return "0.0.0";
}

static char folder[FOLDERS_PATH_SIZE];

static void open_keys(void)
{
    open_steered();
    folders_make(folder, "keys");
}

static void close_keys(void)
{
    close_steered();
    folders_remove(folder);
}

/* A fill by a kernel of a new engine loads its program, or builds it. */
static void assert_loads(bool is_loaded, const char *row)
{
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_tensor *tensor;
    ck_assert_ok(
        world_create_engine(&steered, CLCONST_PATH_KERNEL, folder, error));
    ck_assert_ok(
        clconst_run(steered.engine, steered.plans[WORLD_FILL], &tensor, error));
    world_assert_tensor(&steered, WORLD_FILL, tensor, row);
    clconst_tensor_destroy(tensor);
    clconst_engine_get_counters(steered.engine, &counters);
    ck_assert_msg(counters.programs_loaded == (is_loaded ? 1 : 0) &&
                      counters.programs_built == (is_loaded ? 0 : 1),
                  "%s: the program is %s",
                  row,
                  is_loaded ? "built" : "loaded");
    world_destroy_engine(&steered);
}

static const char other_version[] = "OpenCL 3.0 of another driver";
static const char other_name[] = "another name";

/* What a driver says, one by one. */
static const struct {
    const char *name;
    layer_lie lie;
} driver_rows[] = {
    {"platform", LIE(CL_PLATFORM_NAME, other_name)},
    {"platform's version", LIE(CL_PLATFORM_VERSION, other_version)},
    {"device", LIE(CL_DEVICE_NAME, other_name)},
    {"device's version", LIE(CL_DEVICE_VERSION, other_version)},
    {"driver's version", LIE(CL_DRIVER_VERSION, other_name)},
};

/* R142, R146 */
START_TEST(another_driver_gets_a_program_of_its_own)
{
    const char *name = driver_rows[_i].name;
    assert_loads(false, name);
    assert_loads(true, name);
    steer_lie(&driver_rows[_i].lie, 1);
    assert_loads(false, name);
    assert_loads(true, name);
    steer_lie(NULL, 0);
    assert_loads(true, name);
}
END_TEST

static const char source_text[] = "kernel void f(global int *p) { *p = 1; }";
static const char other_text[] = "kernel void f(global int *p) { *p = 2; }";
enum { SOURCE_SIZE = sizeof(source_text) - 1 };

/* What a program is made of; the first row is kept. */
static const struct {
    clconst__source source;
    const char *options;
} made_rows[] = {
    {{"f", source_text, SOURCE_SIZE}, "-cl-std=CL1.2"},
    {{"g", source_text, SOURCE_SIZE}, "-cl-std=CL1.2"},
    {{"f", other_text, SOURCE_SIZE}, "-cl-std=CL1.2"},
    {{"f", source_text, SOURCE_SIZE - 1}, "-cl-std=CL1.2"},
    {{"f", source_text, SOURCE_SIZE}, "-cl-std=CL2.0"},
    {{"f", source_text, SOURCE_SIZE}, ""},
};

static void keep_first(const clconst__device *device)
{
    const char *text = source_text;
    const size_t size = SOURCE_SIZE;
    cl_int code;
    cl_program program =
        clCreateProgramWithSource(steered.context, 1, &text, &size, &code);
    ck_assert_cl(code);
    ck_assert_cl(clBuildProgram(
        program, 1, &steered.device, made_rows[0].options, NULL, NULL));
    clconst__binary_store(
        folder, program, device, &made_rows[0].source, made_rows[0].options);
    ck_assert_cl(clReleaseProgram(program));
}

/* Whether one that is kept serves. */
typedef cl_program (*load_function)(const char *folder,
                                    cl_context context,
                                    const clconst__device *device,
                                    const clconst__source *source,
                                    const char *build_options);

static bool
serves(load_function load, const clconst__device *device, size_t row)
{
    cl_program program = load(folder,
                              steered.context,
                              device,
                              &made_rows[row].source,
                              made_rows[row].options);
    if (program != NULL) {
        ck_assert_cl(clReleaseProgram(program));
    }
    return program != NULL;
}

/* R149 */
START_TEST(another_source_or_version_gets_a_program_of_its_own)
{
    clconst__device device;
    ck_assert_ok(clconst__device_read(&device, steered.device, error));
    keep_first(&device);
    for (size_t i = 0; i < COUNT_OF(made_rows); i++) {
        ck_assert_msg(
            serves(clconst__binary_load, &device, i) == (i == 0), "row %zu", i);
    }
    ck_assert(!serves(keys_other_load, &device, 0));
    clconst__device_clear(&device);
}
END_TEST

Suite *keys_suite(void)
{
    Suite *suite = suite_create("keys");
    TCase *tcase = tcase_create("keys");
    tcase_add_checked_fixture(tcase, open_keys, close_keys);
    tcase_add_loop_test(tcase,
                        another_driver_gets_a_program_of_its_own,
                        0,
                        COUNT_OF(driver_rows));
    tcase_add_test(tcase, another_source_or_version_gets_a_program_of_its_own);
    suite_add_tcase(suite, tcase);
    return suite;
}
