/* The subcommand that lists a model's constants. */
#include "cli/command.h"
#include "cli/model.h"
#include "cli/table.h"
#include "cli/text.h"

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

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    cli_model model = {0};
    cli_engines engines = {0};
    json_t *rows = json_array();
    cli_outcome outcome = cli_model_open_operand(args, report, &model, error);
    if (outcome == CLI_DONE) {
        outcome = cli_engines_open_host(&engines, error);
    }
    for (size_t i = 0; outcome == CLI_DONE && i < model.info.constant_count;
         i++) {
        outcome = add_constant(&model, &engines, i, rows, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_report_set(
            report,
            json_pack("{so sI sI sO}",
                      "model",
                      cli_text_json_string(args->operands.items[0]),
                      "ir_version",
                      (json_int_t)model.info.ir_version,
                      "opset",
                      (json_int_t)model.info.opset,
                      "constants",
                      rows),
            error);
    }
    json_decref(rows);
    cli_engines_release(&engines);
    cli_model_release(&model);
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
    size_t unresolved = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        unresolved +=
            json_is_false(json_object_get(json_array_get(rows, i), "resolved"));
    }
    cli_table_print_object(
        report, head, sizeof(head) / sizeof(head[0]), stream);
    fputc('\n', stream);
    cli_outcome outcome = cli_table_print(
        rows, columns, sizeof(columns) / sizeof(columns[0]), stream, error);
    fprintf(stream,
            "%s%zu constants, %zu unresolved\n",
            json_array_size(rows) > 0 ? "\n" : "",
            json_array_size(rows),
            unresolved);
    return outcome;
}

const cli_command cli_command_list = {
    .name = "list",
    .usage = " MODEL [-i NAME=VALUE].. [--dim NAME=N]..",
    .summary = "list the constants of a model",
    .details =
        "Each row is an initializer, a sparse initializer, or a Constant or\n"
        "ConstantOfShape node: the value's name, the path of enclosing nodes "
        "or\nfunctions, how it is stored, and why it is unresolved if it is. "
        "In a shape, a\nname is a symbol and ? is unknown.\n",
    .syntax =
        {
            .options =
                CLI_BINDINGS | CLI_STRICT | CLI_LENIENT | CLI_FOLLOW_LINKS,
            .operand = "MODEL",
            .operand_min = 1,
            .operand_max = 1,
        },
    .run = run,
    .print = print,
};
