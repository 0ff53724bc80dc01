/*
 * test_unload LIBRARY: closes the library while a command of it waits in a
 * queue, and lets the command run (R167).
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clconst/clconst_opencl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1000, SKIPPED = 77 };

#define REQUIRE(condition)                                                     \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);             \
            exit(EXIT_FAILURE);                                                \
        }                                                                      \
    } while (0)

/* A function of the library; C has no cast from an object to a function. */
#define LOAD(name)                                                             \
    __typeof__(&name) my_##name;                                               \
    void *address_##name = dlsym(library, #name);                              \
    REQUIRE(address_##name != NULL);                                           \
    memcpy(&my_##name, &address_##name, sizeof(my_##name))

typedef struct setting {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer;
    cl_event gate;
} setting;

/* Kept to the end: their command has still to run. */
static clconst_op *op;
static clconst_plan *plan;

static int open_setting(setting *s)
{
    cl_uint count = 0;
    cl_int code;
    if (clGetPlatformIDs(1, &s->platform, &count) != CL_SUCCESS ||
        clGetDeviceIDs(
            s->platform, CL_DEVICE_TYPE_ALL, 1, &s->device, &count) !=
            CL_SUCCESS) {
        return 0;
    }
    s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, &code);
    REQUIRE(code == CL_SUCCESS);
    s->queue = clCreateCommandQueue(s->context, s->device, 0, &code);
    REQUIRE(code == CL_SUCCESS);
    s->buffer =
        clCreateBuffer(s->context, CL_MEM_READ_WRITE, SIZE, NULL, &code);
    REQUIRE(code == CL_SUCCESS);
    s->gate = clCreateUserEvent(s->context, &code);
    REQUIRE(code == CL_SUCCESS);
    return 1;
}

/* Enqueues a fill behind the gate, and closes the library. */
static void enqueue_and_close(const char *path, const setting *s)
{
    static const uint8_t byte = 0x5b;
    static const int64_t dim = SIZE;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != NULL);
    LOAD(clconst_op_create_constant_of_shape);
    LOAD(clconst_plan_create);
    LOAD(clconst_engine_create_opencl);
    LOAD(clconst_engine_destroy);
    LOAD(clconst_enqueue);
    clconst_view value = {CLCONST_UINT8, {NULL, 0}, &byte, 1};
    clconst_shape shape = {&dim, 1};
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.fill_path = CLCONST_PATH_NATIVE;
    clconst_engine *engine;
    clconst_error error = {0, 0, ""};
    REQUIRE(my_clconst_op_create_constant_of_shape(&value, &op, &error) ==
            CLCONST_OK);
    REQUIRE(my_clconst_plan_create(op, &shape, &plan, &error) == CLCONST_OK);
    REQUIRE(my_clconst_engine_create_opencl(
                s->context, s->device, &options, &engine, &error) ==
            CLCONST_OK);
    REQUIRE(
        my_clconst_enqueue(
            engine, plan, s->queue, s->buffer, 0, 1, &s->gate, NULL, &error) ==
        CLCONST_OK);
    my_clconst_engine_destroy(engine);
    REQUIRE(dlclose(library) == 0);
}

int main(int argc, char **argv)
{
    setting s;
    REQUIRE(argc == 2);
    if (!open_setting(&s)) {
        printf("SKIP: there is no OpenCL device\n");
        return SKIPPED;
    }
    enqueue_and_close(argv[1], &s);
    REQUIRE(clSetUserEventStatus(s.gate, CL_COMPLETE) == CL_SUCCESS);
    uint8_t bytes[SIZE];
    REQUIRE(clEnqueueReadBuffer(
                s.queue, s.buffer, CL_TRUE, 0, SIZE, bytes, 0, NULL, NULL) ==
            CL_SUCCESS);
    for (size_t i = 0; i < SIZE; i++) {
        REQUIRE(bytes[i] == 0x5b);
    }
    REQUIRE(clReleaseEvent(s.gate) == CL_SUCCESS);
    REQUIRE(clReleaseMemObject(s.buffer) == CL_SUCCESS);
    REQUIRE(clReleaseCommandQueue(s.queue) == CL_SUCCESS);
    REQUIRE(clReleaseContext(s.context) == CL_SUCCESS);
    return EXIT_SUCCESS;
}
