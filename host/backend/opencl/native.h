/*
 * Plans and boxes written inside the queue by the CPU engine's own code, as a
 * native kernel (OpenCL 1.2 specification, section 5.8.1). It needs no
 * compiler, no linker and no cache, and one command whatever they hold.
 */
#ifndef CLCONST_BACKEND_OPENCL_NATIVE_H
#define CLCONST_BACKEND_OPENCL_NATIVE_H

#include "backend/opencl/submission.h"
#include "core/box.h"
#include "core/plan.h"

/* Whether the submission's engine and buffer take native kernels, and the
 * engine's path asks for them. */
bool clconst__native_serves(const clconst__submission *submission);

/* Writes count outputs, at least one, at their offsets from offset on. outputs
 * outlives the command, except when it is one. */
clconst_status clconst__native_enqueue(clconst__submission *submission,
                                       const clconst__placed *outputs,
                                       size_t count,
                                       size_t offset,
                                       clconst_error *error);

/* The same for the rows of a box that begins at offset and is not empty. */
clconst_status clconst__native_enqueue_box(clconst__submission *submission,
                                           const clconst__box *box,
                                           const clconst__pattern *pattern,
                                           size_t offset,
                                           clconst_error *error);

#endif
