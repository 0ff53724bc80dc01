#include "onnx/node.h"

#include "onnx.pb.h"

#define FIELD(name, take)                                                      \
    CLCONST__FIELD(NodeProto, clconst__node, name, PB_WT_STRING, take)

static const clconst__field fields[] = {
    FIELD(input, clconst__take_spans),
    FIELD(output, clconst__take_spans),
    FIELD(name, clconst__take_span),
    FIELD(op_type, clconst__take_span),
    FIELD(attribute, clconst__take_spans),
    FIELD(domain, clconst__take_span),
    FIELD(overload, clconst__take_span),
};

static const clconst__message node_message =
    CLCONST__MESSAGE(NodeProto, fields);

clconst_status clconst__node_read(clconst__span bytes,
                                  clconst__node *node,
                                  clconst_error *error)
{
    onnx_NodeProto proto = onnx_NodeProto_init_zero;
    return clconst__message_read(&node_message, bytes, &proto, node, error);
}

void clconst__node_free(clconst__node *node)
{
    clconst__spans_free(&node->input);
    clconst__spans_free(&node->output);
    clconst__spans_free(&node->attribute);
}

bool clconst__is_default_domain(clconst__span domain)
{
    return domain.size == 0 ||
           clconst__span_equals(domain, clconst__span_of("ai.onnx"));
}
