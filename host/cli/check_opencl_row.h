/*
 * What the table of fill paths (host/backend/opencl/tuning.c) should say of an
 * OpenCL device, by measurement.
 */
#ifndef CLCONST_CLI_CHECK_OPENCL_ROW_H
#define CLCONST_CLI_CHECK_OPENCL_ROW_H

#include <jansson.h>

#include "cli/check_opencl_paths.h"

/*
 * Adds the speed of each path to an array, as cli_speed_add does, and makes an
 * object whose members are those of a row of the table. driver_size_max is null
 * when the driver was faster at every size.
 */
cli_outcome cli_opencl_row_measure(const cli_opencl_paths *paths,
                                   json_t *speed,
                                   json_t **row,
                                   clconst_error *error);

#endif
