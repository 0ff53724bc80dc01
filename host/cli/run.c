/* The subcommand that computes a model's outputs. */
#include "cli/command.h"
#include "cli/folder.h"
#include "cli/model.h"
#include "cli/output.h"
#include "cli/text.h"

/* Outputs are values of the main graph. */
static const clconst_string no_scope = {"", 0};

static cli_outcome compute_output(const cli_model *model,
                                  const cli_engines *engines,
                                  size_t index,
                                  cli_folder *folder,
                                  json_t *rows,
                                  clconst_error *error)
{
    clconst_string name;
    clconst_tensor *tensor;
    cli_outcome outcome = cli_outcome_of(
        clconst_model_get_output(model->model, index, &name, error));
    if (outcome != CLI_DONE) {
        return outcome;
    }
    outcome = cli_model_run_output(model, engines, index, &tensor, error);
    if (outcome != CLI_DONE) {
        return cli_explain(outcome,
                           error,
                           "output %zu \"%.*s\"",
                           index,
                           cli_text_precision(name.size),
                           name.data);
    }
    cli_content content = cli_content_of(tensor);
    outcome = cli_folder_add(folder, index, name, no_scope, &content, error);
    if (outcome == CLI_DONE) {
        outcome = cli_output_add(rows, name, &content, NULL, error);
    }
    clconst_tensor_destroy(tensor);
    return outcome;
}

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    cli_model model = {0};
    cli_engines engines = {0};
    cli_folder folder = {0};
    json_t *rows = json_array();
    cli_outcome outcome = cli_model_open_operand(args, report, &model, error);
    if (outcome == CLI_DONE) {
        outcome = cli_engines_open(args, report, &engines, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_folder_open(args->output, &folder, error);
    }
    for (size_t i = 0; outcome == CLI_DONE && i < model.info.output_count;
         i++) {
        outcome = compute_output(&model, &engines, i, &folder, rows, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_folder_finish(&folder, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_output_report(&engines, json_incref(rows), report, error);
    }
    json_decref(rows);
    cli_folder_release(&folder);
    cli_engines_release(&engines);
    cli_model_release(&model);
    return outcome;
}

const cli_command cli_command_run = {
    .name = "run",
    .usage = " MODEL [-i NAME=VALUE].. [--dim NAME=N].. [-o DIR]",
    .summary = "compute the outputs of a model of constants",
    .details =
        "With -o each output is written to DIR as a TensorProto file named by "
        "its number,\nas 0000.pb, and index.json gives their names.\n",
    .example = "run model.onnx -i n=2,3 -o outputs",
    .syntax =
        {
            .options = CLI_BINDINGS | CLI_STRICT | CLI_LENIENT |
                       CLI_FOLLOW_LINKS | CLI_OUTPUT | CLI_DEVICE,
            .operand = "MODEL",
            .operand_min = 1,
            .operand_max = 1,
        },
    .run = run,
    .print = cli_output_print,
};
