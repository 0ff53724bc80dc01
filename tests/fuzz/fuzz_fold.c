/*
 * Resolutions of models that fit together: the bytes choose nodes, from all
 * operators that are folded, and what goes into them. Three resolutions, which
 * bind nothing, some and all of the inputs' values, must agree. Before the
 * graphs, three bytes: the opset, the dims, and what is bound.
 */
#include <string.h>

#include <clconst/clconst_model.h>

#include "fuzz/fold_model.h"
#include "fuzz/invariants.h"
#include "onnx/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Enough for each limit to be met, and few enough to be quick. */
enum { STEPS_MAX = 1 << 20 };

static clconst_resolved
get(const clconst_resolution *resolution, size_t constant_count, size_t index)
{
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    clconst_error error = fuzz_error();
    clconst_status status =
        index < constant_count
            ? clconst_resolution_get_constant(
                  resolution, index, &resolved, &error)
            : clconst_resolution_get_output(
                  resolution, index - constant_count, &resolved, &error);
    fuzz_require(status == CLCONST_OK);
    bool is_resolved = resolved.state == CLCONST_RESOLVED;
    fuzz_require((resolved.plan != NULL) == is_resolved);
    fuzz_require((resolved.reason == NULL) == is_resolved);
    fuzz_require(is_resolved || resolved.reason[0] != '\0');
    return resolved;
}

/* What two plans write is the same. */
static void compare_plans(const clconst_plan *a, const clconst_plan *b)
{
    clconst_output outputs[2] = {CLCONST_OUTPUT_INIT, CLCONST_OUTPUT_INIT};
    clconst_plan_get_output(a, &outputs[0]);
    clconst_plan_get_output(b, &outputs[1]);
    fuzz_require(outputs[0].dtype == outputs[1].dtype);
    fuzz_require(outputs[0].size == outputs[1].size);
    uint8_t *bytes = fuzz_write_plan(a);
    uint8_t *again = fuzz_write_plan(b);
    fuzz_require((bytes == NULL) == (again == NULL));
    fuzz_require(bytes == NULL || outputs[0].size == 0 ||
                 memcmp(bytes, again, outputs[0].size) == 0);
    fuzz_free(bytes);
    fuzz_free(again);
}

static void compare_dims(const clconst_resolved *less,
                         const clconst_resolved *more,
                         const fold_model *model,
                         bool are_same)
{
    if (!less->has_rank || !more->has_rank) {
        fuzz_require(!are_same || less->has_rank == more->has_rank);
        return;
    }
    fuzz_require(less->rank == more->rank);
    for (size_t i = 0; i < less->rank; i++) {
        int64_t known = less->dims[i].value;
        int64_t found = more->dims[i].value;
        fuzz_require(found == known || (!are_same && (known < 0 || found < 0)));
        /* A symbol is one number, wherever a shape names it. */
        clconst_string symbol = less->dims[i].symbol;
        for (size_t j = 0; j < FOLD_SYMBOLS && known < 0; j++) {
            bool is_it = symbol.size == 1 && symbol.data[0] == (char)('m' + j);
            fuzz_require(!is_it || found < 0 || found == model->dims[j]);
        }
    }
}

/* Whether what is bound contradicts the model, of which nothing follows then.
 */
static bool contradicts(const clconst_resolution *less,
                        const clconst_resolution *more,
                        const clconst_model_info *info)
{
    bool is_wrong = false;
    for (size_t i = 0; i < info->constant_count + info->output_count; i++) {
        clconst_resolution_state before =
            get(less, info->constant_count, i).state;
        clconst_resolution_state after =
            get(more, info->constant_count, i).state;
        is_wrong =
            is_wrong || (after == CLCONST_INVALID && before != CLCONST_INVALID);
    }
    return is_wrong;
}

/* What is told when less is bound holds when more is. */
static void compare(const clconst_resolution *less,
                    const clconst_resolution *more,
                    const clconst_model_info *info,
                    const fold_model *model,
                    bool are_same)
{
    for (size_t i = 0; i < info->constant_count + info->output_count; i++) {
        clconst_resolved a = get(less, info->constant_count, i);
        clconst_resolved b = get(more, info->constant_count, i);
        if (are_same) {
            fuzz_require(a.state == b.state);
            fuzz_require(a.reason == NULL || strcmp(a.reason, b.reason) == 0);
        }
        compare_dims(&a, &b, model, are_same);
        if (a.plan != NULL && b.plan != NULL) {
            compare_plans(a.plan, b.plan);
        }
    }
}

static clconst_resolution *
resolve(const clconst_model *parsed, const fold_model *model, unsigned mask)
{
    clconst_input_value values[FOLD_INPUTS];
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.values = values;
    for (size_t i = 0; i < FOLD_INPUTS; i++) {
        if ((mask >> i & 1U) != 0) {
            values[bindings.value_count++] = model->values[i];
        }
    }
    clconst_resolution *resolution = NULL;
    clconst_error error = fuzz_error();
    clconst_status status = clconst_resolution_create(
        parsed, mask != 0 ? &bindings : NULL, &resolution, &error);
    fuzz_require((resolution != NULL) ==
                 fuzz_succeeded(status, &error, 1 << CLCONST_TOO_LARGE));
    return resolution;
}

static void read_model(const fuzz_subject *subject, const fold_model *model)
{
    clconst_model *parsed = NULL;
    clconst_error error = fuzz_error();
    clconst_status status = clconst_model_parse(
        subject->bytes, subject->size, NULL, &parsed, &error);
    if (!fuzz_succeeded(status, &error, FUZZ_BYTES_FAIL)) {
        return;
    }
    parsed->steps_max = STEPS_MAX;
    clconst_model_info info = CLCONST_MODEL_INFO_INIT;
    clconst_model_get_info(parsed, &info);
    unsigned masks[] = {0, model->bound, (1U << FOLD_INPUTS) - 1U, 0};
    clconst_resolution *resolutions[4];
    for (size_t i = 0; i < 4; i++) {
        resolutions[i] = resolve(parsed, model, masks[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        if (resolutions[i] != NULL && resolutions[i + 1] != NULL &&
            !contradicts(resolutions[i], resolutions[i + 1], &info)) {
            compare(resolutions[i], resolutions[i + 1], &info, model, false);
        }
    }
    fuzz_require((resolutions[0] == NULL) == (resolutions[3] == NULL));
    if (resolutions[0] != NULL) {
        compare(resolutions[0], resolutions[3], &info, model, true);
    }
    for (size_t i = 0; i < 4; i++) {
        clconst_resolution_destroy(resolutions[i]);
    }
    clconst_model_destroy(parsed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    fold_model model;
    fold_model_create(&input, &model);
    fuzz_input bytes = {model.bytes.bytes, model.bytes.size};
    fuzz_subject subject = fuzz_subject_create(bytes, FUZZ_HEAP_EXPANSION);
    read_model(&subject, &model);
    fuzz_subject_destroy(&subject);
    fold_model_destroy(&model);
    return 0;
}
