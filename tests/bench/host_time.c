/*
 * The host's time for one small fill: clconst_enqueue of 64 bytes beside a bare
 * clEnqueueFillBuffer, without waiting. With the argument "held" the queue runs
 * nothing meanwhile, so that no thread of the driver competes. Prints
 * nanoseconds as JSON: median, tenth and ninth decile. It takes the device that
 * clconst takes by default.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clconst/clconst_opencl.h>

enum { ROUND_COUNT = 201, CALL_COUNT = 50, WAY_COUNT = 3, SIZE = 64 };

static const char *const names[WAY_COUNT] = {"bare", "auto", "driver"};

/* What one call needs; engine is NULL for the bare one. */
typedef struct way {
    clconst_engine *engine;
    double times[ROUND_COUNT];
} way;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void require(int is_met, const char *what)
{
    if (!is_met) {
        fprintf(stderr, "host_time: %s failed\n", what);
        exit(1);
    }
}

static clconst_plan *make_plan(void)
{
    const float one = 1;
    const int64_t dim = SIZE / sizeof(one);
    const clconst_shape shape = {&dim, 1};
    const clconst_view value = {CLCONST_FLOAT, {NULL, 0}, &one, sizeof(one)};
    clconst_op *op;
    clconst_plan *plan;
    require(clconst_op_create_constant_of_shape(&value, &op, NULL) == 0, "op");
    require(clconst_plan_create(op, &shape, &plan, NULL) == 0, "plan");
    clconst_op_destroy(op);
    return plan;
}

static double measure(const way *measured,
                      const clconst_plan *plan,
                      cl_context context,
                      cl_command_queue queue,
                      cl_mem buffer,
                      bool is_held)
{
    const float one = 1;
    cl_event gate = is_held ? clCreateUserEvent(context, NULL) : NULL;
    require(gate == NULL || clEnqueueMarkerWithWaitList(
                                queue, 1, &gate, NULL) == CL_SUCCESS,
            "clEnqueueMarkerWithWaitList");
    double begin = now();
    for (int i = 0; i < CALL_COUNT; i++) {
        if (measured->engine != NULL) {
            (void)clconst_enqueue(
                measured->engine, plan, queue, buffer, 0, 0, NULL, NULL, NULL);
        } else {
            clEnqueueFillBuffer(
                queue, buffer, &one, sizeof(one), 0, SIZE, 0, NULL, NULL);
        }
    }
    double end = now();
    if (gate != NULL) {
        clSetUserEventStatus(gate, CL_COMPLETE);
        clReleaseEvent(gate);
    }
    require(clFinish(queue) == CL_SUCCESS, "clFinish");
    return (end - begin) / CALL_COUNT;
}

static int compare(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;
    return (*a > *b) - (*a < *b);
}

int main(int argc, char **argv)
{
    bool is_held = argc > 1 && strcmp(argv[1], "held") == 0;
    static way ways[WAY_COUNT];
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "opencl";
    clconst_engine *engine;
    clconst_tensor *tensor;
    clconst_plan *plan = make_plan();
    require(clconst_engine_create(&options, &engine, NULL) == 0, "engine");
    require(clconst_run(engine, plan, &tensor, NULL) == 0, "run");
    cl_mem buffer = clconst_tensor_get_buffer(tensor);
    cl_context context;
    cl_device_id device;
    clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof(context), &context, NULL);
    clGetContextInfo(
        context, CL_CONTEXT_DEVICES, sizeof(device), &device, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    for (int i = 1; i < WAY_COUNT; i++) {
        options.device = NULL;
        options.fill_path = i == 1 ? CLCONST_PATH_AUTO : CLCONST_PATH_DRIVER;
        require(clconst_engine_create_opencl(
                    context, device, &options, &ways[i].engine, NULL) == 0,
                "engine");
    }
    srand((unsigned)time(NULL));
    for (int round = 0; round < ROUND_COUNT; round++) {
        int first = rand() % WAY_COUNT;
        int step = 1 + rand() % 2;
        for (int i = 0; i < WAY_COUNT; i++) {
            way *measured = &ways[(first + i * step) % WAY_COUNT];
            measured->times[round] =
                measure(measured, plan, context, queue, buffer, is_held);
        }
    }
    for (int i = 0; i < WAY_COUNT; i++) {
        qsort(ways[i].times, ROUND_COUNT, sizeof(double), compare);
        printf("%s\"%s\": [%.0f, %.0f, %.0f]",
               i == 0 ? "{" : ", ",
               names[i],
               ways[i].times[ROUND_COUNT / 2],
               ways[i].times[ROUND_COUNT / 10],
               ways[i].times[ROUND_COUNT * 9 / 10]);
        clconst_engine_destroy(ways[i].engine);
    }
    puts("}");
    clReleaseCommandQueue(queue);
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(engine);
    clconst_plan_destroy(plan);
    return 0;
}
