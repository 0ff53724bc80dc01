#include "backend/opencl/launch.h"

#include "backend/opencl/status.h"

size_t clconst__divide_up(size_t size, size_t step)
{
    return size / step + (size % step != 0);
}

size_t clconst__chunk_size(size_t size, size_t max, size_t step)
{
    enum { ITEM_COUNT = 128, SIZE_MIN = 16 << 10 };
    size_t chunk = clconst__divide_up(size, ITEM_COUNT);
    if (chunk < SIZE_MIN) {
        chunk = SIZE_MIN;
    }
    if (chunk > max) {
        chunk = max;
    }
    return clconst__divide_up(chunk, step) * step;
}

static clconst_status set_arguments(cl_kernel kernel,
                                    const clconst__launch *launch,
                                    clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (cl_uint i = 0; i < launch->argument_count && status == CLCONST_OK;
         i++) {
        status = CLCONST__CL(clSetKernelArg(kernel,
                                            i,
                                            launch->arguments[i].size,
                                            launch->arguments[i].value),
                             error);
    }
    return status;
}

clconst_status clconst__launch_enqueue(clconst__submission *submission,
                                       const clconst__launch *launch,
                                       clconst_error *error)
{
    clconst__programs *programs = &submission->cl->programs;
    const clconst__kernel *kernel;
    clconst_status status =
        clconst__programs_lock(programs, launch->kernel, &kernel, error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t group_size = launch->group_size;
    while (group_size > kernel->group_size_max) {
        group_size /= 2;
    }
    status = set_arguments(kernel->object, launch, error);
    if (status == CLCONST_OK) {
        status = clconst__submission_launch(
            submission, kernel->object, launch->global_size, group_size, error);
    }
    clconst__programs_unlock(programs);
    return status;
}
