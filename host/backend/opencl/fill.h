/*
 * Patterns as commands: by the driver's clEnqueueFillBuffer where that is
 * able and fast, by a kernel otherwise.
 */
#ifndef CLCONST_BACKEND_OPENCL_FILL_H
#define CLCONST_BACKEND_OPENCL_FILL_H

#include "backend/opencl/submission.h"
#include "core/plan.h"

/* Byte i of size bytes is pattern byte i mod 48, except the last one. */
typedef struct clconst__fill {
    const clconst__pattern *pattern;
    size_t period; /* of the pattern */
    size_t size;   /* not 0 */
    uint8_t last_byte;
    bool is_last_byte_plain; /* whether it is the pattern's */
} clconst__fill;

/* The fill of a plan that is one, or of a scatter's zeros. */
clconst__fill clconst__fill_of(const clconst_plan *plan);

/* Whether one command of the driver is able to do it. */
bool clconst__fill_is_driver_command(const clconst__submission *submission,
                                     const clconst__fill *fill,
                                     size_t offset);

/* Whether the driver is asked to do it, in one command or in a few. */
bool clconst__fill_prefers_driver(const clconst__submission *submission,
                                  const clconst__fill *fill,
                                  size_t offset);

/*
 * INVALID_ARGUMENT when the fill needs a kernel and the buffer is read-only for
 * kernels: the driver's fill ignores a buffer's flags, a kernel's write is
 * undefined (OpenCL 1.2 specification, sections 5.2.2 and 5.2.1).
 */
clconst_status clconst__fill_check(const clconst__submission *submission,
                                   const clconst__fill *fill,
                                   size_t offset,
                                   clconst_error *error);

/* The range lies within the buffer. */
clconst_status clconst__fill_enqueue(clconst__submission *submission,
                                     const clconst__fill *fill,
                                     size_t offset,
                                     clconst_error *error);

#endif
