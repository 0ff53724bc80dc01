/* The subcommand that runs ONNX's backend tests. */
#include <stdlib.h>
#include <string.h>

#include "cli/case.h"
#include "cli/cases.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/text.h"

enum { RESULT_COUNT = 3 };

static const char *const result_names[RESULT_COUNT] = {
    [CLI_CASE_PASSED] = "passed",
    [CLI_CASE_FAILED] = "failed",
    [CLI_CASE_SKIPPED] = "skipped",
};

/* The last two components of the absolute path. */
static json_t *name_of(const char *folder)
{
    char *absolute = realpath(folder, NULL);
    const char *path = absolute != NULL ? absolute : folder;
    const char *name = path + strlen(path);
    for (int separators = 0; name > path; name--) {
        separators += name[-1] == '/' ? 1 : 0;
        if (separators == 2) {
            break;
        }
    }
    json_t *json = cli_text_json_string(name);
    free(absolute);
    return json;
}

static cli_outcome add_row(json_t *rows,
                           const char *folder,
                           cli_case_result result,
                           const clconst_error *reason,
                           clconst_error *error)
{
    const char *text = result != CLI_CASE_PASSED ? reason->message : NULL;
    json_t *row = json_pack("{so ss so}",
                            "name",
                            name_of(folder),
                            "result",
                            result_names[result],
                            "reason",
                            cli_text_json_string(text));
    return json_array_append_new(rows, row) == 0
               ? CLI_DONE
               : cli_fail(
                     error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
}

static cli_outcome make_report(const size_t *counts,
                               json_t *rows,
                               cli_report *report,
                               clconst_error *error)
{
    cli_outcome outcome =
        cli_report_set(report,
                       json_pack("{so so so sO}",
                                 "passed",
                                 cli_json_size(counts[CLI_CASE_PASSED]),
                                 "failed",
                                 cli_json_size(counts[CLI_CASE_FAILED]),
                                 "skipped",
                                 cli_json_size(counts[CLI_CASE_SKIPPED]),
                                 "cases",
                                 rows),
                       error);
    if (outcome == CLI_DONE && counts[CLI_CASE_FAILED] > 0) {
        outcome = cli_fail(error,
                           CLCONST_DEVICE_ERROR,
                           "%zu of %zu tests have failed",
                           counts[CLI_CASE_FAILED],
                           json_array_size(rows));
    }
    return outcome;
}

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    cli_cases cases = {0};
    cli_engines engines = {0};
    json_t *rows = json_array();
    size_t counts[RESULT_COUNT] = {0};
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < args->operands.count && outcome == CLI_DONE; i++) {
        outcome = cli_cases_find(args->operands.items[i], &cases, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_engines_open(args, report, &engines, error);
    }
    for (size_t i = 0; i < cases.count && outcome == CLI_DONE; i++) {
        clconst_error reason;
        cli_case_result result =
            cli_case_run(cases.folders[i], &engines, args, report, &reason);
        counts[result]++;
        outcome = add_row(rows, cases.folders[i], result, &reason, error);
    }
    if (outcome == CLI_DONE) {
        outcome = make_report(counts, rows, report, error);
    }
    json_decref(rows);
    cli_engines_release(&engines);
    cli_cases_release(&cases);
    return outcome;
}

static cli_outcome
print(const json_t *report, FILE *stream, clconst_error *error)
{
    static const cli_column columns[] = {
        {"result", "result", false},
        {"name", "test", false},
        {"reason", "reason", false},
    };
    cli_outcome outcome = cli_table_print(json_object_get(report, "cases"),
                                          columns,
                                          sizeof(columns) / sizeof(columns[0]),
                                          stream,
                                          error);
    for (size_t i = 0; i < RESULT_COUNT; i++) {
        fputs(i > 0 ? ", " : "", stream);
        cli_table_print_value(json_object_get(report, result_names[i]), stream);
        fprintf(stream, " %s", result_names[i]);
    }
    fputc('\n', stream);
    return outcome;
}

const cli_command cli_command_test = {
    .name = "test",
    .usage = " DIR..",
    .summary = "run ONNX's backend tests and compare each bit",
    .details =
        "DIR is a folder with model.onnx and test_data_set_N, which holds "
        "input_K.pb and\noutput_K.pb, or a folder that has such folders "
        "anywhere below it. A model whose\noutputs need operators other than "
        "Constant and ConstantOfShape is skipped.\n",
    .example = "test --device cpu tests",
    .syntax =
        {
            .options = CLI_DEVICE,
            .operand = "DIR",
            .operand_min = 1,
            .operand_max = SIZE_MAX,
        },
    .run = run,
    .print = print,
};
