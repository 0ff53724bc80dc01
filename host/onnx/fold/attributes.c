/*
 * The attributes of a node that is folded.
 */
#include <inttypes.h>

#include "base/dtype.h"
#include "onnx/context.h"
#include "onnx/fold/folding.h"

/* AttributeProto.AttributeType. */
enum {
    TYPE_FLOAT = 1,
    TYPE_INT = 2,
    TYPE_STRING = 3,
    TYPE_FLOATS = 6,
    TYPE_INTS = 7
};

static const clconst__argument *find_attribute(const clconst__folding *folding,
                                               const char *name)
{
    clconst__span wanted = clconst__span_of(name);
    for (size_t i = 0; i < folding->attribute_count; i++) {
        if (clconst__span_equals(folding->attributes[i].name, wanted)) {
            return &folding->attributes[i];
        }
    }
    return NULL;
}

bool clconst__folding_has(const clconst__folding *folding, const char *name)
{
    return find_attribute(folding, name) != NULL;
}

/* Bytes that cannot be read make the node wrong: the model was read already. */
static clconst_status blame_node(clconst_status status, clconst_error *error)
{
    return status == CLCONST_MALFORMED
               ? clconst__fail_instead(error, CLCONST_INVALID_MODEL)
               : status;
}

/* An attribute that the node does not have stays as it is. */
static clconst_status read_attribute(const clconst__folding *folding,
                                     const char *name,
                                     int32_t type,
                                     clconst__attribute *attribute,
                                     clconst_error *error)
{
    const clconst__argument *found = find_attribute(folding, name);
    if (found == NULL) {
        return CLCONST_OK;
    }
    *attribute = (clconst__attribute){.i = 0};
    clconst_status status =
        clconst__attribute_read(found->bytes, attribute, error);
    if (status == CLCONST_OK) {
        status = clconst__attribute_check(attribute, type, error);
    }
    return blame_node(status, error);
}

clconst_status clconst__folding_int(const clconst__folding *folding,
                                    const char *name,
                                    int64_t fallback,
                                    int64_t *value,
                                    clconst_error *error)
{
    clconst__attribute attribute = {.i = fallback};
    clconst_status status =
        read_attribute(folding, name, TYPE_INT, &attribute, error);
    *value = attribute.i;
    return status;
}

clconst_status clconst__folding_float(const clconst__folding *folding,
                                      const char *name,
                                      float fallback,
                                      float *value,
                                      clconst_error *error)
{
    clconst__attribute attribute = {.f = fallback};
    clconst_status status =
        read_attribute(folding, name, TYPE_FLOAT, &attribute, error);
    *value = attribute.f;
    return status;
}

clconst_status clconst__folding_string(const clconst__folding *folding,
                                       const char *name,
                                       const char *fallback,
                                       clconst__span *value,
                                       clconst_error *error)
{
    clconst__attribute attribute = {.i = 0};
    if (fallback != NULL) {
        attribute.s = clconst__span_of(fallback);
    }
    clconst_status status =
        read_attribute(folding, name, TYPE_STRING, &attribute, error);
    *value = attribute.s;
    return status;
}

/* The elements of a list attribute, as dtype, in scratch memory. */
static clconst_status read_list(clconst__folding *folding,
                                const char *name,
                                clconst__list_kind kind,
                                clconst_dtype dtype,
                                void **items,
                                size_t *count,
                                clconst_error *error)
{
    clconst__attribute attribute = {.i = 0};
    clconst_status status =
        read_attribute(folding,
                       name,
                       kind == CLCONST__INTS ? TYPE_INTS : TYPE_FLOATS,
                       &attribute,
                       error);
    const clconst__list *list =
        kind == CLCONST__INTS ? &attribute.ints : &attribute.floats;
    size_t size = clconst__fact_element_size(dtype);
    *items = NULL;
    *count = list->count;
    if (status != CLCONST_OK || !clconst__folding_has(folding, name)) {
        return status;
    }
    status = clconst__folding_scratch(folding, *count, size, items, error);
    if (status != CLCONST_OK || *count == 0) {
        return status;
    }
    const clconst__context context = {.opset = folding->opset};
    const void *data;
    clconst__storage *storage;
    status = clconst__list_densify(kind,
                                   list,
                                   attribute.bytes,
                                   dtype,
                                   *count * size,
                                   &context,
                                   &data,
                                   &storage,
                                   error);
    if (status == CLCONST_OK) {
        memcpy(*items, data, *count * size);
        clconst__storage_release(storage);
    }
    return blame_node(status, error);
}

clconst_status clconst__folding_ints(clconst__folding *folding,
                                     const char *name,
                                     int64_t **items,
                                     size_t *count,
                                     clconst_error *error)
{
    void *list;
    clconst_status status = read_list(
        folding, name, CLCONST__INTS, CLCONST_INT64, &list, count, error);
    *items = list;
    return status;
}

clconst_status clconst__folding_floats(clconst__folding *folding,
                                       const char *name,
                                       float **items,
                                       size_t *count,
                                       clconst_error *error)
{
    void *list;
    clconst_status status = read_list(
        folding, name, CLCONST__FLOATS, CLCONST_FLOAT, &list, count, error);
    *items = list;
    return status;
}

clconst_status clconst__folding_dtype(const clconst__folding *folding,
                                      const char *name,
                                      clconst_dtype fallback,
                                      clconst_dtype *dtype,
                                      clconst_error *error)
{
    int64_t number;
    clconst_status status =
        clconst__folding_int(folding, name, fallback, &number, error);
    *dtype = CLCONST_UNDEFINED;
    if (status != CLCONST_OK || number == 0) {
        return status;
    }
    if (number < 0 || number > INT32_MAX ||
        clconst__dtype_check((clconst_dtype)number, NULL) != CLCONST_OK) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s is %" PRId64 "; it must name a dtype",
                             name,
                             number);
    }
    *dtype = (clconst_dtype)number;
    return CLCONST_OK;
}
