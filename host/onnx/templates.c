#include "onnx/templates.h"

#include "base/alloc.h"

clconst_status clconst__templates_find(const clconst_model *model,
                                       clconst__functions *functions,
                                       clconst__templates *templates,
                                       clconst_error *error)
{
    clconst_status status = clconst__alloc(model->constant_count,
                                           sizeof(*templates->items),
                                           &templates->items,
                                           error);
    /* Constants lie in the order of their functions. */
    for (size_t i = 0; i < model->constant_count && status == CLCONST_OK; i++) {
        const clconst__constant *constant = &model->constants[i];
        if (!constant->depends_on_call) {
            continue;
        }
        clconst__function *function = &functions->items[constant->function];
        if (function->template_count++ == 0) {
            function->first_template = templates->count;
        }
        templates->items[templates->count++] = i;
    }
    return status;
}

/* Whether a constant gives way to instances. */
static bool
is_template(const clconst_model *model, size_t index, size_t first_instance)
{
    const clconst__constant *constant = &model->constants[index];
    return index < first_instance && constant->depends_on_call &&
           model->functions.items[constant->function].is_called;
}

static void move_values(clconst_model *model, const size_t *places)
{
    for (size_t i = 0; i < model->value_count; i++) {
        clconst__value *value = &model->values[i];
        if (value->default_constant != CLCONST__NONE) {
            value->default_constant = places[value->default_constant];
        }
        if (value->kind == CLCONST__CONSTANT) {
            value->index = places[value->index];
        }
    }
}

clconst_status clconst__templates_unlist(clconst_model *model,
                                         size_t first_instance,
                                         clconst_error *error)
{
    size_t count = model->constant_count;
    size_t *places = NULL;
    clconst__constant *moved = NULL;
    clconst_status status =
        clconst__alloc(count, sizeof(*places), &places, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(count, sizeof(*moved), &moved, error);
    }
    if (status != CLCONST_OK) {
        clconst__free(places);
        return status;
    }
    size_t next = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            if (is_template(model, i, first_instance) == (pass == 1)) {
                places[i] = next;
                moved[next++] = model->constants[i];
            }
        }
        if (pass == 0) {
            model->constant_count = next;
            model->unlisted_count = count - next;
        }
    }
    move_values(model, places);
    clconst__free(places);
    clconst__free(model->constants);
    model->constants = moved;
    model->constant_capacity = count;
    return CLCONST_OK;
}

void clconst__templates_free(clconst__templates *templates)
{
    clconst__free(templates->items);
}
