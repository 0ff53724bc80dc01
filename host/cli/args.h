/*
 * The options of all subcommands, in one table, and what a command line says
 * of them. It does not know what any of them means.
 */
#ifndef CLCONST_CLI_ARGS_H
#define CLCONST_CLI_ARGS_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/outcome.h"

/* Bits, so that a subcommand can say which it takes. All take HELP and JSON. */
enum {
    CLI_HELP = 1U << 0,
    CLI_JSON = 1U << 1,
    CLI_DEVICE = 1U << 2,
    CLI_OUTPUT = 1U << 3,
    CLI_DTYPE = 1U << 4,
    CLI_VALUE = 1U << 5,
    CLI_SHAPE = 1U << 6,
    CLI_INPUT = 1U << 7,
    CLI_STRICT = 1U << 8,
    CLI_LENIENT = 1U << 9,
    CLI_VERIFY = 1U << 10,
    CLI_REQUIRE_ALL = 1U << 11,
    CLI_VERSION = 1U << 12,
    CLI_QUICK = 1U << 13,
    CLI_SVG = 1U << 14,
    CLI_FOLLOW_LINKS = 1U << 15,
    CLI_IDLE = 1U << 16,
    CLI_DIM = 1U << 17,
    CLI_INPUT_SHAPE = 1U << 18,
    CLI_SHARE = 1U << 19,
    CLI_ALL = 1U << 20,
    CLI_SORT = 1U << 21,
    CLI_SIZE = 1U << 22,
    /* What is known of a model's inputs. */
    CLI_BINDINGS = CLI_INPUT | CLI_DIM | CLI_INPUT_SHAPE,
};

/* Strings of the command line, in its order. */
typedef struct cli_list {
    const char **items;
    size_t count;
} cli_list;

/* Texts are NULL and flags false when the option is absent. */
typedef struct cli_args {
    bool help;
    bool version;
    bool json;
    bool strict;
    bool lenient;
    bool verify;
    bool require_all;
    bool quick;
    bool follow_links;
    bool share;
    bool all;
    const char *device;
    const char *output;
    const char *dtype;
    const char *value;
    const char *shape;
    const char *svg;
    const char *idle;
    const char *sort;
    const char *size;
    cli_list inputs;
    cli_list dims;
    cli_list shapes;
    cli_list operands;
} cli_args;

/* What a command line may hold. operand names one operand in messages. */
typedef struct cli_syntax {
    unsigned options;
    unsigned required;
    const char *operand;
    size_t operand_min;
    size_t operand_max;
} cli_syntax;

/*
 * The index of the first word that is no option and no option's value, by the
 * options of all subcommands; argc when there is none.
 */
int cli_args_find_operand(int argc, char **argv);

/*
 * Reads argv[1] on. An option with a value may be there once, unless it is a
 * list; a flag may be repeated. Options and operands mix; "--" ends the
 * options. Also after a failure args says what the rest of the line holds, so
 * that the caller knows whether the failure is to be told in JSON. --help and
 * --version need neither operands nor required options.
 */
cli_outcome cli_args_parse(int argc,
                           char **argv,
                           const cli_syntax *syntax,
                           cli_args *args,
                           clconst_error *error);

/* The lines of --help about these options. */
void cli_args_print_options(unsigned options, FILE *stream);

void cli_args_release(cli_args *args);

#endif
