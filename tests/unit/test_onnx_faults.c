/*
 * The ONNX reader without memory: allocation number 1, 2, 3 and so on fails,
 * until nothing does. The linker sends the library's calls here. Each time the
 * call must say so, leave its output alone and give back what it took.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static long live_count;
static size_t until_failure = SIZE_MAX;

static bool fails(void)
{
    return until_failure != SIZE_MAX && until_failure-- == 0;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = fails() ? NULL : __real_calloc(count, size);
    live_count += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (fails()) {
        return NULL;
    }
    void *moved = __real_realloc(block, size);
    live_count += block == NULL && moved != NULL;
    return moved;
}

void __wrap_free(void *block)
{
    live_count -= block != NULL;
    __real_free(block);
}

typedef clconst_status (*call)(const proto_buffer *buffer,
                               clconst_error *error);

/* Fails each allocation of a call once. The call ends with nothing held. */
static void fail_each_allocation(call run, const proto_buffer *buffer)
{
    clconst_status status = CLCONST_OUT_OF_MEMORY;
    size_t count = 0;
    for (; status == CLCONST_OUT_OF_MEMORY; count++) {
        clconst_error error = {0, 0, ""};
        long before = live_count;
        until_failure = count;
        status = run(buffer, &error);
        until_failure = SIZE_MAX;
        ck_assert_int_eq(live_count, before);
        ck_assert_int_eq(error.status, status);
    }
    ck_assert_int_eq(status, CLCONST_OK);
    ck_assert_uint_gt(count, 1);
}

/* Check has memory of its own, which is why it is asked only in need. */
static void check_output(const void *output, clconst_status status)
{
    if ((output != NULL) != (status == CLCONST_OK)) {
        ck_abort_msg("an output does not fit status %d", (int)status);
    }
}

static clconst_status decode_node(const proto_buffer *buffer,
                                  clconst_error *error)
{
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
    fail_each_allocation(decode_node, &buffer);
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

static clconst_status write_tensor(const proto_buffer *buffer,
                                   clconst_error *error)
{
    (void)buffer;
    clconst_view view = {CLCONST_UINT8, {NULL, 0}, "a", 1};
    return clconst_tensor_proto_write(&view, "a", discard, NULL, error);
}

START_TEST(tensors_are_written_or_out_of_memory)
{
    fail_each_allocation(write_tensor, NULL);
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

static clconst_status read_model(const proto_buffer *buffer,
                                 clconst_error *error)
{
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
    fail_each_allocation(read_model, &buffer);
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
    fail_each_allocation(read_model, &buffer);
    proto_free(&content);
    proto_free(&buffer);
}
END_TEST

static clconst_status open_model(const proto_buffer *buffer,
                                 clconst_error *error)
{
    (void)buffer;
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
    fail_each_allocation(open_model, NULL);
    ck_assert_int_eq(remove("test_onnx_faults.onnx"), 0);
    proto_free(&buffer);
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
    tcase_add_test(tcase, files_are_opened_or_out_of_memory);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
