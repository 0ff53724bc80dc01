/*
 * The device of an OpenCL engine: a queue of the program's own, and one engine
 * for each fill path. It does not know what is filled.
 */
#ifndef CLCONST_CLI_CHECK_OPENCL_PATHS_H
#define CLCONST_CLI_CHECK_OPENCL_PATHS_H

#include <stdbool.h>

/* clCreateCommandQueue is the only one that OpenCL 1.2 has. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clconst/clconst_opencl.h>

#include "cli/outcome.h"

typedef struct cli_path {
    const char *name;
    clconst_fill_path path;
    clconst_engine *engine;
} cli_path;

enum { CLI_PATH_COUNT = 4 };

/* The context and the device live as long as engine, which is borrowed. */
typedef struct cli_opencl_paths {
    clconst_engine *engine;
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    bool is_cpu;
    cli_path paths[CLI_PATH_COUNT]; /* auto, kernel, driver, native */
} cli_opencl_paths;

/* DEVICE_ERROR when code, of the named call, is no success. */
cli_outcome
cli_opencl_outcome(cl_int code, const char *call, clconst_error *error);

/* engine is an OpenCL engine. */
cli_outcome cli_opencl_paths_open(clconst_engine *engine,
                                  cli_opencl_paths *paths,
                                  clconst_error *error);

/* Accepts paths that are zeroed. */
void cli_opencl_paths_release(cli_opencl_paths *paths);

#endif
