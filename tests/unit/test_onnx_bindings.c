/* Bindings of inputs: which are refused, and what of them is copied. */
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"
#include "unit/onnx_suites.h"

static clconst_model *make_model(proto_buffer *buffer)
{
    model_append(buffer,
                 "11:{1:'s'} 11:{1:'x'} 5:{1:1 2:2 9:x01 8:'w'} "
                 "1:{4:'ConstantOfShape' 1:'s' 2:'f'} "
                 "12:{1:'f'} 12:{1:'x'} ",
                 "");
    clconst_model *model = NULL;
    ck_assert_ok(
        clconst_model_parse(buffer->bytes, buffer->size, NULL, &model, error));
    return model;
}

static clconst_plan *plan_of_output(const clconst_resolution *resolution,
                                    size_t index)
{
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    ck_assert_ok(
        clconst_resolution_get_output(resolution, index, &resolved, error));
    ck_assert_int_eq(resolved.state, CLCONST_RESOLVED);
    return (clconst_plan *)resolved.plan;
}

START_TEST(bound_values_are_copied)
{
    proto_buffer buffer = {NULL, 0, 0};
    clconst_model *model = make_model(&buffer);
    int64_t two = 2;
    int64_t shape[2] = {2, 3};
    uint8_t bytes[2] = {7, 9};
    clconst_input_value values[] = {
        {"s", {CLCONST_INT64, {&two, 1}, shape, sizeof(shape)}},
        {"x", {CLCONST_UINT8, {&two, 1}, bytes, sizeof(bytes)}},
    };
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.values = values;
    bindings.value_count = 2;
    clconst_resolution *resolution;
    ck_assert_ok(
        clconst_resolution_create(model, &bindings, &resolution, error));
    two = 0;
    memset(shape, 0xff, sizeof(shape));
    memset(bytes, 0xff, sizeof(bytes));
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan_of_output(resolution, 0), &output);
    ck_assert_uint_eq(output.size, 24);
    uint8_t written[2];
    ck_assert_ok(clconst_write(
        NULL, plan_of_output(resolution, 1), written, sizeof(written), error));
    ck_assert_mem_eq(written, "\x07\x09", 2);
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

START_TEST(bound_strings_are_copied_with_their_bytes)
{
    proto_buffer buffer = {NULL, 0, 0};
    clconst_model *model = make_model(&buffer);
    int64_t three = 3;
    char first[] = "first";
    clconst_string strings[] = {{first, 5}, {NULL, 0}, {first + 1, 2}};
    clconst_input_value value = {
        "x", {CLCONST_STRING, {&three, 1}, strings, sizeof(strings)}};
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.values = &value;
    bindings.value_count = 1;
    clconst_resolution *resolution;
    ck_assert_ok(
        clconst_resolution_create(model, &bindings, &resolution, error));
    memset(first, 'z', sizeof(first));
    memset(strings, 0, sizeof(strings));
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    clconst_engine *engine;
    clconst_tensor *tensor;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    ck_assert_ok(
        clconst_run(engine, plan_of_output(resolution, 1), &tensor, error));
    clconst_resolution_destroy(resolution);
    clconst_view view;
    clconst_tensor_get_view(tensor, &view);
    const clconst_string *copied = view.data;
    ck_assert_uint_eq(copied[0].size, 5);
    ck_assert_mem_eq(copied[0].data, "first", 5);
    ck_assert_uint_eq(copied[1].size, 0);
    ck_assert_uint_eq(copied[2].size, 2);
    ck_assert_mem_eq(copied[2].data, "ir", 2);
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(engine);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

/* A value that nothing asks for may be of any size: its bytes stay unread. */
START_TEST(values_that_are_not_needed_are_not_copied)
{
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, "11:{1:'x'}", "");
    clconst_model *model;
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    int64_t dim = INT64_MAX;
    clconst_input_value value = {"x",
                                 {CLCONST_UINT8, {&dim, 1}, "", (size_t)dim}};
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.values = &value;
    bindings.value_count = 1;
    clconst_resolution *resolution;
    ck_assert_ok(
        clconst_resolution_create(model, &bindings, &resolution, error));
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

static clconst_status resolve(const clconst_model *model,
                              const clconst_input_value *values,
                              size_t count,
                              clconst_error *error)
{
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.values = values;
    bindings.value_count = count;
    clconst_resolution *resolution = NULL;
    clconst_status status =
        clconst_resolution_create(model, &bindings, &resolution, error);
    ck_assert((resolution == NULL) == (status != CLCONST_OK));
    clconst_resolution_destroy(resolution);
    return status;
}

START_TEST(bindings_that_fit_no_input_are_refused)
{
    proto_buffer buffer = {NULL, 0, 0};
    clconst_model *model = make_model(&buffer);
    clconst_view one = {CLCONST_UINT8, {NULL, 0}, "", 1};
    clconst_view bad = {CLCONST_UINT8, {NULL, 0}, "", 2};
    clconst_input_value twice[] = {{"x", one}, {"s", one}, {"x", one}};
    ck_assert_ok(resolve(model, twice, 2, error));
    ck_assert_fails(resolve(model, twice, 3, error),
                    CLCONST_INVALID_ARGUMENT,
                    "input \"x\" is bound twice; it has one value");
    /* An initializer that is no input has no other value. */
    clconst_input_value unknown = {"w", one};
    ck_assert_fails(resolve(model, &unknown, 1, error),
                    CLCONST_INVALID_ARGUMENT,
                    "binding \"w\" is no input of the model");
    clconst_input_value nameless = {NULL, one};
    ck_assert_fails(resolve(model, &nameless, 1, error),
                    CLCONST_INVALID_ARGUMENT,
                    "name of a binding is NULL; it is required");
    clconst_input_value wrong = {"x", bad};
    ck_assert_fails(resolve(model, &wrong, 1, error),
                    CLCONST_INVALID_ARGUMENT,
                    "value has 2 bytes; 1 elements of uint8 take 1");
    ck_assert_fails(resolve(model, NULL, 1, error),
                    CLCONST_INVALID_ARGUMENT,
                    "values is NULL; 1 values are bound");
    ck_assert_fails(resolve(NULL, NULL, 0, error),
                    CLCONST_INVALID_ARGUMENT,
                    "model or resolution is NULL; both are required");
    ck_assert_fails(clconst_resolution_create(model, NULL, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "model or resolution is NULL; both are required");
    clconst_resolution *resolution;
    clconst_bindings unset = CLCONST_BINDINGS_INIT;
    unset.struct_size = 0;
    ck_assert_fails(
        clconst_resolution_create(model, &unset, &resolution, error),
        CLCONST_INVALID_ARGUMENT,
        "struct_size is 0; it must be set to the size of the struct");
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

START_TEST(indexes_are_checked)
{
    proto_buffer buffer = {NULL, 0, 0};
    clconst_model *model = make_model(&buffer);
    clconst_resolution *resolution;
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    ck_assert_ok(clconst_resolution_create(model, NULL, &resolution, error));
    ck_assert_fails(
        clconst_resolution_get_constant(resolution, 2, &resolved, error),
        CLCONST_INVALID_ARGUMENT,
        "index is 2; the model has 2 constants");
    ck_assert_fails(
        clconst_resolution_get_output(resolution, 2, &resolved, error),
        CLCONST_INVALID_ARGUMENT,
        "index is 2; the model has 2 outputs");
    const struct {
        const clconst_resolution *resolution;
        clconst_resolved *resolved;
    } missing[] = {{NULL, &resolved}, {resolution, NULL}};
    for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
        ck_assert_fails(
            clconst_resolution_get_constant(
                missing[i].resolution, 0, missing[i].resolved, error),
            CLCONST_INVALID_ARGUMENT,
            "resolution or resolved is NULL; both are required");
        ck_assert_fails(
            clconst_resolution_get_output(
                missing[i].resolution, 0, missing[i].resolved, error),
            CLCONST_INVALID_ARGUMENT,
            "resolution or resolved is NULL; both are required");
    }
    clconst_resolution_destroy(resolution);
    clconst_resolution_destroy(NULL);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

/* 8.8 */
START_TEST(a_shape_of_more_than_1024_dims_is_invalid)
{
    static uint8_t ones[1025];
    memset(ones, 1, sizeof(ones));
    for (size_t rank = 1024; rank <= 1025; rank++) {
        proto_buffer ints = {NULL, 0, 0};
        proto_buffer graph = {NULL, 0, 0};
        proto_buffer buffer = {NULL, 0, 0};
        proto_append(&ints, "1:%zu 2:7 8:'s'", rank);
        proto_append_bytes(&ints, 7, ones, rank);
        proto_append(&graph, "1:{4:'ConstantOfShape' 1:'s' 2:'f'}");
        proto_append_bytes(&graph, 5, ints.bytes, ints.size);
        proto_append(&buffer, "1:8 8:{2:13}");
        proto_append_bytes(&buffer, 7, graph.bytes, graph.size);
        static listing_text list;
        listing_make(&list, &buffer, NULL);
        const char *line = strchr(list.text, '\n') + 1;
        ck_assert_msg(
            (strstr(line, "|+[1,") != NULL) == (rank == 1024), "%s", line);
        ck_assert_msg(
            (strstr(line, "|!|rank is 1025; it must be at most 1024") !=
             NULL) == (rank == 1025),
            "%s",
            line);
        proto_free(&ints);
        proto_free(&graph);
        proto_free(&buffer);
    }
}
END_TEST

Suite *onnx_bindings_suite(void)
{
    Suite *suite = suite_create("onnx bindings");
    TCase *tcase = tcase_create("bindings");
    tcase_add_test(tcase, bound_values_are_copied);
    tcase_add_test(tcase, bound_strings_are_copied_with_their_bytes);
    tcase_add_test(tcase, values_that_are_not_needed_are_not_copied);
    tcase_add_test(tcase, bindings_that_fit_no_input_are_refused);
    tcase_add_test(tcase, indexes_are_checked);
    tcase_add_test(tcase, a_shape_of_more_than_1024_dims_is_invalid);
    suite_add_tcase(suite, tcase);
    return suite;
}
