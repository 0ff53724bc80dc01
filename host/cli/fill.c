/* The subcommand that runs ConstantOfShape without a model. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/output.h"
#include "cli/shape.h"
#include "cli/value.h"

/* What the operator's specification calls its output. */
static const clconst_string output_name = {"output", 6};

/* The plan that the options describe. */
static cli_outcome
make_plan(const cli_args *args, clconst_plan **plan, clconst_error *error)
{
    uint8_t element[CLI_ELEMENT_SIZE_MAX];
    clconst_view value = {.data = element};
    int64_t *dims = NULL;
    clconst_shape shape = {0};
    clconst_op *op = NULL;
    cli_outcome outcome = cli_dtype_parse(args->dtype, &value.dtype, error);
    if (outcome == CLI_DONE) {
        outcome =
            cli_shape_parse(args->shape, "dim", &dims, &shape.rank, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_value_parse(args->value, value.dtype, element, error);
    }
    if (outcome == CLI_DONE && args->output != NULL) {
        outcome = cli_file_check(args->output, value.dtype, error);
    }
    if (outcome == CLI_DONE) {
        value.size = (clconst_dtype_bits(value.dtype) + 7) / 8;
        outcome = cli_outcome_of(
            clconst_op_create_constant_of_shape(&value, &op, error));
    }
    if (outcome == CLI_DONE) {
        shape.dims = dims;
        outcome = cli_outcome_of(clconst_plan_create(op, &shape, plan, error));
    }
    clconst_op_destroy(op);
    free(dims);
    return outcome;
}

static cli_outcome make_report(const cli_args *args,
                               const cli_engines *engines,
                               const cli_content *content,
                               cli_report *report,
                               clconst_error *error)
{
    cli_outcome outcome = CLI_DONE;
    if (args->output != NULL) {
        outcome = cli_file_write(args->output, "output", content, error);
    }
    if (outcome != CLI_DONE) {
        return outcome;
    }
    json_t *rows = json_array();
    outcome = cli_output_add(rows, output_name, content, args->output, error);
    if (outcome != CLI_DONE) {
        json_decref(rows);
        return outcome;
    }
    return cli_output_report(engines, rows, report, error);
}

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    clconst_plan *plan = NULL;
    cli_engines engines = {0};
    clconst_tensor *tensor = NULL;
    cli_outcome outcome = make_plan(args, &plan, error);
    if (outcome == CLI_DONE) {
        outcome = cli_engines_open(args, report, &engines, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_engines_run(&engines, plan, &tensor, error);
    }
    if (outcome == CLI_DONE) {
        cli_content content = cli_content_of(tensor);
        outcome = make_report(args, &engines, &content, report, error);
    }
    clconst_tensor_destroy(tensor);
    cli_engines_release(&engines);
    clconst_plan_destroy(plan);
    return outcome;
}

const cli_command cli_command_fill = {
    .name = "fill",
    .usage = " --dtype T --shape D,D,.. [--value V] [-o FILE]",
    .summary = "make a tensor of one value, as ConstantOfShape does",
    .details =
        "T is ONNX's or NumPy's name of a dtype. V is an integer for integer "
        "dtypes, else\na decimal number, which is rounded once to the dtype, "
        "to nearest even; inf, nan,\ntrue or false; RE,IM for complex dtypes; "
        "or 0x and exactly the hex digits of the\ndtype's width. An empty list "
        "of dims is a scalar. The file's extension chooses\nits format: .npy, "
        ".pb (TensorProto) or .bin (raw bytes).\n"
        "\n"
        "Dtypes: bfloat16 bool complex64 complex128 double float float16 "
        "float4e2m1\n"
        "        float6e2m3 float6e3m2 float8e4m3fn float8e4m3fnuz "
        "float8e5m2\n"
        "        float8e5m2fnuz float8e8m0 int16 int2 int32 int4 int64 int8 "
        "uint16\n"
        "        uint2 uint32 uint4 uint64 uint8\n",
    .example = "fill --dtype float16 --value 1.5 --shape 2,3 -o ones.npy",
    .syntax =
        {
            .options =
                CLI_DTYPE | CLI_VALUE | CLI_SHAPE | CLI_OUTPUT | CLI_DEVICE,
            .required = CLI_DTYPE | CLI_SHAPE,
            .operand = "",
        },
    .run = run,
    .print = cli_output_print,
};
