/*
 * A model's constants on their way to a device: all in one batch, strings to
 * the host. It does not know how that is reported.
 */
#ifndef CLCONST_CLI_LOADER_H
#define CLCONST_CLI_LOADER_H

#include "cli/folder.h"
#include "cli/model.h"

/* Zeroed members are released without harm. */
typedef struct cli_loader {
    const cli_args *args;
    cli_model model;
    cli_engines engines;
    cli_folder folder;
    const clconst_plan **plans; /* of what goes to the device */
    size_t plan_count;
    uint64_t plan_size; /* bytes of all of them */
    clconst_batch *batch;
    clconst_tensor **arenas;
    size_t arena_count;
    double seconds;
    uint64_t command_count;
    uint64_t written_size; /* by the commands */
    size_t tensor_count;
    size_t host_tensor_count;
    uint64_t size;
    uint64_t device_size;
    json_t *unresolved;
    json_t *not_taken; /* constants in branches that are not taken */
    json_t *arena_sizes;
    json_t *places;      /* NULL unless they are to be reported */
    cli_outcome outcome; /* of constants that must be resolved and are not */
} cli_loader;

/* Does it all: opens what args names, loads, verifies, and writes files. */
cli_outcome cli_loader_run(cli_loader *loader,
                           const cli_args *args,
                           cli_report *report,
                           clconst_error *error);

void cli_loader_release(cli_loader *loader);

#endif
