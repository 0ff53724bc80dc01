#include "onnx/value.h"

#include "base/alloc.h"

static clconst_status
append(clconst_model *model, const clconst__value *value, clconst_error *error)
{
    clconst_status status = clconst__grow(&model->values,
                                          &model->value_capacity,
                                          model->value_count + 1,
                                          sizeof(*model->values),
                                          error);
    if (status == CLCONST_OK) {
        clconst__value *added = &model->values[model->value_count++];
        *added = *value;
        added->default_constant = CLCONST__NONE;
    }
    return status;
}

clconst_status clconst__value_define(clconst_model *model,
                                     clconst__names *names,
                                     size_t first_value,
                                     const clconst__value *value,
                                     size_t *defined,
                                     clconst_error *error)
{
    *defined = CLCONST__NONE;
    if (value->name.size == 0) {
        return CLCONST_OK;
    }
    size_t known = clconst__names_find(names, value->name);
    if (known == CLCONST__NONE || known < first_value) {
        clconst_status status = append(model, value, error);
        if (status != CLCONST_OK) {
            return status;
        }
        *defined = model->value_count - 1;
        return clconst__names_define(names, value->name, *defined, error);
    }
    *defined = known;
    clconst__value *first = &model->values[known];
    bool is_initializer = value->kind == CLCONST__CONSTANT &&
                          model->constants[value->index].node == CLCONST__NONE;
    if (is_initializer && first->kind == CLCONST__INPUT &&
        first->default_constant == CLCONST__NONE) {
        first->default_constant = value->index;
    } else {
        first->is_duplicate = true;
    }
    return CLCONST_OK;
}

clconst_status clconst__value_find(clconst_model *model,
                                   const clconst__names *names,
                                   clconst__span name,
                                   size_t *value,
                                   clconst_error *error)
{
    size_t found = clconst__names_find(names, name);
    if (found == CLCONST__NONE) {
        found = model->value_count;
        clconst__value nowhere = {.name = name,
                                  .kind = CLCONST__NOWHERE,
                                  .graph = model->graph_count - 1,
                                  .index = CLCONST__NONE};
        clconst_status status = append(model, &nowhere, error);
        if (status != CLCONST_OK) {
            return status;
        }
    }
    *value = found;
    return CLCONST_OK;
}
