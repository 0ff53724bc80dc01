#include "cli/args.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option.h"

#define MEMBER(name) offsetof(cli_args, name)

static const cli_option rows[] = {
    {CLI_DTYPE,
     0,
     "dtype",
     "T",
     "element type, by its ONNX or NumPy name",
     TEXT,
     MEMBER(dtype)},
    {CLI_VALUE,
     0,
     "value",
     "V",
     "the element; without it zero",
     TEXT,
     MEMBER(value)},
    {CLI_SHAPE,
     0,
     "shape",
     "D,D,..",
     "dims; an empty list is a scalar",
     TEXT,
     MEMBER(shape)},
    {CLI_INPUT,
     'i',
     "input",
     "NAME=VALUE",
     "an input: 2,3,4 (int64), @FILE.npy or @FILE.pb",
     LIST,
     MEMBER(inputs)},
    {CLI_DIM,
     0,
     "dim",
     "NAME=N",
     "the number that a symbolic dim stands for",
     LIST,
     MEMBER(dims)},
    {CLI_INPUT_SHAPE,
     0,
     "shape",
     "NAME=D,..",
     "the shape of an input",
     LIST,
     MEMBER(shapes)},
    {CLI_STRICT,
     0,
     "strict",
     NULL,
     "refuse also what changes no byte, as a newer opset",
     FLAG,
     MEMBER(strict)},
    {CLI_LENIENT,
     0,
     "lenient",
     NULL,
     "accept, with a note each, what real writers do wrong",
     FLAG,
     MEMBER(lenient)},
    {CLI_FOLLOW_LINKS,
     0,
     "follow-links",
     NULL,
     "accept external data in linked files",
     FLAG,
     MEMBER(follow_links)},
    {CLI_VERIFY,
     0,
     "verify",
     NULL,
     "read every tensor back and compare each byte",
     FLAG,
     MEMBER(verify)},
    {CLI_SHARE,
     0,
     "share",
     NULL,
     "give constants with the same bytes one place",
     FLAG,
     MEMBER(share)},
    {CLI_ALL, 0, "all", NULL, "print every row", FLAG, MEMBER(all)},
    {CLI_SORT,
     0,
     "sort",
     "KEY",
     "order of the rows, as bytes or name",
     TEXT,
     MEMBER(sort)},
    {CLI_REQUIRE_ALL,
     0,
     "require-all",
     NULL,
     "fail when any constant is unresolved",
     FLAG,
     MEMBER(require_all)},
    {CLI_QUICK,
     0,
     "quick",
     NULL,
     "fewer rounds and configurations",
     FLAG,
     MEMBER(quick)},
    {CLI_SIZE,
     0,
     "size",
     "B,B,..",
     "measure these sizes, in bytes, and no batches",
     TEXT,
     MEMBER(size)},
    {CLI_IDLE,
     0,
     "idle",
     "SECONDS",
     "wait so long in all for moments when nothing else runs",
     TEXT,
     MEMBER(idle)},
    {CLI_SVG,
     0,
     "svg",
     "FILE",
     "draw a chart of bandwidth over size",
     TEXT,
     MEMBER(svg)},
    {CLI_OUTPUT,
     'o',
     "output",
     "PATH",
     "write the result there",
     TEXT,
     MEMBER(output)},
    {CLI_DEVICE,
     0,
     "device",
     "NAME",
     "auto (default), cpu, opencl, opencl:P.D, or a name",
     TEXT,
     MEMBER(device)},
    {CLI_JSON, 0, "json", NULL, "print JSON only", FLAG, MEMBER(json)},
    {CLI_HELP, 'h', "help", NULL, "print this", FLAG, MEMBER(help)},
    {CLI_VERSION,
     0,
     "version",
     NULL,
     "print the version",
     FLAG,
     MEMBER(version)},
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

/* What getopt_long returns for a long option: its row, above any letter. */
enum { FIRST_LONG = 256 };

/* The table in the form that getopt_long takes. */
typedef struct getopt_tables {
    struct option longs[ROW_COUNT + 1];
    char shorts[2 * ROW_COUNT + 3];
} getopt_tables;

static void make_tables(unsigned options, getopt_tables *tables)
{
    memset(tables, 0, sizeof(*tables));
    /* Begins anew; no messages of its own. */
    optind = 0;
    opterr = 0;
    struct option *next = tables->longs;
    /* '-': operands come in order, whatever POSIXLY_CORRECT says. ':': a
     * missing argument is told apart from an unknown option. */
    char *letter = tables->shorts;
    *letter++ = '-';
    *letter++ = ':';
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if ((rows[i].option & options) == 0) {
            continue;
        }
        next->name = rows[i].name;
        next->has_arg = rows[i].kind == FLAG ? no_argument : required_argument;
        next->val = FIRST_LONG + (int)i;
        next++;
        if (rows[i].letter != 0) {
            *letter++ = rows[i].letter;
            if (rows[i].kind != FLAG) {
                *letter++ = ':';
            }
        }
    }
}

static const cli_option *find_row(int code)
{
    if (code >= FIRST_LONG) {
        return &rows[code - FIRST_LONG];
    }
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (code != 0 && rows[i].letter == code) {
            return &rows[i];
        }
    }
    return NULL;
}

/* A later value would silently take the place of an earlier one. */
static cli_outcome store(cli_args *args,
                         const cli_option *row,
                         const char *text,
                         clconst_error *error)
{
    void *member = (char *)args + row->offset;
    if (row->kind == FLAG) {
        *(bool *)member = true;
    } else if (row->kind == LIST) {
        cli_list *list = member;
        list->items[list->count++] = text;
    } else if (*(const char **)member != NULL) {
        return cli_fail_usage(
            error, "option --%s is there twice; it has one value", row->name);
    } else {
        *(const char **)member = text;
    }
    return CLI_DONE;
}

static cli_outcome
fail_option(int code, unsigned options, char *const *argv, clconst_error *error)
{
    const cli_option *row = find_row(optopt);
    if (code == ':') {
        return cli_fail_usage(error,
                              "option --%s has no value; it takes %s",
                              row->name,
                              row->argument);
    }
    if (optopt >= FIRST_LONG) {
        return cli_fail_usage(error, "option --%s takes no value", row->name);
    }
    if (optopt != 0) {
        return cli_fail_usage(error,
                              row != NULL
                                  ? "option -%c is not for this subcommand"
                                  : "option -%c is unknown",
                              optopt);
    }
    return cli_option_fail(rows, ROW_COUNT, options, argv[optind - 1], error);
}

/* What getopt_long has found: an operand, a fault, or an option. */
static cli_outcome take(int code,
                        unsigned options,
                        char *const *argv,
                        cli_args *args,
                        clconst_error *error)
{
    if (code == 1) {
        args->operands.items[args->operands.count++] = optarg;
        return CLI_DONE;
    }
    return code == '?' || code == ':'
               ? fail_option(code, options, argv, error)
               : store(args, find_row(code), optarg, error);
}

static cli_outcome check_completeness(const cli_syntax *syntax,
                                      const cli_args *args,
                                      clconst_error *error)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const void *member = (const char *)args + rows[i].offset;
        if ((rows[i].option & syntax->required) != 0 &&
            *(const char *const *)member == NULL) {
            return cli_fail_usage(
                error, "option --%s is missing; it is required", rows[i].name);
        }
    }
    if (args->operands.count < syntax->operand_min) {
        return cli_fail_usage(
            error, "%s is missing; it is required", syntax->operand);
    }
    if (args->operands.count > syntax->operand_max) {
        return cli_fail_usage(error,
                              "operand %s is one too many",
                              args->operands.items[syntax->operand_max]);
    }
    if (args->strict && args->lenient) {
        return cli_fail_usage(error,
                              "--strict and --lenient exclude each other");
    }
    return CLI_DONE;
}

int cli_args_find_operand(int argc, char **argv)
{
    getopt_tables tables;
    make_tables(~0U, &tables);
    int code;
    do {
        code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL);
    } while (code != -1 && code != 1);
    return code == 1 ? optind - 1 : optind;
}

/* Each list has room for all words. */
static cli_outcome
make_lists(size_t capacity, cli_args *args, clconst_error *error)
{
    cli_list *lists[] = {
        &args->inputs, &args->dims, &args->shapes, &args->operands};
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (outcome == CLI_DONE) {
            outcome = cli_alloc(
                capacity, sizeof(*lists[i]->items), &lists[i]->items, error);
        }
    }
    return outcome;
}

cli_outcome cli_args_parse(int argc,
                           char **argv,
                           const cli_syntax *syntax,
                           cli_args *args,
                           clconst_error *error)
{
    memset(args, 0, sizeof(*args));
    cli_outcome outcome = make_lists((size_t)argc, args, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    unsigned options = syntax->options | CLI_HELP | CLI_JSON;
    getopt_tables tables;
    make_tables(options, &tables);
    int code;
    while ((code = getopt_long(
                argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        /* The first fault is told, but --json may come behind it. */
        clconst_error later;
        clconst_error *fault = outcome == CLI_DONE ? error : &later;
        cli_outcome taken = take(code, options, argv, args, fault);
        outcome = outcome == CLI_DONE ? taken : outcome;
    }
    while (optind < argc) {
        args->operands.items[args->operands.count++] = argv[optind++];
    }
    if (args->help || args->version) {
        return CLI_DONE;
    }
    return outcome != CLI_DONE ? outcome
                               : check_completeness(syntax, args, error);
}

void cli_args_print_options(unsigned options, FILE *stream)
{
    enum { WIDTH = 26 };
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if ((rows[i].option & options) == 0) {
            continue;
        }
        char letter[] = {'-', rows[i].letter, ',', ' ', 0};
        int used = fprintf(stream,
                           "  %s--%s%s%s",
                           rows[i].letter != 0 ? letter : "    ",
                           rows[i].name,
                           rows[i].argument != NULL ? " " : "",
                           rows[i].argument != NULL ? rows[i].argument : "");
        fprintf(stream, "%*s%s\n", WIDTH - used, "", rows[i].help);
    }
}

void cli_args_release(cli_args *args)
{
    free(args->inputs.items);
    free(args->dims.items);
    free(args->shapes.items);
    free(args->operands.items);
}
