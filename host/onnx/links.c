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

clconst_status clconst__links_find(clconst__indexing *indexing,
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
    *depends = node->has_bodies;
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

clconst_status clconst__links_depend(clconst_model *model,
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

clconst_status clconst__links_inform(clconst__indexing *indexing,
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
