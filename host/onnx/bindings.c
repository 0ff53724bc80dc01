#include "onnx/bindings.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/options.h"
#include "onnx/quote.h"

/* What the steps of a creation share. inputs gives indices of the main graph's
 * inputs. */
typedef struct creation {
    const clconst_model *model;
    clconst_bindings given;
    clconst__bindings *made;
    clconst__names inputs;
} creation;

static clconst_status
read_given(creation *work, const clconst_bindings *given, clconst_error *error)
{
    clconst_bindings *own = &work->given;
    clconst_status status =
        clconst__options_read(own, sizeof(*own), given, error);
    if (status != CLCONST_OK) {
        return status;
    }
    const struct {
        const char *name;
        const void *items;
        size_t count;
    } lists[] = {
        {"values", own->values, own->value_count},
        {"symbols", own->symbols, own->symbol_count},
        {"shapes", own->shapes, own->shape_count},
    };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (lists[i].items == NULL && lists[i].count > 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_ARGUMENT,
                                 "%s is NULL; %zu %s are bound",
                                 lists[i].name,
                                 lists[i].count,
                                 lists[i].name);
        }
    }
    return CLCONST_OK;
}

static clconst_status declare_all(creation *work, clconst_error *error)
{
    const clconst_model *model = work->model;
    clconst__bindings *made = work->made;
    clconst_status status = clconst__alloc(
        model->input_count, sizeof(*made->items), &made->items, error);
    if (status == CLCONST_OK) {
        made->count = model->input_count;
    }
    for (size_t i = 0; i < made->count && status == CLCONST_OK; i++) {
        status =
            clconst__binding_declare(&made->items[i], &model->inputs[i], error);
    }
    return status;
}

/* Of inputs with the same name the first is meant. */
static clconst_status index_names(creation *work, clconst_error *error)
{
    const clconst_model *model = work->model;
    clconst__symbols *symbols = &work->made->symbols;
    clconst_status status = CLCONST_OK;
    for (size_t i = model->input_count; i > 0 && status == CLCONST_OK; i--) {
        status = clconst__names_define(
            &work->inputs, model->inputs[i - 1].name, i - 1, error);
    }
    for (size_t i = 0; i < model->all_input_count && status == CLCONST_OK;
         i++) {
        status = clconst__symbols_add(symbols, &model->inputs[i], error);
    }
    for (size_t i = 0; i < model->output_count && status == CLCONST_OK; i++) {
        status = clconst__symbols_add(
            symbols, &model->outputs[i].declaration, error);
    }
    return status;
}

static clconst_status bind_symbol(creation *work,
                                  const clconst_symbol_value *given,
                                  clconst_error *error)
{
    if (given->name == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "name of a symbol is NULL; it is required");
    }
    clconst__span name = clconst__span_of(given->name);
    clconst__quoted quoted = clconst__quote(name);
    clconst__symbol *symbol = clconst__symbols_find(&work->made->symbols, name);
    if (symbol == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "symbol %s is in no shape that an input or "
                             "output declares",
                             quoted.text);
    }
    if (symbol->is_bound) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "symbol %s is bound twice; it has one value",
                             quoted.text);
    }
    if (given->value < 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "symbol %s is %" PRId64 "; dims must be >= 0",
                             quoted.text,
                             given->value);
    }
    *symbol = (clconst__symbol){true, given->value};
    return CLCONST_OK;
}

/* The binding of the input that a caller's name means. */
static clconst_status find_binding(const creation *work,
                                   const char *name,
                                   clconst__binding **binding,
                                   clconst_error *error)
{
    if (name == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "name of a binding is NULL; it is required");
    }
    clconst__span span = clconst__span_of(name);
    size_t input = clconst__names_find(&work->inputs, span);
    if (input == CLCONST__NONE) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "binding %s is no input of the model",
                             clconst__quote(span).text);
    }
    *binding = &work->made->items[input];
    return CLCONST_OK;
}

/* What a message about an input's value or shape begins with. */
typedef struct subject {
    char text[sizeof(clconst__quoted) + 16];
} subject;

static subject describe(const char *what, const char *name)
{
    subject described;
    snprintf(described.text,
             sizeof(described.text),
             "%s of input %s",
             what,
             clconst__quote(clconst__span_of(name)).text);
    return described;
}

static clconst_status bind_shape(creation *work,
                                 const clconst_input_shape *given,
                                 clconst_error *error)
{
    clconst__binding *binding;
    clconst_status status = find_binding(work, given->name, &binding, error);
    if (status != CLCONST_OK) {
        return status;
    }
    subject described = describe("shape", given->name);
    if (binding->has_bound_shape) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s is bound twice; it has one",
                             described.text);
    }
    binding->has_bound_shape = true;
    return clconst__binding_merge(
        binding, &work->made->symbols, described.text, &given->shape, error);
}

static clconst_status check_dtype(const clconst__binding *binding,
                                  const char *text,
                                  clconst_dtype dtype,
                                  clconst_error *error)
{
    if (binding->elem_type == 0 || binding->elem_type == (int32_t)dtype) {
        return CLCONST_OK;
    }
    const char *declared =
        clconst_dtype_name((clconst_dtype)binding->elem_type);
    if (declared == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s has dtype %s; the declared dtype %" PRId32
                             " is unknown",
                             text,
                             clconst_dtype_name(dtype),
                             binding->elem_type);
    }
    return clconst__fail(error,
                         CLCONST_INVALID_ARGUMENT,
                         "%s has dtype %s; it must be %s",
                         text,
                         clconst_dtype_name(dtype),
                         declared);
}

static clconst_status bind_value(creation *work,
                                 const clconst_input_value *given,
                                 clconst_error *error)
{
    clconst__binding *binding;
    clconst_status status = find_binding(work, given->name, &binding, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (binding->op != NULL) {
        return clconst__fail(
            error,
            CLCONST_INVALID_ARGUMENT,
            "input %s is bound twice; it has one value",
            clconst__quote(clconst__span_of(given->name)).text);
    }
    const clconst_view *value = &given->value;
    status = clconst_op_create_constant(value, &binding->op, error);
    if (status != CLCONST_OK) {
        return status;
    }
    subject described = describe("value", given->name);
    status = check_dtype(binding, described.text, value->dtype, error);
    binding->elem_type = (int32_t)value->dtype;
    return status != CLCONST_OK ? status
                                : clconst__binding_merge(binding,
                                                         &work->made->symbols,
                                                         described.text,
                                                         &value->shape,
                                                         error);
}

/* Symbols first, so that what contradicts them is told of the shape or value
 * that does. */
static clconst_status bind_all(creation *work, clconst_error *error)
{
    const clconst_bindings *given = &work->given;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < given->symbol_count && status == CLCONST_OK; i++) {
        status = bind_symbol(work, &given->symbols[i], error);
    }
    for (size_t i = 0; i < given->shape_count && status == CLCONST_OK; i++) {
        status = bind_shape(work, &given->shapes[i], error);
    }
    for (size_t i = 0; i < given->value_count && status == CLCONST_OK; i++) {
        status = bind_value(work, &given->values[i], error);
    }
    clconst__bindings *made = work->made;
    for (size_t i = 0; i < made->count; i++) {
        clconst__binding_settle(&made->items[i], &made->symbols);
    }
    return status;
}

clconst_status clconst__bindings_create(const clconst_model *model,
                                        const clconst_bindings *given,
                                        clconst__bindings **bindings,
                                        clconst_error *error)
{
    creation work = {.model = model};
    clconst_status status = read_given(&work, given, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(1, sizeof(*work.made), &work.made, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__symbols_init(&work.made->symbols);
    clconst__names_init(&work.inputs);
    status = declare_all(&work, error);
    bool binds_any = work.given.symbol_count > 0 ||
                     work.given.shape_count > 0 || work.given.value_count > 0;
    if (status == CLCONST_OK && binds_any) {
        status = index_names(&work, error);
    }
    if (status == CLCONST_OK && binds_any) {
        status = bind_all(&work, error);
    }
    clconst__names_free(&work.inputs);
    if (status != CLCONST_OK) {
        clconst__bindings_destroy(work.made);
        return status;
    }
    *bindings = work.made;
    return CLCONST_OK;
}

void clconst__bindings_destroy(clconst__bindings *bindings)
{
    if (bindings == NULL) {
        return;
    }
    for (size_t i = 0; i < bindings->count; i++) {
        clconst__binding_clear(&bindings->items[i]);
    }
    clconst__symbols_free(&bindings->symbols);
    clconst__free(bindings->items);
    clconst__free(bindings);
}
