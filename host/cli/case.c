#include "cli/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cases.h"
#include "cli/content.h"
#include "cli/file.h"
#include "cli/shape.h"

/* input_K.pb or output_K.pb; *exists is false when there is no such file. */
static cli_outcome find_file(const char *folder,
                             const char *kind,
                             size_t index,
                             char **path,
                             bool *exists,
                             clconst_error *error)
{
    char name[32];
    snprintf(name, sizeof(name), "%s_%zu.pb", kind, index);
    cli_outcome outcome = cli_file_join(folder, name, path, error);
    if (outcome == CLI_DONE) {
        struct stat info;
        *exists = stat(*path, &info) == 0;
    }
    return outcome;
}

/* Reads a file of a data set; *exists is false when there is none. */
static cli_outcome read_tensor(const char *folder,
                               const char *kind,
                               size_t index,
                               cli_input *tensor,
                               bool *exists,
                               clconst_error *error)
{
    char *path;
    cli_outcome outcome = find_file(folder, kind, index, &path, exists, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    if (*exists) {
        outcome = cli_input_read(path, tensor, error);
    }
    free(path);
    return outcome;
}

/* Gives an input the name that the model has for its index. */
static cli_outcome name_input(const cli_model *model,
                              size_t index,
                              cli_input *input,
                              clconst_error *error)
{
    clconst_string name;
    cli_outcome outcome = cli_outcome_of(
        clconst_model_get_input(model->model, index, &name, error));
    if (outcome == CLI_DONE) {
        outcome = cli_alloc(1, name.size + 1, &input->name, error);
    }
    if (outcome == CLI_DONE) {
        memcpy(input->name, name.data, name.size);
    }
    return outcome;
}

/* Binds input_0.pb and so on to the model's inputs of these indices. */
static cli_outcome
bind_inputs(const char *folder, cli_model *model, clconst_error *error)
{
    cli_bindings bindings = {0};
    size_t capacity = model->info.input_count;
    size_t count = 0;
    cli_outcome outcome =
        cli_alloc(capacity, sizeof(*bindings.inputs), &bindings.inputs, error);
    bool exists = true;
    while (outcome == CLI_DONE && exists && count < capacity) {
        cli_input *input = &bindings.inputs[count];
        outcome = read_tensor(folder, "input", count, input, &exists, error);
        if (outcome == CLI_DONE && exists) {
            outcome = name_input(model, count, input, error);
            bindings.input_count = ++count;
        }
    }
    if (outcome == CLI_DONE) {
        outcome = cli_model_bind(model, &bindings, error);
    }
    cli_bindings_release(&bindings);
    return outcome;
}

static bool has_same_shape(const clconst_shape *a, const clconst_shape *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 ||
            memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0);
}

/* The first difference between strings, or between bytes, as an error. */
static cli_outcome compare_strings(const clconst_view *actual,
                                   const clconst_view *expected,
                                   clconst_error *error)
{
    const clconst_string *a = actual->data;
    const clconst_string *e = expected->data;
    for (size_t i = 0; i < actual->size / sizeof(*a); i++) {
        if (a[i].size != e[i].size ||
            (a[i].size > 0 && memcmp(a[i].data, e[i].data, a[i].size) != 0)) {
            return cli_fail(error,
                            CLCONST_DEVICE_ERROR,
                            "string %zu is \"%.*s\"; expected \"%.*s\"",
                            i,
                            (int)a[i].size,
                            a[i].data,
                            (int)e[i].size,
                            e[i].data);
        }
    }
    return CLI_DONE;
}

static cli_outcome compare_bytes(const clconst_view *actual,
                                 const clconst_view *expected,
                                 clconst_error *error)
{
    const uint8_t *a = actual->data;
    const uint8_t *e = expected->data;
    for (size_t i = 0; i < actual->size; i++) {
        if (a[i] != e[i]) {
            return cli_fail(error,
                            CLCONST_DEVICE_ERROR,
                            "byte %zu is 0x%02x; expected 0x%02x",
                            i,
                            a[i],
                            e[i]);
        }
    }
    return CLI_DONE;
}

static cli_outcome compare(const clconst_view *actual,
                           const clconst_view *expected,
                           clconst_error *error)
{
    if (actual->dtype != expected->dtype) {
        return cli_fail(error,
                        CLCONST_DEVICE_ERROR,
                        "dtype is %s; expected %s",
                        clconst_dtype_name(actual->dtype),
                        clconst_dtype_name(expected->dtype));
    }
    if (!has_same_shape(&actual->shape, &expected->shape)) {
        char actual_text[128];
        char expected_text[128];
        cli_shape_print(&actual->shape, actual_text, sizeof(actual_text));
        cli_shape_print(&expected->shape, expected_text, sizeof(expected_text));
        return cli_fail(error,
                        CLCONST_DEVICE_ERROR,
                        "shape is %s; expected %s",
                        actual_text,
                        expected_text);
    }
    return actual->dtype == CLCONST_STRING
               ? compare_strings(actual, expected, error)
               : compare_bytes(actual, expected, error);
}

/* Compares a computed output with a tensor that was read from a file, both in
 * host memory. A run on the host clears the file's unused last bits. */
static cli_outcome compare_with_file(const cli_engines *engines,
                                     const clconst_tensor *tensor,
                                     const cli_input *file,
                                     clconst_error *error)
{
    clconst_plan *plan = NULL;
    clconst_tensor *expected = NULL;
    clconst_view actual;
    void *copy = NULL;
    clconst_status status = clconst_plan_create(file->op, NULL, &plan, error);
    if (status == CLCONST_OK) {
        status = clconst_run(engines->host, plan, &expected, error);
    }
    cli_outcome outcome = cli_outcome_of(status);
    if (outcome == CLI_DONE) {
        cli_content content = cli_content_of(tensor);
        outcome = cli_content_load(&content, &actual, &copy, error);
    }
    if (outcome == CLI_DONE) {
        clconst_view view;
        clconst_tensor_get_view(expected, &view);
        outcome = compare(&actual, &view, error);
    }
    free(copy);
    clconst_tensor_destroy(expected);
    clconst_plan_destroy(plan);
    return outcome;
}

static cli_outcome check_output(const char *folder,
                                const cli_engines *engines,
                                size_t index,
                                const clconst_tensor *tensor,
                                clconst_error *error)
{
    cli_input file = {0};
    bool exists;
    cli_outcome outcome =
        read_tensor(folder, "output", index, &file, &exists, error);
    if (outcome == CLI_DONE && !exists) {
        outcome = cli_fail(error,
                           CLCONST_INVALID_ARGUMENT,
                           "there is no output_%zu.pb",
                           index);
    }
    if (outcome == CLI_DONE) {
        outcome = compare_with_file(engines, tensor, &file, error);
        cli_explain(outcome, error, "output %zu", index);
    }
    cli_input_release(&file);
    return outcome;
}

/* A file that the model has no input or output for means a wrong test. */
static cli_outcome check_no_more(const char *folder,
                                 const char *kind,
                                 size_t count,
                                 clconst_error *error)
{
    char *path;
    bool exists;
    cli_outcome outcome = find_file(folder, kind, count, &path, &exists, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    free(path);
    return exists ? cli_fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "there is %s_%zu.pb; the model has %zu %ss",
                             kind,
                             count,
                             count,
                             kind)
                  : CLI_DONE;
}

/* tensors has room for the model's outputs. *is_computed becomes true when
 * they are there and only need to be compared. */
static cli_outcome run_data_set(const char *folder,
                                const cli_engines *engines,
                                cli_model *model,
                                clconst_tensor **tensors,
                                bool *is_computed,
                                clconst_error *error)
{
    size_t count = model->info.output_count;
    cli_outcome outcome = bind_inputs(folder, model, error);
    for (size_t i = 0; i < count && outcome == CLI_DONE; i++) {
        outcome = cli_model_run_output(model, engines, i, &tensors[i], error);
        cli_explain(outcome, error, "output %zu", i);
    }
    *is_computed = outcome == CLI_DONE;
    if (outcome == CLI_DONE) {
        outcome =
            check_no_more(folder, "input", model->info.input_count, error);
    }
    if (outcome == CLI_DONE) {
        outcome = check_no_more(folder, "output", count, error);
    }
    for (size_t i = 0; i < count && outcome == CLI_DONE; i++) {
        outcome = check_output(folder, engines, i, tensors[i], error);
    }
    for (size_t i = 0; i < count; i++) {
        clconst_tensor_destroy(tensors[i]);
        tensors[i] = NULL;
    }
    return outcome;
}

/* Runs the data sets until one does not pass. */
static cli_outcome run_data_sets(const char *folder,
                                 const cli_engines *engines,
                                 cli_model *model,
                                 bool *is_computed,
                                 clconst_error *error)
{
    cli_cases sets = {0};
    clconst_tensor **tensors = NULL;
    cli_outcome outcome = cli_cases_find_data_sets(folder, &sets, error);
    if (outcome == CLI_DONE) {
        outcome = cli_alloc(
            model->info.output_count, sizeof(*tensors), &tensors, error);
    }
    for (size_t i = 0; i < sets.count && outcome == CLI_DONE; i++) {
        outcome = run_data_set(
            sets.folders[i], engines, model, tensors, is_computed, error);
        cli_explain(outcome, error, "%s", strrchr(sets.folders[i], '/') + 1);
    }
    free(tensors);
    cli_cases_release(&sets);
    return outcome;
}

cli_case_result cli_case_run(const char *folder,
                             const cli_engines *engines,
                             const cli_args *args,
                             cli_report *report,
                             clconst_error *reason)
{
    cli_model model = {0};
    char *path = NULL;
    bool is_computed = false;
    cli_outcome outcome = cli_file_join(folder, "model.onnx", &path, reason);
    if (outcome == CLI_DONE) {
        outcome = cli_model_open(path, args, report, &model, reason);
    }
    if (outcome == CLI_DONE) {
        outcome = run_data_sets(folder, engines, &model, &is_computed, reason);
    }
    bool has_foreign_nodes = model.info.foreign_node_count > 0;
    cli_model_release(&model);
    free(path);
    if (outcome == CLI_DONE) {
        return CLI_CASE_PASSED;
    }
    return !is_computed && has_foreign_nodes ? CLI_CASE_SKIPPED
                                             : CLI_CASE_FAILED;
}
