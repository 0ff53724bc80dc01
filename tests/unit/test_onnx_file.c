/* Models in files: how they are opened, and how long their bytes live. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"
#include "unit/onnx_suites.h"

/* A folder of its own for files, below the present one. */
typedef struct test_folder {
    char path[64];
    char file[80];
} test_folder;

static test_folder make_folder(void)
{
    test_folder made;
    snprintf(made.path, sizeof(made.path), "test_onnx_%ld", (long)getpid());
    snprintf(made.file, sizeof(made.file), "%s/model.onnx", made.path);
    ck_assert_int_eq(mkdir(made.path, 0700), 0);
    return made;
}

static void remove_folder(const test_folder *made)
{
    unlink(made->file);
    ck_assert_int_eq(rmdir(made->path), 0);
}

static void write_file(const char *path, const proto_buffer *buffer)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    if (buffer->size > 0) {
        ck_assert_uint_eq(fwrite(buffer->bytes, 1, buffer->size, file),
                          buffer->size);
    }
    ck_assert_int_eq(fclose(file), 0);
}

/* A plan of the file's bytes outlives the model and the resolution. */
START_TEST(a_mapped_file_lives_as_long_as_what_is_made_from_it)
{
    test_folder made = make_folder();
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer,
                 "5:{1:4 2:2 9:x0a0b0c0d 8:'w'} "
                 "5:{1:1 2:8 6:'text' 8:'s'}",
                 "");
    write_file(made.file, &buffer);
    proto_free(&buffer);
    clconst_model *model;
    clconst_resolution *resolution;
    ck_assert_ok(clconst_model_open(made.file, NULL, &model, error));
    ck_assert_ok(clconst_resolution_create(model, NULL, &resolution, error));
    clconst_model_destroy(model);
    clconst_resolved resolved[2] = {CLCONST_RESOLVED_INIT,
                                    CLCONST_RESOLVED_INIT};
    const clconst_plan *plans[2];
    for (size_t i = 0; i < 2; i++) {
        ck_assert_ok(clconst_resolution_get_constant(
            resolution, i, &resolved[i], error));
        plans[i] = resolved[i].plan;
    }
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    clconst_engine *engine;
    clconst_tensor *tensor;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    ck_assert_ok(clconst_run(engine, plans[1], &tensor, error));
    uint8_t bytes[4] = {0};
    ck_assert_ok(clconst_write(NULL, plans[0], bytes, sizeof(bytes), error));
    ck_assert_mem_eq(bytes, "\x0a\x0b\x0c\x0d", 4);
    clconst_resolution_destroy(resolution);
    clconst_view view;
    clconst_tensor_get_view(tensor, &view);
    const clconst_string *string = view.data;
    ck_assert_uint_eq(string->size, 4);
    ck_assert_mem_eq(string->data, "text", 4);
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(engine);
    remove_folder(&made);
}
END_TEST

static clconst_status
open_path(const char *path, int32_t *native_code, clconst_error *error)
{
    clconst_model *model = NULL;
    clconst_status status = clconst_model_open(path, NULL, &model, error);
    ck_assert_ptr_null(model);
    *native_code = error->native_code;
    return status;
}

START_TEST(files_that_cannot_be_read_are_refused)
{
    test_folder made = make_folder();
    char message[256];
    int32_t code;
    snprintf(message,
             sizeof(message),
             "\"%s\" cannot be opened: No such file or directory",
             made.file);
    ck_assert_fails(
        open_path(made.file, &code, error), CLCONST_IO_ERROR, message);
    ck_assert_int_eq(code, ENOENT);
    snprintf(message,
             sizeof(message),
             "\"%s\" is no regular file: Is a directory",
             made.path);
    ck_assert_fails(
        open_path(made.path, &code, error), CLCONST_IO_ERROR, message);
    ck_assert_int_eq(code, EISDIR);
    ck_assert_int_eq(mkfifo(made.file, 0600), 0);
    snprintf(message,
             sizeof(message),
             "\"%s\" is no regular file: Invalid argument",
             made.file);
    ck_assert_fails(
        open_path(made.file, &code, error), CLCONST_IO_ERROR, message);
    ck_assert_int_eq(code, EINVAL);
    ck_assert_int_eq(unlink(made.file), 0);
    proto_buffer content = {NULL, 0, 0};
    write_file(made.file, &content);
    snprintf(message,
             sizeof(message),
             "\"%s\" is empty; a model has at least a graph",
             made.file);
    ck_assert_fails(
        open_path(made.file, &code, error), CLCONST_INVALID_MODEL, message);
    ck_assert_int_eq(code, 0);
    proto_append(&content, "!ff");
    write_file(made.file, &content);
    proto_free(&content);
    ck_assert_fails(open_path(made.file, &code, error),
                    CLCONST_MALFORMED,
                    "ModelProto is no protobuf near its byte 1: "
                    "end-of-stream");
    clconst_model *model;
    ck_assert_fails(clconst_model_open(NULL, NULL, &model, error),
                    CLCONST_INVALID_ARGUMENT,
                    "path or model is NULL; both are required");
    ck_assert_fails(clconst_model_open("m.onnx", NULL, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "path or model is NULL; both are required");
    remove_folder(&made);
}
END_TEST

Suite *onnx_file_suite(void)
{
    Suite *suite = suite_create("onnx file");
    TCase *tcase = tcase_create("file");
    tcase_add_test(tcase, a_mapped_file_lives_as_long_as_what_is_made_from_it);
    tcase_add_test(tcase, files_that_cannot_be_read_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
