/*
 * Compiled programs kept in a cache folder from one process to the next.
 */
#ifndef CLCONST_BACKEND_OPENCL_BINARIES_H
#define CLCONST_BACKEND_OPENCL_BINARIES_H

#include "backend/opencl/device.h"
#include "backend/opencl/source.h"

/*
 * A built program from the folder; NULL when none fits, or the driver does not
 * take it.
 */
cl_program clconst__binary_load(const char *folder,
                                cl_context context,
                                const clconst__device *device,
                                const clconst__source *source,
                                const char *build_options);

/* Keeps a built program where it can be. */
void clconst__binary_store(const char *folder,
                           cl_program program,
                           const clconst__device *device,
                           const clconst__source *source,
                           const char *build_options);

#endif
