#include "onnx/sparse.h"

#include <stdio.h>

#include "base/alloc.h"
#include "core/op.h"
#include "onnx.pb.h"

typedef struct sparse_spans {
    clconst__span values;
    clconst__span indices;
    clconst__dims dims;
} sparse_spans;

#define FIELD(name, wire, take)                                                \
    CLCONST__FIELD(SparseTensorProto, sparse_spans, name, wire, take)

static const clconst__field fields[] = {
    FIELD(values, PB_WT_STRING, clconst__take_span),
    FIELD(indices, PB_WT_STRING, clconst__take_span),
    FIELD(dims, PB_WT_VARINT, clconst__take_dims),
};

static const clconst__message sparse_message =
    CLCONST__MESSAGE(SparseTensorProto, fields);

static clconst_status read_part(clconst__sparse_part *part,
                                const char *name,
                                clconst__span bytes,
                                clconst_error *error)
{
    part->name = name;
    part->bytes = bytes;
    return clconst__tensor_read(bytes, &part->tensor, error);
}

clconst_status clconst__sparse_read(clconst__span bytes,
                                    clconst__sparse *sparse,
                                    clconst_error *error)
{
    onnx_SparseTensorProto proto = onnx_SparseTensorProto_init_zero;
    sparse_spans spans = {0};
    clconst_status status =
        clconst__message_read(&sparse_message, bytes, &proto, &spans, error);
    sparse->dims = spans.dims;
    if (status == CLCONST_OK) {
        status = read_part(&sparse->values, "values", spans.values, error);
    }
    if (status == CLCONST_OK) {
        status = read_part(&sparse->indices, "indices", spans.indices, error);
    }
    return status;
}

static void free_part(clconst__sparse_part *part)
{
    clconst__tensor_free(&part->tensor);
    clconst__content_clear(&part->content);
}

void clconst__sparse_free(clconst__sparse *sparse)
{
    free_part(&sparse->values);
    free_part(&sparse->indices);
    clconst__free(sparse->dims.items);
}

/* The reason, with the name of the part that it is about before it. */
static clconst_status blame_part(const clconst__sparse_part *part,
                                 const clconst_error *reason,
                                 clconst_error *error)
{
    clconst_status status = (clconst_status)reason->status;
    return clconst__fail_native(error,
                                status,
                                reason->native_code,
                                "%s: %s",
                                part->name,
                                reason->message);
}

/* What notes about a part begin with. */
typedef struct part_subject {
    char text[512];
} part_subject;

static clconst__context narrow(const clconst__context *context,
                               const clconst__sparse_part *part,
                               part_subject *subject)
{
    clconst__context narrowed = *context;
    bool has_subject = context->subject != NULL;
    snprintf(subject->text,
             sizeof(subject->text),
             "%s%s%s",
             has_subject ? context->subject : "",
             has_subject ? ": " : "",
             part->name);
    narrowed.subject = subject->text;
    return narrowed;
}

static clconst_status describe_part(clconst__sparse_part *part,
                                    const clconst__context *context,
                                    clconst_error *error)
{
    if (part->bytes.data == NULL) {
        return CLCONST_OK;
    }
    part_subject subject;
    clconst__context narrowed = narrow(context, part, &subject);
    clconst_error reason;
    clconst_status status = clconst__tensor_describe(
        &part->tensor, &narrowed, &part->content, &reason);
    return status == CLCONST_OK ? status : blame_part(part, &reason, error);
}

clconst_status clconst__sparse_describe(clconst__sparse *sparse,
                                        const clconst__context *context,
                                        clconst__content *content,
                                        clconst_error *error)
{
    if (sparse->values.bytes.data == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "values are missing; a sparse tensor must have "
                             "them");
    }
    clconst_status status = describe_part(&sparse->values, context, error);
    if (status == CLCONST_OK) {
        status = describe_part(&sparse->indices, context, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    clconst_dtype dtype = sparse->values.content.dtype;
    clconst_shape shape = {sparse->dims.items, sparse->dims.count};
    size_t size;
    status = clconst__blame_model(
        clconst_byte_size(dtype, &shape, &size, error), error);
    if (status != CLCONST_OK) {
        return status;
    }
    content->storage = "sparse";
    content->dtype = dtype;
    content->has_dims = true;
    content->dims = sparse->dims;
    memset(&sparse->dims, 0, sizeof(sparse->dims));
    if (dtype == CLCONST_FLOAT8E8M0) {
        /* onnx.proto has numeric zero, which the format lacks. */
        clconst__remark(context,
                        CLCONST_NOTE_CHOICE,
                        "float8e8m0 has no zero; elements that are not listed "
                        "get the bits 0x00, which are 2^-127");
    }
    return CLCONST_OK;
}

/* A missing part has no view. */
static clconst_status view_part(const clconst__sparse_part *part,
                                const clconst__context *context,
                                clconst_view *view,
                                clconst__storage **storage,
                                clconst_error *error)
{
    *storage = NULL;
    if (part->bytes.data == NULL) {
        return CLCONST_OK;
    }
    part_subject subject;
    clconst__context narrowed = narrow(context, part, &subject);
    clconst_error reason;
    clconst_status status = clconst__tensor_view(
        &part->tensor, &part->content, &narrowed, view, storage, &reason);
    return status == CLCONST_OK ? status : blame_part(part, &reason, error);
}

clconst_status clconst__sparse_make(const clconst__sparse *sparse,
                                    const clconst__context *context,
                                    clconst__content *content,
                                    clconst_error *error)
{
    clconst_view values;
    clconst_view indices;
    clconst__storage *values_storage = NULL;
    clconst__storage *indices_storage = NULL;
    clconst__storage *storage = NULL;
    clconst_shape shape = {content->dims.items, content->dims.count};
    bool has_indices = sparse->indices.bytes.data != NULL;
    clconst_status status =
        view_part(&sparse->values, context, &values, &values_storage, error);
    if (status == CLCONST_OK) {
        status = view_part(
            &sparse->indices, context, &indices, &indices_storage, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__storage_join(
            values_storage, indices_storage, &storage, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__blame_model(
            clconst__op_create_sparse(&values,
                                      has_indices ? &indices : NULL,
                                      &shape,
                                      storage,
                                      &content->op,
                                      error),
            error);
    }
    clconst__storage_release(storage);
    clconst__storage_release(values_storage);
    clconst__storage_release(indices_storage);
    return status;
}
