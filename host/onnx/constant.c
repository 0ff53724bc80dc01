#include "onnx/constant.h"

#include <stdio.h>

#include "base/alloc.h"
#include "onnx/decode.h"
#include "onnx/quote.h"
#include "onnx/scope.h"
#include "onnx/sparse.h"
#include "onnx/tensor.h"

/* Appends an entry that is described by the arguments only. */
static clconst_status append(clconst__indexing *indexing,
                             size_t graph,
                             clconst__span name,
                             const char *op_type,
                             clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst_status status =
        clconst__scope_make(model, graph, &indexing->scope_size, error);
    if (status == CLCONST_OK) {
        status = clconst__grow(&model->constants,
                               &model->constant_capacity,
                               model->constant_count + 1,
                               sizeof(*model->constants),
                               error);
    }
    if (status == CLCONST_OK) {
        model->constants[model->constant_count++] =
            (clconst__constant){.name = name,
                                .graph = graph,
                                .node = CLCONST__NONE,
                                .op_type = op_type,
                                .shape = CLCONST__NONE,
                                .function = indexing->function};
    }
    return status;
}

/* What notes about a constant begin with. */
typedef struct subject_text {
    char bytes[2 * sizeof(clconst__quoted) + 32];
} subject_text;

static subject_text
describe(const clconst_model *model, size_t graph, clconst__span name)
{
    clconst__span scope = model->graphs[graph].scope;
    subject_text subject;
    snprintf(subject.bytes,
             sizeof(subject.bytes),
             "constant %s%s%s",
             clconst__quote(name).text,
             scope.size > 0 ? " in " : "",
             scope.size > 0 ? clconst__quote(scope).text : "");
    return subject;
}

static clconst_status
set_reason(clconst__constant *constant, const char *text, clconst_error *error)
{
    size_t size = strlen(text) + 1;
    char *reason;
    clconst_status status = clconst__alloc(1, size, &reason, error);
    if (status == CLCONST_OK) {
        memcpy(reason, text, size);
        clconst__free(constant->reason);
        constant->reason = reason;
    }
    return status;
}

clconst_status clconst__constant_invalidate(clconst__constant *constant,
                                            const char *reason,
                                            clconst_error *error)
{
    constant->status = CLCONST_INVALID_MODEL;
    constant->native_code = 0;
    constant->depends_on_call = false;
    clconst__content_clear(&constant->content);
    return set_reason(constant, reason, error);
}

/* Decides what a failure to decode the last entry is: its own, or the file's.
 */
static clconst_status settle(clconst__indexing *indexing,
                             clconst_status status,
                             const clconst_error *reason,
                             clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst__constant *constant = &model->constants[model->constant_count - 1];
    if (status == CLCONST_OK) {
        return CLCONST_OK;
    }
    if (!clconst__is_verdict(status)) {
        return clconst__fail_as(error, reason);
    }
    clconst_status made =
        status != CLCONST_UNSUPPORTED
            ? clconst__constant_invalidate(constant, reason->message, error)
            : set_reason(constant, reason->message, error);
    constant->status = status;
    constant->native_code = reason->native_code;
    return made;
}

static clconst_status check_name(clconst__span name, clconst_error *error)
{
    if (name.size == 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "name is empty; an initializer must have one");
    }
    return CLCONST_OK;
}

/* Makes the content of a tensor or sparse tensor that has this name. */
typedef clconst_status (*decode_function)(void *tensor,
                                          const clconst__context *context,
                                          clconst__content *content,
                                          clconst_error *error);

static clconst_status decode_tensor(void *tensor,
                                    const clconst__context *context,
                                    clconst__content *content,
                                    clconst_error *error)
{
    return clconst__tensor_decode(tensor, context, content, error);
}

static clconst_status decode_sparse(void *sparse,
                                    const clconst__context *context,
                                    clconst__content *content,
                                    clconst_error *error)
{
    clconst_status status =
        clconst__sparse_describe(sparse, context, content, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__sparse_make(sparse, context, content, error);
}

/* Appends an initializer that was read. */
static clconst_status add_initializer(clconst__indexing *indexing,
                                      size_t graph,
                                      clconst__span name,
                                      const char *op_type,
                                      decode_function decode,
                                      void *tensor,
                                      clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst_status status = append(indexing, graph, name, op_type, error);
    if (status != CLCONST_OK) {
        return status;
    }
    subject_text subject = describe(model, graph, name);
    clconst__context context = indexing->context;
    context.subject = subject.bytes;
    clconst_error reason;
    status = check_name(name, &reason);
    if (status == CLCONST_OK) {
        clconst__constant *constant =
            &model->constants[model->constant_count - 1];
        status = decode(tensor, &context, &constant->content, &reason);
    }
    return settle(indexing, status, &reason, error);
}

clconst_status clconst__constant_add_tensor(clconst__indexing *indexing,
                                            size_t graph,
                                            clconst__span bytes,
                                            clconst_error *error)
{
    clconst__tensor tensor = {0};
    clconst_status status = clconst__tensor_read(bytes, &tensor, error);
    if (status == CLCONST_OK) {
        status = add_initializer(indexing,
                                 graph,
                                 tensor.name,
                                 "initializer",
                                 decode_tensor,
                                 &tensor,
                                 error);
    }
    clconst__tensor_free(&tensor);
    return status;
}

clconst_status clconst__constant_add_sparse(clconst__indexing *indexing,
                                            size_t graph,
                                            clconst__span bytes,
                                            clconst_error *error)
{
    clconst__sparse sparse = {0};
    clconst_status status = clconst__sparse_read(bytes, &sparse, error);
    if (status == CLCONST_OK) {
        status = add_initializer(indexing,
                                 graph,
                                 sparse.values.tensor.name,
                                 "sparse_initializer",
                                 decode_sparse,
                                 &sparse,
                                 error);
    }
    clconst__sparse_free(&sparse);
    return status;
}

/* Decodes the last entry, which is made of a node. */
static clconst_status decode_node(clconst__indexing *indexing,
                                  const clconst__node *node,
                                  clconst_op_kind kind,
                                  clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst__constant *constant = &model->constants[model->constant_count - 1];
    subject_text subject = describe(model, constant->graph, constant->name);
    clconst__context context = indexing->context;
    context.subject = subject.bytes;
    clconst_error reason;
    clconst_status status =
        clconst__node_decode(node, kind, &context, &constant->content, &reason);
    return settle(indexing, status, &reason, error);
}

clconst_status clconst__constant_add_node(clconst__indexing *indexing,
                                          size_t graph,
                                          size_t index,
                                          const clconst__node *node,
                                          clconst_op_kind kind,
                                          clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst__span name = {NULL, 0};
    if (node->output.count > 0) {
        name = node->output.items[0];
    }
    clconst_status status =
        append(indexing,
               graph,
               name,
               kind == CLCONST_OP_CONSTANT ? "Constant" : "ConstantOfShape",
               error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__constant *constant = &model->constants[model->constant_count - 1];
    constant->node = index;
    status = decode_node(indexing, node, kind, error);
    constant->depends_on_call = constant->content.is_reference;
    return status;
}

/* Decodes the node again, with the arguments of the call. */
static clconst_status
decode_again(clconst__indexing *indexing, size_t *copied, clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst__constant *constant = &model->constants[model->constant_count - 1];
    clconst__span bytes = model->nodes[constant->node].bytes;
    clconst__node node = {.name = {NULL, 0}};
    clconst_op_kind kind;
    clconst_status status = clconst__node_read(bytes, &node, error);
    if (status == CLCONST_OK && clconst__node_is_constant(&node, &kind)) {
        status = decode_node(indexing, &node, kind, error);
    }
    const clconst_op *op = constant->content.op;
    bool is_borrowed = op != NULL && op->storage == indexing->context.storage;
    *copied += bytes.size;
    *copied += is_borrowed ? 0 : constant->content.attribute_size;
    clconst__node_free(&node);
    return status;
}

clconst_status clconst__constant_add_instance(clconst__indexing *indexing,
                                              size_t graph,
                                              size_t source,
                                              size_t *copied,
                                              clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst_status status = append(indexing,
                                   graph,
                                   model->constants[source].name,
                                   model->constants[source].op_type,
                                   error);
    if (status != CLCONST_OK) {
        return status;
    }
    const clconst__constant *from = &model->constants[source];
    clconst__constant *constant = &model->constants[model->constant_count - 1];
    constant->node = from->node;
    constant->shape = from->shape;
    if (from->content.is_reference) {
        return decode_again(indexing, copied, error);
    }
    /* Only the shape depends on the call. */
    constant->content.storage = from->content.storage;
    constant->content.dtype = from->content.dtype;
    constant->status = from->status;
    constant->native_code = from->native_code;
    if (from->status != CLCONST_OK) {
        return set_reason(constant, from->reason, error);
    }
    constant->content.op = clconst__op_retain(from->content.op);
    return CLCONST_OK;
}
