#include "onnx/instances.h"

#include "base/alloc.h"
#include "onnx/constant.h"
#include "onnx/scope.h"
#include "onnx/templates.h"

/* Bytes that are read again and copied, and arguments that are looked at, for
 * all instances. A small file could else ask for any amount. */
enum { COPY_MAX = 256 << 20, LOOK_MAX = 4 << 20 };

/* A call that is to be followed, and the model's chain to it. prefix, on the
 * heap, is the scope of the calling node; the arguments are a range. */
typedef struct instance {
    size_t function;
    size_t chain;
    clconst__span prefix;
    size_t first_argument;
    size_t argument_count;
} instance;

/* looked counts the arguments that were looked at, copied the bytes of nodes
 * and attributes that were read again and not borrowed. */
typedef struct expansion {
    clconst__indexing *indexing;
    clconst_model *model;
    clconst__functions *functions;
    clconst__templates templates;
    size_t first_instance;
    instance *work;
    size_t work_count;
    size_t work_capacity;
    clconst__argument *arguments;
    size_t argument_count;
    size_t argument_capacity;
    size_t copied;
    size_t looked;
} expansion;

static clconst_status
check_limit(size_t count, size_t limit, const char *what, clconst_error *error)
{
    if (count > limit) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "calls of functions make more than %zu %s; they "
                             "must not",
                             limit,
                             what);
    }
    return CLCONST_OK;
}

/* Calls of functions that are not needed are dropped from each range. */
static void drop_calls(clconst__functions *functions)
{
    for (size_t i = 0; i < functions->count; i++) {
        clconst__function *function = &functions->items[i];
        size_t kept = 0;
        for (size_t j = 0; j < function->call_count; j++) {
            /* There may be no call at all, and then no array. */
            clconst__call *calls = functions->calls + function->first_call;
            if (functions->items[calls[j].function].is_needed) {
                calls[kept++] = calls[j];
            }
        }
        function->call_count = kept;
    }
}

static clconst_status append_argument(expansion *state,
                                      const clconst__argument *argument,
                                      clconst_error *error)
{
    clconst_status status = clconst__grow(&state->arguments,
                                          &state->argument_capacity,
                                          state->argument_count + 1,
                                          sizeof(*state->arguments),
                                          error);
    if (status == CLCONST_OK) {
        state->arguments[state->argument_count++] = *argument;
    }
    return status;
}

static clconst_status look(expansion *state, size_t count, clconst_error *error)
{
    state->looked += count;
    return check_limit(state->looked, LOOK_MAX, "arguments", error);
}

/* Passes an argument on. A reference is replaced by what the caller was given;
 * in the main graph it stays one, which is refused where it is used. */
static clconst_status pass(expansion *state,
                           const instance *caller,
                           const clconst__argument *argument,
                           clconst_error *error)
{
    if (argument->reference.size == 0 || caller->function == 0) {
        return append_argument(state, argument, error);
    }
    const clconst__function *function =
        &state->functions->items[caller->function];
    size_t end = state->argument_count;
    clconst_status status =
        look(state, caller->argument_count + function->default_count, error);
    /* One that was given twice is passed on twice, to be refused. */
    for (size_t i = 0; i < caller->argument_count && status == CLCONST_OK;
         i++) {
        clconst__argument given = state->arguments[caller->first_argument + i];
        if (clconst__span_equals(given.name, argument->reference)) {
            given.name = argument->name;
            status = append_argument(state, &given, error);
        }
    }
    if (state->argument_count > end) {
        return status;
    }
    for (size_t i = 0; i < function->default_count && status == CLCONST_OK;
         i++) {
        clconst__argument given =
            state->functions->arguments[function->first_default + i];
        if (clconst__span_equals(given.name, argument->reference)) {
            given.name = argument->name;
            status = append_argument(state, &given, error);
        }
    }
    return status;
}

/* Queues a call. */
static clconst_status push(expansion *state,
                           const instance *caller,
                           const clconst__call *call,
                           clconst_error *error)
{
    clconst_model *model = state->model;
    instance made = {.function = call->function,
                     .chain = model->chain_count,
                     .first_argument = state->argument_count};
    clconst_status status = check_limit(
        model->chain_count + 1, CLCONST__INSTANCES_MAX, "instances", error);
    if (status == CLCONST_OK) {
        status = clconst__grow(&model->chains,
                               &model->chain_capacity,
                               model->chain_count + 1,
                               sizeof(*model->chains),
                               error);
    }
    if (status == CLCONST_OK) {
        model->chains[model->chain_count++] =
            (clconst__chain){caller->chain, call->graph, call->node};
    }
    if (status == CLCONST_OK) {
        status = look(state, call->argument_count, error);
    }
    size_t node_size = state->model->nodes[call->node].bytes.size;
    for (size_t i = 0; i < call->argument_count && status == CLCONST_OK; i++) {
        const clconst__argument *argument =
            &state->functions->arguments[call->first_argument + i];
        node_size -= argument->bytes.size;
        status = pass(state, caller, argument, error);
    }
    state->copied += node_size;
    made.argument_count = state->argument_count - made.first_argument;
    if (status == CLCONST_OK) {
        status = clconst__grow(&state->work,
                               &state->work_capacity,
                               state->work_count + 1,
                               sizeof(*state->work),
                               error);
    }
    if (status == CLCONST_OK) {
        status = clconst__scope_make_call(state->model,
                                          caller->prefix,
                                          call->graph,
                                          call->node,
                                          &state->indexing->scope_size,
                                          &made.prefix,
                                          error);
    }
    if (status == CLCONST_OK) {
        state->work[state->work_count++] = made;
        status = check_limit(state->copied, COPY_MAX, "bytes", error);
    }
    return status;
}

/* The instances' own graph in place of a template's; graphs repeat in runs. */
static clconst_status place(expansion *state,
                            const instance *current,
                            size_t graph,
                            size_t *placed_for,
                            clconst_error *error)
{
    if (*placed_for == graph) {
        return CLCONST_OK;
    }
    clconst_model *model = state->model;
    clconst_status status = clconst__grow(&model->graphs,
                                          &model->graph_capacity,
                                          model->graph_count + 1,
                                          sizeof(*model->graphs),
                                          error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__graph *made = &model->graphs[model->graph_count++];
    *made = model->graphs[graph];
    made->has_scope = false;
    made->scope = (clconst__span){NULL, 0};
    made->source = graph;
    made->chain = current->chain;
    *placed_for = graph;
    return clconst__scope_make_instance(model,
                                        model->graph_count - 1,
                                        current->prefix,
                                        graph,
                                        &state->indexing->scope_size,
                                        error);
}

/* An empty slice may be one of no array at all. */
static const clconst__argument *
slice(const clconst__argument *arguments, size_t first, size_t count)
{
    return count > 0 ? arguments + first : NULL;
}

static clconst_status
add_constants(expansion *state, const instance *current, clconst_error *error)
{
    clconst_model *model = state->model;
    clconst__functions *functions = state->functions;
    clconst__function *function = &functions->items[current->function];
    clconst__arguments arguments = {slice(state->arguments,
                                          current->first_argument,
                                          current->argument_count),
                                    current->argument_count,
                                    slice(functions->arguments,
                                          function->first_default,
                                          function->default_count),
                                    function->default_count};
    clconst__context *context = &state->indexing->context;
    context->opset = function->opset;
    context->arguments = &arguments;
    size_t placed_for = CLCONST__NONE;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < function->template_count && status == CLCONST_OK;
         i++) {
        size_t source = state->templates.items[function->first_template + i];
        status = check_limit(model->constant_count - state->first_instance + 1,
                             CLCONST__INSTANCES_MAX,
                             "instances",
                             error);
        if (status == CLCONST_OK) {
            status = look(
                state, arguments.given_count + arguments.default_count, error);
        }
        if (status == CLCONST_OK) {
            status = place(state,
                           current,
                           model->constants[source].graph,
                           &placed_for,
                           error);
        }
        if (status == CLCONST_OK) {
            status = clconst__constant_add_instance(state->indexing,
                                                    model->graph_count - 1,
                                                    source,
                                                    &state->copied,
                                                    error);
        }
        if (status == CLCONST_OK) {
            status = check_limit(state->copied, COPY_MAX, "bytes", error);
        }
    }
    context->arguments = NULL;
    return status;
}

static clconst_status
follow(expansion *state, const instance *current, clconst_error *error)
{
    clconst__function *function = &state->functions->items[current->function];
    function->is_called = true;
    clconst_status status = add_constants(state, current, error);
    /* The last that is queued is followed first. */
    for (size_t i = function->call_count; i > 0 && status == CLCONST_OK; i--) {
        status = push(state,
                      current,
                      &state->functions->calls[function->first_call + i - 1],
                      error);
    }
    return status;
}

static clconst_status expand(expansion *state, clconst_error *error)
{
    instance main_graph = {.function = 0, .chain = CLCONST__NONE};
    clconst_status status = follow(state, &main_graph, error);
    while (state->work_count > 0 && status == CLCONST_OK) {
        instance current = state->work[--state->work_count];
        status = follow(state, &current, error);
        state->indexing->scope_size -= current.prefix.size;
        clconst__free((uint8_t *)current.prefix.data);
    }
    return status;
}

clconst_status clconst__instances_make(clconst__indexing *indexing,
                                       clconst_error *error)
{
    expansion state = {.indexing = indexing,
                       .model = indexing->model,
                       .functions = &indexing->model->functions,
                       .first_instance = indexing->model->constant_count};
    clconst_status status = clconst__templates_find(
        state.model, state.functions, &state.templates, error);
    if (status == CLCONST_OK) {
        status = clconst__functions_sort(state.functions, error);
    }
    if (status == CLCONST_OK) {
        drop_calls(state.functions);
        status = expand(&state, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__templates_unlist(state.model, state.first_instance, error);
    }
    while (state.work_count > 0) {
        clconst__free((uint8_t *)state.work[--state.work_count].prefix.data);
    }
    clconst__free(state.work);
    clconst__templates_free(&state.templates);
    clconst__free(state.arguments);
    return status;
}
