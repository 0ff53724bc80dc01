#include "backend/engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/oracle.h"

/* What stands for AUTO: CLCONST_TEST_PATH names the path that a run tests. */
static clconst_fill_path path_from_environment(void)
{
    static const char *const names[] = {"auto", "kernel", "driver", "native"};
    const char *wanted = getenv("CLCONST_TEST_PATH");
    size_t path = CLCONST_PATH_AUTO;
    for (size_t i = 0; wanted != NULL && i < 4; i++) {
        path = strcmp(wanted, names[i]) == 0 ? i : path;
    }
    return (clconst_fill_path)path;
}

static clconst_status create(clconst_fill_path fill_path,
                             clconst_engine **engine,
                             clconst_error *error)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    const char *device = getenv("CLCONST_TEST_DEVICE");
    options.device = device != NULL ? device : "opencl";
    options.fill_path =
        fill_path == CLCONST_PATH_AUTO ? path_from_environment() : fill_path;
    return clconst_engine_create(&options, engine, error);
}

/* A fill that is too large to be expanded on the host. Check's assertions need
 * a running test. */
static clconst_status run_fill(clconst_engine *engine, clconst_error *error)
{
    static const int64_t count = 1 << 20;
    const clconst_view value = {CLCONST_UINT8, {NULL, 0}, harness_element, 1};
    const clconst_shape shape = {&count, 1};
    clconst_op *op = NULL;
    clconst_plan *plan = NULL;
    clconst_tensor *tensor = NULL;
    clconst_status status =
        clconst_op_create_constant_of_shape(&value, &op, error);
    if (status == CLCONST_OK) {
        status = clconst_plan_create(op, &shape, &plan, error);
    }
    if (status == CLCONST_OK) {
        status = clconst_run(engine, plan, &tensor, error);
    }
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
    return status;
}

/* Whether the device has what the path needs: only kernels need a program. */
static clconst_status try_path(clconst_engine *engine, clconst_error *error)
{
    static const char *const reasons[] = {
        [CLCONST_PATH_DRIVER] = "the driver refuses clEnqueueFillBuffer",
        [CLCONST_PATH_NATIVE] = "the device has no native kernels",
    };
    clconst_fill_path path = path_from_environment();
    if (path != CLCONST_PATH_DRIVER && path != CLCONST_PATH_NATIVE) {
        return CLCONST_OK;
    }
    clconst_status status = run_fill(engine, error);
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_engine_get_counters(engine, &counters);
    if (status == CLCONST_OK && counters.programs_built > 0) {
        snprintf(error->message, sizeof(error->message), "%s", reasons[path]);
        status = CLCONST_NO_DEVICE;
    }
    return status;
}

void engines_require(void)
{
    int ends[2];
    clconst_error error = {0, 0, "the probe of the device died"};
    if (pipe(ends) != 0) {
        abort();
    }
    pid_t child = fork();
    if (child == 0) {
        clconst_engine *engine = NULL;
        clconst_status status = create(CLCONST_PATH_AUTO, &engine, &error);
        if (status == CLCONST_OK) {
            status = try_path(engine, &error);
        }
        error.status = (int32_t)status;
        clconst_engine_destroy(engine);
        _exit(write(ends[1], &error, sizeof(error)) != sizeof(error));
    }
    close(ends[1]);
    ssize_t got = read(ends[0], &error, sizeof(error));
    close(ends[0]);
    waitpid(child, NULL, 0);
    if (got == sizeof(error) && error.status == CLCONST_NO_DEVICE) {
        harness_skip("%s", error.message);
    }
}

bool engines_skip_size(size_t size)
{
    const char *limit = getenv("CLCONST_TEST_SIZE_MAX");
    if (limit == NULL || size <= strtoul(limit, NULL, 10)) {
        return false;
    }
    printf("SKIP: %zu bytes; CLCONST_TEST_SIZE_MAX is %s\n", size, limit);
    return true;
}

bool engines_skip_case(size_t number)
{
    const char *step = getenv("CLCONST_TEST_CASE_STEP");
    if (step == NULL || number % strtoul(step, NULL, 10) == 0) {
        return false;
    }
    if (number == 1) {
        printf(
            "SKIP: all but one of %s cases; that is CLCONST_TEST_CASE_STEP\n",
            step);
    }
    return true;
}

clconst_engine *engines_create(clconst_fill_path fill_path)
{
    clconst_engine *engine;
    ck_assert_ok(create(fill_path, &engine, error));
    return engine;
}
