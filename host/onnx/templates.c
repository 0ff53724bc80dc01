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
    if (status == CLCONST_OK) {
        status = clconst__alloc(model->constant_count,
                                sizeof(*templates->latest),
                                &templates->latest,
                                error);
    }
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

/* Lets a value point to the constant's new place. A template's value, which
 * only other templates used, is nowhere. */
static void move_value(clconst__value *value,
                       const size_t *places,
                       size_t first_instance,
                       size_t dropped)
{
    if (value->default_constant != CLCONST__NONE) {
        value->default_constant = places[value->default_constant];
    }
    if (value->kind != CLCONST__CONSTANT) {
        return;
    }
    value->index = value->index < first_instance ? places[value->index]
                                                 : value->index - dropped;
    if (value->index == CLCONST__NONE) {
        value->kind = CLCONST__NOWHERE;
    }
}

static void move_values(clconst_model *model,
                        const size_t *places,
                        size_t first_instance,
                        size_t dropped)
{
    for (size_t i = 0; i < model->value_count; i++) {
        move_value(&model->values[i], places, first_instance, dropped);
    }
}

void clconst__templates_drop(clconst_model *model,
                             const clconst__functions *functions,
                             size_t first_instance,
                             clconst__templates *templates)
{
    size_t *places = templates->latest;
    size_t kept = 0;
    for (size_t i = 0; i < model->constant_count; i++) {
        clconst__constant *constant = &model->constants[i];
        bool is_dropped = i < first_instance && constant->depends_on_call &&
                          functions->items[constant->function].is_called;
        if (i < first_instance) {
            places[i] = is_dropped ? CLCONST__NONE : kept;
        }
        if (is_dropped) {
            clconst__content_clear(&constant->content);
            clconst__free(constant->reason);
        } else {
            model->constants[kept++] = *constant;
        }
    }
    move_values(model, places, first_instance, model->constant_count - kept);
    model->constant_count = kept;
}

void clconst__templates_free(clconst__templates *templates)
{
    clconst__free(templates->items);
    clconst__free(templates->latest);
}
