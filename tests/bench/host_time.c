/*
 * The host's time for one small fill: clconst_enqueue of 64 bytes beside a bare
 * clEnqueueFillBuffer, without waiting. Beside them is what such a call cannot
 * do without on a device with native kernels: a bare clEnqueueNativeKernel, and
 * the same after the questions to OpenCL that find a wrong queue or buffer.
 * With the argument "held" the queue runs nothing meanwhile, so that no thread
 * of the driver competes. Prints nanoseconds as JSON: median, tenth and ninth
 * decile. It takes the device that clconst takes by default.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clconst/clconst_opencl.h>

enum { ROUND_COUNT = 201, CALL_COUNT = 50, SIZE = 64 };

/* Of the copy that a native kernel gets: the buffer, and as many bytes as a
 * pattern and its place take. */
enum { ARGUMENTS_SIZE = 96 };

typedef enum way_kind {
    WAY_BARE,
    WAY_AUTO,
    WAY_DRIVER,
    WAY_NATIVE,
    WAY_ASKED,
    WAY_COUNT,
} way_kind;

static const char *const names[WAY_COUNT] = {
    [WAY_BARE] = "bare",
    [WAY_AUTO] = "auto",
    [WAY_DRIVER] = "driver",
    [WAY_NATIVE] = "native",
    [WAY_ASKED] = "asked",
};

/* What one call needs; engine is NULL for those without the library. */
typedef struct way {
    clconst_engine *engine;
    double times[ROUND_COUNT];
} way;

typedef struct target {
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer;
    const clconst_plan *plan;
} target;

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

static void CL_CALLBACK do_nothing(void *arguments)
{
    (void)arguments;
}

static void enqueue_native(const target *place)
{
    union {
        cl_mem buffer;
        char bytes[ARGUMENTS_SIZE];
    } arguments = {place->buffer};
    const void *memory = &arguments.buffer;
    cl_int code = clEnqueueNativeKernel(place->queue,
                                        do_nothing,
                                        &arguments,
                                        sizeof(arguments),
                                        1,
                                        &place->buffer,
                                        &memory,
                                        0,
                                        NULL,
                                        NULL);
    require(code == CL_SUCCESS, "clEnqueueNativeKernel");
}

static void ask(const target *place)
{
    static const cl_mem_info of_buffer[] = {
        CL_MEM_TYPE,
        CL_MEM_CONTEXT,
        CL_MEM_SIZE,
        CL_MEM_FLAGS,
        CL_MEM_ASSOCIATED_MEMOBJECT,
    };
    cl_ulong answer;
    clGetCommandQueueInfo(
        place->queue, CL_QUEUE_CONTEXT, sizeof(answer), &answer, NULL);
    clGetCommandQueueInfo(
        place->queue, CL_QUEUE_DEVICE, sizeof(answer), &answer, NULL);
    for (size_t i = 0; i < sizeof(of_buffer) / sizeof(of_buffer[0]); i++) {
        clGetMemObjectInfo(
            place->buffer, of_buffer[i], sizeof(answer), &answer, NULL);
    }
}

static void call(way_kind kind, const way *measured, const target *place)
{
    static const float one = 1;
    switch (kind) {
    case WAY_BARE:
        clEnqueueFillBuffer(place->queue,
                            place->buffer,
                            &one,
                            sizeof(one),
                            0,
                            SIZE,
                            0,
                            NULL,
                            NULL);
        break;
    case WAY_NATIVE:
        enqueue_native(place);
        break;
    case WAY_ASKED:
        ask(place);
        enqueue_native(place);
        break;
    default:
        (void)clconst_enqueue(measured->engine,
                              place->plan,
                              place->queue,
                              place->buffer,
                              0,
                              0,
                              NULL,
                              NULL,
                              NULL);
    }
}

static double
measure(way_kind kind, const way *measured, const target *place, bool is_held)
{
    cl_event gate = is_held ? clCreateUserEvent(place->context, NULL) : NULL;
    require(gate == NULL || clEnqueueMarkerWithWaitList(
                                place->queue, 1, &gate, NULL) == CL_SUCCESS,
            "clEnqueueMarkerWithWaitList");
    double begin = now();
    for (int i = 0; i < CALL_COUNT; i++) {
        call(kind, measured, place);
    }
    double end = now();
    if (gate != NULL) {
        clSetUserEventStatus(gate, CL_COMPLETE);
        clReleaseEvent(gate);
    }
    require(clFinish(place->queue) == CL_SUCCESS, "clFinish");
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
    target place = {.buffer = clconst_tensor_get_buffer(tensor), .plan = plan};
    cl_device_id device;
    clGetMemObjectInfo(place.buffer,
                       CL_MEM_CONTEXT,
                       sizeof(place.context),
                       &place.context,
                       NULL);
    clGetContextInfo(
        place.context, CL_CONTEXT_DEVICES, sizeof(device), &device, NULL);
    place.queue = clCreateCommandQueue(place.context, device, 0, NULL);
    require(place.queue != NULL, "clCreateCommandQueue");
    cl_device_exec_capabilities abilities = 0;
    clGetDeviceInfo(device,
                    CL_DEVICE_EXECUTION_CAPABILITIES,
                    sizeof(abilities),
                    &abilities,
                    NULL);
    int way_count =
        (abilities & CL_EXEC_NATIVE_KERNEL) != 0 ? WAY_COUNT : WAY_NATIVE;
    options.device = NULL;
    for (int i = WAY_AUTO; i <= WAY_DRIVER; i++) {
        options.fill_path =
            i == WAY_AUTO ? CLCONST_PATH_AUTO : CLCONST_PATH_DRIVER;
        require(clconst_engine_create_opencl(
                    place.context, device, &options, &ways[i].engine, NULL) ==
                    0,
                "engine");
    }
    srand((unsigned)time(NULL));
    for (int round = 0; round < ROUND_COUNT; round++) {
        /* The number of ways is a prime, 3 or 5. */
        int first = rand() % way_count;
        int step = 1 + rand() % (way_count - 1);
        for (int i = 0; i < way_count; i++) {
            int kind = (first + i * step) % way_count;
            ways[kind].times[round] =
                measure((way_kind)kind, &ways[kind], &place, is_held);
        }
    }
    for (int i = 0; i < way_count; i++) {
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
    clReleaseCommandQueue(place.queue);
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(engine);
    clconst_plan_destroy(plan);
    return 0;
}
