/*
 * A model and its external data, with each call on their files failing: number
 * 1, 2, 3 and so on, once and for ever, until nothing fails. Each time the
 * reason is the system's, and all is given back.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clconst/clconst_model.h>

#include "faults/system.h"
#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"

static const char model_path[] = "test_onnx_files.onnx";
static const char data_path[] = "test_onnx_files.d/e/bin";

/* On the way to the data. */
static const char *const folders[] = {"test_onnx_files.d",
                                      "test_onnx_files.d/e"};
enum { FOLDER_COUNT = sizeof(folders) / sizeof(folders[0]) };

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
                 "2:'test_onnx_files.d/e/bin'}} "
                 "1:{4:'Constant' 2:'c' 5:{1:'value_int' 20:2}}",
                 "");
    write_file(model_path, buffer.bytes, buffer.size);
    for (size_t i = 0; i < FOLDER_COUNT; i++) {
        /* A test that failed leaves it. */
        ck_assert(mkdir(folders[i], S_IRWXU) == 0 || errno == EEXIST);
    }
    write_file(data_path, bytes, sizeof(bytes));
    proto_free(&buffer);
}

static void remove_files(void)
{
    ck_assert_int_eq(remove(model_path), 0);
    ck_assert_int_eq(remove(data_path), 0);
    for (size_t i = FOLDER_COUNT; i-- > 0;) {
        ck_assert_int_eq(rmdir(folders[i]), 0);
    }
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

/* A way to open files, a call that it makes, and how often. */
typedef struct file_row {
    const char *name;
    system_call call;
    size_t count;
    bool is_copy;
    bool follows_links;
    bool lacks_openat2;
} file_row;

/* The model, the folder that it lies in, and the data; where openat2 is
 * missing, the folders on the way to the data too. The names of the
 * data are counted before their bytes, but not where links are followed. */
static const file_row file_rows[] = {
    {"mapped", SYSTEM_open, 2, false, false, false},
    {"mapped", SYSTEM_syscall, 1, false, false, false},
    {"mapped", SYSTEM_fstat, 3, false, false, false},
    {"mapped", SYSTEM_mmap, 2, false, false, false},
    {"copied", SYSTEM_open, 2, true, false, false},
    {"copied", SYSTEM_syscall, 1, true, false, false},
    {"copied", SYSTEM_fstat, 3, true, false, false},
    {"copied", SYSTEM_pread, 2, true, false, false},
    {"with links", SYSTEM_openat, 1, false, true, false},
    {"with links", SYSTEM_fstat, 2, false, true, false},
    {"in steps", SYSTEM_open, 2, false, false, true},
    {"in steps", SYSTEM_openat, 3, false, false, true},
    {"in steps", SYSTEM_fstat, 3, false, false, true},
    {"copied in steps", SYSTEM_openat, 3, true, false, true},
    {"copied in steps", SYSTEM_pread, 2, true, false, true},
};

static clconst_status open_model(const file_row *row, clconst_error *error)
{
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    clconst_model *model = NULL;
    options.copy = row->is_copy;
    options.follow_links = row->follows_links;
    clconst_status status =
        clconst_model_open(model_path, &options, &model, error);
    ck_assert((model != NULL) == (status == CLCONST_OK));
    if (status == CLCONST_OK) {
        status = get_external(model, error);
    }
    clconst_model_destroy(model);
    return status;
}

/* Whether the fault struck. */
static bool try_fault(const file_row *row, size_t first, bool is_forever)
{
    const char *reason = strerror(system_call_code(row->call));
    clconst_error error = {0, 0, ""};
    system_live before = system_get_live();
    system_fail(row->call, first, is_forever);
    clconst_status status = open_model(row, &error);
    size_t struck = system_stop();
    system_assert_live(&before, system_call_name(row->call));
    ck_assert_msg(status == (struck > 0 ? CLCONST_IO_ERROR : CLCONST_OK),
                  "%s, %s number %zu: %s: %s",
                  row->name,
                  system_call_name(row->call),
                  first,
                  clconst_status_name(status),
                  error.message);
    if (struck > 0) {
        ck_assert(error.native_code == system_call_code(row->call) ||
                  strncmp(error.message, "location ", 9) == 0);
        ck_assert_msg(
            strstr(error.message, reason) != NULL, "%s", error.message);
    }
    return struck > 0;
}

static void fail_each(const file_row *row, size_t count)
{
    for (int is_forever = 0; is_forever < 2; is_forever++) {
        size_t first = 1;
        while (try_fault(row, first, is_forever != 0)) {
            first++;
        }
        ck_assert_msg(first - 1 == count,
                      "%s: %s failed %zu times; expected %zu",
                      row->name,
                      system_call_name(row->call),
                      first - 1,
                      count);
    }
}

START_TEST(files_are_opened_or_the_reason_is_the_systems)
{
    const file_row *row = &file_rows[_i];
    system_set_openat2(!row->lacks_openat2);
    fail_each(row, row->count);
    system_set_openat2(true);
}
END_TEST

/* Four bytes of data take two reads, and the model some more. */
START_TEST(files_are_read_in_many_steps_or_the_reason_is_the_systems)
{
    static const file_row row = {
        "copied in pieces", SYSTEM_pread, 0, true, false, false};
    enum { STEP = 3 };
    struct stat facts;
    ck_assert_int_eq(stat(model_path, &facts), 0);
    system_set_pread_max(STEP);
    fail_each(&row, ((size_t)facts.st_size + STEP - 1) / STEP + 2);
    system_set_pread_max(SIZE_MAX);
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
                        sizeof(file_rows) / sizeof(file_rows[0]));
    tcase_add_test(tcase,
                   files_are_read_in_many_steps_or_the_reason_is_the_systems);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
