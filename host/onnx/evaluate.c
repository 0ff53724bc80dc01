#include "onnx/evaluate.h"

#include "core/op.h"
#include "onnx/node.h"
#include "onnx/quote.h"

/* A value that a node computes. */
static clconst_status fail_computed(const clconst_model *model,
                                    const clconst__value *value,
                                    size_t index,
                                    const char *role,
                                    clconst_error *error)
{
    clconst__node node = {0};
    clconst_status status =
        clconst__node_read(model->nodes[index].bytes, &node, error);
    if (status == CLCONST_OK) {
        status = clconst__fail(error,
                               CLCONST_UNSUPPORTED,
                               "%s %s is computed by node %s (%s)",
                               role,
                               clconst__quote(value->name).text,
                               clconst__quote(node.name).text,
                               clconst__escape(node.op_type).text);
    }
    clconst__node_free(&node);
    return status;
}

/* A value that a constant of the listing makes. */
static clconst_status use_constant(const clconst_model *model,
                                   const clconst__value *value,
                                   size_t index,
                                   const char *role,
                                   const clconst_op **op,
                                   clconst_error *error)
{
    const clconst__constant *constant = &model->constants[index];
    if (constant->status != CLCONST_OK) {
        return clconst__fail(error,
                             constant->status,
                             "%s %s is a constant without a value: %s",
                             role,
                             clconst__quote(value->name).text,
                             constant->reason);
    }
    if (constant->content.op->kind == CLCONST_OP_CONSTANT_OF_SHAPE) {
        return fail_computed(model, value, constant->node, role, error);
    }
    *op = constant->content.op;
    return CLCONST_OK;
}

static clconst_status use_input(const clconst__evaluation *evaluation,
                                const clconst__value *value,
                                const char *role,
                                const clconst_op **op,
                                clconst_error *error)
{
    const clconst_model *model = evaluation->model;
    clconst__quoted name = clconst__quote(value->name);
    if (value->index >= model->input_count) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "%s %s is an input of a subgraph",
                             role,
                             name.text);
    }
    clconst__binding *binding = &evaluation->bindings[value->index];
    if (binding->op != NULL) {
        clconst_status status = clconst__binding_copy(binding, error);
        *op = binding->op;
        return status;
    }
    if (value->default_constant != CLCONST__NONE) {
        return use_constant(
            model, value, value->default_constant, role, op, error);
    }
    return clconst__fail(error,
                         CLCONST_UNSUPPORTED,
                         "%s %s is an input without a value",
                         role,
                         name.text);
}

clconst_status clconst__evaluate(const clconst__evaluation *evaluation,
                                 size_t value,
                                 const char *role,
                                 const clconst_op **op,
                                 clconst_error *error)
{
    const clconst_model *model = evaluation->model;
    const clconst__value *found = &model->values[value];
    clconst__quoted name = clconst__quote(found->name);
    if (found->is_duplicate) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s %s is defined twice; names are unique",
                             role,
                             name.text);
    }
    switch (found->kind) {
    case CLCONST__INPUT:
        return use_input(evaluation, found, role, op, error);
    case CLCONST__FUNCTION_INPUT:
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "%s %s is an input of a function",
                             role,
                             name.text);
    case CLCONST__CONSTANT:
        return use_constant(model, found, found->index, role, op, error);
    case CLCONST__NODE_OUTPUT:
        return fail_computed(model, found, found->index, role, error);
    case CLCONST__NOWHERE:
        break;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "%s %s is defined nowhere",
                         role,
                         name.text);
}
