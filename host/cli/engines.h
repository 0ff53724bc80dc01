/*
 * The engine that --device names, and the CPU engine, which holds strings.
 */
#ifndef CLCONST_CLI_ENGINES_H
#define CLCONST_CLI_ENGINES_H

#include "cli/args.h"
#include "cli/content.h"
#include "cli/report.h"

typedef struct cli_engines {
    clconst_engine *device;
    clconst_engine *host;
    clconst_engine_info info; /* of device */
} cli_engines;

cli_outcome cli_engines_open(const cli_args *args,
                             cli_report *report,
                             cli_engines *engines,
                             clconst_error *error);

/* The CPU engine alone, for host. */
cli_outcome cli_engines_open_host(cli_engines *engines, clconst_error *error);

/* Accepts engines that were never opened but are zeroed. */
void cli_engines_release(cli_engines *engines);

/* "cpu" or "opencl". */
const char *cli_engines_kind(const cli_engines *engines);

/* The plan's tensor, on the device; of strings, on the host. */
cli_outcome cli_engines_run(const cli_engines *engines,
                            const clconst_plan *plan,
                            clconst_tensor **tensor,
                            clconst_error *error);

#endif
