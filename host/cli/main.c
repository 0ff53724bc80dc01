/* The program: chooses the subcommand and tells how it ended. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/guess.h"
#include "cli/style.h"
#include "cli/text.h"

static const cli_command *const commands[] = {
    &cli_command_devices,
    &cli_command_fill,
#if CLCONST_WITH_ONNX
    &cli_command_list,
    &cli_command_load,
    &cli_command_run,
    &cli_command_test,
#endif
    &cli_command_check,
    &cli_command_bench,
};

enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) };

static cli_outcome
run_unknown(const cli_args *args, cli_report *report, clconst_error *error)
{
    (void)report;
    const char *name = args->operands.items[0];
    cli_guess guess = cli_guess_begin(name, strlen(name));
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        cli_guess_try(&guess, commands[i]->name, strlen(commands[i]->name));
    }
    cli_outcome outcome =
        cli_fail_usage(error, "subcommand %s is unknown", name);
    (void)cli_guess_tell(&guess, "", error);
    return outcome;
}

static cli_outcome
print_nothing(const json_t *report, FILE *stream, clconst_error *error)
{
    (void)report;
    (void)stream;
    (void)error;
    return CLI_DONE;
}

/* A command line without a subcommand that exists. */
static const cli_command program = {
    .name = "",
    .syntax =
        {
            /* A subcommand's options may come before it. */
            .options = ~0U,
            .operand = "SUBCOMMAND",
            .operand_min = 1,
            .operand_max = SIZE_MAX,
        },
    .run = run_unknown,
    .print = print_nothing,
};

/*
 * Takes the numbers of closed standard streams, so that no file that is opened
 * later gets one of them. Each is opened so that its use fails.
 */
static void hold_standard_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1) {
            /* The lowest free number is this one. */
            int opened =
                open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
            (void)opened;
        }
    }
}

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return &program;
}

static void print_help(const cli_command *command)
{
    if (command != &program) {
        printf("Usage: clconst %s%s [OPTION]..\n\n%c%s.\n\n%s%sOptions:\n",
               command->name,
               command->usage,
               command->summary[0] - 'a' + 'A',
               command->summary + 1,
               command->details,
               command->details[0] != '\0' ? "\n" : "");
        cli_args_print_options(command->syntax.options | CLI_JSON | CLI_HELP,
                               stdout);
        printf("\nExample:\n  clconst %s\n", command->example);
        return;
    }
    printf("Usage: clconst SUBCOMMAND ..\n\n"
           "Puts the constants of ONNX models on OpenCL devices.\n\n"
           "Subcommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-8s  %s\n", commands[i]->name, commands[i]->summary);
    }
    printf("\nOptions:\n");
    cli_args_print_options(CLI_HELP | CLI_VERSION, stdout);
    printf("\n\"clconst SUBCOMMAND --help\" tells more of one.\n");
}

static json_t *json_of_error(const clconst_error *error)
{
    return json_pack("{ss si so}",
                     "status",
                     clconst_status_name((clconst_status)error->status),
                     "native_code",
                     error->native_code,
                     "message",
                     cli_text_json_string(error->message));
}

/* The report; beside or instead of it, why the request was not met. */
static cli_outcome
print_json(cli_outcome outcome, cli_report *report, clconst_error *error)
{
    json_t *json =
        report->json != NULL ? json_incref(report->json) : json_object();
    if (outcome != CLI_DONE) {
        json_object_set_new(json, "error", json_of_error(error));
    }
    bool is_printed = cli_json_print(json, stdout);
    json_decref(json);
    /* A failed stream is told when it is flushed. */
    return is_printed || ferror(stdout) ? outcome
                                        : cli_fail(error,
                                                   CLCONST_OUT_OF_MEMORY,
                                                   "no memory for the report");
}

static cli_outcome print_report(const cli_command *command,
                                const cli_args *args,
                                cli_outcome outcome,
                                cli_report *report,
                                clconst_error *error)
{
    if (args->json) {
        outcome = print_json(outcome, report, error);
    } else if (report->json != NULL) {
        clconst_error print_error;
        cli_outcome printed =
            command->print(report->json, stdout, &print_error);
        if (printed != CLI_DONE && outcome == CLI_DONE) {
            outcome = printed;
            *error = print_error;
        }
    }
    return outcome;
}

/* Bytes that cannot leave are a failure, unless there was one before. */
static cli_outcome flush_output(cli_outcome outcome, clconst_error *error)
{
    errno = 0;
    bool has_failed = fflush(stdout) != 0 || ferror(stdout);
    if (has_failed && outcome == CLI_DONE) {
        return cli_fail_io(error, errno, "standard output cannot be written");
    }
    return outcome;
}

static void
print_line(cli_style style, const char *label, const char *text, size_t size)
{
    cli_style_print(stderr, style, label);
    fputc(' ', stderr);
    cli_text_print(stderr, text, size);
    fputc('\n', stderr);
}

/* Notes, or the one line that tells why the request was not met. */
static void print_end(const cli_command *command,
                      cli_outcome outcome,
                      const json_t *notes,
                      const clconst_error *error)
{
    if (outcome == CLI_DONE) {
        for (size_t i = 0; i < json_array_size(notes); i++) {
            const json_t *note = json_array_get(notes, i);
            print_line(CLI_STYLE_NOTE,
                       "clconst: note:",
                       json_string_value(note),
                       json_string_length(note));
        }
        return;
    }
    print_line(
        CLI_STYLE_ERROR, "clconst:", error->message, strlen(error->message));
    if (outcome == CLI_WRONG_USAGE) {
        fprintf(stderr,
                "Try \"clconst%s%s --help\".\n",
                command != &program ? " " : "",
                command->name);
    }
}

static cli_outcome run(const cli_command *command,
                       int argc,
                       char **argv,
                       cli_args *args,
                       cli_report *report,
                       clconst_error *error)
{
    cli_outcome outcome =
        cli_args_parse(argc, argv, &command->syntax, args, error);
    /* The options of a subcommand that does not exist are no fault. */
    bool is_unknown = command == &program && args->operands.count > 0;
    if (outcome != CLI_DONE && !is_unknown) {
        return outcome;
    }
    if (args->help) {
        print_help(command);
        return CLI_DONE;
    }
    if (args->version) {
        printf("clconst %s\n", clconst_version());
        return CLI_DONE;
    }
    return command->run(args, report, error);
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    /* A reader that has gone is a failed write, not a death without a word. */
    signal(SIGPIPE, SIG_IGN);
    int place = cli_args_find_operand(argc, argv);
    const cli_command *command =
        place < argc ? find_command(argv[place]) : &program;
    if (command != &program) {
        /* With the NULL at the end. */
        memmove(&argv[place],
                &argv[place + 1],
                (size_t)(argc - place) * sizeof(*argv));
        argc--;
    }
    cli_args args = {0};
    cli_report report = {0};
    clconst_error error = {0};
    cli_outcome outcome = cli_report_init(&report, &error);
    if (outcome == CLI_DONE) {
        outcome = run(command, argc, argv, &args, &report, &error);
    }
    bool has_own_text = args.help || args.version;
    if (!has_own_text) {
        outcome = print_report(command, &args, outcome, &report, &error);
    }
    outcome = flush_output(outcome, &error);
    print_end(command, outcome, report.notes, &error);
    cli_args_release(&args);
    cli_report_release(&report);
    return (int)outcome;
}
