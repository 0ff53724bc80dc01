/*
 * A model and its external data, with each call on their files failing: number
 * 1, 2, 3 and so on, once and for ever, until nothing fails. Each time the
 * reason is the system's, and all is given back.
 */
#include <stdio.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "faults/system.h"
#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"

static const char model_path[] = "test_onnx_files.onnx";
static const char data_path[] = "test_onnx_files.bin";

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

/* A model with external data. */
static void write_files(void)
{
    static const uint8_t bytes[] = {1, 2, 3, 4};
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer,
                 "5:{1:4 2:2 14:1 8:'t' 13:{1:'location' "
                 "2:'test_onnx_files.bin'}} "
                 "1:{4:'Constant' 2:'c' 5:{1:'value_int' 20:2}}",
                 "");
    write_file(model_path, buffer.bytes, buffer.size);
    write_file(data_path, bytes, sizeof(bytes));
    proto_free(&buffer);
}

static void remove_files(void)
{
    ck_assert_int_eq(remove(model_path), 0);
    ck_assert_int_eq(remove(data_path), 0);
}

/* A constant whose file cannot be read is invalid, with the reason; the model
 * is there all the same. */
static clconst_status get_external(const clconst_model *model,
                                   clconst_error *error)
{
    clconst_resolution *resolution = NULL;
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    uint8_t bytes[4] = {0, 0, 0, 0};
    clconst_status status =
        clconst_resolution_create(model, NULL, &resolution, error);
    if (status == CLCONST_OK) {
        status =
            clconst_resolution_get_constant(resolution, 0, &resolved, error);
    }
    if (status == CLCONST_OK && resolved.plan == NULL) {
        /* A reason is a text alone. */
        status = CLCONST_IO_ERROR;
        *error = (clconst_error){(int32_t)status, 0, ""};
        snprintf(error->message, sizeof(error->message), "%s", resolved.reason);
    }
    if (status == CLCONST_OK) {
        status =
            clconst_write(NULL, resolved.plan, bytes, sizeof(bytes), error);
        if (bytes[0] != 1 || bytes[3] != 4) {
            ck_abort_msg("the bytes are not the file's");
        }
    }
    clconst_resolution_destroy(resolution);
    return status;
}

static clconst_status open_model(clconst_error *error)
{
    clconst_model *model = NULL;
    clconst_status status = clconst_model_open(model_path, NULL, &model, error);
    ck_assert((model != NULL) == (status == CLCONST_OK));
    if (status == CLCONST_OK) {
        status = get_external(model, error);
    }
    clconst_model_destroy(model);
    return status;
}

/* Each call on a file, the model's or that of its data. */
static const system_call file_calls[] = {
    SYSTEM_open, SYSTEM_syscall, SYSTEM_fstat, SYSTEM_mmap};

START_TEST(files_are_opened_or_the_reason_is_the_systems)
{
    system_call what = file_calls[_i];
    const char *reason = strerror(system_call_code(what));
    for (int is_forever = 0; is_forever < 2; is_forever++) {
        size_t first = 1;
        size_t struck;
        do {
            clconst_error error = {0, 0, ""};
            system_live before = system_get_live();
            system_fail(what, first, is_forever != 0);
            clconst_status status = open_model(&error);
            struck = system_stop();
            system_assert_live(&before, system_call_name(what));
            ck_assert_int_eq(status,
                             struck > 0 ? CLCONST_IO_ERROR : CLCONST_OK);
            if (struck > 0) {
                ck_assert(error.native_code == system_call_code(what) ||
                          strncmp(error.message, "location ", 9) == 0);
                ck_assert_msg(
                    strstr(error.message, reason) != NULL, "%s", error.message);
            }
            first++;
        } while (struck > 0);
        ck_assert_uint_gt(first, 2);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("files");
    TCase *tcase = tcase_create("files");
    tcase_add_checked_fixture(tcase, write_files, remove_files);
    tcase_add_loop_test(tcase,
                        files_are_opened_or_the_reason_is_the_systems,
                        0,
                        sizeof(file_calls) / sizeof(file_calls[0]));
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
