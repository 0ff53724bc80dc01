/* The subcommand that lists a model's constants. */
#include <string.h>

#include "cli/command.h"
#include "cli/model.h"
#include "cli/rows.h"
#include "cli/table.h"
#include "cli/text.h"

/* Of text for people: what fits a page. */
enum { ROW_COUNT_MAX = 50 };

/* The plan's bytes; of strings, those of all of them. */
static cli_outcome measure(const cli_engines *engines,
                           const clconst_plan *plan,
                           size_t *size,
                           clconst_error *error)
{
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan, &output);
    *size = output.size;
    if (output.dtype != CLCONST_STRING) {
        return CLI_DONE;
    }
    clconst_tensor *tensor;
    cli_outcome outcome = cli_engines_run(engines, plan, &tensor, error);
    if (outcome == CLI_DONE) {
        cli_content content = cli_content_of(tensor);
        *size = cli_content_size(&content);
        clconst_tensor_destroy(tensor);
    }
    return outcome;
}

static cli_outcome add_constant(const cli_model *model,
                                const cli_engines *engines,
                                size_t number,
                                json_t *rows,
                                clconst_error *error)
{
    cli_constant constant;
    size_t size = 0;
    json_t *row = NULL;
    cli_outcome outcome =
        cli_model_get_constant(model, number, &constant, error);
    if (outcome == CLI_DONE && constant.resolved.plan != NULL) {
        outcome = measure(engines, constant.resolved.plan, &size, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_constant_describe(&constant, size, &row, error);
    }
    if (outcome == CLI_DONE && json_array_append_new(rows, row) != 0) {
        outcome =
            cli_fail(error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
    }
    return outcome;
}

/* What rows may be sorted by. */
static const char *const keys[] = {
    "number", "name", "scope", "op_type", "dtype", "bytes", "storage"};

static cli_outcome check_sort(const char *key, clconst_error *error)
{
    bool is_known = key == NULL;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        is_known = is_known || strcmp(key, keys[i]) == 0;
    }
    return is_known ? CLI_DONE
                    : cli_fail_usage(error,
                                     "key is \"%s\"; it must be number, name, "
                                     "scope, op_type, dtype, bytes or storage",
                                     key);
}

/* Rows in the order asked for. The file's order is that of the numbers. */
static cli_outcome
sort(const cli_args *args, json_t **rows, clconst_error *error)
{
    if (args->sort == NULL || strcmp(args->sort, "number") == 0) {
        return CLI_DONE;
    }
    json_t *sorted;
    cli_outcome outcome = cli_rows_sort(*rows, args->sort, &sorted, error);
    if (outcome == CLI_DONE) {
        json_decref(*rows);
        *rows = sorted;
    }
    return outcome;
}

static size_t count_unresolved(const json_t *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        count += json_is_false(json_object_get(row, "resolved")) &&
                 json_is_true(json_object_get(row, "taken"));
    }
    return count;
}

static cli_outcome
summarize(const json_t *rows, json_t **summary, clconst_error *error)
{
    static const struct {
        const char *name;
        const char *key;
    } groups[] = {
        {"operators", "op_type"}, {"dtypes", "dtype"}, {"storage", "storage"}};
    json_t *made = json_pack("{so so}",
                             "constants",
                             cli_json_size(json_array_size(rows)),
                             "unresolved",
                             cli_json_size(count_unresolved(rows)));
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        json_t *group = NULL;
        if (outcome == CLI_DONE) {
            outcome = cli_rows_group(rows, groups[i].key, &group, error);
        }
        if (outcome == CLI_DONE &&
            json_object_set_new(made, groups[i].name, group) != 0) {
            outcome = cli_fail(
                error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
        }
    }
    if (outcome != CLI_DONE) {
        json_decref(made);
        return outcome;
    }
    *summary = made;
    return CLI_DONE;
}

/* Text for people holds the first rows only, unless all are wanted. */
static void cut(const cli_args *args, json_t *rows)
{
    bool is_whole = args->json || args->all;
    while (!is_whole && json_array_size(rows) > ROW_COUNT_MAX) {
        json_array_remove(rows, json_array_size(rows) - 1);
    }
}

static cli_outcome make_report(const cli_args *args,
                               const clconst_model_info *info,
                               json_t **rows,
                               cli_report *report,
                               clconst_error *error)
{
    json_t *summary;
    cli_outcome outcome = summarize(*rows, &summary, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    outcome = sort(args, rows, error);
    if (outcome != CLI_DONE) {
        json_decref(summary);
        return outcome;
    }
    cut(args, *rows);
    return cli_report_set(
        report,
        json_pack("{so sI sI so sO}",
                  "model",
                  cli_text_json_string(args->operands.items[0]),
                  "ir_version",
                  (json_int_t)info->ir_version,
                  "opset",
                  (json_int_t)info->opset,
                  "summary",
                  summary,
                  "constants",
                  *rows),
        error);
}

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    cli_model model = {0};
    cli_engines engines = {0};
    json_t *rows = json_array();
    cli_outcome outcome = check_sort(args->sort, error);
    if (outcome == CLI_DONE) {
        outcome = cli_model_open_operand(args, report, &model, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_engines_open_host(&engines, error);
    }
    for (size_t i = 0; outcome == CLI_DONE && i < model.info.constant_count;
         i++) {
        outcome = add_constant(&model, &engines, i, rows, error);
    }
    if (outcome == CLI_DONE) {
        outcome = make_report(args, &model.info, &rows, report, error);
    }
    json_decref(rows);
    cli_engines_release(&engines);
    cli_model_release(&model);
    return outcome;
}

/* One table for each way to group the constants. */
static cli_outcome
print_summary(const json_t *summary, FILE *stream, clconst_error *error)
{
    static const struct {
        const char *key;
        cli_column columns[3];
    } tables[] = {
#define TABLE(key, title)                                                      \
    {                                                                          \
        key,                                                                   \
        {                                                                      \
            {"name", title, false}, {"constants", "constants", true},          \
                {"bytes", "bytes", true},                                      \
        }                                                                      \
    }
        TABLE("operators", "operator       "),
        TABLE("dtypes", "dtype          "),
        TABLE("storage", "storage        "),
#undef TABLE
    };
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        if (outcome == CLI_DONE) {
            outcome = cli_table_print(json_object_get(summary, tables[i].key),
                                      tables[i].columns,
                                      3,
                                      stream,
                                      error);
            fputc('\n', stream);
        }
    }
    return outcome;
}

static cli_outcome
print(const json_t *report, FILE *stream, clconst_error *error)
{
    static const cli_column head[] = {
        {"model", "model", false},
        {"ir_version", "IR version", false},
        {"opset", "opset", false},
    };
    static const cli_column columns[] = {
        {"number", "#", true},
        {"name", "name", false},
        {"scope", "scope", false},
        {"op_type", "op_type", false},
        {"dtype", "dtype", false},
        {"shape", "shape", false},
        {"bytes", "bytes", true},
        {"storage", "storage", false},
        {"reason", "why it is unresolved", false},
    };
    const json_t *rows = json_object_get(report, "constants");
    const json_t *summary = json_object_get(report, "summary");
    size_t count =
        (size_t)json_integer_value(json_object_get(summary, "constants"));
    cli_table_print_object(
        report, head, sizeof(head) / sizeof(head[0]), stream);
    fputc('\n', stream);
    cli_outcome outcome =
        count > 0 ? print_summary(summary, stream, error) : CLI_DONE;
    if (outcome == CLI_DONE) {
        outcome = cli_table_print(
            rows, columns, sizeof(columns) / sizeof(columns[0]), stream, error);
    }
    if (count > json_array_size(rows)) {
        fprintf(stream,
                ".. %zu more; --all prints them\n",
                count - json_array_size(rows));
    }
    fprintf(stream,
            "%s%zu constants, %" JSON_INTEGER_FORMAT " unresolved\n",
            count > 0 ? "\n" : "",
            count,
            json_integer_value(json_object_get(summary, "unresolved")));
    return outcome;
}

const cli_command cli_command_list = {
    .name = "list",
    .usage = " MODEL [-i NAME=VALUE].. [--dim NAME=N]..",
    .summary = "list the constants of a model",
    .details =
        "First what there is, by operator, dtype and storage; then a table, of "
        "which\n--all prints also what does not fit a page. Each row is an "
        "initializer, a sparse\ninitializer, or a Constant or ConstantOfShape "
        "node: the value's name, the path of\nenclosing nodes or functions, "
        "how "
        "it is stored, and why it is unresolved if it is.\nIn a shape, a name "
        "is a symbol and ? is unknown. --sort takes number, name, scope,\n"
        "op_type, dtype, bytes (the largest first) or storage.\n",
    .example = "list model.onnx -i n=2,3",
    .syntax =
        {
            .options = CLI_BINDINGS | CLI_STRICT | CLI_LENIENT |
                       CLI_FOLLOW_LINKS | CLI_ALL | CLI_SORT,
            .operand = "MODEL",
            .operand_min = 1,
            .operand_max = 1,
        },
    .run = run,
    .print = print,
};
