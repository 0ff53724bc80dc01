/*
 * What an inference engine's loader does: all constants of MODEL in one buffer,
 * and a sub-buffer for each. Constants whose shape needs inputs are left out.
 */
#include <stdio.h>
#include <stdlib.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clconst/clconst_model.h>
#include <clconst/clconst_opencl.h>

static clconst_error error;

static void check(clconst_status status)
{
    if (status != CLCONST_OK) {
        fprintf(stderr, "arena: %s\n", error.message);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_device_id device;
    if (argc < 2 || clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
        puts("SKIP: arena: there is no OpenCL device, or no model");
        return 77;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    clconst_engine *engine;
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    check(clconst_engine_create_opencl(context, device, NULL, &engine, &error));
    clconst_engine_get_info(engine, &info);

    clconst_model *model;
    clconst_model_info facts = CLCONST_MODEL_INFO_INIT;
    clconst_resolution *resolution;
    check(clconst_model_open(argv[1], NULL, &model, &error));
    check(clconst_resolution_create(model, NULL, &resolution, &error));
    clconst_model_get_info(model, &facts);
    const clconst_plan **plans =
        calloc(facts.constant_count + 1, sizeof(*plans));
    size_t count = 0;
    for (size_t i = 0; i < facts.constant_count; i++) {
        clconst_resolved constant = CLCONST_RESOLVED_INIT;
        check(
            clconst_resolution_get_constant(resolution, i, &constant, &error));
        if (constant.plan != NULL && /* strings stay on the host */
            clconst_plan_get_kind(constant.plan) != CLCONST_PLAN_STRINGS) {
            plans[count++] = constant.plan;
        }
    }

    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.alignment = info.alignment; /* where a sub-buffer may begin */
    options.expand_size = info.expand_size;
    clconst_batch *batch;
    check(clconst_batch_create(plans, count, &options, &batch, &error));
    size_t size = clconst_batch_get_arena_size(batch, 0);
    cl_mem arena = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, NULL);
    check(clconst_batch_enqueue(engine, batch, 0, queue, arena, 0, 0, NULL,
                                NULL, &error));
    for (size_t i = 0; i < count; i++) {
        clconst_place place = CLCONST_PLACE_INIT;
        check(clconst_batch_get_place(batch, i, &place, &error));
        const cl_buffer_region region = {place.offset, place.size};
        cl_mem part = clCreateSubBuffer(arena, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                        &region, NULL);
        unsigned char first = 0; /* reading it stands for the engine's use */
        clEnqueueReadBuffer(queue, part, CL_TRUE, 0, 1, &first, 0, NULL, NULL);
        printf("%zu bytes, the first is %d\n", place.size, first);
        clReleaseMemObject(part);
    }
    return clFinish(queue) == CL_SUCCESS ? 0 : 1; /* the process ends here */
}
