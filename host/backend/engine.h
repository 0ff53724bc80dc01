/*
 * How engine.c makes the engines of each backend.
 */
#ifndef CLCONST_BACKEND_ENGINE_H
#define CLCONST_BACKEND_ENGINE_H

#include "backend/backend.h"

/* Reads options, which may be NULL, and checks what all backends share. */
clconst_status
clconst__engine_options_read(clconst_engine_options *own,
                             const clconst_engine_options *options,
                             clconst_error *error);

clconst_status clconst__cpu_create(const clconst_engine_options *options,
                                   clconst_engine **engine,
                                   clconst_error *error);

/* The one row of the CPU engine. */
void clconst__cpu_list(clconst_device_visitor visit, void *context);

/*
 * options->device is "auto", "opencl", "opencl:P.D" or a piece of a name.
 * NO_DEVICE when none fits.
 */
clconst_status clconst__opencl_create(const clconst_engine_options *options,
                                      clconst_engine **engine,
                                      clconst_error *error);

clconst_status clconst__opencl_list(clconst_device_visitor visit,
                                    void *context,
                                    clconst_error *error);

#endif
