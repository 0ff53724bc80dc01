#include "onnx/tensor.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "core/op.h"
#include "core/shape.h"
#include "onnx.pb.h"
#include "onnx/external.h"
#include "onnx/typed.h"

#define FIELD(name, wire, take)                                                \
    CLCONST__FIELD(TensorProto, clconst__tensor, name, wire, take)

#define LIST(field, encoding, kind)                                            \
    {                                                                          \
        .name = #field, .wire = encoding,                                      \
        .callback_offset = offsetof(onnx_TensorProto, field),                  \
        .target_offset =                                                       \
            offsetof(clconst__tensor, lists) + (kind) * sizeof(clconst__list), \
        .take = clconst__take_list                                             \
    }

static const clconst__field fields[] = {
    FIELD(dims, PB_WT_VARINT, clconst__take_dims),
    FIELD(segment, PB_WT_STRING, clconst__take_span),
    LIST(float_data, PB_WT_32BIT, CLCONST__FLOAT_DATA),
    LIST(int32_data, PB_WT_VARINT, CLCONST__INT32_DATA),
    LIST(string_data, PB_WT_STRING, CLCONST__STRING_DATA),
    LIST(int64_data, PB_WT_VARINT, CLCONST__INT64_DATA),
    FIELD(name, PB_WT_STRING, clconst__take_span),
    FIELD(raw_data, PB_WT_STRING, clconst__take_span),
    LIST(double_data, PB_WT_64BIT, CLCONST__DOUBLE_DATA),
    LIST(uint64_data, PB_WT_VARINT, CLCONST__UINT64_DATA),
    FIELD(external_data, PB_WT_STRING, clconst__take_spans),
};

static const clconst__message tensor_message =
    CLCONST__MESSAGE(TensorProto, fields);

clconst_status clconst__tensor_read(clconst__span bytes,
                                    clconst__tensor *tensor,
                                    clconst_error *error)
{
    onnx_TensorProto proto = onnx_TensorProto_init_zero;
    tensor->bytes = bytes;
    clconst_status status =
        clconst__message_read(&tensor_message, bytes, &proto, tensor, error);
    tensor->data_type = proto.data_type;
    tensor->data_location = proto.data_location;
    return status;
}

void clconst__tensor_free(clconst__tensor *tensor)
{
    clconst__free(tensor->dims.items);
    clconst__spans_free(&tensor->external_data);
}

static clconst_status check_header(const clconst__tensor *tensor,
                                   clconst_error *error)
{
    if (tensor->segment.data != NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "segment is given; a tensor must not come in "
                             "chunks");
    }
    if (clconst_dtype_name((clconst_dtype)tensor->data_type) == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "data_type is %" PRId32
                             "; it must be a TensorProto.DataType",
                             tensor->data_type);
    }
    if (tensor->data_location != onnx_TensorProto_DataLocation_DEFAULT &&
        tensor->data_location != onnx_TensorProto_DataLocation_EXTERNAL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "data_location is %" PRId32
                             "; it must be DEFAULT or EXTERNAL",
                             tensor->data_location);
    }
    return CLCONST_OK;
}

/* At most one field holds values, and it is one of this dtype. */
static clconst_status check_value_fields(const clconst__tensor *tensor,
                                         clconst_dtype dtype,
                                         clconst_error *error)
{
    const char *used = tensor->raw_data.size > 0 ? "raw_data" : NULL;
    clconst__list_kind expected = clconst__typed_rows[dtype].list;
    const char *expected_name = clconst__list_name(expected);
    if (used != NULL && dtype == CLCONST_STRING) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "raw_data holds values; string takes %s",
                             expected_name);
    }
    for (int i = 0; i < CLCONST__TENSOR_LIST_COUNT; i++) {
        clconst__list_kind kind = (clconst__list_kind)i;
        const char *name = clconst__list_name(kind);
        if (tensor->lists[i].count == 0) {
            continue;
        }
        if (used != NULL) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "%s and %s hold values; only one field may",
                                 used,
                                 name);
        }
        if (kind != expected) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "%s holds values; %s takes %s%s",
                                 name,
                                 clconst_dtype_name(dtype),
                                 expected_name,
                                 dtype != CLCONST_STRING ? " or raw_data" : "");
        }
        used = name;
    }
    if (used != NULL &&
        tensor->data_location == onnx_TensorProto_DataLocation_EXTERNAL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s holds values; the data are external",
                             used);
    }
    return CLCONST_OK;
}

/* The inline values are as many as the dims say: no more, no fewer. */
static clconst_status check_count(const clconst__tensor *tensor,
                                  clconst_dtype dtype,
                                  uint64_t element_count,
                                  size_t size,
                                  const clconst__context *context,
                                  clconst_error *error)
{
    const clconst__typed_row *row = &clconst__typed_rows[dtype];
    bool is_raw = tensor->raw_data.size > 0;
    size_t given =
        is_raw ? tensor->raw_data.size : tensor->lists[row->list].count;
    size_t needed = size;
    if (!is_raw) {
        needed = row->entry_size > 0 ? size / row->entry_size
                                     : (size_t)element_count;
    }
    if (given == needed) {
        return CLCONST_OK;
    }
    char text[128];
    snprintf(text,
             sizeof(text),
             "%s has %zu %s; %" PRIu64 " elements of %s take %zu",
             is_raw ? "raw_data" : clconst__list_name(row->list),
             given,
             is_raw ? "bytes" : "entries",
             element_count,
             clconst_dtype_name(dtype),
             needed);
    if (is_raw && given > needed) {
        return clconst__fault(context, error, "%s", text);
    }
    return clconst__fail(error, CLCONST_INVALID_MODEL, "%s", text);
}

clconst_status clconst__tensor_describe(clconst__tensor *tensor,
                                        const clconst__context *context,
                                        clconst__content *content,
                                        clconst_error *error)
{
    clconst_status status = check_header(tensor, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst_dtype dtype = (clconst_dtype)tensor->data_type;
    clconst_shape shape = {tensor->dims.items, tensor->dims.count};
    uint64_t count;
    size_t size;
    status = clconst__blame_model(
        clconst__shape_measure(dtype, &shape, &count, &size, error), error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = check_value_fields(tensor, dtype, error);
    bool is_external =
        tensor->data_location == onnx_TensorProto_DataLocation_EXTERNAL;
    if (status == CLCONST_OK && !is_external) {
        status = check_count(tensor, dtype, count, size, context, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    content->storage = is_external                     ? "external"
                       : tensor->raw_data.data != NULL ? "raw"
                                                       : "typed";
    content->dtype = dtype;
    content->has_dims = true;
    content->dims = tensor->dims;
    memset(&tensor->dims, 0, sizeof(tensor->dims));
    return CLCONST_OK;
}

/* Dense bytes of bool hold the bytes 0 and 1 only; LENIENT makes others 1. */
static clconst_status tidy_bools(const char *field,
                                 const clconst__context *context,
                                 clconst_view *value,
                                 clconst__storage **storage,
                                 clconst_error *error)
{
    const uint8_t *bytes = value->data;
    size_t first = 0;
    while (first < value->size && bytes[first] <= 1) {
        first++;
    }
    if (first == value->size) {
        return CLCONST_OK;
    }
    clconst_status status =
        clconst__fault(context,
                       error,
                       "%s byte %zu is %u; bytes of bool must be 0 or 1",
                       field,
                       first,
                       (unsigned)bytes[first]);
    if (status != CLCONST_OK) {
        return status;
    }
    void *block;
    status = clconst__storage_create_block(
        value->size, NULL, storage, &block, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < value->size; i++) {
        ((uint8_t *)block)[i] = bytes[i] != 0;
    }
    value->data = block;
    return CLCONST_OK;
}

/* The dense bytes of values that lie in the message. */
static clconst_status view_inline(const clconst__tensor *tensor,
                                  const clconst__context *context,
                                  clconst_view *value,
                                  clconst__storage **storage,
                                  clconst_error *error)
{
    value->data = tensor->raw_data.data;
    if (value->size == 0) {
        return CLCONST_OK;
    }
    if (tensor->raw_data.size == 0) {
        clconst__list_kind list = clconst__typed_rows[value->dtype].list;
        return clconst__list_densify(list,
                                     &tensor->lists[list],
                                     tensor->bytes,
                                     value->dtype,
                                     value->size,
                                     context,
                                     &value->data,
                                     storage,
                                     error);
    }
    return value->dtype == CLCONST_BOOL
               ? tidy_bools("raw_data", context, value, storage, error)
               : CLCONST_OK;
}

/* The dense bytes of values in external data, which have the form of raw_data
 * (ExternalData.md). */
static clconst_status view_external(const clconst__tensor *tensor,
                                    const clconst__context *context,
                                    clconst_view *value,
                                    clconst__storage **storage,
                                    clconst_error *error)
{
    if (value->dtype == CLCONST_STRING) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "data are external; string takes string_data");
    }
    clconst__location location;
    clconst__storage *mapped;
    clconst_status status =
        clconst__location_read(&tensor->external_data, &location, error);
    if (status == CLCONST_OK) {
        status = clconst__external_read(context->external,
                                        &location,
                                        value->size,
                                        &value->data,
                                        &mapped,
                                        error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (location.has_checksum) {
        clconst__remark(
            context, CLCONST_NOTE_CHOICE, "checksum is not verified");
    }
    if (value->dtype == CLCONST_BOOL) {
        status = tidy_bools("external data", context, value, storage, error);
    }
    if (status != CLCONST_OK || *storage != NULL) {
        clconst__storage_release(mapped);
        return status;
    }
    *storage = mapped;
    return CLCONST_OK;
}

clconst_status clconst__tensor_view(const clconst__tensor *tensor,
                                    const clconst__content *content,
                                    const clconst__context *context,
                                    clconst_view *value,
                                    clconst__storage **storage,
                                    clconst_error *error)
{
    clconst_view found = {
        content->dtype, {content->dims.items, content->dims.count}, NULL, 0};
    clconst__storage *owner = NULL;
    clconst_status status =
        clconst_byte_size(found.dtype, &found.shape, &found.size, error);
    if (status == CLCONST_OK) {
        bool is_external =
            tensor->data_location == onnx_TensorProto_DataLocation_EXTERNAL;
        status = is_external
                     ? view_external(tensor, context, &found, &owner, error)
                     : view_inline(tensor, context, &found, &owner, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    *value = found;
    *storage =
        owner != NULL ? owner : clconst__storage_retain(context->storage);
    return CLCONST_OK;
}

clconst_status clconst__tensor_make(const clconst__tensor *tensor,
                                    clconst_op_kind kind,
                                    const clconst__context *context,
                                    clconst__content *content,
                                    clconst_error *error)
{
    clconst_view value;
    clconst__storage *storage;
    clconst_status status =
        clconst__tensor_view(tensor, content, context, &value, &storage, error);
    if (status == CLCONST_OK) {
        status = clconst__op_create(kind, &value, storage, &content->op, error);
        clconst__storage_release(storage);
    }
    return clconst__blame_model(status, error);
}

clconst_status clconst__tensor_decode(clconst__tensor *tensor,
                                      const clconst__context *context,
                                      clconst__content *content,
                                      clconst_error *error)
{
    clconst_status status =
        clconst__tensor_describe(tensor, context, content, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__tensor_make(
        tensor, CLCONST_OP_CONSTANT, context, content, error);
}
