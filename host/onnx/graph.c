#include "onnx/graph.h"

#include "base/alloc.h"
#include "onnx.pb.h"
#include "onnx/attribute.h"
#include "onnx/constant.h"
#include "onnx/decode.h"
#include "onnx/links.h"
#include "onnx/value.h"

#define PART(name)                                                             \
    CLCONST__FIELD(GraphProto,                                                 \
                   clconst__graph_parts,                                       \
                   name,                                                       \
                   PB_WT_STRING,                                               \
                   clconst__take_spans)

static const clconst__field fields[] = {
    PART(node),
    PART(initializer),
    PART(sparse_initializer),
    PART(input),
    PART(output),
    PART(value_info),
};

static const clconst__message graph_message =
    CLCONST__MESSAGE(GraphProto, fields);

clconst_status clconst__graph_read(clconst__span bytes,
                                   clconst__graph_parts *parts,
                                   clconst_error *error)
{
    onnx_GraphProto proto = onnx_GraphProto_init_zero;
    return clconst__message_read(&graph_message, bytes, &proto, parts, error);
}

void clconst__graph_parts_free(clconst__graph_parts *parts)
{
    clconst__spans_free(&parts->node);
    clconst__spans_free(&parts->initializer);
    clconst__spans_free(&parts->sparse_initializer);
    clconst__spans_free(&parts->input);
    clconst__spans_free(&parts->output);
    clconst__spans_free(&parts->value_info);
}

/* The graph that is entered, and where what it adds begins. */
typedef struct graph_entry {
    clconst__indexing *indexing;
    clconst_model *model;
    size_t graph;
    size_t first_value;
    size_t first_constant;
} graph_entry;

/* Lets a name of the graph stand for a value. */
static clconst_status define(graph_entry *entry,
                             clconst__span name,
                             clconst__value_kind kind,
                             size_t index,
                             size_t *defined,
                             clconst_error *error)
{
    bool is_input = kind == CLCONST__INPUT || kind == CLCONST__FUNCTION_INPUT;
    clconst__value value = {.name = name,
                            .kind = kind,
                            .depends_on_call =
                                is_input && entry->indexing->function > 0,
                            .graph = entry->graph,
                            .index = index};
    return clconst__value_define(entry->model,
                                 &entry->indexing->names,
                                 entry->first_value,
                                 &value,
                                 defined,
                                 error);
}

static clconst_status add_input(graph_entry *entry,
                                clconst__span bytes,
                                size_t *value,
                                clconst_error *error)
{
    clconst_model *model = entry->model;
    clconst_status status = clconst__grow(&model->inputs,
                                          &model->input_capacity,
                                          model->all_input_count + 1,
                                          sizeof(*model->inputs),
                                          error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t index = model->all_input_count++;
    clconst__declaration *input = &model->inputs[index];
    memset(input, 0, sizeof(*input));
    status = clconst__declaration_read(bytes, input, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return define(entry, input->name, CLCONST__INPUT, index, value, error);
}

static clconst_status add_inputs(graph_entry *entry,
                                 const clconst__spans *inputs,
                                 bool is_function,
                                 clconst_error *error)
{
    clconst_model *model = entry->model;
    model->graphs[entry->graph].first_input = model->link_count;
    model->graphs[entry->graph].input_count = inputs->count;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < inputs->count && status == CLCONST_OK; i++) {
        size_t value;
        status = is_function
                     ? define(entry,
                              inputs->items[i],
                              CLCONST__FUNCTION_INPUT,
                              i,
                              &value,
                              error)
                     : add_input(entry, inputs->items[i], &value, error);
        if (status == CLCONST_OK) {
            status = clconst__link_add(model, value, error);
        }
    }
    return status;
}

typedef clconst_status (*add_function)(clconst__indexing *indexing,
                                       size_t graph,
                                       clconst__span bytes,
                                       clconst_error *error);

static clconst_status add_initializers(graph_entry *entry,
                                       const clconst__spans *initializers,
                                       add_function add,
                                       clconst_error *error)
{
    clconst_model *model = entry->model;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < initializers->count && status == CLCONST_OK; i++) {
        status =
            add(entry->indexing, entry->graph, initializers->items[i], error);
        if (status == CLCONST_OK) {
            size_t index = model->constant_count - 1;
            size_t defined;
            status = define(entry,
                            model->constants[index].name,
                            CLCONST__CONSTANT,
                            index,
                            &defined,
                            error);
        }
    }
    return status;
}

/* A node has one or two. The node is read again for each of its bodies, so that
 * without a limit a small file could ask for any amount of work. */
enum { BODIES_MAX = 256 };

/* Queues a body of a node, to be visited when the graph is complete. */
static clconst_status add_child(graph_entry *entry,
                                size_t node,
                                clconst__span attribute,
                                size_t position,
                                clconst__span body,
                                clconst_error *error)
{
    clconst__visits *children = &entry->indexing->children;
    if (entry->model->nodes[node].body_count++ == BODIES_MAX) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "a node has more than %d graphs; it must not",
                             BODIES_MAX);
    }
    clconst_status status = clconst__grow(&children->items,
                                          &children->capacity,
                                          children->count + 1,
                                          sizeof(*children->items),
                                          error);
    if (status == CLCONST_OK) {
        children->items[children->count++] =
            (clconst__visit){.body = body,
                             .graph = {.parent = entry->graph,
                                       .node = node,
                                       .attribute = attribute,
                                       .position = position}};
    }
    return status;
}

static clconst_status add_children(graph_entry *entry,
                                   size_t node,
                                   clconst__span attribute,
                                   clconst_error *error)
{
    clconst__bodies bodies = {0};
    clconst_status status = clconst__bodies_read(attribute, &bodies, error);
    if (status == CLCONST_OK && bodies.g.data != NULL) {
        status =
            add_child(entry, node, bodies.name, CLCONST__NONE, bodies.g, error);
    }
    for (size_t i = 0; i < bodies.graphs.count && status == CLCONST_OK; i++) {
        status = add_child(
            entry, node, bodies.name, i, bodies.graphs.items[i], error);
    }
    clconst__spans_free(&bodies.graphs);
    return status;
}

static clconst_status add_bodies(graph_entry *entry,
                                 size_t index,
                                 const clconst__spans *attributes,
                                 clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < attributes->count && status == CLCONST_OK; i++) {
        status = add_children(entry, index, attributes->items[i], error);
    }
    return status;
}

static clconst_status add_outputs(graph_entry *entry,
                                  size_t index,
                                  const clconst__spans *names,
                                  bool is_constant,
                                  clconst_error *error)
{
    clconst_model *model = entry->model;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < names->count && status == CLCONST_OK; i++) {
        bool is_value = is_constant && i == 0;
        size_t value;
        status = define(entry,
                        names->items[i],
                        is_value ? CLCONST__CONSTANT : CLCONST__NODE_OUTPUT,
                        is_value ? model->constant_count - 1 : index,
                        &value,
                        error);
        if (status == CLCONST_OK) {
            status = clconst__link_add(model, value, error);
        }
    }
    return status;
}

/* What a node that was read adds: its constant, its values and its bodies. */
static clconst_status add_parts(graph_entry *entry,
                                size_t index,
                                const clconst__node *node,
                                clconst_error *error)
{
    clconst_model *model = entry->model;
    clconst__model_node *added = &model->nodes[index];
    added->input_count = node->input.count;
    added->output_count = node->output.count;
    clconst_op_kind kind;
    bool is_constant = clconst__node_is_constant(node, &kind);
    clconst_status status =
        is_constant
            ? clconst__constant_add_node(
                  entry->indexing, entry->graph, index, node, kind, error)
            : clconst__functions_add_call(&model->functions,
                                          entry->graph,
                                          index,
                                          node,
                                          &added->function,
                                          error);
    if (!is_constant && entry->graph == CLCONST__MAIN_GRAPH) {
        model->foreign_node_count++;
    }
    if (status == CLCONST_OK) {
        status = clconst__links_add_names(entry->indexing, &node->input, error);
    }
    if (status == CLCONST_OK) {
        status = add_outputs(entry, index, &node->output, is_constant, error);
    }
    if (status == CLCONST_OK) {
        status = add_bodies(entry, index, &node->attribute, error);
    }
    return status;
}

static clconst_status
add_node(graph_entry *entry, clconst__span bytes, clconst_error *error)
{
    clconst_model *model = entry->model;
    clconst_status status = clconst__grow(&model->nodes,
                                          &model->node_capacity,
                                          model->node_count + 1,
                                          sizeof(*model->nodes),
                                          error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t index = model->node_count++;
    model->nodes[index] = (clconst__model_node){.bytes = bytes,
                                                .graph = entry->graph,
                                                .first_link = model->link_count,
                                                .first_body = CLCONST__NONE};
    clconst__node node = {0};
    status = clconst__node_read(bytes, &node, error);
    if (status == CLCONST_OK) {
        status = add_parts(entry, index, &node, error);
    }
    clconst__node_free(&node);
    return status;
}

static clconst_status
add_output(graph_entry *entry, clconst__span bytes, clconst_error *error)
{
    clconst_model *model = entry->model;
    clconst_status status = clconst__grow(&model->outputs,
                                          &model->output_capacity,
                                          model->output_count + 1,
                                          sizeof(*model->outputs),
                                          error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__model_output *output = &model->outputs[model->output_count++];
    memset(output, 0, sizeof(*output));
    status = clconst__declaration_read(bytes, &output->declaration, error);
    if (status == CLCONST_OK) {
        status = clconst__value_find(model,
                                     &entry->indexing->names,
                                     output->declaration.name,
                                     &output->value,
                                     error);
    }
    return status;
}

/* Names must be unique in a graph (IR.md, "Names Within a Graph"), so none of
 * the constants that share one can be told from the others. */
static clconst_status refuse_duplicates(graph_entry *entry,
                                        clconst_error *error)
{
    clconst_model *model = entry->model;
    clconst_status status = CLCONST_OK;
    for (size_t i = entry->first_constant;
         i < model->constant_count && status == CLCONST_OK;
         i++) {
        clconst__constant *constant = &model->constants[i];
        size_t value =
            clconst__names_find(&entry->indexing->names, constant->name);
        if (constant->name.size > 0 && model->values[value].is_duplicate) {
            status = clconst__constant_invalidate(
                constant,
                "name is defined twice in its graph; it must be unique",
                error);
        }
    }
    return status;
}

clconst_status clconst__graph_enter(clconst__indexing *indexing,
                                    const clconst__graph_parts *parts,
                                    bool is_function,
                                    clconst_error *error)
{
    clconst_model *model = indexing->model;
    graph_entry entry = {.indexing = indexing,
                         .model = model,
                         .graph = model->graph_count - 1,
                         .first_value = model->value_count,
                         .first_constant = model->constant_count};
    bool is_main = entry.graph == 0;
    clconst_status status =
        add_inputs(&entry, &parts->input, is_function, error);
    if (is_main) {
        model->input_count = model->all_input_count;
    }
    if (status == CLCONST_OK) {
        status = add_initializers(
            &entry, &parts->initializer, clconst__constant_add_tensor, error);
    }
    if (status == CLCONST_OK) {
        status = add_initializers(&entry,
                                  &parts->sparse_initializer,
                                  clconst__constant_add_sparse,
                                  error);
    }
    for (size_t i = 0; i < parts->node.count && status == CLCONST_OK; i++) {
        status = add_node(&entry, parts->node.items[i], error);
    }
    if (status == CLCONST_OK) {
        status = clconst__links_complete(indexing,
                                         parts,
                                         entry.first_value,
                                         entry.first_constant,
                                         is_function,
                                         error);
    }
    for (size_t i = 0;
         i < parts->output.count && is_main && status == CLCONST_OK;
         i++) {
        status = add_output(&entry, parts->output.items[i], error);
    }
    if (status == CLCONST_OK) {
        status = refuse_duplicates(&entry, error);
    }
    return status;
}
