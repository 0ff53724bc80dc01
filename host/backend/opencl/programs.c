#include "backend/opencl/programs.h"

#include <string.h>

#include "backend/opencl/binaries.h"
#include "backend/opencl/source.h"
#include "backend/opencl/status.h"
#include "base/alloc.h"

static const char build_options[] = "-cl-std=CL1.2";

/* By kernel: its name and its source. */
static const struct {
    const char *name;
    const clconst__source *source;
} kernel_rows[CLCONST__KERNEL_COUNT] = {
    [CLCONST__KERNEL_FILL_CHUNKED] = {"clconst_fill_chunked",
                                      &clconst__source_fill_chunked},
    [CLCONST__KERNEL_FILL_COALESCED] = {"clconst_fill_coalesced",
                                        &clconst__source_fill_coalesced},
    [CLCONST__KERNEL_FILL_BATCH] = {"clconst_fill_batch",
                                    &clconst__source_fill_batch},
    [CLCONST__KERNEL_FILL_REGION] = {"clconst_fill_region",
                                     &clconst__source_fill_region},
    [CLCONST__KERNEL_SCATTER] = {"clconst_scatter", &clconst__source_scatter},
    [CLCONST__KERNEL_MEASURE] = {"clconst_measure", &clconst__source_measure},
    [CLCONST__KERNEL_FILL_MEASURED] = {"clconst_fill_measured",
                                       &clconst__source_fill_measured},
};

bool clconst__programs_init(clconst__programs *programs,
                            cl_context context,
                            const clconst__device *device,
                            const char *cache_dir)
{
    memset(programs, 0, sizeof(*programs));
    programs->context = context;
    programs->device = device;
    programs->cache_dir = cache_dir;
    return pthread_mutex_init(&programs->lock, NULL) == 0;
}

static void release_kernel(clconst__kernel *kernel)
{
    if (kernel->object != NULL) {
        clReleaseKernel(kernel->object);
    }
    if (kernel->program != NULL) {
        clReleaseProgram(kernel->program);
    }
    *kernel = (clconst__kernel){0};
}

/* Messages are one line. */
static void flatten(char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n' || *text == '\r' || *text == '\t') {
            *text = ' ';
        }
    }
}

/* The log may be missing; the code of the build is what counts. */
static clconst_status fail_build(cl_program object,
                                 const char *name,
                                 const clconst__device *device,
                                 cl_int code,
                                 clconst_error *error)
{
    size_t size = 0;
    char *log = NULL;
    clGetProgramBuildInfo(
        object, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    if (clconst__alloc(size + 1, 1, &log, NULL) == CLCONST_OK) {
        clGetProgramBuildInfo(
            object, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
        flatten(log);
    }
    clconst_status status = clconst__fail_native(
        error,
        clconst__cl_status(code),
        code,
        "clBuildProgram gave %s (%d) for %s and %.100s; the log is: %s",
        clconst__cl_name(code),
        code,
        name,
        device->name,
        log != NULL ? log : "");
    clconst__free(log);
    return status;
}

/* The kernel object of a built program. */
static clconst_status make_object(const clconst__programs *programs,
                                  const char *name,
                                  clconst__kernel *kernel,
                                  clconst_error *error)
{
    cl_int code;
    clconst_status status = CLCONST__CL_CREATE(
        kernel->object, clCreateKernel(kernel->program, name, &code), error);
    if (status == CLCONST_OK) {
        status =
            CLCONST__CL(clGetKernelWorkGroupInfo(kernel->object,
                                                 programs->device->id,
                                                 CL_KERNEL_WORK_GROUP_SIZE,
                                                 sizeof(kernel->group_size_max),
                                                 &kernel->group_size_max,
                                                 NULL),
                        error);
    }
    return status;
}

static clconst_status build(clconst__programs *programs,
                            clconst__kernel_name name,
                            clconst_error *error)
{
    const clconst__source *source = kernel_rows[name].source;
    clconst__kernel *kernel = &programs->kernels[name];
    cl_int code;
    clconst_status status = CLCONST__CL_CREATE(
        kernel->program,
        clCreateProgramWithSource(programs->context,
                                  1,
                                  (const char *[]){source->text},
                                  &source->size,
                                  &code),
        error);
    if (status != CLCONST_OK) {
        return status;
    }
    code = clBuildProgram(
        kernel->program, 1, &programs->device->id, build_options, NULL, NULL);
    if (code != CL_SUCCESS) {
        return fail_build(
            kernel->program, source->name, programs->device, code, error);
    }
    status = make_object(programs, kernel_rows[name].name, kernel, error);
    if (status == CLCONST_OK) {
        atomic_fetch_add(&programs->built_count, 1);
    }
    return status;
}

/* A binary whose kernel cannot be made is as good as none. */
static bool load(clconst__programs *programs, clconst__kernel_name name)
{
    if (programs->cache_dir == NULL) {
        return false;
    }
    clconst__kernel *kernel = &programs->kernels[name];
    kernel->program = clconst__binary_load(programs->cache_dir,
                                           programs->context,
                                           programs->device,
                                           kernel_rows[name].source,
                                           build_options);
    if (kernel->program == NULL ||
        make_object(programs, kernel_rows[name].name, kernel, NULL) !=
            CLCONST_OK) {
        release_kernel(kernel);
        return false;
    }
    kernel->is_loaded = true;
    atomic_fetch_add(&programs->loaded_count, 1);
    return true;
}

clconst_status clconst__programs_lock(clconst__programs *programs,
                                      clconst__kernel_name name,
                                      clconst__kernel **kernel,
                                      clconst_error *error)
{
    pthread_mutex_lock(&programs->lock);
    if (programs->kernels[name].program == NULL && !load(programs, name)) {
        clconst_status status = build(programs, name, error);
        if (status != CLCONST_OK) {
            release_kernel(&programs->kernels[name]);
            pthread_mutex_unlock(&programs->lock);
            return status;
        }
    }
    *kernel = &programs->kernels[name];
    return CLCONST_OK;
}

void clconst__programs_unlock(clconst__programs *programs)
{
    pthread_mutex_unlock(&programs->lock);
}

void clconst__programs_clear(clconst__programs *programs)
{
    for (size_t i = 0; i < CLCONST__KERNEL_COUNT; i++) {
        clconst__kernel *kernel = &programs->kernels[i];
        if (programs->cache_dir != NULL && kernel->is_launched &&
            !kernel->is_loaded) {
            clconst__binary_store(programs->cache_dir,
                                  kernel->program,
                                  programs->device,
                                  kernel_rows[i].source,
                                  build_options);
        }
        release_kernel(kernel);
    }
    pthread_mutex_destroy(&programs->lock);
}
