/* Single operators from the caller's bytes. */
#include <inttypes.h>

#include "base/options.h"
#include "core/op.h"
#include "onnx/decode.h"
#include "onnx/external.h"
#include "onnx/quote.h"
#include "onnx/tensor.h"

/* name is that of the bytes in messages. Free external on success. */
static clconst_status begin(const char *name,
                            clconst__span bytes,
                            const clconst_decode_options *options,
                            clconst_op **op,
                            clconst__context *context,
                            clconst__external *external,
                            clconst_error *error)
{
    if ((bytes.data == NULL && bytes.size > 0) || op == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s or op is NULL; both are required",
                             name);
    }
    clconst_decode_options own;
    clconst_status status =
        clconst__options_read(&own, sizeof(own), options, error);
    if (status == CLCONST_OK) {
        status = clconst__strictness_check(own.strictness, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__external_init(external, NULL, &own.reader, false, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    *context = (clconst__context){.strictness = own.strictness,
                                  .note = own.note,
                                  .note_context = own.note_context,
                                  .opset = own.opset,
                                  .external = external};
    return CLCONST_OK;
}

/* Hands the content's operator over on success. */
static clconst_status
finish(clconst_status status, clconst__content *content, clconst_op **op)
{
    if (status == CLCONST_OK) {
        *op = clconst__op_retain(content->op);
    }
    clconst__content_clear(content);
    return status;
}

static clconst_status decode_node(clconst__span bytes,
                                  const clconst__context *context,
                                  clconst__content *content,
                                  clconst_error *error)
{
    clconst__node node = {0};
    clconst_op_kind kind;
    clconst_status status = clconst__node_read(bytes, &node, error);
    if (status == CLCONST_OK && !clconst__node_is_constant(&node, &kind)) {
        status = clconst__fail(error,
                               CLCONST_UNSUPPORTED,
                               "node is %s of domain %s; it must be Constant "
                               "or ConstantOfShape of the default domain",
                               clconst__quote(node.op_type).text,
                               clconst__quote(node.domain).text);
    }
    if (status == CLCONST_OK) {
        status = clconst__opset_check(context, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__node_decode(&node, kind, context, content, error);
    }
    clconst__node_free(&node);
    return status;
}

clconst_status clconst_op_decode(const void *node,
                                 size_t size,
                                 const clconst_decode_options *options,
                                 clconst_op **op,
                                 clconst_error *error)
{
    clconst__span bytes = {node, size};
    clconst__context context;
    clconst__external external;
    clconst_status status =
        begin("node", bytes, options, op, &context, &external, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__content content = {0};
    if (context.opset < 1) {
        status = clconst__fail(error,
                               CLCONST_INVALID_ARGUMENT,
                               "opset is %" PRId64 "; it must be >= 1",
                               context.opset);
    } else {
        status = decode_node(bytes, &context, &content, error);
    }
    clconst__external_free(&external);
    return finish(status, &content, op);
}

clconst_status clconst_op_decode_tensor(const void *tensor,
                                        size_t size,
                                        const clconst_decode_options *options,
                                        clconst_op **op,
                                        clconst_error *error)
{
    clconst__span bytes = {tensor, size};
    clconst__context context;
    clconst__external external;
    clconst_status status =
        begin("tensor", bytes, options, op, &context, &external, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__content content = {0};
    clconst__tensor parts = {0};
    status = clconst__tensor_read(bytes, &parts, error);
    if (status == CLCONST_OK) {
        status = clconst__tensor_decode(&parts, &context, &content, error);
    }
    clconst__tensor_free(&parts);
    clconst__external_free(&external);
    return finish(status, &content, op);
}
