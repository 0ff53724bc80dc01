#include "cli/model.h"

#include <string.h>

#include "cli/text.h"

cli_outcome cli_model_open(const char *path,
                           const cli_args *args,
                           cli_report *report,
                           cli_model *model,
                           clconst_error *error)
{
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    options.strictness = args->strict    ? CLCONST_STRICT
                         : args->lenient ? CLCONST_LENIENT
                                         : CLCONST_DEFAULT;
    options.note = cli_report_note;
    options.note_context = report;
    options.follow_links = args->follow_links;
    cli_outcome outcome = cli_outcome_of(
        clconst_model_open(path, &options, &model->model, error));
    if (outcome == CLI_DONE) {
        model->info.struct_size = sizeof(model->info);
        clconst_model_get_info(model->model, &model->info);
    }
    /* Failures of the file itself have its name in their message. */
    return error->status == CLCONST_IO_ERROR
               ? outcome
               : cli_explain(outcome, error, "model %s", path);
}

cli_outcome cli_model_bind(cli_model *model,
                           const cli_bindings *bindings,
                           clconst_error *error)
{
    clconst_resolution *resolution;
    cli_outcome outcome =
        cli_bindings_resolve(bindings, model->model, &resolution, error);
    if (outcome == CLI_DONE) {
        clconst_resolution_destroy(model->resolution);
        model->resolution = resolution;
    }
    return outcome;
}

cli_outcome cli_model_open_operand(const cli_args *args,
                                   cli_report *report,
                                   cli_model *model,
                                   clconst_error *error)
{
    cli_bindings bindings = {0};
    cli_outcome outcome = cli_bindings_parse(args, &bindings, error);
    if (outcome == CLI_DONE) {
        outcome =
            cli_model_open(args->operands.items[0], args, report, model, error);
    }
    if (outcome == CLI_DONE) {
        outcome = cli_model_bind(model, &bindings, error);
    }
    cli_bindings_release(&bindings);
    return outcome;
}

void cli_model_release(cli_model *model)
{
    clconst_resolution_destroy(model->resolution);
    clconst_model_destroy(model->model);
    memset(model, 0, sizeof(*model));
}

cli_outcome cli_model_get_constant(const cli_model *model,
                                   size_t number,
                                   cli_constant *constant,
                                   clconst_error *error)
{
    constant->number = number;
    constant->written = (clconst_constant)CLCONST_CONSTANT_INIT;
    constant->resolved = (clconst_resolved)CLCONST_RESOLVED_INIT;
    clconst_status status = clconst_model_get_constant(
        model->model, number, &constant->written, error);
    if (status == CLCONST_OK) {
        status = clconst_resolution_get_constant(
            model->resolution, number, &constant->resolved, error);
    }
    return cli_outcome_of(status);
}

/* Numbers, symbol names and nulls. */
static json_t *json_of_dims(const clconst_dim *dims, size_t rank)
{
    json_t *array = json_array();
    for (size_t i = 0; i < rank; i++) {
        json_t *dim =
            dims[i].value >= 0 ? json_integer(dims[i].value)
            : dims[i].symbol.size > 0
                ? cli_text_json(dims[i].symbol.data, dims[i].symbol.size)
                : json_null();
        if (json_array_append_new(array, dim) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *json_of_shape(const clconst_resolved *resolved)
{
    if (resolved->plan != NULL) {
        clconst_output output = CLCONST_OUTPUT_INIT;
        clconst_plan_get_output(resolved->plan, &output);
        return cli_json_shape(&output.shape);
    }
    return resolved->has_rank ? json_of_dims(resolved->dims, resolved->rank)
                              : json_null();
}

cli_outcome cli_constant_describe(const cli_constant *constant,
                                  size_t size,
                                  json_t **row,
                                  clconst_error *error)
{
    const clconst_constant *written = &constant->written;
    const clconst_resolved *resolved = &constant->resolved;
    bool is_resolved = resolved->state == CLCONST_RESOLVED;
    json_t *made =
        json_pack("{so so so so so so so so sb sb sb so}",
                  "number",
                  cli_json_size(constant->number),
                  "name",
                  cli_text_json(written->name.data, written->name.size),
                  "scope",
                  cli_text_json(written->scope.data, written->scope.size),
                  "op_type",
                  cli_text_json_string(written->op_type),
                  "dtype",
                  cli_text_json_string(clconst_dtype_name(written->dtype)),
                  "shape",
                  json_of_shape(resolved),
                  "bytes",
                  is_resolved ? cli_json_size(size) : json_null(),
                  "storage",
                  cli_text_json_string(written->storage),
                  "resolved",
                  is_resolved,
                  "invalid",
                  resolved->state == CLCONST_INVALID,
                  "taken",
                  resolved->state != CLCONST_NOT_TAKEN,
                  "reason",
                  cli_text_json_string(resolved->reason));
    if (made == NULL) {
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
    }
    *row = made;
    return CLI_DONE;
}

cli_outcome cli_model_run_output(const cli_model *model,
                                 const cli_engines *engines,
                                 size_t index,
                                 clconst_tensor **tensor,
                                 clconst_error *error)
{
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    cli_outcome outcome = cli_outcome_of(clconst_resolution_get_output(
        model->resolution, index, &resolved, error));
    if (outcome != CLI_DONE) {
        return outcome;
    }
    if (resolved.state != CLCONST_RESOLVED) {
        cli_error_set(error,
                      resolved.status,
                      resolved.native_code,
                      "%s",
                      resolved.reason);
        return CLI_UNMET;
    }
    return cli_engines_run(engines, resolved.plan, tensor, error);
}
