#include "unit/onnx_listing.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/harness.h"

void model_append(proto_buffer *buffer, const char *graph, const char *rest)
{
    proto_append(buffer, "1:8 7:{%s} 8:{2:13} %s", graph, rest);
}

__attribute__((format(printf, 2, 3))) static void
add(listing_text *list, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(list->text + list->size,
                         sizeof(list->text) - list->size,
                         format,
                         arguments);
    va_end(arguments);
    ck_assert_uint_lt((size_t)size, sizeof(list->text) - list->size);
    list->size += (size_t)size;
}

static void add_dims(listing_text *list, const clconst_resolved *resolved)
{
    if (!resolved->has_rank) {
        ck_assert_ptr_null(resolved->dims);
        return;
    }
    add(list, "[");
    for (size_t i = 0; i < resolved->rank; i++) {
        const clconst_dim *dim = &resolved->dims[i];
        add(list, "%s", i > 0 ? "," : "");
        if (dim->value >= 0) {
            add(list, "%" PRId64, dim->value);
        } else if (dim->symbol.size > 0) {
            add(list, "%.*s", (int)dim->symbol.size, dim->symbol.data);
        } else {
            add(list, "?");
        }
    }
    add(list, "]");
}

static void add_resolved(listing_text *list, const clconst_resolved *resolved)
{
    static const char states[] = " +?!";
    bool is_resolved = resolved->state == CLCONST_RESOLVED;
    ck_assert((resolved->plan != NULL) == is_resolved);
    ck_assert((resolved->reason == NULL) == is_resolved);
    add(list, "|%c", states[resolved->state]);
    add_dims(list, resolved);
    add(list, "|%s\n", is_resolved ? "" : resolved->reason);
}

static void add_constant(listing_text *list,
                         const clconst_model *model,
                         const clconst_resolution *resolution,
                         size_t index)
{
    clconst_constant constant = CLCONST_CONSTANT_INIT;
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    ck_assert_ok(clconst_model_get_constant(model, index, &constant, error));
    ck_assert_ok(
        clconst_resolution_get_constant(resolution, index, &resolved, error));
    const char *dtype = clconst_dtype_name(constant.dtype);
    add(list,
        "%.*s|%.*s|%s|%s|%s",
        (int)constant.scope.size,
        constant.scope.size > 0 ? constant.scope.data : "",
        (int)constant.name.size,
        constant.name.size > 0 ? constant.name.data : "",
        constant.op_type,
        constant.storage != NULL ? constant.storage : "",
        dtype != NULL ? dtype : "");
    add_resolved(list, &resolved);
}

static void add_output(listing_text *list,
                       const clconst_model *model,
                       const clconst_resolution *resolution,
                       size_t index)
{
    clconst_string name;
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    ck_assert_ok(clconst_model_get_output(model, index, &name, error));
    ck_assert_ok(
        clconst_resolution_get_output(resolution, index, &resolved, error));
    add(list, "output|%.*s", (int)name.size, name.data);
    add_resolved(list, &resolved);
}

void listing_make_of(listing_text *list,
                     const clconst_model *model,
                     const clconst_bindings *bindings)
{
    clconst_resolution *resolution;
    ck_assert_ok(
        clconst_resolution_create(model, bindings, &resolution, error));
    clconst_model_info info = CLCONST_MODEL_INFO_INIT;
    clconst_model_get_info(model, &info);
    list->size = 0;
    list->text[0] = '\0';
    for (size_t i = 0; i < info.constant_count; i++) {
        add_constant(list, model, resolution, i);
    }
    for (size_t i = 0; i < info.output_count; i++) {
        add_output(list, model, resolution, i);
    }
    clconst_resolution_destroy(resolution);
}

void listing_make(listing_text *list,
                  const proto_buffer *buffer,
                  const clconst_bindings *bindings)
{
    clconst_model *model;
    ck_assert_ok(
        clconst_model_parse(buffer->bytes, buffer->size, NULL, &model, error));
    listing_make_of(list, model, bindings);
    clconst_model_destroy(model);
}
