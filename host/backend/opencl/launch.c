#include "backend/opencl/launch.h"

#include "backend/opencl/status.h"
#include "core/table.h"

enum {
    /* On GPUs each work-item writes what a cache line or two hold, on CPUs a
     * share of the line. */
    LINE_SHARE_SIZE = 64,
    /* At most 65,535 rows and words in a loop (see share.clh). */
    SHARE_SIZE_MAX = 2 << 20,
    GROUP_SIZE = 64,
    /* Work-items of one launch stay below 2^31. */
    ITEM_COUNT_MAX = 1 << 30,
};

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

/* Bytes of one work-item's share. */
static size_t choose_share(const clconst__tuning *tuning, size_t flat_size)
{
    if (tuning->access == CLCONST__ACCESS_COALESCED) {
        size_t lines = clconst__divide_up(flat_size, LINE_SHARE_SIZE);
        return clconst__divide_up(lines, ITEM_COUNT_MAX) * LINE_SHARE_SIZE;
    }
    return clconst__chunk_size(flat_size, SHARE_SIZE_MAX, CLCONST__FLAT_STEP);
}

size_t clconst__launch_share(clconst__launch *launch,
                             const clconst__tuning *tuning,
                             uint64_t flat_size)
{
    size_t chunk = choose_share(tuning, (size_t)flat_size);
    size_t items = clconst__divide_up((size_t)flat_size, chunk);
    launch->group_size =
        tuning->access == CLCONST__ACCESS_CHUNKED ? 1 : GROUP_SIZE;
    launch->global_size =
        clconst__divide_up(items, launch->group_size) * launch->group_size;
    return chunk;
}

static clconst_status set_arguments(const clconst__submission *submission,
                                    cl_kernel kernel,
                                    const clconst__launch *launch,
                                    clconst_error *error)
{
    clconst_status status =
        clconst__submission_set_argument(submission, kernel, error);
    for (cl_uint i = 0; i < launch->argument_count && status == CLCONST_OK;
         i++) {
        status = CLCONST__CL(clSetKernelArg(kernel,
                                            i + 1,
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
    clconst__kernel *kernel;
    clconst_status status =
        clconst__programs_lock(programs, launch->kernel, &kernel, error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t group_size = launch->group_size;
    while (group_size > kernel->group_size_max) {
        group_size /= 2;
    }
    status = set_arguments(submission, kernel->object, launch, error);
    if (status == CLCONST_OK) {
        status = clconst__submission_launch(
            submission, kernel->object, launch->global_size, group_size, error);
        kernel->is_launched |= status == CLCONST_OK;
    }
    clconst__programs_unlock(programs);
    return status;
}
