#include "onnx/instances.h"

#include "base/alloc.h"
#include "onnx/constant.h"
#include "onnx/scope.h"

/* Bytes of attributes that are copied, and arguments that are passed on, for
 * all instances. A small file could else ask for any amount. */
enum { COPY_MAX = 256 << 20, PASS_MAX = 4 << 20 };

/* A call that is to be followed. prefix, on the heap, is the scope of the
 * calling node; the arguments are a range. */
typedef struct instance {
    size_t function;
    clconst__span prefix;
    size_t first_argument;
    size_t argument_count;
} instance;

/* templates are the constants that depend on calls, in order; latest has, for
 * each of the model's constants, its last instance. */
typedef struct expansion {
    clconst__indexing *indexing;
    clconst_model *model;
    clconst__functions *functions;
    size_t *templates;
    size_t template_count;
    size_t *latest;
    size_t first_instance;
    instance *work;
    size_t work_count;
    size_t work_capacity;
    clconst__argument *arguments;
    size_t argument_count;
    size_t argument_capacity;
    size_t call_count;
    size_t copied;
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

/* The templates of all functions; constants lie in the order of functions. */
static clconst_status find_templates(expansion *state, clconst_error *error)
{
    clconst_model *model = state->model;
    clconst_status status = clconst__alloc(model->constant_count,
                                           sizeof(*state->templates),
                                           &state->templates,
                                           error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(model->constant_count,
                                sizeof(*state->latest),
                                &state->latest,
                                error);
    }
    for (size_t i = 0; i < model->constant_count && status == CLCONST_OK; i++) {
        const clconst__constant *constant = &model->constants[i];
        if (!constant->depends_on_call) {
            continue;
        }
        clconst__function *function =
            &state->functions->items[constant->function];
        if (function->template_count++ == 0) {
            function->first_template = state->template_count;
        }
        state->templates[state->template_count++] = i;
    }
    return status;
}

/* Calls of functions that are not needed are dropped from each range. */
static void drop_calls(clconst__functions *functions)
{
    for (size_t i = 0; i < functions->count; i++) {
        clconst__function *function = &functions->items[i];
        clconst__call *calls = functions->calls + function->first_call;
        size_t kept = 0;
        for (size_t j = 0; j < function->call_count; j++) {
            if (functions->items[calls[j].function].is_needed) {
                calls[kept++] = calls[j];
            }
        }
        function->call_count = kept;
    }
}

/* The argument of this name that the instance was given; at most one. */
static const clconst__argument *
find_given(const expansion *state, const instance *caller, clconst__span name)
{
    for (size_t i = 0; i < caller->argument_count; i++) {
        const clconst__argument *argument =
            &state->arguments[caller->first_argument + i];
        if (clconst__span_equals(argument->name, name)) {
            return argument;
        }
    }
    const clconst__function *function =
        &state->functions->items[caller->function];
    for (size_t i = 0; i < function->default_count; i++) {
        const clconst__argument *argument =
            &state->functions->arguments[function->first_default + i];
        if (clconst__span_equals(argument->name, name)) {
            return argument;
        }
    }
    return NULL;
}

/* A reference to an attribute that the caller lacks gives nothing. In the main
 * graph it stays a reference, which is refused where it is used. */
static clconst_status pass(expansion *state,
                           const instance *caller,
                           clconst__argument argument,
                           clconst_error *error)
{
    if (argument.reference.size > 0 && caller->function > 0) {
        const clconst__argument *found =
            find_given(state, caller, argument.reference);
        if (found == NULL) {
            return CLCONST_OK;
        }
        argument.bytes = found->bytes;
    }
    clconst_status status =
        check_limit(state->argument_count + 1, PASS_MAX, "arguments", error);
    if (status == CLCONST_OK) {
        status = clconst__grow(&state->arguments,
                               &state->argument_capacity,
                               state->argument_count + 1,
                               sizeof(*state->arguments),
                               error);
    }
    if (status == CLCONST_OK) {
        state->arguments[state->argument_count++] = argument;
    }
    return status;
}

/* Queues a call. */
static clconst_status push(expansion *state,
                           const instance *caller,
                           const clconst__call *call,
                           clconst_error *error)
{
    instance made = {.function = call->function,
                     .first_argument = state->argument_count};
    clconst_status status = check_limit(
        ++state->call_count, CLCONST__INSTANCES_MAX, "instances", error);
    for (size_t i = 0; i < call->argument_count && status == CLCONST_OK; i++) {
        status = pass(state,
                      caller,
                      state->functions->arguments[call->first_argument + i],
                      error);
    }
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
    *placed_for = graph;
    return clconst__scope_make_instance(model,
                                        model->graph_count - 1,
                                        current->prefix,
                                        graph,
                                        &state->indexing->scope_size,
                                        error);
}

static clconst_status
add_constants(expansion *state, const instance *current, clconst_error *error)
{
    clconst_model *model = state->model;
    clconst__functions *functions = state->functions;
    clconst__function *function = &functions->items[current->function];
    clconst__arguments arguments = {state->arguments + current->first_argument,
                                    current->argument_count,
                                    functions->arguments +
                                        function->first_default,
                                    function->default_count};
    clconst__context *context = &state->indexing->context;
    context->opset = function->opset;
    context->arguments = &arguments;
    size_t placed_for = CLCONST__NONE;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < function->template_count && status == CLCONST_OK;
         i++) {
        size_t source = state->templates[function->first_template + i];
        status = check_limit(model->constant_count - state->first_instance + 1,
                             CLCONST__INSTANCES_MAX,
                             "instances",
                             error);
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
            state->latest[source] = model->constant_count - 1;
            status = check_limit(
                state->copied, COPY_MAX, "bytes of attributes", error);
        }
    }
    context->arguments = NULL;
    return status;
}

/* A shape that is an instance too is a value of its own. */
static clconst_status
link_shapes(expansion *state, const instance *current, clconst_error *error)
{
    clconst_model *model = state->model;
    const clconst__function *function =
        &state->functions->items[current->function];
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < function->template_count && status == CLCONST_OK;
         i++) {
        size_t source = state->templates[function->first_template + i];
        size_t shape = model->constants[source].shape;
        if (shape == CLCONST__NONE) {
            continue;
        }
        const clconst__value *value = &model->values[shape];
        if (value->kind == CLCONST__CONSTANT &&
            model->constants[value->index].depends_on_call) {
            status = clconst__grow(&model->values,
                                   &model->value_capacity,
                                   model->value_count + 1,
                                   sizeof(*model->values),
                                   error);
            if (status != CLCONST_OK) {
                return status;
            }
            clconst__value own = model->values[shape];
            own.index = state->latest[own.index];
            shape = model->value_count++;
            model->values[shape] = own;
        }
        model->constants[state->latest[source]].shape = shape;
    }
    return status;
}

static clconst_status
follow(expansion *state, const instance *current, clconst_error *error)
{
    clconst__function *function = &state->functions->items[current->function];
    function->is_called = true;
    clconst_status status = add_constants(state, current, error);
    if (status == CLCONST_OK) {
        status = link_shapes(state, current, error);
    }
    /* The last that is queued is followed first. */
    for (size_t i = function->call_count; i > 0 && status == CLCONST_OK; i--) {
        status = push(state,
                      current,
                      &state->functions->calls[function->first_call + i - 1],
                      error);
    }
    return status;
}

/* Removes the templates that have instances. Nothing refers to them but other
 * templates. */
static void drop_templates(expansion *state)
{
    clconst_model *model = state->model;
    size_t kept = 0;
    size_t *places = state->latest;
    for (size_t i = 0; i < model->constant_count; i++) {
        clconst__constant *constant = &model->constants[i];
        bool is_template = i < state->first_instance;
        if (is_template && constant->depends_on_call &&
            state->functions->items[constant->function].is_called) {
            clconst__content_clear(&constant->content);
            clconst__free(constant->reason);
            continue;
        }
        if (is_template) {
            places[i] = kept;
        }
        model->constants[kept++] = *constant;
    }
    size_t dropped = model->constant_count - kept;
    model->constant_count = kept;
    for (size_t i = 0; i < model->value_count; i++) {
        clconst__value *value = &model->values[i];
        if (value->kind == CLCONST__CONSTANT) {
            value->index = value->index < state->first_instance
                               ? places[value->index]
                               : value->index - dropped;
        }
        if (value->default_constant != CLCONST__NONE) {
            value->default_constant = places[value->default_constant];
        }
    }
}

static clconst_status expand(expansion *state, clconst_error *error)
{
    instance main_graph = {.function = 0};
    clconst_status status = follow(state, &main_graph, error);
    while (state->work_count > 0 && status == CLCONST_OK) {
        instance current = state->work[--state->work_count];
        status = follow(state, &current, error);
        clconst__free((uint8_t *)current.prefix.data);
    }
    return status;
}

clconst_status clconst__instances_make(clconst__indexing *indexing,
                                       clconst_error *error)
{
    expansion state = {.indexing = indexing,
                       .model = indexing->model,
                       .functions = &indexing->functions,
                       .first_instance = indexing->model->constant_count};
    clconst_status status = find_templates(&state, error);
    if (status == CLCONST_OK) {
        status = clconst__functions_sort(state.functions, error);
    }
    if (status == CLCONST_OK) {
        drop_calls(state.functions);
        status = expand(&state, error);
    }
    if (status == CLCONST_OK) {
        drop_templates(&state);
    }
    while (state.work_count > 0) {
        clconst__free((uint8_t *)state.work[--state.work_count].prefix.data);
    }
    clconst__free(state.work);
    clconst__free(state.templates);
    clconst__free(state.latest);
    clconst__free(state.arguments);
    return status;
}
