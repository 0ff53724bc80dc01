/*
 * The ONNX reader and batches without memory: allocation number 1, 2, 3 and so
 * on fails, until nothing does. Each time the call must say so, leave its
 * output alone and give back what it took.
 */
#include <stdio.h>

#include <clconst/clconst_model.h>

#include "faults/failing.h"
#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_folder.h"

/* Check has memory of its own, which is why it is asked only in need. */
static void check_output(const void *output, clconst_status status)
{
    if ((output != NULL) != (status == CLCONST_OK)) {
        ck_abort_msg("an output does not fit status %d", (int)status);
    }
}

static clconst_status decode_node(const void *context, clconst_error *error)
{
    const proto_buffer *buffer = context;
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = 13;
    options.strictness = CLCONST_LENIENT;
    clconst_op *op = NULL;
    clconst_status status =
        clconst_op_decode(buffer->bytes, buffer->size, &options, &op, error);
    check_output(op, status);
    clconst_op_destroy(op);
    return status;
}

static const char *const nodes[] = {
    "4:'Constant' 2:'y' 5:{1:'value_int' 20:2}",
    "4:'Constant' 2:'y' 5:{1:'value_ints' 20:7 8:1 8:2}",
    "4:'Constant' 2:'y' 5:{1:'value_floats' 20:6 7:f1}",
    "4:'Constant' 2:'y' 5:{1:'value_string' 20:3 4:'a'}",
    "4:'Constant' 2:'y' 5:{1:'value_strings' 20:8 9:'a'}",
    "4:'Constant' 2:'y' 5:{1:'value' 20:4 5:{1:2 2:9 9:x0203}}",
    "4:'Constant' 2:'y' 5:{1:'value' 20:4 5:{1:2 2:7 7:[1 2]}}",
    "4:'Constant' 2:'y' 5:{1:'value' 20:4 5:{1:2 2:8 6:'a' 6:'b'}}",
    "4:'ConstantOfShape' 1:'s' 2:'y' 5:{1:'value' 20:4 5:{1:1 2:6 5:1}}",
    "4:'ConstantOfShape' 1:'s' 2:'y'",
};

START_TEST(nodes_are_decoded_or_out_of_memory)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "%s", nodes[_i]);
    fail_each_allocation(decode_node, &buffer, "decode_node");
    proto_free(&buffer);
}
END_TEST

static int discard(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return 0;
}

static clconst_status write_tensor(const void *context, clconst_error *error)
{
    (void)context;
    clconst_view view = {CLCONST_UINT8, {NULL, 0}, "a", 1};
    return clconst_tensor_proto_write(&view, "a", discard, NULL, error);
}

START_TEST(tensors_are_written_or_out_of_memory)
{
    fail_each_allocation(write_tensor, NULL, "write_tensor");
}
END_TEST

static clconst_status resolve(const clconst_model *model, clconst_error *error)
{
    int64_t two = 2;
    int64_t dims[] = {2, 3};
    clconst_string strings[] = {{"ab", 2}, {"", 0}};
    clconst_input_value values[] = {
        {"x", {CLCONST_INT64, {&two, 1}, dims, sizeof(dims)}},
        {"t", {CLCONST_STRING, {&two, 1}, strings, sizeof(strings)}},
    };
    clconst_input_shape shape = {"t", {&two, 1}};
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.values = values;
    bindings.value_count = 2;
    bindings.shapes = &shape;
    bindings.shape_count = 1;
    clconst_resolution *resolution = NULL;
    clconst_status status =
        clconst_resolution_create(model, &bindings, &resolution, error);
    check_output(resolution, status);
    clconst_resolution_destroy(resolution);
    return status;
}

static clconst_status read_model(const void *context, clconst_error *error)
{
    const proto_buffer *buffer = context;
    clconst_model *model = NULL;
    clconst_status status =
        clconst_model_parse(buffer->bytes, buffer->size, NULL, &model, error);
    check_output(model, status);
    if (status == CLCONST_OK) {
        status = resolve(model, error);
    }
    clconst_model_destroy(model);
    return status;
}

/* Each kind of entry beside others, and what comes first when it is alone. All
 * have the two inputs that are bound. */
static const char *const graphs[] = {
    "11:{1:'x' 2:{1:{1:7 2:{1:{1:2}}}}} 11:{1:'t'} 11:{1:'u' 2:{1:{1:7 "
    "2:{1:{1:4}}}}} 5:{1:2 2:7 7:[4 3] 8:'s'} 5:{1:1 2:1 14:1 8:'e'} "
    "5:{1:2 2:1 4:f1 8:'bad'} 5:{1:1 2:1 4:f1 8:'bad'} "
    "15:{1:{1:1 2:1 4:f1 8:'z'} 2:{1:1 2:7 7:0} 3:2} 15:{1:{2:99}} "
    "1:{4:'ConstantOfShape' 1:'s' 2:'f'} 1:{4:'ConstantOfShape' 1:'x' 2:'g'} "
    "1:{4:'ConstantOfShape' 1:'u' 2:'h'} 1:{4:'ConstantOfShape' 1:'q' 2:'i'} "
    "1:{4:'ConstantOfShape' 1:'r' 2:'j'} 1:{3:'n' 4:'Relu' 1:'x' 2:'r'} "
    "1:{4:'Constant' 2:'c' 5:{1:'value_ints' 20:7 8:1 8:2}} "
    "1:{4:'Constant' 2:'c'} 12:{1:'f'} 12:{1:'t'} 12:{1:'nowhere'} "
    "12:{1:'r' 2:{1:{2:{1:{2:'n'}}}}} "
    "1:{4:'If' 3:'if' 5:{1:'then' 6:{1:{4:'ConstantOfShape' 1:'s' 2:'k'}}} "
    "5:{1:'list' 11:{5:{1:1 2:2 9:x01 8:'l'}} 11:{}}} ",
    "11:{1:'x'} 11:{1:'t'} 15:{1:{1:1 2:1 4:f1 8:'z'} 2:{1:1 2:7 7:0} 3:2}",
    "11:{1:'x'} 11:{1:'t'} 12:{1:'t'}",
};
static const char functions[] =
    "25:{1:'F' 10:'own' 13:'v' 9:{2:13} 4:'a' 7:{4:'ConstantOfShape' 1:'a' "
    "2:'f'} 7:{4:'Constant' 2:'c' 5:{1:'value_int' 20:2 21:'p'}}} 25:{1:'G'}";

START_TEST(models_are_resolved_or_out_of_memory)
{
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, graphs[_i], functions);
    fail_each_allocation(read_model, &buffer, "read_model");
    proto_free(&buffer);
}
END_TEST

/* Many of each, so that each list has to grow while it is in use. */
START_TEST(long_lists_grow_or_are_out_of_memory)
{
    proto_buffer content = {NULL, 0, 0};
    for (int i = 0; i < 40; i++) {
        proto_append(&content,
                     "1:{4:'ConstantOfShape' 1:'u%d' 2:'f%d'} 11:{1:'i%d'} "
                     "12:{1:'f%d'} 1:{4:'If' 3:'n%d' 5:{1:'b' 6:{1:{4:"
                     "'Constant' 2:'c' 5:{1:'value_int' 20:2}}}}}",
                     i,
                     i,
                     i,
                     i,
                     i);
    }
    proto_append(&content, "11:{1:'x'} 11:{1:'t'}");
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "1:8 8:{2:13}");
    proto_append_bytes(&buffer, 7, content.bytes, content.size);
    fail_each_allocation(read_model, &buffer, "read_model");
    proto_free(&content);
    proto_free(&buffer);
}
END_TEST

/* A function that passes values, references and defaults on to another, from
 * many places. */
START_TEST(calls_are_followed_or_out_of_memory)
{
    proto_buffer content = {NULL, 0, 0};
    for (int i = 0; i < 20; i++) {
        proto_append(&content,
                     "1:{4:'G' 7:'own' 3:'g%d' 2:'y%d' 1:'x' "
                     "5:{1:'p' 20:2 3:4} 5:{1:'unused' 20:2 3:4}}",
                     i,
                     i);
    }
    proto_append(&content, "11:{1:'x'} 11:{1:'t'}");
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "1:8 8:{2:13} 8:{1:'own' 2:1}");
    proto_append_bytes(&buffer, 7, content.bytes, content.size);
    proto_append(&buffer,
                 "25:{1:'F' 10:'own' 9:{2:13} 4:'a' 6:'p' 11:{1:'d' 20:2 3:5} "
                 "7:{4:'ConstantOfShape' 1:'c' 2:'f'} "
                 "7:{4:'Constant' 2:'c' 5:{1:'value_int' 20:2 21:'p'}} "
                 "7:{4:'Constant' 2:'e' 5:{1:'value_int' 20:2 21:'d'}}} "
                 "25:{1:'G' 10:'own' 9:{2:13} 9:{1:'own' 2:1} 4:'a' 6:'p' "
                 "11:{1:'q' 20:2 3:6} "
                 "7:{4:'F' 7:'own' 3:'l' 1:'a' 2:'l' 5:{1:'p' 20:2 21:'p'}} "
                 "7:{4:'F' 7:'own' 3:'m' 1:'a' 2:'m' 5:{1:'p' 20:2 21:'q'} "
                 "5:{1:'d' 20:2 21:'nothing'}}}");
    fail_each_allocation(read_model, &buffer, "read_model");
    proto_free(&content);
    proto_free(&buffer);
}
END_TEST

/* External data of several files, mapped or copied. */
static int is_copied;

static clconst_status open_external(const void *context, clconst_error *error)
{
    (void)context;
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    options.copy = is_copied;
    clconst_model *model = NULL;
    clconst_status status =
        clconst_model_open("model/m.onnx", &options, &model, error);
    check_output(model, status);
    clconst_model_destroy(model);
    return status;
}

START_TEST(external_data_are_read_or_out_of_memory)
{
    folder_enter();
    folder_write_model(
        "model/m.onnx",
        "5:{1:2 2:6 14:1 8:'t' " OFFSET(
            "3") "} "
                 "5:{1:2 2:6 14:1 8:'u' " AT(
                     "sub/w.bin") "} "
                                  "5:{1:2 2:6 14:1 8:'v' " AT(
                                      "none.bin") "} "
                                                  "15:{1:{1:1 2:4 14:1 "
                                                  "8:'s' " AT(
                                                      "a..b") "} "
                                                              "2:{1:1 2:7 "
                                                              "14:1 " AT(
                                                                  "model.bin") "} 3:2}");
    for (is_copied = 0; is_copied < 2; is_copied++) {
        fail_each_allocation(open_external, NULL, "open_external");
    }
    folder_leave();
}
END_TEST

static clconst_status open_model(const void *context, clconst_error *error)
{
    (void)context;
    clconst_model *model = NULL;
    clconst_status status =
        clconst_model_open("test_onnx_faults.onnx", NULL, &model, error);
    clconst_model_destroy(model);
    return status;
}

START_TEST(files_are_opened_or_out_of_memory)
{
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, graphs[0], functions);
    FILE *file = fopen("test_onnx_faults.onnx", "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(buffer.bytes, 1, buffer.size, file), buffer.size);
    ck_assert_int_eq(fclose(file), 0);
    fail_each_allocation(open_model, NULL, "open_model");
    ck_assert_int_eq(remove("test_onnx_faults.onnx"), 0);
    proto_free(&buffer);
}
END_TEST

static clconst_plan *batch_plans[4];

static clconst_status lay_out(const void *context, clconst_error *error)
{
    (void)context;
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    options.max_arena_size = 1200;
    options.expand_size = 4;
    clconst_batch *batch = NULL;
    clconst_status status = clconst_batch_create(
        (const clconst_plan *const *)batch_plans, 4, &options, &batch, error);
    check_output(batch, status);
    clconst_batch_destroy(batch);
    return status;
}

/* Fills, copies and sparse constants, in several arenas. */
START_TEST(batches_are_laid_out_or_out_of_memory)
{
    static const char *const tensors[] = {
        "4:'Constant' 2:'a' 5:{1:'value_int' 20:2 3:7}",
        "4:'Constant' 2:'b' 5:{1:'value_ints' 20:7 8:[1 2 3 4 5 6 7 8]}",
        ("4:'Constant' 2:'c' 5:{1:'sparse_value' 20:11 22:{1:{1:1 2:2 9:x07} "
         "2:{1:1 2:7 7:3} 3:1000}}"),
        "4:'ConstantOfShape' 1:'s' 2:'d'",
    };
    static const int64_t dims[] = {300};
    static const clconst_shape shape = {dims, 1};
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = 13;
    proto_buffer buffers[4] = {{NULL, 0, 0}};
    for (size_t i = 0; i < 4; i++) {
        clconst_op *op;
        proto_append(&buffers[i], "%s", tensors[i]);
        ck_assert_ok(clconst_op_decode(
            buffers[i].bytes, buffers[i].size, &options, &op, error));
        ck_assert_ok(clconst_plan_create(
            op, i == 3 ? &shape : NULL, &batch_plans[i], error));
        clconst_op_destroy(op);
    }
    fail_each_allocation(lay_out, NULL, "lay_out");
    for (size_t i = 0; i < 4; i++) {
        clconst_plan_destroy(batch_plans[i]);
        proto_free(&buffers[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("onnx faults");
    TCase *tcase = tcase_create("faults");
    tcase_add_loop_test(tcase,
                        nodes_are_decoded_or_out_of_memory,
                        0,
                        sizeof(nodes) / sizeof(nodes[0]));
    tcase_add_test(tcase, tensors_are_written_or_out_of_memory);
    tcase_add_loop_test(tcase,
                        models_are_resolved_or_out_of_memory,
                        0,
                        sizeof(graphs) / sizeof(graphs[0]));
    tcase_add_test(tcase, long_lists_grow_or_are_out_of_memory);
    tcase_add_test(tcase, calls_are_followed_or_out_of_memory);
    tcase_add_test(tcase, external_data_are_read_or_out_of_memory);
    tcase_add_test(tcase, files_are_opened_or_out_of_memory);
    tcase_add_test(tcase, batches_are_laid_out_or_out_of_memory);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
