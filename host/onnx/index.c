#include "onnx/index.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "onnx.pb.h"
#include "onnx/decode.h"
#include "onnx/graph.h"
#include "onnx/imports.h"
#include "onnx/instances.h"
#include "onnx/schema.h"
#include "onnx/scope.h"

typedef struct model_parts {
    clconst__span graph;
    clconst__spans opset_import;
    clconst__spans functions;
    bool has_ir_version;
    int64_t ir_version;
} model_parts;

static const clconst__field model_fields[] = {
    CLCONST__FIELD(
        ModelProto, model_parts, graph, PB_WT_STRING, clconst__take_span),
    CLCONST__FIELD(ModelProto,
                   model_parts,
                   opset_import,
                   PB_WT_STRING,
                   clconst__take_spans),
    CLCONST__FIELD(
        ModelProto, model_parts, functions, PB_WT_STRING, clconst__take_spans),
};

static const clconst__message model_message =
    CLCONST__MESSAGE(ModelProto, model_fields);

typedef struct function_parts {
    clconst__spans input;
    clconst__spans output;
    clconst__spans node;
    clconst__spans opset_import;
    clconst__span name;
    clconst__span domain;
    clconst__span overload;
} function_parts;

#define PART(name, take)                                                       \
    CLCONST__FIELD(FunctionProto, function_parts, name, PB_WT_STRING, take)

static const clconst__field function_fields[] = {
    PART(input, clconst__take_spans),
    PART(output, clconst__take_spans),
    PART(node, clconst__take_spans),
    PART(opset_import, clconst__take_spans),
    PART(name, clconst__take_span),
    PART(domain, clconst__take_span),
    PART(overload, clconst__take_span),
};

static const clconst__message function_message =
    CLCONST__MESSAGE(FunctionProto, function_fields);

static clconst_status
push(clconst__visits *visits, const clconst__visit *visit, clconst_error *error)
{
    clconst_status status = clconst__grow(&visits->items,
                                          &visits->capacity,
                                          visits->count + 1,
                                          sizeof(*visits->items),
                                          error);
    if (status == CLCONST_OK) {
        visits->items[visits->count++] = *visit;
    }
    return status;
}

static clconst_status append_graph(clconst__indexing *indexing,
                                   const clconst__graph *graph,
                                   clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst_status status = clconst__grow(&model->graphs,
                                          &model->graph_capacity,
                                          model->graph_count + 1,
                                          sizeof(*model->graphs),
                                          error);
    if (status == CLCONST_OK) {
        clconst__graph *added = &model->graphs[model->graph_count];
        *added = *graph;
        added->first_node = model->node_count;
        added->source = CLCONST__NONE;
        added->chain = CLCONST__NONE;
        added->next_body = CLCONST__NONE;
        added->function = indexing->function;
        if (graph->node != CLCONST__NONE) {
            clconst__model_node *node = &model->nodes[graph->node];
            added->next_body = node->first_body;
            node->first_body = model->graph_count;
        }
        model->graph_count++;
    }
    return status;
}

/* Enters the model's last graph, and queues its bodies so that the first comes
 * next and the graph is left behind the last. */
static clconst_status enter(clconst__indexing *indexing,
                            const clconst__graph_parts *parts,
                            bool is_function,
                            clconst_error *error)
{
    clconst__visits *children = &indexing->children;
    clconst__visit leave = {.mark = clconst__names_mark(&indexing->names)};
    clconst_status status =
        clconst__graph_enter(indexing, parts, is_function, error);
    if (status == CLCONST_OK) {
        status = push(&indexing->work, &leave, error);
    }
    while (children->count > 0 && status == CLCONST_OK) {
        status =
            push(&indexing->work, &children->items[--children->count], error);
    }
    return status;
}

static clconst_status enter_body(clconst__indexing *indexing,
                                 const clconst__visit *visit,
                                 clconst_error *error)
{
    clconst__graph_parts parts = {0};
    clconst_status status = append_graph(indexing, &visit->graph, error);
    if (status == CLCONST_OK) {
        status = clconst__graph_read(visit->body, &parts, error);
    }
    if (status == CLCONST_OK) {
        status = enter(indexing, &parts, false, error);
    }
    clconst__graph_parts_free(&parts);
    return status;
}

static clconst_status visit_all(clconst__indexing *indexing,
                                clconst_error *error)
{
    clconst__visits *work = &indexing->work;
    clconst_status status = CLCONST_OK;
    while (work->count > 0 && status == CLCONST_OK) {
        clconst__visit visit = work->items[--work->count];
        if (visit.body.data != NULL) {
            status = enter_body(indexing, &visit, error);
        } else {
            clconst__names_rewind(&indexing->names, visit.mark);
        }
    }
    return status;
}

static const clconst__graph root = {.parent = CLCONST__NONE,
                                    .node = CLCONST__NONE,
                                    .position = CLCONST__NONE,
                                    .has_scope = true};

static clconst_status visit_main_graph(clconst__indexing *indexing,
                                       clconst__span body,
                                       clconst_error *error)
{
    clconst__visit visit = {.body = body, .graph = root};
    clconst_status status = push(&indexing->work, &visit, error);
    if (status == CLCONST_OK) {
        status = visit_all(indexing, error);
    }
    return status;
}

static clconst_status visit_function_parts(clconst__indexing *indexing,
                                           const function_parts *parts,
                                           clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst__graph_parts graph = {
        .node = parts->node, .input = parts->input, .output = parts->output};
    clconst_status status = clconst__imports_read(
        &parts->opset_import, &indexing->context.opset, error);
    if (status == CLCONST_OK) {
        status = clconst__opset_check(&indexing->context, error);
    }
    if (status == CLCONST_OK) {
        status = append_graph(indexing, &root, error);
    }
    if (status == CLCONST_OK) {
        model->functions.items[indexing->function].graph =
            model->graph_count - 1;
        status = clconst__scope_make_function(model,
                                              model->graph_count - 1,
                                              parts->domain,
                                              parts->name,
                                              parts->overload,
                                              &indexing->scope_size,
                                              error);
    }
    if (status == CLCONST_OK) {
        status = enter(indexing, &graph, true, error);
    }
    if (status == CLCONST_OK) {
        status = visit_all(indexing, error);
    }
    return status;
}

static clconst_status visit_function(clconst__indexing *indexing,
                                     clconst__span bytes,
                                     clconst_error *error)
{
    onnx_FunctionProto proto = onnx_FunctionProto_init_zero;
    function_parts parts = {0};
    clconst_status status =
        clconst__message_read(&function_message, bytes, &proto, &parts, error);
    if (status == CLCONST_OK) {
        status = visit_function_parts(indexing, &parts, error);
    }
    clconst__spans_free(&parts.input);
    clconst__spans_free(&parts.output);
    clconst__spans_free(&parts.node);
    clconst__spans_free(&parts.opset_import);
    return status;
}

static clconst_status
read_parts(clconst__span bytes, model_parts *parts, clconst_error *error)
{
    onnx_ModelProto proto = onnx_ModelProto_init_zero;
    clconst_status status =
        clconst__message_read(&model_message, bytes, &proto, parts, error);
    parts->has_ir_version = proto.has_ir_version;
    parts->ir_version = proto.ir_version;
    if (status == CLCONST_OK && parts->graph.data == NULL) {
        status = clconst__fail(error,
                               CLCONST_INVALID_MODEL,
                               "model has no graph; it must have one");
    }
    return status;
}

/* From IR version 3 on a model must import opsets; before, it is opset 1. */
static clconst_status check_versions(clconst__indexing *indexing,
                                     const model_parts *parts,
                                     clconst_error *error)
{
    clconst__context *context = &indexing->context;
    if (!parts->has_ir_version || parts->ir_version < 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "ir_version is %" PRId64 "; it must be >= 1",
                             parts->ir_version);
    }
    clconst_status status =
        clconst__imports_read(&parts->opset_import, &context->opset, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (context->opset == 0 && parts->ir_version < 3) {
        context->opset = 1;
    }
    if (context->opset == 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "model imports no opset of the default domain; "
                             "it must import one");
    }
    indexing->model->ir_version = parts->ir_version;
    indexing->model->opset = context->opset;
    if (parts->ir_version > CLCONST__IR_VERSION_NEWEST) {
        status = clconst__novelty(context,
                                  CLCONST_NOTE_VERSION,
                                  error,
                                  "ir_version is %" PRId64
                                  "; the newest known is %d",
                                  parts->ir_version,
                                  CLCONST__IR_VERSION_NEWEST);
    }
    if (status == CLCONST_OK) {
        status = clconst__opset_check(context, error);
    }
    return status;
}

/* The calls of a function, or of the main graph, are those that its visit
 * adds. */
static clconst_status visit_counted(clconst__indexing *indexing,
                                    size_t function,
                                    clconst__span bytes,
                                    clconst_error *error)
{
    clconst__functions *functions = &indexing->model->functions;
    size_t first_call = functions->call_count;
    indexing->function = function;
    indexing->context.is_in_function = function > 0;
    clconst_status status = function > 0
                                ? visit_function(indexing, bytes, error)
                                : visit_main_graph(indexing, bytes, error);
    clconst__function *visited = &functions->items[function];
    visited->opset = indexing->context.opset;
    visited->first_call = first_call;
    visited->call_count = functions->call_count - first_call;
    return status;
}

static clconst_status visit_model(clconst__indexing *indexing,
                                  const model_parts *parts,
                                  clconst_error *error)
{
    const clconst__spans *functions = &parts->functions;
    clconst_status status = check_versions(indexing, parts, error);
    for (size_t i = 0; i < functions->count && status == CLCONST_OK; i++) {
        status = clconst__functions_add(
            &indexing->model->functions, functions->items[i], error);
    }
    if (status == CLCONST_OK) {
        status = visit_counted(indexing, 0, parts->graph, error);
    }
    for (size_t i = 0; i < functions->count && status == CLCONST_OK; i++) {
        status = visit_counted(indexing, i + 1, functions->items[i], error);
    }
    if (status == CLCONST_OK && functions->count > 0) {
        status = clconst__instances_make(indexing, error);
    }
    return status;
}

clconst_status clconst__index_model(clconst_model *model,
                                    clconst__span bytes,
                                    const clconst__context *context,
                                    clconst_error *error)
{
    model_parts parts = {0};
    clconst__indexing indexing = {.model = model, .context = *context};
    clconst__names_init(&indexing.names);
    clconst_status status = clconst__functions_init(&model->functions, error);
    if (status == CLCONST_OK) {
        status = read_parts(bytes, &parts, error);
    }
    if (status == CLCONST_OK) {
        status = visit_model(&indexing, &parts, error);
    }
    clconst__names_free(&indexing.names);
    clconst__free(indexing.work.items);
    clconst__free(indexing.children.items);
    clconst__free(indexing.uses);
    clconst__spans_free(&parts.opset_import);
    clconst__spans_free(&parts.functions);
    return status;
}
