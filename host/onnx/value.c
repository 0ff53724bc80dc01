#include "onnx/value.h"

#include "base/alloc.h"

static clconst_status append(clconst_model *model,
                             clconst__span name,
                             clconst__value_kind kind,
                             size_t index,
                             clconst_error *error)
{
    clconst_status status = clconst__grow(&model->values,
                                          &model->value_capacity,
                                          model->value_count + 1,
                                          sizeof(*model->values),
                                          error);
    if (status == CLCONST_OK) {
        model->values[model->value_count++] =
            (clconst__value){.name = name,
                             .kind = kind,
                             .index = index,
                             .default_constant = CLCONST__NONE};
    }
    return status;
}

clconst_status clconst__value_define(clconst_model *model,
                                     clconst__names *names,
                                     size_t first_value,
                                     clconst__span name,
                                     clconst__value_kind kind,
                                     size_t index,
                                     clconst_error *error)
{
    if (name.size == 0) {
        return CLCONST_OK;
    }
    size_t known = clconst__names_find(names, name);
    if (known == CLCONST__NONE || known < first_value) {
        clconst_status status = append(model, name, kind, index, error);
        if (status != CLCONST_OK) {
            return status;
        }
        return clconst__names_define(
            names, name, model->value_count - 1, error);
    }
    clconst__value *value = &model->values[known];
    bool is_initializer = kind == CLCONST__CONSTANT &&
                          model->constants[index].node == CLCONST__NONE;
    if (is_initializer && value->kind == CLCONST__INPUT &&
        value->default_constant == CLCONST__NONE) {
        value->default_constant = index;
    } else {
        value->is_duplicate = true;
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
        clconst_status status =
            append(model, name, CLCONST__NOWHERE, CLCONST__NONE, error);
        if (status != CLCONST_OK) {
            return status;
        }
    }
    *value = found;
    return CLCONST_OK;
}
