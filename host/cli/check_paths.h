/*
 * The ways to fill that the self-test checks: those of any engine, and those
 * of an OpenCL device. A program without OpenCL has none of the latter.
 */
#ifndef CLCONST_CLI_CHECK_PATHS_H
#define CLCONST_CLI_CHECK_PATHS_H

#include <jansson.h>

#include "cli/check_sample.h"

typedef struct cli_check_device cli_check_device;

/* The largest sample with its offset. */
enum { CLI_CHECK_SIZE_MAX = 1 << 20 };

/* Bytes before and behind each output, which no fill may change. */
#define CLI_CHECK_GUARD ((size_t)64)
enum { CLI_CHECK_POISON = 0xa5 };

/* NULL for the CPU engine. */
cli_outcome cli_check_device_open(clconst_engine *engine,
                                  cli_check_device **device,
                                  clconst_error *error);

/* The name of a path, or NULL past the last. device may be NULL. */
const char *cli_check_device_path(const cli_check_device *device, size_t index);

/* Adds what a bug report should say of the device: "platform", "type",
 * "version" and "driver". Without a device it adds nothing. */
cli_outcome cli_check_device_describe(const cli_check_device *device,
                                      json_t *report,
                                      clconst_error *error);

/*
 * Adds rows of speed, as cli_speed_add does, and to the report "row": what the
 * table of fill paths should say of the device. Not without a device.
 */
cli_outcome cli_check_device_measure(const cli_check_device *device,
                                     json_t *speed,
                                     json_t *report,
                                     clconst_error *error);

/*
 * Fills the sample at this offset of a device buffer that holds the poison
 * everywhere else, and reads it from CLI_CHECK_GUARD bytes before to as many
 * behind.
 */
cli_outcome cli_check_device_fill(cli_check_device *device,
                                  size_t path,
                                  const cli_sample *sample,
                                  size_t offset,
                                  uint8_t *bytes,
                                  clconst_error *error);

void cli_check_device_close(cli_check_device *device);

#endif
