#include "onnx/attribute.h"

#include <inttypes.h>

#include "onnx.pb.h"
#include "onnx/quote.h"

#define FIELD(name, wire, take)                                                \
    CLCONST__FIELD(AttributeProto, clconst__attribute, name, wire, take)

static const clconst__field fields[] = {
    FIELD(name, PB_WT_STRING, clconst__take_span),
    FIELD(ref_attr_name, PB_WT_STRING, clconst__take_span),
    FIELD(s, PB_WT_STRING, clconst__take_span),
    FIELD(t, PB_WT_STRING, clconst__take_span),
    FIELD(g, PB_WT_STRING, clconst__take_span),
    FIELD(tp, PB_WT_STRING, clconst__take_span),
    FIELD(sparse_tensor, PB_WT_STRING, clconst__take_span),
    FIELD(floats, PB_WT_32BIT, clconst__take_list),
    FIELD(ints, PB_WT_VARINT, clconst__take_list),
    FIELD(strings, PB_WT_STRING, clconst__take_list),
    FIELD(tensors, PB_WT_STRING, clconst__take_list),
    FIELD(graphs, PB_WT_STRING, clconst__take_list),
    FIELD(type_protos, PB_WT_STRING, clconst__take_list),
    FIELD(sparse_tensors, PB_WT_STRING, clconst__take_list),
};

static const clconst__message attribute_message =
    CLCONST__MESSAGE(AttributeProto, fields);

#define BODY(name, take)                                                       \
    CLCONST__FIELD(AttributeProto, clconst__bodies, name, PB_WT_STRING, take)

static const clconst__field body_fields[] = {
    BODY(name, clconst__take_span),
    BODY(g, clconst__take_span),
    BODY(graphs, clconst__take_spans),
};

static const clconst__message bodies_message =
    CLCONST__MESSAGE(AttributeProto, body_fields);

clconst_status clconst__attribute_read(clconst__span bytes,
                                       clconst__attribute *attribute,
                                       clconst_error *error)
{
    onnx_AttributeProto proto = onnx_AttributeProto_init_zero;
    attribute->bytes = bytes;
    clconst_status status = clconst__message_read(
        &attribute_message, bytes, &proto, attribute, error);
    attribute->type = proto.type;
    attribute->has_f = proto.has_f;
    attribute->f = proto.f;
    attribute->has_i = proto.has_i;
    attribute->i = proto.i;
    return status;
}

clconst_status clconst__bodies_read(clconst__span bytes,
                                    clconst__bodies *bodies,
                                    clconst_error *error)
{
    onnx_AttributeProto proto = onnx_AttributeProto_init_zero;
    return clconst__message_read(&bodies_message, bytes, &proto, bodies, error);
}

/* AttributeProto.AttributeType by number. */
static const char *const type_names[] = {
    "UNDEFINED",
    "FLOAT",
    "INT",
    "STRING",
    "TENSOR",
    "GRAPH",
    "FLOATS",
    "INTS",
    "STRINGS",
    "TENSORS",
    "GRAPHS",
    "SPARSE_TENSOR",
    "SPARSE_TENSORS",
    "TYPE_PROTO",
    "TYPE_PROTOS",
};

enum { TYPE_COUNT = sizeof(type_names) / sizeof(type_names[0]) };

static const char *type_name(int32_t type)
{
    return type >= 0 && type < TYPE_COUNT ? type_names[type] : "unknown";
}

clconst_status clconst__attribute_check(const clconst__attribute *attribute,
                                        int32_t type,
                                        clconst_error *error)
{
    if (attribute->type != type) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "attribute %s has type %" PRId32
                             " (%s); it must be %s",
                             clconst__quote(attribute->name).text,
                             attribute->type,
                             type_name(attribute->type),
                             type_name(type));
    }
    /* The field of each type, and whether it holds a value. */
    const struct {
        const char *name;
        bool is_set;
    } values[TYPE_COUNT] = {
        {"", false},
        {"f", attribute->has_f},
        {"i", attribute->has_i},
        {"s", attribute->s.data != NULL},
        {"t", attribute->t.data != NULL},
        {"g", attribute->g.data != NULL},
        {"floats", attribute->floats.count > 0},
        {"ints", attribute->ints.count > 0},
        {"strings", attribute->strings.count > 0},
        {"tensors", attribute->tensors.count > 0},
        {"graphs", attribute->graphs.count > 0},
        {"sparse_tensor", attribute->sparse_tensor.data != NULL},
        {"sparse_tensors", attribute->sparse_tensors.count > 0},
        {"tp", attribute->tp.data != NULL},
        {"type_protos", attribute->type_protos.count > 0},
    };
    bool is_reference = attribute->ref_attr_name.size > 0;
    for (int32_t i = 0; i < TYPE_COUNT; i++) {
        if (values[i].is_set && (i != type || is_reference)) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "attribute %s has field %s; %s",
                                 clconst__quote(attribute->name).text,
                                 values[i].name,
                                 is_reference
                                     ? "a reference holds no value"
                                     : "only the field of its type may be set");
        }
    }
    return CLCONST_OK;
}
