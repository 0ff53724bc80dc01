#include "onnx/form.h"

#include <inttypes.h>

#include "core/op.h"
#include "onnx.pb.h"
#include "onnx/sparse.h"
#include "onnx/tensor.h"

/* A dtype that the operator's version does not list changes no bits. */
static clconst_status check_dtype(const clconst__making *making,
                                  clconst_dtype dtype,
                                  clconst_error *error)
{
    const clconst__schema *schema = making->schema;
    if (schema->kind == CLCONST_OP_CONSTANT_OF_SHAPE &&
        dtype == CLCONST_STRING) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "value has dtype string; ConstantOfShape has no "
                             "strings");
    }
    if (clconst__schema_lists(schema, dtype)) {
        return CLCONST_OK;
    }
    return clconst__novelty(making->context,
                            CLCONST_NOTE_DTYPE,
                            error,
                            "dtype %s is not in the list of %s %" PRId64,
                            clconst_dtype_name(dtype),
                            schema->op_type,
                            schema->since_version);
}

static clconst_status make_tensor(const clconst__form_row *row,
                                  const clconst__making *making,
                                  clconst__content *content,
                                  clconst_error *error)
{
    if (making->attribute->t.data == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "attribute \"%s\" has no tensor",
                             row->name);
    }
    clconst__tensor tensor = {0};
    clconst_status status =
        clconst__tensor_read(making->attribute->t, &tensor, error);
    if (status == CLCONST_OK) {
        status =
            clconst__tensor_describe(&tensor, making->context, content, error);
    }
    if (status == CLCONST_OK) {
        status = check_dtype(making, content->dtype, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__tensor_make(
            &tensor, making->schema->kind, making->context, content, error);
    }
    clconst__tensor_free(&tensor);
    return status;
}

static clconst_status make_sparse(const clconst__form_row *row,
                                  const clconst__making *making,
                                  clconst__content *content,
                                  clconst_error *error)
{
    if (making->attribute->sparse_tensor.data == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "attribute \"%s\" has no tensor",
                             row->name);
    }
    clconst__sparse sparse = {0};
    clconst_status status =
        clconst__sparse_read(making->attribute->sparse_tensor, &sparse, error);
    if (status == CLCONST_OK) {
        status =
            clconst__sparse_describe(&sparse, making->context, content, error);
    }
    if (status == CLCONST_OK) {
        status = check_dtype(making, content->dtype, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__sparse_make(&sparse, making->context, content, error);
    }
    clconst__sparse_free(&sparse);
    return status;
}

/* An operator whose one element, of rank 0, is copied to a block. */
static clconst_status make_element(clconst_dtype dtype,
                                   const void *element,
                                   size_t size,
                                   clconst__storage *parent,
                                   clconst__content *content,
                                   clconst_error *error)
{
    clconst__storage *storage;
    void *block;
    clconst_status status =
        clconst__storage_create_block(size, parent, &storage, &block, error);
    if (status != CLCONST_OK) {
        return status;
    }
    memcpy(block, element, size);
    clconst_view value = {dtype, {NULL, 0}, block, size};
    status = clconst__op_create(
        CLCONST_OP_CONSTANT, &value, storage, &content->op, error);
    clconst__storage_release(storage);
    return status;
}

static clconst_status make_number(const clconst__form_row *row,
                                  const clconst__making *making,
                                  clconst__content *content,
                                  clconst_error *error)
{
    return make_element(row->dtype,
                        (const char *)making->attribute + row->source,
                        clconst_dtype_bits(row->dtype) / 8,
                        NULL,
                        content,
                        error);
}

static clconst_status make_string(const clconst__form_row *row,
                                  const clconst__making *making,
                                  clconst__content *content,
                                  clconst_error *error)
{
    clconst_string string = clconst__span_string(making->attribute->s);
    return make_element(row->dtype,
                        &string,
                        sizeof(string),
                        making->context->storage,
                        content,
                        error);
}

static clconst_status make_list(const clconst__form_row *row,
                                const clconst__making *making,
                                clconst__content *content,
                                clconst_error *error)
{
    const clconst__list *list =
        (const void *)((const char *)making->attribute + row->source);
    int64_t dim = (int64_t)list->count;
    clconst_view value = {row->dtype, {&dim, 1}, NULL, 0};
    clconst__storage *storage = NULL;
    clconst_status status =
        clconst_byte_size(value.dtype, &value.shape, &value.size, error);
    if (status == CLCONST_OK && value.size > 0) {
        status = clconst__list_densify(row->list,
                                       list,
                                       making->attribute->bytes,
                                       value.dtype,
                                       value.size,
                                       making->context,
                                       &value.data,
                                       &storage,
                                       error);
    }
    if (status == CLCONST_OK) {
        status = clconst__op_create(CLCONST_OP_CONSTANT,
                                    &value,
                                    storage != NULL ? storage
                                                    : making->context->storage,
                                    &content->op,
                                    error);
    }
    clconst__storage_release(storage);
    return status;
}

#define TYPE(name)   onnx_AttributeProto_AttributeType_##name
#define SOURCE(name) offsetof(clconst__attribute, name)

static const clconst__form_row rows[] = {
    {.name = "value",
     .form = CLCONST__VALUE,
     .type = TYPE(TENSOR),
     .make = make_tensor},
    {.name = "sparse_value",
     .form = CLCONST__SPARSE_VALUE,
     .type = TYPE(SPARSE_TENSOR),
     .make = make_sparse},
    {.name = "value_int",
     .form = CLCONST__VALUE_INT,
     .type = TYPE(INT),
     .is_scalar = true,
     .dtype = CLCONST_INT64,
     .source = SOURCE(i),
     .make = make_number},
    {.name = "value_ints",
     .form = CLCONST__VALUE_INTS,
     .type = TYPE(INTS),
     .dtype = CLCONST_INT64,
     .source = SOURCE(ints),
     .list = CLCONST__INTS,
     .make = make_list},
    {.name = "value_float",
     .form = CLCONST__VALUE_FLOAT,
     .type = TYPE(FLOAT),
     .is_scalar = true,
     .dtype = CLCONST_FLOAT,
     .source = SOURCE(f),
     .make = make_number},
    {.name = "value_floats",
     .form = CLCONST__VALUE_FLOATS,
     .type = TYPE(FLOATS),
     .dtype = CLCONST_FLOAT,
     .source = SOURCE(floats),
     .list = CLCONST__FLOATS,
     .make = make_list},
    {.name = "value_string",
     .form = CLCONST__VALUE_STRING,
     .type = TYPE(STRING),
     .is_scalar = true,
     .dtype = CLCONST_STRING,
     .make = make_string},
    {.name = "value_strings",
     .form = CLCONST__VALUE_STRINGS,
     .type = TYPE(STRINGS),
     .dtype = CLCONST_STRING,
     .source = SOURCE(strings),
     .list = CLCONST__STRINGS,
     .make = make_list},
};

const clconst__form_row *clconst__form_find(clconst__span name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (clconst__span_equals(name, clconst__span_of(rows[i].name))) {
            return &rows[i];
        }
    }
    return NULL;
}
