#include "onnx/links.h"

#include "base/alloc.h"
#include "onnx/attribute.h"
#include "onnx/declaration.h"
#include "onnx/node.h"
#include "onnx/value.h"

clconst_status
clconst__link_add(clconst_model *model, size_t value, clconst_error *error)
{
    clconst_status status = clconst__grow(&model->links,
                                          &model->link_capacity,
                                          model->link_count + 1,
                                          sizeof(*model->links),
                                          error);
    if (status == CLCONST_OK) {
        model->links[model->link_count++] = value;
    }
    return status;
}

clconst_status clconst__links_add_names(clconst__indexing *indexing,
                                        const clconst__spans *names,
                                        clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < names->count && status == CLCONST_OK; i++) {
        status = clconst__link_add(model, CLCONST__NONE, error);
        if (status != CLCONST_OK || names->items[i].size == 0) {
            continue;
        }
        status = clconst__grow(&indexing->uses,
                               &indexing->use_capacity,
                               indexing->use_count + 1,
                               sizeof(*indexing->uses),
                               error);
        if (status == CLCONST_OK) {
            indexing->uses[indexing->use_count++] =
                (clconst__use){model->link_count - 1, names->items[i]};
        }
    }
    return status;
}

/* Looks up the names that were added. */
static clconst_status find_names(clconst__indexing *indexing,
                                 clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < indexing->use_count && status == CLCONST_OK; i++) {
        const clconst__use *use = &indexing->uses[i];
        size_t value;
        status = clconst__value_find(
            model, &indexing->names, use->name, &value, error);
        if (status == CLCONST_OK) {
            model->links[use->link] = value;
        }
    }
    indexing->use_count = 0;
    return status;
}

/* A node with bodies may read anything in them. */
static clconst_status find_reference(const clconst_model *model,
                                     const clconst__model_node *node,
                                     bool *depends,
                                     clconst_error *error)
{
    clconst__node read = {.name = {NULL, 0}};
    clconst_status status = clconst__node_read(node->bytes, &read, error);
    *depends = node->body_count > 0;
    for (size_t i = 0; i < node->input_count; i++) {
        size_t value = model->links[node->first_link + i];
        *depends = *depends || (value != CLCONST__NONE &&
                                model->values[value].depends_on_call);
    }
    for (size_t i = 0;
         i < read.attribute.count && !*depends && status == CLCONST_OK;
         i++) {
        clconst__argument argument = {.bytes = read.attribute.items[i]};
        status = clconst__argument_read(&argument, error);
        *depends = argument.reference.size > 0;
    }
    clconst__node_free(&read);
    return status;
}

/*
 * Decides which values of a function's graph, or of a graph in a function,
 * depend on its call, and with them its constants. A node that lies before one
 * that it reads from, which ONNX forbids, may seem not to.
 */
static clconst_status find_dependent(clconst_model *model,
                                     size_t graph,
                                     size_t first_constant,
                                     clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = model->graphs[graph].first_node;
         i < model->node_count && status == CLCONST_OK;
         i++) {
        const clconst__model_node *node = &model->nodes[i];
        bool depends;
        status = find_reference(model, node, &depends, error);
        for (size_t j = 0; j < node->output_count; j++) {
            size_t value =
                model->links[node->first_link + node->input_count + j];
            if (value != CLCONST__NONE && depends) {
                model->values[value].depends_on_call = true;
            }
        }
    }
    for (size_t i = first_constant; i < model->constant_count; i++) {
        clconst__constant *constant = &model->constants[i];
        if (constant->shape != CLCONST__NONE &&
            model->values[constant->shape].depends_on_call) {
            constant->depends_on_call = true;
        }
    }
    return status;
}

/* A graph's value of this name that a node defines is described by the bytes of
 * a ValueInfoProto. */
static clconst_status inform(clconst__indexing *indexing,
                             size_t first_value,
                             clconst__span information,
                             clconst_error *error)
{
    clconst__span name;
    clconst_status status =
        clconst__declaration_read_name(information, &name, error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t value = clconst__names_find(&indexing->names, name);
    if (value != CLCONST__NONE && value >= first_value &&
        indexing->model->values[value].kind == CLCONST__NODE_OUTPUT) {
        indexing->model->values[value].information = information;
    }
    return CLCONST_OK;
}

/* The graph's own outputs, as links. */
static clconst_status add_graph_outputs(clconst__indexing *indexing,
                                        const clconst__spans *outputs,
                                        bool is_function,
                                        clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst__graph *graph = &model->graphs[model->graph_count - 1];
    graph->first_link = model->link_count;
    graph->output_count = outputs->count;
    if (is_function) {
        return clconst__links_add_names(indexing, outputs, error);
    }
    clconst__spans names = {0};
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < outputs->count && status == CLCONST_OK; i++) {
        clconst__span name;
        status =
            clconst__declaration_read_name(outputs->items[i], &name, error);
        if (status == CLCONST_OK) {
            status = clconst__spans_append(&names, name, error);
        }
    }
    if (status == CLCONST_OK) {
        status = clconst__links_add_names(indexing, &names, error);
    }
    clconst__spans_free(&names);
    return status;
}

/* Lets values know what ValueInfoProtos say of them. */
static clconst_status inform_all(clconst__indexing *indexing,
                                 size_t first_value,
                                 const clconst__spans *information,
                                 clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < information->count && status == CLCONST_OK; i++) {
        status = inform(indexing, first_value, information->items[i], error);
    }
    return status;
}

static void set_shapes(clconst_model *model, size_t first_constant)
{
    for (size_t i = first_constant; i < model->constant_count; i++) {
        clconst__constant *constant = &model->constants[i];
        if (constant->node != CLCONST__NONE &&
            model->nodes[constant->node].input_count > 0) {
            constant->shape =
                model->links[model->nodes[constant->node].first_link];
        }
    }
}

clconst_status clconst__links_complete(clconst__indexing *indexing,
                                       const clconst__graph_parts *parts,
                                       size_t first_value,
                                       size_t first_constant,
                                       bool is_function,
                                       clconst_error *error)
{
    clconst_model *model = indexing->model;
    clconst_status status =
        add_graph_outputs(indexing, &parts->output, is_function, error);
    if (status == CLCONST_OK) {
        status = find_names(indexing, error);
    }
    if (status == CLCONST_OK) {
        set_shapes(model, first_constant);
    }
    /* What value_info says of an output counts more than its declaration. */
    if (status == CLCONST_OK && !is_function) {
        status = inform_all(indexing, first_value, &parts->output, error);
    }
    if (status == CLCONST_OK) {
        status = inform_all(indexing, first_value, &parts->value_info, error);
    }
    if (status == CLCONST_OK && indexing->function > 0) {
        status = find_dependent(
            model, model->graph_count - 1, first_constant, error);
    }
    return status;
}
