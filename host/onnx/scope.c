#include "onnx/scope.h"

#include <stdio.h>

#include "base/alloc.h"
#include "onnx/node.h"

typedef struct scope_text {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    size_t limit;
} scope_text;

static clconst_status
append(scope_text *text, clconst__span bytes, clconst_error *error)
{
    if (bytes.size > text->limit - text->size) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "scopes take more than %zu bytes; they must not",
                             CLCONST__SCOPE_SIZE_MAX);
    }
    clconst_status status = clconst__grow(
        &text->bytes, &text->capacity, text->size + bytes.size, 1, error);
    if (status == CLCONST_OK && bytes.size > 0) {
        memcpy(text->bytes + text->size, bytes.data, bytes.size);
        text->size += bytes.size;
    }
    return status;
}

static clconst_status append_all(scope_text *text,
                                 const clconst__span *parts,
                                 size_t count,
                                 clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status = append(text, parts[i], error);
    }
    return status;
}

/* Hands the text over to the graph, or frees it. */
static clconst_status finish(clconst_status status,
                             scope_text *text,
                             clconst__graph *graph,
                             size_t *total)
{
    if (status != CLCONST_OK) {
        clconst__free(text->bytes);
        return status;
    }
    graph->has_scope = true;
    graph->scope = (clconst__span){text->bytes, text->size};
    *total += text->size;
    return CLCONST_OK;
}

/* A node's name, or OPTYPE_INDEX, behind a slash unless it is the first; then
 * what is behind the node. */
static clconst_status append_node(const clconst_model *model,
                                  size_t graph,
                                  size_t index,
                                  const clconst__span *rest,
                                  size_t rest_count,
                                  scope_text *text,
                                  clconst_error *error)
{
    clconst__node node = {.name = {NULL, 0}};
    clconst_status status =
        clconst__node_read(model->nodes[index].bytes, &node, error);
    if (status == CLCONST_OK) {
        char number[32] = "";
        if (node.name.size == 0) {
            size_t first = model->graphs[graph].first_node;
            snprintf(number, sizeof(number), "_%zu", index - first);
        }
        const clconst__span parts[] = {
            clconst__span_of(text->size > 0 ? "/" : ""),
            node.name.size > 0 ? node.name : node.op_type,
            clconst__span_of(number),
        };
        status =
            append_all(text, parts, sizeof(parts) / sizeof(parts[0]), error);
    }
    if (status == CLCONST_OK) {
        status = append_all(text, rest, rest_count, error);
    }
    clconst__node_free(&node);
    return status;
}

/* The piece of a path that leads from a graph's parent to the graph. */
static clconst_status append_step(const clconst_model *model,
                                  const clconst__graph *graph,
                                  scope_text *text,
                                  clconst_error *error)
{
    char position[32] = "";
    if (graph->position != CLCONST__NONE) {
        snprintf(position, sizeof(position), "[%zu]", graph->position);
    }
    const clconst__span rest[] = {
        clconst__span_of("."),
        graph->attribute,
        clconst__span_of(position),
    };
    return append_node(model,
                       graph->parent,
                       graph->node,
                       rest,
                       sizeof(rest) / sizeof(rest[0]),
                       text,
                       error);
}

/* The graphs from the given one up to the last without a scope. */
static clconst_status find_path(const clconst_model *model,
                                size_t graph,
                                size_t **path,
                                size_t *count,
                                clconst_error *error)
{
    size_t *found = NULL;
    size_t found_count = 0;
    size_t capacity = 0;
    for (; !model->graphs[graph].has_scope;
         graph = model->graphs[graph].parent) {
        clconst_status status = clconst__grow(
            &found, &capacity, found_count + 1, sizeof(*found), error);
        if (status != CLCONST_OK) {
            clconst__free(found);
            return status;
        }
        found[found_count++] = graph;
    }
    *path = found;
    *count = found_count;
    return CLCONST_OK;
}

clconst_status clconst__scope_make(clconst_model *model,
                                   size_t graph,
                                   size_t *total,
                                   clconst_error *error)
{
    if (model->graphs[graph].has_scope) {
        return CLCONST_OK;
    }
    size_t *path;
    size_t count;
    clconst_status status = find_path(model, graph, &path, &count, error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t outer = model->graphs[path[count - 1]].parent;
    scope_text text = {.limit = CLCONST__SCOPE_SIZE_MAX - *total};
    status = append(&text, model->graphs[outer].scope, error);
    for (size_t i = count; i > 0 && status == CLCONST_OK; i--) {
        status = append_step(model, &model->graphs[path[i - 1]], &text, error);
    }
    clconst__free(path);
    return finish(status, &text, &model->graphs[graph], total);
}

clconst_status clconst__scope_make_function(clconst_model *model,
                                            size_t graph,
                                            clconst__span domain,
                                            clconst__span name,
                                            clconst__span overload,
                                            size_t *total,
                                            clconst_error *error)
{
    scope_text text = {.limit = CLCONST__SCOPE_SIZE_MAX - *total};
    const clconst__span parts[] = {
        domain,
        clconst__span_of("."),
        name,
        clconst__span_of(overload.size > 0 ? "." : ""),
        overload,
    };
    clconst_status status =
        append_all(&text, parts, sizeof(parts) / sizeof(parts[0]), error);
    return finish(status, &text, &model->graphs[graph], total);
}

clconst_status clconst__scope_make_call(clconst_model *model,
                                        clconst__span prefix,
                                        size_t graph,
                                        size_t node,
                                        size_t *total,
                                        clconst__span *text,
                                        clconst_error *error)
{
    clconst_status status = clconst__scope_make(model, graph, total, error);
    if (status != CLCONST_OK) {
        return status;
    }
    scope_text made = {.limit = CLCONST__SCOPE_SIZE_MAX - *total};
    const clconst__span before[] = {prefix, model->graphs[graph].scope};
    const clconst__span colon = clconst__span_of(":");
    status = append_all(&made, before, 2, error);
    if (status == CLCONST_OK) {
        status = append_node(model, graph, node, &colon, 1, &made, error);
    }
    clconst__graph holder = {.has_scope = false};
    status = finish(status, &made, &holder, total);
    *text = holder.scope;
    return status;
}

clconst_status clconst__scope_make_instance(clconst_model *model,
                                            size_t graph,
                                            clconst__span prefix,
                                            size_t source,
                                            size_t *total,
                                            clconst_error *error)
{
    clconst_status status = clconst__scope_make(model, source, total, error);
    scope_text text = {.limit = CLCONST__SCOPE_SIZE_MAX - *total};
    const clconst__span parts[] = {prefix, model->graphs[source].scope};
    if (status == CLCONST_OK) {
        status = append_all(&text, parts, 2, error);
    }
    return finish(status, &text, &model->graphs[graph], total);
}
