/*
 * A kernel launched with its arguments, as one command of a submission.
 */
#ifndef CLCONST_BACKEND_OPENCL_LAUNCH_H
#define CLCONST_BACKEND_OPENCL_LAUNCH_H

#include "backend/opencl/submission.h"

/* As clSetKernelArg takes it. */
typedef struct clconst__argument {
    size_t size;
    const void *value;
} clconst__argument;

/* An argument that is a variable. */
#define CLCONST__ARGUMENT(variable)                                            \
    (clconst__argument)                                                        \
    {                                                                          \
        sizeof(variable), &(variable)                                          \
    }

/*
 * Each kernel's first argument is the submission's target; arguments are those
 * behind it. global_size is a multiple of group_size, which is a power of two
 * and is halved down to what the kernel takes on the device.
 */
typedef struct clconst__launch {
    clconst__kernel_name kernel;
    const clconst__argument *arguments;
    cl_uint argument_count;
    size_t global_size;
    size_t group_size;
} clconst__launch;

/* Builds the kernel's program first where no call before has. */
clconst_status clconst__launch_enqueue(clconst__submission *submission,
                                       const clconst__launch *launch,
                                       clconst_error *error);

/* size divided by step, rounded up. */
size_t clconst__divide_up(size_t size, size_t step);

/* Bytes of one work-item of a CPU device, a multiple of step: many items in a
 * large launch and few in a small one, and at most max, rounded up to step. */
size_t clconst__chunk_size(size_t size, size_t max, size_t step);

/*
 * A line of flat bytes (see share.clh) shared out among work-items as suits the
 * device: sets the launch's sizes. Work-item i is to take chunk_size bytes, the
 * result, from i * chunk_size on.
 */
size_t clconst__launch_share(clconst__launch *launch,
                             const clconst__tuning *tuning,
                             uint64_t flat_size);

#endif
