#include "onnx/model.h"

#include "base/alloc.h"
#include "base/options.h"
#include "onnx/external.h"
#include "onnx/fold/fold.h"
#include "onnx/index.h"
#include "onnx/mapping.h"

/* path is NULL for a model without one. Free external in any case. */
static clconst_status read_options(const clconst_model_options *options,
                                   const char *path,
                                   clconst__context *context,
                                   clconst__external *external,
                                   clconst_error *error)
{
    clconst_model_options own;
    clconst_status status =
        clconst__options_read(&own, sizeof(own), options, error);
    clconst_status made = clconst__external_init(
        external, path, &own.reader, own.follow_links != 0, error);
    if (status == CLCONST_OK) {
        status = made;
    }
    if (status == CLCONST_OK) {
        status = clconst__strictness_check(own.strictness, error);
    }
    if (status == CLCONST_OK) {
        external->is_copied = own.copy != 0;
        *context = (clconst__context){.strictness = own.strictness,
                                      .note = own.note,
                                      .note_context = own.note_context,
                                      .external = external};
    }
    return status;
}

/* A model of bytes that context->storage owns, which it retains. */
static clconst_status create(clconst__span bytes,
                             const clconst__context *context,
                             clconst_model **model,
                             clconst_error *error)
{
    clconst_model *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__refs_init(&created->refs);
    created->storage = clconst__storage_retain(context->storage);
    created->strictness = context->strictness;
    created->steps_max = CLCONST__STEPS_MAX;
    status = clconst__index_model(created, bytes, context, error);
    if (status != CLCONST_OK) {
        clconst_model_destroy(created);
        return status;
    }
    *model = created;
    return CLCONST_OK;
}

clconst_status clconst_model_open(const char *path,
                                  const clconst_model_options *options,
                                  clconst_model **model,
                                  clconst_error *error)
{
    if (path == NULL || model == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "path or model is NULL; both are required");
    }
    clconst__context context;
    clconst__external external;
    clconst__span bytes;
    clconst_status status =
        read_options(options, path, &context, &external, error);
    if (status == CLCONST_OK) {
        status = clconst__mapping_open(
            path, external.is_copied, &context.storage, &bytes, error);
    }
    if (status == CLCONST_OK) {
        status = create(bytes, &context, model, error);
        clconst__storage_release(context.storage);
    }
    clconst__external_free(&external);
    return status;
}

clconst_status clconst_model_parse(const void *bytes,
                                   size_t size,
                                   const clconst_model_options *options,
                                   clconst_model **model,
                                   clconst_error *error)
{
    if ((bytes == NULL && size > 0) || model == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "bytes or model is NULL; both are required");
    }
    clconst__context context;
    clconst__external external;
    clconst_status status =
        read_options(options, NULL, &context, &external, error);
    if (status == CLCONST_OK) {
        status = create((clconst__span){bytes, size}, &context, model, error);
    }
    clconst__external_free(&external);
    return status;
}

void clconst_model_get_info(const clconst_model *model,
                            clconst_model_info *info)
{
    clconst_model_info own = {sizeof(own),
                              model->ir_version,
                              model->opset,
                              model->constant_count,
                              model->input_count,
                              model->output_count,
                              model->foreign_node_count};
    clconst__output_write(info, &own, sizeof(own));
}

clconst_status clconst__both_check(const void *object,
                                   const void *output,
                                   const char *names,
                                   clconst_error *error)
{
    return object != NULL && output != NULL
               ? CLCONST_OK
               : clconst__fail(error,
                               CLCONST_INVALID_ARGUMENT,
                               "%s is NULL; both are required",
                               names);
}

clconst_status clconst__index_check(size_t index,
                                    size_t count,
                                    const char *what,
                                    clconst_error *error)
{
    if (index >= count) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "index is %zu; the model has %zu %s",
                             index,
                             count,
                             what);
    }
    return CLCONST_OK;
}

clconst_status clconst_model_get_constant(const clconst_model *model,
                                          size_t index,
                                          clconst_constant *constant,
                                          clconst_error *error)
{
    clconst_status status =
        clconst__both_check(model, constant, "model or constant", error);
    if (status == CLCONST_OK) {
        status = clconst__index_check(
            index, model->constant_count, "constants", error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    const clconst__constant *found = &model->constants[index];
    clconst_constant own = {
        sizeof(own),
        clconst__span_string(found->name),
        clconst__span_string(model->graphs[found->graph].scope),
        found->op_type,
        found->content.storage,
        found->content.dtype};
    clconst__output_write(constant, &own, sizeof(own));
    return CLCONST_OK;
}

clconst_status clconst_model_get_input(const clconst_model *model,
                                       size_t index,
                                       clconst_string *name,
                                       clconst_error *error)
{
    clconst_status status =
        clconst__both_check(model, name, "model or name", error);
    if (status == CLCONST_OK) {
        status =
            clconst__index_check(index, model->input_count, "inputs", error);
    }
    if (status == CLCONST_OK) {
        *name = clconst__span_string(model->inputs[index].name);
    }
    return status;
}

clconst_status clconst_model_get_output(const clconst_model *model,
                                        size_t index,
                                        clconst_string *name,
                                        clconst_error *error)
{
    clconst_status status =
        clconst__both_check(model, name, "model or name", error);
    if (status == CLCONST_OK) {
        status =
            clconst__index_check(index, model->output_count, "outputs", error);
    }
    if (status == CLCONST_OK) {
        *name = clconst__span_string(model->outputs[index].declaration.name);
    }
    return status;
}

clconst_model *clconst__model_retain(const clconst_model *model)
{
    /* The count is the one thing of a model that changes. */
    clconst_model *held = (clconst_model *)model;
    clconst__refs_retain(&held->refs);
    return held;
}

static void free_constants(clconst_model *model)
{
    for (size_t i = 0; i < model->constant_count + model->unlisted_count; i++) {
        clconst__content_clear(&model->constants[i].content);
        clconst__free(model->constants[i].reason);
    }
    clconst__free(model->constants);
}

void clconst_model_destroy(clconst_model *model)
{
    if (model == NULL || !clconst__refs_release(&model->refs)) {
        return;
    }
    free_constants(model);
    for (size_t i = 0; i < model->graph_count; i++) {
        /* The text was made on the heap, as this library's own. */
        clconst__free((uint8_t *)model->graphs[i].scope.data);
    }
    for (size_t i = 0; i < model->all_input_count; i++) {
        clconst__free(model->inputs[i].dims);
    }
    for (size_t i = 0; i < model->output_count; i++) {
        clconst__free(model->outputs[i].declaration.dims);
    }
    clconst__functions_free(&model->functions);
    clconst__free(model->nodes);
    clconst__free(model->links);
    clconst__free(model->chains);
    clconst__free(model->graphs);
    clconst__free(model->values);
    clconst__free(model->inputs);
    clconst__free(model->outputs);
    clconst__storage_release(model->storage);
    clconst__free(model);
}
