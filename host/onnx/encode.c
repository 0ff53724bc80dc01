/* TensorProto, written: the one place that calls nanopb's encoder. */
#include <pb_encode.h>

#include "base/dtype.h"
#include "core/op.h"
#include "onnx.pb.h"
#include "onnx/span.h"

#include <clconst/clconst_model.h>

/* Where the bytes go, and what the caller's function returned last. */
typedef struct byte_sink {
    clconst_write_function write;
    void *context;
    int code;
} byte_sink;

static bool
write_bytes(pb_ostream_t *stream, const pb_byte_t *bytes, size_t size)
{
    byte_sink *sink = stream->state;
    sink->code = sink->write(sink->context, bytes, size);
    return sink->code == 0;
}

/* Only the low bits of the product matter, so it may wrap. */
static uint8_t last_mask(const clconst_view *view)
{
    uint64_t count = 1;
    for (size_t i = 0; i < view->shape.rank; i++) {
        count *= (uint64_t)view->shape.dims[i];
    }
    return clconst__dtype_last_mask(view->dtype, count);
}

static bool
encode_dims(pb_ostream_t *stream, const pb_field_t *field, void *const *arg)
{
    const clconst_view *view = *arg;
    for (size_t i = 0; i < view->shape.rank; i++) {
        if (!pb_encode_tag_for_field(stream, field) ||
            !pb_encode_varint(stream, (uint64_t)view->shape.dims[i])) {
            return false;
        }
    }
    return true;
}

static bool
encode_strings(pb_ostream_t *stream, const pb_field_t *field, void *const *arg)
{
    const clconst_view *view = *arg;
    const clconst_string *strings = view->data;
    for (size_t i = 0; i < view->size / sizeof(*strings); i++) {
        if (!pb_encode_tag_for_field(stream, field) ||
            !pb_encode_string(
                stream, (const pb_byte_t *)strings[i].data, strings[i].size)) {
            return false;
        }
    }
    return true;
}

/* All bytes but the last, whose unused bits become zero. */
static bool
encode_raw(pb_ostream_t *stream, const pb_field_t *field, void *const *arg)
{
    const clconst_view *view = *arg;
    if (!pb_encode_tag_for_field(stream, field) ||
        !pb_encode_varint(stream, view->size)) {
        return false;
    }
    if (view->size == 0) {
        return true;
    }
    const pb_byte_t *bytes = view->data;
    pb_byte_t last = bytes[view->size - 1] & last_mask(view);
    return pb_write(stream, bytes, view->size - 1) &&
           pb_write(stream, &last, 1);
}

static bool
encode_name(pb_ostream_t *stream, const pb_field_t *field, void *const *arg)
{
    const char *name = *arg;
    return pb_encode_tag_for_field(stream, field) &&
           pb_encode_string(stream, (const pb_byte_t *)name, strlen(name));
}

static pb_callback_t field_of(bool (*encode)(pb_ostream_t *stream,
                                             const pb_field_t *field,
                                             void *const *arg),
                              const void *arg)
{
    /* nanopb's argument has no const, but the encoders only read. */
    pb_callback_t callback = {.funcs.encode = encode, .arg = (void *)arg};
    return callback;
}

static clconst_status encode(const onnx_TensorProto *proto,
                             clconst_write_function write,
                             void *context,
                             clconst_error *error)
{
    size_t size;
    if (!pb_get_encoded_size(&size, onnx_TensorProto_fields, proto) ||
        size > INT32_MAX) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "TensorProto would have 2^31 bytes or more; "
                             "protobuf ends below");
    }
    byte_sink sink = {write, context, 0};
    pb_ostream_t stream = {write_bytes, &sink, SIZE_MAX, 0, NULL};
    if (!pb_encode(&stream, onnx_TensorProto_fields, proto)) {
        return clconst__fail_native(error,
                                    CLCONST_IO_ERROR,
                                    sink.code,
                                    "TensorProto is not written; write "
                                    "returned %d",
                                    sink.code);
    }
    return CLCONST_OK;
}

clconst_status clconst_tensor_proto_write(const clconst_view *view,
                                          const char *name,
                                          clconst_write_function write,
                                          void *context,
                                          clconst_error *error)
{
    if (view == NULL || write == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "view or write is NULL; both are required");
    }
    /* The operator checks the view. */
    clconst_op *op;
    clconst_status status = clconst_op_create_constant(view, &op, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst_view checked;
    clconst_op_get_value(op, &checked);
    onnx_TensorProto proto = onnx_TensorProto_init_zero;
    proto.dims = field_of(encode_dims, &checked);
    proto.has_data_type = true;
    proto.data_type = (int32_t)checked.dtype;
    if (checked.dtype == CLCONST_STRING) {
        proto.string_data = field_of(encode_strings, &checked);
    } else {
        proto.raw_data = field_of(encode_raw, &checked);
    }
    if (name != NULL) {
        proto.name = field_of(encode_name, name);
    }
    status = encode(&proto, write, context, error);
    clconst_op_destroy(op);
    return status;
}
