#include "onnx/fold/calls.h"

#include "base/alloc.h"

const clconst__function *clconst__calls_function(const clconst__fold *fold,
                                                 const clconst__frame *frame)
{
    size_t graph = frame->graph;
    return &fold->model->functions.items[fold->model->graphs[graph].function];
}

clconst__arguments clconst__calls_arguments(const clconst__fold *fold,
                                            const clconst__frame *frame)
{
    const clconst__function *function = clconst__calls_function(fold, frame);
    const clconst__frame *root = frame->root;
    const clconst__argument *all = fold->model->functions.arguments;
    return (clconst__arguments){
        root->arguments,
        root->argument_count,
        function->default_count > 0 ? all + function->first_default : NULL,
        function->default_count};
}

static const clconst__argument *find_argument(
    const clconst__argument *arguments, size_t count, clconst__span name)
{
    for (size_t i = 0; i < count; i++) {
        if (clconst__span_equals(arguments[i].name, name)) {
            return &arguments[i];
        }
    }
    return NULL;
}

/* Looking for each reference among all arguments is work. */
static clconst_status count_work(clconst__fold *fold,
                                 const clconst__node *node,
                                 const clconst__arguments *arguments,
                                 clconst_error *error)
{
    uint64_t looks = (uint64_t)node->attribute.count *
                     (arguments->given_count + arguments->default_count);
    return clconst__fold_spend(fold, looks)
               ? CLCONST_OK
               : clconst__fail(error,
                               CLCONST_TOO_LARGE,
                               "evaluation looks at too many attributes of "
                               "calls");
}

/* What stands for an attribute: itself, what the call gives, or a default. NULL
 * when there is nothing, and *is_open when no call is known. */
static const clconst__argument *resolve(const clconst__fold *fold,
                                        const clconst__frame *frame,
                                        const clconst__arguments *arguments,
                                        const clconst__argument *own,
                                        bool *is_open)
{
    if (own->reference.size == 0) {
        return own;
    }
    const clconst__frame *root = frame->root;
    bool is_main =
        clconst__calls_function(fold, frame) == fold->model->functions.items;
    const clconst__argument *found =
        find_argument(arguments->given, arguments->given_count, own->reference);
    if (found == NULL && !is_main &&
        (root->caller == NULL || root->has_open_arguments)) {
        *is_open = true;
        return NULL;
    }
    return found != NULL ? found
                         : find_argument(arguments->defaults,
                                         arguments->default_count,
                                         own->reference);
}

clconst_status clconst__calls_attributes(clconst__fold *fold,
                                         const clconst__frame *frame,
                                         const clconst__node *node,
                                         clconst__argument **attributes,
                                         size_t *count,
                                         bool *is_open,
                                         clconst_error *error)
{
    clconst__arguments arguments = clconst__calls_arguments(fold, frame);
    clconst__argument *made = NULL;
    size_t made_count = 0;
    *is_open = false;
    clconst_status status = count_work(fold, node, &arguments, error);
    if (status == CLCONST_OK) {
        status =
            clconst__alloc(node->attribute.count, sizeof(*made), &made, error);
    }
    for (size_t i = 0; i < node->attribute.count && status == CLCONST_OK; i++) {
        clconst__argument own = {.bytes = node->attribute.items[i]};
        status = clconst__argument_read(&own, error);
        const clconst__argument *found =
            resolve(fold, frame, &arguments, &own, is_open);
        if (found != NULL && status == CLCONST_OK) {
            made[made_count++] =
                (clconst__argument){.name = own.name, .bytes = found->bytes};
        }
    }
    if (status != CLCONST_OK) {
        clconst__free(made);
        return status;
    }
    *attributes = made;
    *count = made_count;
    return CLCONST_OK;
}

clconst_status clconst__calls_enter(clconst__fold *fold,
                                    clconst__frame *frame,
                                    size_t node,
                                    clconst__frame **callee,
                                    clconst_error *error)
{
    *callee = clconst__frame_get(frame, CLCONST__SLOT_CALLEE, node);
    if (*callee != NULL) {
        return CLCONST_OK;
    }
    const clconst__model_node *entry = &fold->model->nodes[node];
    clconst__node read = {.name = {NULL, 0}};
    clconst__frame *made;
    bool is_open;
    clconst_status status = clconst__node_read(entry->bytes, &read, error);
    if (status == CLCONST_OK) {
        status = clconst__frame_create(
            &fold->budget,
            NULL,
            frame,
            fold->model->functions.items[entry->function].graph,
            node,
            &made,
            error);
    }
    if (status == CLCONST_OK) {
        status = clconst__calls_attributes(fold,
                                           frame,
                                           &read,
                                           &made->arguments,
                                           &made->argument_count,
                                           &is_open,
                                           error);
        made->has_open_arguments = is_open;
    }
    if (status == CLCONST_OK) {
        status =
            clconst__frame_set(frame, CLCONST__SLOT_CALLEE, node, made, error);
        *callee = made;
    }
    clconst__node_free(&read);
    return status;
}

clconst_status clconst__calls_step(clconst__fold *fold,
                                   clconst__frame *frame,
                                   size_t node,
                                   clconst_error *error)
{
    const clconst__model_node *entry = &fold->model->nodes[node];
    clconst__frame *callee;
    clconst_status status =
        clconst__calls_enter(fold, frame, node, &callee, error);
    if (status != CLCONST_OK) {
        return status;
    }
    const clconst__graph *graph = &fold->model->graphs[callee->graph];
    size_t count = graph->output_count < entry->output_count
                       ? graph->output_count
                       : entry->output_count;
    const clconst__fact **found;
    status = clconst__fold_demand_links(
        fold, callee, graph->first_link, count, &found, error);
    if (status != CLCONST_OK || found == NULL) {
        return status;
    }
    clconst__fact **facts = NULL;
    status = clconst__alloc(entry->output_count, sizeof(*facts), &facts, error);
    for (size_t i = 0; i < entry->output_count && status == CLCONST_OK; i++) {
        if (i < count && found[i] != NULL) {
            facts[i] = clconst__fact_retain(found[i]);
        } else {
            status = clconst__fold_unknown(
                fold,
                CLCONST_INVALID_MODEL,
                &facts[i],
                error,
                "output %zu of a call is none of its function",
                i);
        }
    }
    if (status == CLCONST_OK) {
        status = clconst__fold_finish(fold, frame, node, facts, error);
    } else {
        clconst__facts_release(facts, entry->output_count);
    }
    clconst__free(facts);
    clconst__free(found);
    return status;
}
