/*
 * clconst_model_parse, all that can be asked of a model, resolutions without
 * and with values of its inputs, and plans, alone and in a batch. Before the
 * model, three bytes: options, and what the inputs are.
 */
#include <string.h>

#include <clconst/clconst_model.h>

#include "fuzz/invariants.h"
#include "fuzz/reader.h"
#include "onnx/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Enough for each limit to be met, and few enough to be quick. */
enum { STEPS_MAX = 1 << 20 };

static void touch_string(clconst_string string)
{
    const volatile char *at = string.data;
    for (size_t i = 0; i < string.size; i++) {
        (void)at[i];
    }
}

static void list(const clconst_model *model, const clconst_model_info *info)
{
    clconst_error error = fuzz_error();
    for (size_t i = 0; i < info->constant_count; i++) {
        clconst_constant constant = CLCONST_CONSTANT_INIT;
        fuzz_require(clconst_model_get_constant(model, i, &constant, &error) ==
                     CLCONST_OK);
        touch_string(constant.name);
        touch_string(constant.scope);
        fuzz_require(constant.op_type != NULL);
        fuzz_require(constant.dtype == CLCONST_UNDEFINED ||
                     clconst_dtype_name(constant.dtype) != NULL);
    }
    clconst_string name;
    for (size_t i = 0; i < info->input_count; i++) {
        fuzz_require(clconst_model_get_input(model, i, &name, &error) ==
                     CLCONST_OK);
        touch_string(name);
    }
    for (size_t i = 0; i < info->output_count; i++) {
        fuzz_require(clconst_model_get_output(model, i, &name, &error) ==
                     CLCONST_OK);
        touch_string(name);
    }
}

static void check_resolved(const clconst_resolved *resolved)
{
    bool is_resolved = resolved->state == CLCONST_RESOLVED;
    fuzz_require((resolved->plan != NULL) == is_resolved);
    fuzz_require((resolved->reason == NULL) == is_resolved);
    fuzz_require(is_resolved || resolved->reason[0] != '\0');
    for (size_t i = 0; resolved->has_rank && i < resolved->rank; i++) {
        fuzz_require(resolved->dims[i].value >= -1);
        touch_string(resolved->dims[i].symbol);
    }
    if (!is_resolved) {
        return;
    }
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(resolved->plan, &output);
    fuzz_require(resolved->has_rank && resolved->rank == output.shape.rank);
    for (size_t i = 0; i < resolved->rank; i++) {
        fuzz_require(resolved->dims[i].value == output.shape.dims[i]);
    }
}

/* Small plans go into the batch, until it is full. */
typedef struct plan_list {
    const clconst_plan **plans;
    size_t count;
    size_t size;
} plan_list;

static void add_plan(plan_list *list, const clconst_plan *plan)
{
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan, &output);
    fuzz_free(fuzz_write_plan(plan));
    if (output.dtype != CLCONST_STRING && output.size <= FUZZ_WRITE_MAX &&
        list->size + output.size <= 4 * FUZZ_WRITE_MAX && list->count < 256) {
        list->plans[list->count++] = plan;
        list->size += output.size;
    }
}

static void check_resolution(const clconst_resolution *resolution,
                             const clconst_model_info *info)
{
    clconst_error error = fuzz_error();
    const clconst_plan *plans[256];
    plan_list list = {plans, 0, 0};
    for (size_t i = 0; i < info->constant_count + info->output_count; i++) {
        clconst_resolved resolved = CLCONST_RESOLVED_INIT;
        clconst_status status =
            i < info->constant_count
                ? clconst_resolution_get_constant(
                      resolution, i, &resolved, &error)
                : clconst_resolution_get_output(
                      resolution, i - info->constant_count, &resolved, &error);
        fuzz_require(status == CLCONST_OK);
        check_resolved(&resolved);
        if (resolved.plan != NULL && i < 1024) {
            add_plan(&list, resolved.plan);
        }
    }
    fuzz_check_batch(plans, list.count);
}

/* Binds each input that has a name that a C string can have. */
enum { BINDINGS_MAX = 16 };

typedef struct bound_inputs {
    char *names[BINDINGS_MAX];
    clconst_input_value values[BINDINGS_MAX];
    int64_t dims[1];
    int64_t data[4];
    size_t count;
} bound_inputs;

static void bind(bound_inputs *bound,
                 const clconst_model *model,
                 size_t input_count,
                 const uint8_t choices[2])
{
    clconst_error error = fuzz_error();
    for (size_t i = 0; i < 4; i++) {
        bound->data[i] = (int8_t)choices[1] >> i;
    }
    bound->dims[0] = choices[0] % 5;
    bound->count = input_count < BINDINGS_MAX ? input_count : BINDINGS_MAX;
    for (size_t i = 0; i < bound->count; i++) {
        clconst_string name;
        fuzz_require(clconst_model_get_input(model, i, &name, &error) ==
                     CLCONST_OK);
        bound->names[i] = fuzz_alloc(name.size + 1);
        if (name.size > 0) {
            memcpy(bound->names[i], name.data, name.size);
        }
        bound->names[i][name.size] = '\0';
        size_t size = (size_t)bound->dims[0] * sizeof(bound->data[0]);
        bound->values[i] = (clconst_input_value){
            bound->names[i],
            {CLCONST_INT64, {bound->dims, 1}, bound->data, size}};
    }
}

static clconst_resolution *resolve(const clconst_model *model,
                                   const clconst_model_info *info,
                                   const uint8_t choices[2])
{
    clconst_resolution *resolution = NULL;
    clconst_error error = fuzz_error();
    if (choices[0] == 0) {
        clconst_status status =
            clconst_resolution_create(model, NULL, &resolution, &error);
        fuzz_succeeded(status, &error, 1 << CLCONST_TOO_LARGE);
        return resolution;
    }
    bound_inputs bound;
    bind(&bound, model, info->input_count, choices);
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.values = bound.values;
    bindings.value_count = bound.count;
    clconst_status status =
        clconst_resolution_create(model, &bindings, &resolution, &error);
    bool is_made = fuzz_succeeded(
        status, &error, 1 << CLCONST_INVALID_ARGUMENT | 1 << CLCONST_TOO_LARGE);
    fuzz_require((resolution != NULL) == is_made);
    for (size_t i = 0; i < bound.count; i++) {
        fuzz_free(bound.names[i]);
    }
    return resolution;
}

static void
read_model(const fuzz_subject *subject, uint8_t mode, const uint8_t choices[2])
{
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    options.strictness = (clconst_strictness)(mode % 3);
    if ((mode & 4) != 0) {
        options.reader = fuzz_reader();
    }
    clconst_model *model = NULL;
    clconst_error error = fuzz_error();
    clconst_status status = clconst_model_parse(
        subject->bytes, subject->size, &options, &model, &error);
    if (!fuzz_succeeded(status, &error, FUZZ_BYTES_FAIL)) {
        fuzz_require(model == NULL);
        return;
    }
    model->steps_max = STEPS_MAX;
    clconst_model_info info = CLCONST_MODEL_INFO_INIT;
    clconst_model_get_info(model, &info);
    list(model, &info);
    clconst_resolution *resolution = resolve(model, &info, choices);
    /* Either may be destroyed first. */
    if ((mode & 8) != 0) {
        clconst_model_destroy(model);
        model = NULL;
    }
    if (resolution != NULL) {
        check_resolution(resolution, &info);
    }
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    uint8_t mode = fuzz_take(&input);
    uint8_t choices[2] = {fuzz_take(&input), fuzz_take(&input)};
    fuzz_subject subject = fuzz_subject_create(input, FUZZ_HEAP_EXPANSION);
    read_model(&subject, mode, choices);
    fuzz_reader_check();
    fuzz_subject_destroy(&subject);
    return 0;
}
