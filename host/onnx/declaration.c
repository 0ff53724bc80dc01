#include "onnx/declaration.h"

#include "base/alloc.h"
#include "core/shape.h"
#include "onnx.pb.h"

/* The spans on the way from a ValueInfoProto to its dims. */
typedef struct type_parts {
    clconst__span name;
    clconst__span type;
    clconst__span tensor_type;
    clconst__span shape;
    clconst__spans dim;
    clconst__span dim_param;
} type_parts;

#define PART(message, name, take)                                              \
    CLCONST__FIELD(message, type_parts, name, PB_WT_STRING, take)

static const clconst__field info_fields[] = {
    PART(ValueInfoProto, name, clconst__take_span),
    PART(ValueInfoProto, type, clconst__take_span),
};
static const clconst__field type_fields[] = {
    PART(TypeProto, tensor_type, clconst__take_span),
};
static const clconst__field tensor_fields[] = {
    PART(TypeProto_Tensor, shape, clconst__take_span),
};
static const clconst__field shape_fields[] = {
    PART(TensorShapeProto, dim, clconst__take_spans),
};
static const clconst__field dim_fields[] = {
    PART(TensorShapeProto_Dimension, dim_param, clconst__take_span),
};

static const clconst__message info_message =
    CLCONST__MESSAGE(ValueInfoProto, info_fields);
static const clconst__message type_message =
    CLCONST__MESSAGE(TypeProto, type_fields);
static const clconst__message tensor_message =
    CLCONST__MESSAGE(TypeProto_Tensor, tensor_fields);
static const clconst__message shape_message =
    CLCONST__MESSAGE(TensorShapeProto, shape_fields);
static const clconst__message dim_message =
    CLCONST__MESSAGE(TensorShapeProto_Dimension, dim_fields);

/* A negative number, which older exporters write, is an unknown dim. */
static clconst_status
read_dim(clconst__span bytes, clconst_dim *dim, clconst_error *error)
{
    onnx_TensorShapeProto_Dimension proto =
        onnx_TensorShapeProto_Dimension_init_zero;
    type_parts parts = {0};
    clconst_status status =
        clconst__message_read(&dim_message, bytes, &proto, &parts, error);
    dim->value =
        proto.has_dim_value && proto.dim_value >= 0 ? proto.dim_value : -1;
    if (dim->value < 0) {
        dim->symbol = clconst__span_string(parts.dim_param);
    }
    return status;
}

static clconst_status read_dims(const clconst__spans *spans,
                                clconst__declaration *declaration,
                                clconst_error *error)
{
    clconst_status status = clconst__alloc(
        spans->count, sizeof(*declaration->dims), &declaration->dims, error);
    for (size_t i = 0; i < spans->count && status == CLCONST_OK; i++) {
        status = read_dim(spans->items[i], &declaration->dims[i], error);
    }
    declaration->has_rank = spans->count <= CLCONST__RANK_MAX;
    declaration->rank = spans->count;
    return status;
}

static clconst_status read_type(type_parts *parts,
                                clconst__declaration *declaration,
                                clconst_error *error)
{
    onnx_TypeProto type = onnx_TypeProto_init_zero;
    clconst_status status =
        clconst__message_read(&type_message, parts->type, &type, parts, error);
    if (status != CLCONST_OK) {
        return status;
    }
    onnx_TypeProto_Tensor tensor = onnx_TypeProto_Tensor_init_zero;
    status = clconst__message_read(
        &tensor_message, parts->tensor_type, &tensor, parts, error);
    declaration->elem_type = tensor.elem_type;
    if (status != CLCONST_OK || parts->shape.data == NULL) {
        return status;
    }
    onnx_TensorShapeProto shape = onnx_TensorShapeProto_init_zero;
    status = clconst__message_read(
        &shape_message, parts->shape, &shape, parts, error);
    if (status == CLCONST_OK) {
        status = read_dims(&parts->dim, declaration, error);
    }
    return status;
}

clconst_status clconst__declaration_read_name(clconst__span bytes,
                                              clconst__span *name,
                                              clconst_error *error)
{
    onnx_ValueInfoProto proto = onnx_ValueInfoProto_init_zero;
    type_parts parts = {0};
    clconst_status status =
        clconst__message_read(&info_message, bytes, &proto, &parts, error);
    *name = parts.name;
    return status;
}

clconst_status clconst__declaration_read(clconst__span bytes,
                                         clconst__declaration *declaration,
                                         clconst_error *error)
{
    onnx_ValueInfoProto proto = onnx_ValueInfoProto_init_zero;
    type_parts parts = {0};
    clconst_status status =
        clconst__message_read(&info_message, bytes, &proto, &parts, error);
    declaration->name = parts.name;
    if (status == CLCONST_OK) {
        status = read_type(&parts, declaration, error);
    }
    clconst__spans_free(&parts.dim);
    return status;
}
