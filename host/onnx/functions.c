#include "onnx/functions.h"

#include "base/alloc.h"
#include "onnx.pb.h"
#include "onnx/quote.h"

typedef struct function_parts {
    clconst__span name;
    clconst__span domain;
    clconst__span overload;
    clconst__spans attribute_proto;
} function_parts;

#define FUNCTION(name, take)                                                   \
    CLCONST__FIELD(FunctionProto, function_parts, name, PB_WT_STRING, take)

static const clconst__field function_fields[] = {
    FUNCTION(name, clconst__take_span),
    FUNCTION(domain, clconst__take_span),
    FUNCTION(overload, clconst__take_span),
    FUNCTION(attribute_proto, clconst__take_spans),
};

static const clconst__message function_message =
    CLCONST__MESSAGE(FunctionProto, function_fields);

#define ARGUMENT(field, own)                                                   \
    {                                                                          \
        .name = #field, .wire = PB_WT_STRING,                                  \
        .callback_offset = offsetof(onnx_AttributeProto, field),               \
        .target_offset = offsetof(clconst__argument, own),                     \
        .take = clconst__take_span                                             \
    }

static const clconst__field argument_fields[] = {
    ARGUMENT(name, name),
    ARGUMENT(ref_attr_name, reference),
};

static const clconst__message argument_message =
    CLCONST__MESSAGE(AttributeProto, argument_fields);

clconst_status clconst__argument_read(clconst__argument *argument,
                                      clconst_error *error)
{
    onnx_AttributeProto proto = onnx_AttributeProto_init_zero;
    return clconst__message_read(
        &argument_message, argument->bytes, &proto, argument, error);
}

/* Appends the names of attributes, and where they are. */
static clconst_status add_arguments(clconst__functions *functions,
                                    const clconst__spans *attributes,
                                    clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < attributes->count && status == CLCONST_OK; i++) {
        status = clconst__grow(&functions->arguments,
                               &functions->argument_capacity,
                               functions->argument_count + 1,
                               sizeof(*functions->arguments),
                               error);
        if (status != CLCONST_OK) {
            return status;
        }
        clconst__argument argument = {.bytes = attributes->items[i]};
        status = clconst__argument_read(&argument, error);
        functions->arguments[functions->argument_count++] = argument;
    }
    return status;
}

static clconst_status append(clconst__functions *functions,
                             const clconst__function *function,
                             clconst_error *error)
{
    clconst_status status = clconst__grow(&functions->items,
                                          &functions->capacity,
                                          functions->count + 1,
                                          sizeof(*functions->items),
                                          error);
    if (status == CLCONST_OK) {
        functions->items[functions->count++] = *function;
    }
    return status;
}

clconst_status clconst__functions_init(clconst__functions *functions,
                                       clconst_error *error)
{
    static const clconst__function main_graph = {.is_called = true};
    clconst__names_init(&functions->ids);
    return append(functions, &main_graph, error);
}

void clconst__functions_free(clconst__functions *functions)
{
    for (size_t i = 0; i < functions->count; i++) {
        clconst__free(functions->items[i].id);
    }
    clconst__names_free(&functions->ids);
    clconst__free(functions->items);
    clconst__free(functions->calls);
    clconst__free(functions->arguments);
}

/* The three parts, with the sizes of the first two before them, so that no two
 * functions have the same bytes. */
static clconst_status make_id(clconst__span domain,
                              clconst__span name,
                              clconst__span overload,
                              clconst__span *id,
                              clconst_error *error)
{
    if (clconst__is_default_domain(domain)) {
        domain.size = 0;
    }
    size_t sizes[2] = {domain.size, name.size};
    const clconst__span parts[] = {
        {(const uint8_t *)sizes, sizeof(sizes)}, domain, name, overload};
    size_t size = sizeof(sizes) + domain.size + name.size + overload.size;
    uint8_t *bytes;
    clconst_status status = clconst__alloc(1, size, &bytes, error);
    if (status != CLCONST_OK) {
        return status;
    }
    *id = (clconst__span){bytes, size};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i].size > 0) {
            memcpy(bytes, parts[i].data, parts[i].size);
            bytes += parts[i].size;
        }
    }
    return CLCONST_OK;
}

static clconst_status add_parts(clconst__functions *functions,
                                const function_parts *parts,
                                clconst_error *error)
{
    clconst__function function = {.name = parts->name,
                                  .first_default = functions->argument_count,
                                  .default_count =
                                      parts->attribute_proto.count};
    clconst_status status =
        add_arguments(functions, &parts->attribute_proto, error);
    clconst__span id = {NULL, 0};
    if (status == CLCONST_OK) {
        status =
            make_id(parts->domain, parts->name, parts->overload, &id, error);
    }
    function.id = (uint8_t *)id.data;
    if (status == CLCONST_OK) {
        status = append(functions, &function, error);
    }
    if (status != CLCONST_OK) {
        clconst__free(function.id);
        return status;
    }
    if (clconst__names_find(&functions->ids, id) != CLCONST__NONE) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "function %s is there twice; domain, name and "
                             "overload are unique",
                             clconst__quote(parts->name).text);
    }
    return clconst__names_define(
        &functions->ids, id, functions->count - 1, error);
}

clconst_status clconst__functions_add(clconst__functions *functions,
                                      clconst__span bytes,
                                      clconst_error *error)
{
    onnx_FunctionProto proto = onnx_FunctionProto_init_zero;
    function_parts parts = {.name = {NULL, 0}};
    clconst_status status =
        clconst__message_read(&function_message, bytes, &proto, &parts, error);
    if (status == CLCONST_OK) {
        status = add_parts(functions, &parts, error);
    }
    clconst__spans_free(&parts.attribute_proto);
    return status;
}

clconst_status clconst__functions_add_call(clconst__functions *functions,
                                           size_t graph,
                                           size_t index,
                                           const clconst__node *node,
                                           size_t *function,
                                           clconst_error *error)
{
    *function = 0;
    if (functions->count <= 1) {
        return CLCONST_OK;
    }
    clconst__span id;
    clconst_status status =
        make_id(node->domain, node->op_type, node->overload, &id, error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t found = clconst__names_find(&functions->ids, id);
    clconst__free((uint8_t *)id.data);
    if (found == CLCONST__NONE) {
        return CLCONST_OK;
    }
    clconst__call call = {.graph = graph,
                          .node = index,
                          .function = found,
                          .first_argument = functions->argument_count,
                          .argument_count = node->attribute.count};
    status = clconst__grow(&functions->calls,
                           &functions->call_capacity,
                           functions->call_count + 1,
                           sizeof(*functions->calls),
                           error);
    if (status != CLCONST_OK) {
        return status;
    }
    functions->calls[functions->call_count++] = call;
    *function = found;
    return add_arguments(functions, &node->attribute, error);
}

/* A function on the way down, and the call that is followed next. */
typedef struct descent {
    size_t function;
    size_t next;
} descent;

typedef struct descents {
    bool *is_open;
    bool *is_done;
    descent *items;
    size_t count;
    size_t capacity;
} descents;

static clconst_status
descend(descents *path, size_t function, clconst_error *error)
{
    clconst_status status = clconst__grow(&path->items,
                                          &path->capacity,
                                          path->count + 1,
                                          sizeof(*path->items),
                                          error);
    if (status == CLCONST_OK) {
        path->is_open[function] = true;
        path->items[path->count++] = (descent){function, 0};
    }
    return status;
}

/* Follows the last function's next call, or leaves the function, which then is
 * complete. */
static clconst_status
step(clconst__functions *functions, descents *path, clconst_error *error)
{
    descent *last = &path->items[path->count - 1];
    clconst__function *function = &functions->items[last->function];
    if (last->next == function->call_count) {
        function->is_needed =
            function->is_needed || function->template_count > 0;
        path->is_open[last->function] = false;
        path->is_done[last->function] = true;
        path->count--;
        return CLCONST_OK;
    }
    size_t callee =
        functions->calls[function->first_call + last->next].function;
    if (path->is_open[callee]) {
        return clconst__fail(
            error,
            CLCONST_INVALID_MODEL,
            "function %s calls itself; functions must not be "
            "recursive",
            clconst__quote(functions->items[callee].name).text);
    }
    if (!path->is_done[callee]) {
        return descend(path, callee, error);
    }
    function->is_needed =
        function->is_needed || functions->items[callee].is_needed;
    last->next++;
    return CLCONST_OK;
}

clconst_status clconst__functions_sort(clconst__functions *functions,
                                       clconst_error *error)
{
    descents path = {.is_open = NULL};
    clconst_status status = clconst__alloc(
        functions->count, sizeof(*path.is_open), &path.is_open, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(
            functions->count, sizeof(*path.is_done), &path.is_done, error);
    }
    for (size_t i = 0; i < functions->count && status == CLCONST_OK; i++) {
        if (path.is_done[i]) {
            continue;
        }
        status = descend(&path, i, error);
        while (path.count > 0 && status == CLCONST_OK) {
            status = step(functions, &path, error);
        }
    }
    clconst__free(path.is_open);
    clconst__free(path.is_done);
    clconst__free(path.items);
    return status;
}
