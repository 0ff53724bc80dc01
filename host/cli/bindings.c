#include "cli/bindings.h"

#include <stdlib.h>
#include <string.h>

#include "cli/shape.h"

/*
 * Splits NAME=VALUE at its last equals sign, since names may hold one and the
 * values here do not. option and form are for messages.
 */
static cli_outcome split(const char *text,
                         const char *option,
                         const char *form,
                         char **name,
                         const char **value,
                         clconst_error *error)
{
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text) {
        return cli_fail_usage(
            error, "%s is \"%s\"; it must be %s", option, text, form);
    }
    size_t size = (size_t)(equals - text);
    char *copy;
    cli_outcome outcome = cli_alloc(1, size + 1, &copy, error);
    if (outcome == CLI_DONE) {
        memcpy(copy, text, size);
        *name = copy;
        *value = equals + 1;
    }
    return outcome;
}

static cli_outcome parse_symbol(const char *text,
                                clconst_symbol_value *symbol,
                                clconst_error *error)
{
    char *name;
    const char *value;
    cli_outcome outcome = split(text, "dim", "NAME=N", &name, &value, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    symbol->name = name;
    int64_t *numbers = NULL;
    size_t count;
    outcome = cli_shape_parse(value, "number", &numbers, &count, error);
    if (outcome == CLI_DONE && count != 1) {
        outcome = cli_fail_usage(
            error, "\"%s\" has %zu numbers; it must be one", value, count);
    }
    if (outcome == CLI_DONE) {
        symbol->value = numbers[0];
    }
    free(numbers);
    return cli_explain(outcome, error, "dim %s", name);
}

static cli_outcome
parse_shape(const char *text, clconst_input_shape *shape, clconst_error *error)
{
    char *name;
    const char *value;
    cli_outcome outcome =
        split(text, "shape", "NAME=D,..", &name, &value, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    shape->name = name;
    int64_t *dims;
    outcome = cli_shape_parse(value, "dim", &dims, &shape->shape.rank, error);
    if (outcome == CLI_DONE) {
        shape->shape.dims = dims;
    }
    return cli_explain(outcome, error, "shape of %s", name);
}

cli_outcome cli_bindings_parse(const cli_args *args,
                               cli_bindings *bindings,
                               clconst_error *error)
{
    const struct {
        void *array;
        size_t count;
        size_t size;
    } arrays[] = {
        {&bindings->inputs, args->inputs.count, sizeof(*bindings->inputs)},
        {&bindings->symbols, args->dims.count, sizeof(*bindings->symbols)},
        {&bindings->shapes, args->shapes.count, sizeof(*bindings->shapes)},
    };
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        if (outcome == CLI_DONE) {
            outcome = cli_alloc(
                arrays[i].count, arrays[i].size, arrays[i].array, error);
        }
    }
    for (size_t i = 0; i < args->inputs.count && outcome == CLI_DONE; i++) {
        outcome =
            cli_input_parse(args->inputs.items[i], &bindings->inputs[i], error);
        bindings->input_count += outcome == CLI_DONE ? 1 : 0;
    }
    for (size_t i = 0; i < args->dims.count && outcome == CLI_DONE; i++) {
        bindings->symbol_count++;
        outcome =
            parse_symbol(args->dims.items[i], &bindings->symbols[i], error);
    }
    for (size_t i = 0; i < args->shapes.count && outcome == CLI_DONE; i++) {
        bindings->shape_count++;
        outcome =
            parse_shape(args->shapes.items[i], &bindings->shapes[i], error);
    }
    return outcome;
}

cli_outcome cli_bindings_resolve(const cli_bindings *bindings,
                                 const clconst_model *model,
                                 clconst_resolution **resolution,
                                 clconst_error *error)
{
    clconst_input_value *values;
    cli_outcome outcome =
        cli_alloc(bindings->input_count, sizeof(*values), &values, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    for (size_t i = 0; i < bindings->input_count; i++) {
        values[i].name = bindings->inputs[i].name;
        values[i].value = bindings->inputs[i].view;
    }
    clconst_bindings given = {
        .struct_size = sizeof(given),
        .values = values,
        .value_count = bindings->input_count,
        .symbols = bindings->symbols,
        .symbol_count = bindings->symbol_count,
        .shapes = bindings->shapes,
        .shape_count = bindings->shape_count,
    };
    outcome = cli_outcome_of(
        clconst_resolution_create(model, &given, resolution, error));
    free(values);
    return outcome;
}

void cli_bindings_release(cli_bindings *bindings)
{
    for (size_t i = 0; i < bindings->symbol_count; i++) {
        free((char *)bindings->symbols[i].name);
    }
    for (size_t i = 0; i < bindings->shape_count; i++) {
        free((char *)bindings->shapes[i].name);
        free((int64_t *)bindings->shapes[i].shape.dims);
    }
    free(bindings->symbols);
    free(bindings->shapes);
    cli_inputs_release(bindings->inputs, bindings->input_count);
    memset(bindings, 0, sizeof(*bindings));
}
