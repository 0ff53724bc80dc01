/*
 * A subcommand: what it takes, what it does, and how its report reads.
 */
#ifndef CLCONST_CLI_COMMAND_H
#define CLCONST_CLI_COMMAND_H

#include <stdio.h>

#include "cli/args.h"
#include "cli/report.h"

typedef struct cli_command {
    const char *name;
    const char *usage;   /* what follows the name */
    const char *summary; /* one line */
    const char *details; /* whole lines for --help, may be empty */
    const char *example; /* what follows the program's name */
    cli_syntax syntax;
    cli_outcome (*run)(const cli_args *args,
                       cli_report *report,
                       clconst_error *error);
    cli_outcome (*print)(const json_t *report,
                         FILE *stream,
                         clconst_error *error);
} cli_command;

extern const cli_command cli_command_bench;
extern const cli_command cli_command_check;
extern const cli_command cli_command_devices;
extern const cli_command cli_command_fill;
extern const cli_command cli_command_list;
extern const cli_command cli_command_load;
extern const cli_command cli_command_run;
extern const cli_command cli_command_test;

#endif
