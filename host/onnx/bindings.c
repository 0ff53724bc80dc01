#include "onnx/bindings.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "base/options.h"
#include "core/op.h"
#include "onnx/quote.h"

static size_t find_input(const clconst_model *model, clconst__span name)
{
    for (size_t i = 0; i < model->input_count; i++) {
        if (clconst__span_equals(model->inputs[i].name, name)) {
            return i;
        }
    }
    return CLCONST__NONE;
}

static clconst_status bind(const clconst_model *model,
                           const clconst_input_value *value,
                           clconst__binding *bindings,
                           clconst_error *error)
{
    if (value->name == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "name of a binding is NULL; it is required");
    }
    clconst__span name = clconst__span_of(value->name);
    size_t input = find_input(model, name);
    if (input == CLCONST__NONE) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "binding %s is no input of the model",
                             clconst__quote(name).text);
    }
    if (bindings[input].op != NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "input %s is bound twice; it has one value",
                             clconst__quote(name).text);
    }
    return clconst_op_create_constant(
        &value->value, &bindings[input].op, error);
}

clconst_status clconst__bindings_create(const clconst_model *model,
                                        const clconst_bindings *bindings,
                                        clconst__binding **created,
                                        clconst_error *error)
{
    clconst_bindings own;
    clconst_status status =
        clconst__options_read(&own, sizeof(own), bindings, error);
    if (status == CLCONST_OK && own.values == NULL && own.value_count > 0) {
        status = clconst__fail(error,
                               CLCONST_INVALID_ARGUMENT,
                               "values is NULL; %zu values are bound",
                               own.value_count);
    }
    clconst__binding *made = NULL;
    if (status == CLCONST_OK) {
        status =
            clconst__alloc(model->input_count, sizeof(*made), &made, error);
    }
    for (size_t i = 0; i < own.value_count && status == CLCONST_OK; i++) {
        status = bind(model, &own.values[i], made, error);
    }
    if (status != CLCONST_OK) {
        clconst__bindings_destroy(made, model->input_count);
        return status;
    }
    *created = made;
    return CLCONST_OK;
}

/* Bytes of a copy: the value's own, and those its strings point to. */
static clconst_status
measure_copy(const clconst_view *value, size_t *size, clconst_error *error)
{
    *size = value->size;
    if (value->dtype != CLCONST_STRING) {
        return CLCONST_OK;
    }
    const clconst_string *strings = value->data;
    for (size_t i = 0; i < value->size / sizeof(*strings); i++) {
        if (!clconst__add_size(*size, strings[i].size, size)) {
            return clconst__fail(error,
                                 CLCONST_OUT_OF_MEMORY,
                                 "no memory for string %zu of %zu bytes",
                                 i,
                                 strings[i].size);
        }
    }
    return CLCONST_OK;
}

/* Moves the bytes of a copied array's strings behind the array. */
static void copy_strings(clconst_string *strings, size_t count)
{
    char *next = (char *)(strings + count);
    for (size_t i = 0; i < count; i++) {
        if (strings[i].size > 0) {
            memcpy(next, strings[i].data, strings[i].size);
        }
        strings[i].data = next;
        next += strings[i].size;
    }
}

clconst_status clconst__binding_copy(clconst__binding *binding,
                                     clconst_error *error)
{
    if (binding->is_copied) {
        return CLCONST_OK;
    }
    clconst_view value;
    clconst_op_get_value(binding->op, &value);
    size_t size;
    clconst_status status = measure_copy(&value, &size, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__storage *storage;
    void *block;
    status = clconst__storage_create_block(size, NULL, &storage, &block, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (value.size > 0) {
        memcpy(block, value.data, value.size);
    }
    if (value.dtype == CLCONST_STRING) {
        copy_strings(block, value.size / sizeof(clconst_string));
    }
    value.data = block;
    clconst_op *copy;
    status =
        clconst__op_create(CLCONST_OP_CONSTANT, &value, storage, &copy, error);
    clconst__storage_release(storage);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst_op_destroy(binding->op);
    binding->op = copy;
    binding->is_copied = true;
    return CLCONST_OK;
}

void clconst__bindings_destroy(clconst__binding *bindings, size_t count)
{
    for (size_t i = 0; i < count && bindings != NULL; i++) {
        clconst_op_destroy(bindings[i].op);
    }
    clconst__free(bindings);
}
