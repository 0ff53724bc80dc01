/*
 * Patterns as commands: by the driver's clEnqueueFillBuffer where that is
 * able and fast, by a kernel otherwise.
 */
#ifndef CLCONST_BACKEND_OPENCL_FILL_H
#define CLCONST_BACKEND_OPENCL_FILL_H

#include "backend/opencl/submission.h"

/*
 * INVALID_ARGUMENT when the plan needs a kernel and the buffer is read-only for
 * kernels: the driver's fill ignores a buffer's flags, a kernel's write is
 * undefined (OpenCL 1.2 specification, sections 5.2.2 and 5.2.1).
 */
clconst_status clconst__fill_check(const clconst__submission *submission,
                                   const clconst_plan *plan,
                                   size_t offset,
                                   clconst_error *error);

/* Of both: the plan's size is not 0 and the range lies within the buffer. */
clconst_status clconst__fill_enqueue(clconst__submission *submission,
                                     const clconst_plan *plan,
                                     size_t offset,
                                     clconst_error *error);

#endif
