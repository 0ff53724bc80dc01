#include <inttypes.h>

#include "base/alloc.h"
#include "onnx/fold/calls.h"
#include "onnx/fold/folding.h"
#include "onnx/fold/turns.h"

/* A folding that has nothing but the node's attributes. */
static clconst_status read_attributes(clconst__fold *fold,
                                      clconst__frame *frame,
                                      size_t node,
                                      clconst__folding *folding,
                                      clconst__argument **attributes,
                                      clconst_error *error)
{
    clconst__node read = {.name = {NULL, 0}};
    bool is_open = false;
    clconst_status status =
        clconst__node_read(fold->model->nodes[node].bytes, &read, error);
    *folding =
        (clconst__folding){.opset = clconst__calls_function(fold, frame)->opset,
                           .budget = &fold->budget};
    *attributes = NULL;
    if (status == CLCONST_OK) {
        status = clconst__calls_attributes(fold,
                                           frame,
                                           &read,
                                           attributes,
                                           &folding->attribute_count,
                                           &is_open,
                                           error);
    }
    folding->attributes = *attributes;
    clconst__node_free(&read);
    if (status == CLCONST_OK && is_open) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "a loop of which each call decides an attribute");
    }
    return status;
}

clconst_status clconst__layout_axes(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    const char *attribute,
                                    size_t count,
                                    int64_t **axes,
                                    clconst_error *error)
{
    clconst__folding folding;
    clconst__argument *attributes;
    int64_t *items = NULL;
    size_t item_count = 0;
    clconst_status status =
        read_attributes(fold, frame, node, &folding, &attributes, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_ints(
            &folding, attribute, &items, &item_count, error);
    }
    if (status == CLCONST_OK && items != NULL && item_count != count) {
        status = clconst__fail(error,
                               CLCONST_INVALID_MODEL,
                               "%s has %zu entries; it must have %zu",
                               attribute,
                               item_count,
                               count);
    }
    if (status == CLCONST_OK) {
        status = clconst__alloc(count, sizeof(**axes), axes, error);
    }
    if (status == CLCONST_OK && items != NULL && count > 0) {
        memcpy(*axes, items, count * sizeof(**axes));
    }
    clconst__folding_free_scratch(&folding);
    clconst__free(attributes);
    return status;
}

static clconst_status read_scan_count(clconst__fold *fold,
                                      clconst__frame *frame,
                                      size_t node,
                                      size_t *count,
                                      clconst_error *error)
{
    clconst__folding folding;
    clconst__argument *attributes;
    int64_t value = 0;
    clconst_status status =
        read_attributes(fold, frame, node, &folding, &attributes, error);
    if (status == CLCONST_OK) {
        status =
            clconst__folding_int(&folding, "num_scan_inputs", 0, &value, error);
    }
    size_t inputs = fold->model->nodes[node].input_count;
    if (status == CLCONST_OK && folding.opset < 9) {
        status = clconst__fail(
            error, CLCONST_UNSUPPORTED, "a Scan of an opset below 9");
    }
    if (status == CLCONST_OK && (value < 1 || (uint64_t)value > inputs)) {
        status = clconst__fail(error,
                               CLCONST_INVALID_MODEL,
                               "num_scan_inputs is %" PRId64
                               " of %zu inputs; it must be in [1, inputs]",
                               value,
                               inputs);
    }
    *count = (size_t)value;
    clconst__free(attributes);
    return status;
}

clconst_status clconst__layout_read(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    clconst__layout *layout,
                                    clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    clconst_status status =
        clconst__blocks_kind(fold, node, &layout->kind, error);
    bool is_loop = layout->kind == CLCONST__BLOCK_LOOP;
    size_t scanned = 0;
    if (status == CLCONST_OK && !is_loop) {
        status = read_scan_count(fold, frame, node, &scanned, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    layout->first_input = is_loop ? 2 : 0;
    layout->body_input = is_loop ? 2 : 0;
    layout->body_output = is_loop ? 1 : 0;
    layout->graph = clconst__blocks_find(fold, node, "body");
    size_t other = is_loop ? layout->first_input : scanned;
    layout->carried_count =
        entry->input_count > other ? entry->input_count - other : 0;
    if (layout->graph == CLCONST__NONE) {
        return clconst__fail(
            error, CLCONST_INVALID_MODEL, "a loop has no body");
    }
    const clconst__graph *graph = &fold->model->graphs[layout->graph];
    if (graph->input_count != layout->carried_count + other ||
        entry->output_count < layout->carried_count ||
        graph->output_count != entry->output_count + layout->body_output) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "a body with %zu inputs and %zu outputs does not "
                             "fit a loop with %zu and %zu",
                             graph->input_count,
                             graph->output_count,
                             entry->input_count,
                             entry->output_count);
    }
    return CLCONST_OK;
}
