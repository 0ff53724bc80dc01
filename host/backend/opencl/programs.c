#include "backend/opencl/programs.h"

#include <string.h>

#include "backend/opencl/binaries.h"
#include "backend/opencl/source.h"
#include "backend/opencl/status.h"
#include "base/alloc.h"

static const char build_options[] = "-cl-std=CL1.2";

/* By program: its source. */
static const clconst__source *const sources[CLCONST__PROGRAM_COUNT] = {
    [CLCONST__PROGRAM_FILL] = &clconst__source_fill,
    [CLCONST__PROGRAM_FILL_BATCH] = &clconst__source_fill_batch,
    [CLCONST__PROGRAM_SCATTER] = &clconst__source_scatter,
};

/* By kernel: its name and where it is. */
static const struct {
    const char *name;
    clconst__program_name program;
} kernel_rows[CLCONST__KERNEL_COUNT] = {
    [CLCONST__KERNEL_FILL_CHUNKED] = {"clconst_fill_chunked",
                                      CLCONST__PROGRAM_FILL},
    [CLCONST__KERNEL_FILL_COALESCED] = {"clconst_fill_coalesced",
                                        CLCONST__PROGRAM_FILL},
    [CLCONST__KERNEL_FILL_BATCH] = {"clconst_fill_batch",
                                    CLCONST__PROGRAM_FILL_BATCH},
    [CLCONST__KERNEL_SCATTER] = {"clconst_scatter", CLCONST__PROGRAM_SCATTER},
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

static void release_objects(clconst__programs *programs,
                            clconst__program_name program)
{
    for (size_t i = 0; i < CLCONST__KERNEL_COUNT; i++) {
        if (kernel_rows[i].program == program &&
            programs->kernels[i].object != NULL) {
            clReleaseKernel(programs->kernels[i].object);
            programs->kernels[i].object = NULL;
        }
    }
    if (programs->objects[program] != NULL) {
        clReleaseProgram(programs->objects[program]);
        programs->objects[program] = NULL;
    }
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
        "%s gave %s (%d) when built for %.100s; the log is: %s",
        name,
        clconst__cl_name(code),
        code,
        device->name,
        log != NULL ? log : "");
    clconst__free(log);
    return status;
}

static clconst_status make_kernel(cl_program object,
                                  const clconst__device *device,
                                  const char *name,
                                  clconst__kernel *kernel,
                                  clconst_error *error)
{
    cl_int code;
    clconst_status status = CLCONST__CL_CREATE(
        kernel->object, clCreateKernel(object, name, &code), error);
    if (status == CLCONST_OK) {
        status =
            CLCONST__CL(clGetKernelWorkGroupInfo(kernel->object,
                                                 device->id,
                                                 CL_KERNEL_WORK_GROUP_SIZE,
                                                 sizeof(kernel->group_size_max),
                                                 &kernel->group_size_max,
                                                 NULL),
                        error);
    }
    return status;
}

static clconst_status make_kernels(clconst__programs *programs,
                                   clconst__program_name name,
                                   clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < CLCONST__KERNEL_COUNT && status == CLCONST_OK; i++) {
        if (kernel_rows[i].program == name) {
            status = make_kernel(programs->objects[name],
                                 programs->device,
                                 kernel_rows[i].name,
                                 &programs->kernels[i],
                                 error);
        }
    }
    return status;
}

static clconst_status build(clconst__programs *programs,
                            clconst__program_name name,
                            clconst_error *error)
{
    const clconst__source *source = sources[name];
    cl_program *object = &programs->objects[name];
    cl_int code;
    clconst_status status = CLCONST__CL_CREATE(
        *object,
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
        *object, 1, &programs->device->id, build_options, NULL, NULL);
    if (code != CL_SUCCESS) {
        return fail_build(*object, source->name, programs->device, code, error);
    }
    status = make_kernels(programs, name, error);
    if (status == CLCONST_OK) {
        atomic_fetch_add(&programs->built_count, 1);
    }
    return status;
}

/* A binary whose kernels cannot be made is as good as none. */
static bool load(clconst__programs *programs, clconst__program_name name)
{
    if (programs->cache_dir == NULL) {
        return false;
    }
    programs->objects[name] = clconst__binary_load(programs->cache_dir,
                                                   programs->context,
                                                   programs->device,
                                                   sources[name],
                                                   build_options);
    if (programs->objects[name] == NULL ||
        make_kernels(programs, name, NULL) != CLCONST_OK) {
        release_objects(programs, name);
        return false;
    }
    programs->is_loaded[name] = true;
    atomic_fetch_add(&programs->loaded_count, 1);
    return true;
}

clconst_status clconst__programs_lock(clconst__programs *programs,
                                      clconst__kernel_name name,
                                      const clconst__kernel **kernel,
                                      clconst_error *error)
{
    clconst__program_name program = kernel_rows[name].program;
    pthread_mutex_lock(&programs->lock);
    if (programs->objects[program] == NULL && !load(programs, program)) {
        clconst_status status = build(programs, program, error);
        if (status != CLCONST_OK) {
            release_objects(programs, program);
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
    for (size_t i = 0; i < CLCONST__PROGRAM_COUNT; i++) {
        if (programs->cache_dir != NULL && programs->objects[i] != NULL &&
            !programs->is_loaded[i]) {
            clconst__binary_store(programs->cache_dir,
                                  programs->objects[i],
                                  programs->device,
                                  sources[i],
                                  build_options);
        }
        release_objects(programs, (clconst__program_name)i);
    }
    pthread_mutex_destroy(&programs->lock);
}
