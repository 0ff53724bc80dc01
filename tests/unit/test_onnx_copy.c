/*
 * Files that change while a model is open: what mapped ones do, and what the
 * option copy makes of them. The linker sends the library's calls of mmap and
 * pread here.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "unit/onnx_folder.h"

void *__real_mmap(
    void *at, size_t size, int access, int flags, int file, off_t offset);
ssize_t __real_pread(int file, void *bytes, size_t size, off_t offset);
void *__wrap_mmap(
    void *at, size_t size, int access, int flags, int file, off_t offset);
ssize_t __wrap_pread(int file, void *bytes, size_t size, off_t offset);

static int mmap_count;
static int pread_count;

/* What reads do beside reading: one of them, the next, and all. */
static int shrinks_at;         /* the number of the read */
static const char *shrinking;  /* a path that it cuts to four bytes */
static int failure;            /* an errno, or 0 */
static size_t most = SIZE_MAX; /* bytes at a time */

void *__wrap_mmap(
    void *at, size_t size, int access, int flags, int file, off_t offset)
{
    mmap_count++;
    return __real_mmap(at, size, access, flags, file, offset);
}

ssize_t __wrap_pread(int file, void *bytes, size_t size, off_t offset)
{
    pread_count++;
    if (failure != 0) {
        errno = failure;
        failure = 0;
        return -1;
    }
    if (shrinks_at == pread_count && truncate(shrinking, 4) != 0) {
        ck_abort_msg("the file cannot be cut");
    }
    return __real_pread(file, bytes, size < most ? size : most, offset);
}

static const char model_path[] = "model/m.onnx";

/* Two tensors of one file, whose path is written in two ways, and one in the
 * model, the last four bytes of which are the tensor's. */
static const char graph[] = "5:{1:4 2:2 14:1 8:'a' " OFFSET(
    "2") "} "
         "5:{1:4 2:2 14:1 8:'b' " AT(
             ".//./w.bin") "} "
                           "5:{1:4 2:2 8:'c' 9:x0a0b0c0d}";

static clconst_status
open_model(int copy, clconst_model **model, clconst_error *error)
{
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    options.copy = copy;
    mmap_count = 0;
    pread_count = 0;
    return clconst_model_open(model_path, &options, model, error);
}

static void check_constant(const clconst_resolution *resolution,
                           size_t index,
                           const char *bytes)
{
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    uint8_t written[4];
    ck_assert_ok(
        clconst_resolution_get_constant(resolution, index, &resolved, error));
    ck_assert_int_eq(resolved.status, CLCONST_OK);
    ck_assert_ok(
        clconst_write(NULL, resolved.plan, written, sizeof(written), error));
    harness_assert_bytes(written, bytes, sizeof(written), "constant");
}

/* Resolves a model whose files may be gone, and destroys it. */
static void check_model(clconst_model *model)
{
    clconst_resolution *resolution;
    ck_assert_ok(clconst_resolution_create(model, NULL, &resolution, error));
    check_constant(resolution, 0, "\2\3\4\5");
    check_constant(resolution, 1, "\0\1\2\3");
    check_constant(resolution, 2, "\xa\xb\xc\xd");
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
}

static void cut_files(void)
{
    ck_assert_int_eq(truncate(model_path, 0), 0);
    ck_assert_int_eq(truncate("model/w.bin", 0), 0);
}

START_TEST(copied_files_may_shrink)
{
    clconst_model *model;
    folder_enter();
    folder_write_model(model_path, graph);
    ck_assert_ok(open_model(1, &model, error));
    ck_assert_int_eq(mmap_count, 0);
    /* One for each file, whatever the ways to write its path. */
    ck_assert_int_eq(pread_count, 2);
    cut_files();
    check_model(model);
    folder_leave();
}
END_TEST

START_TEST(mapped_files_are_not_read)
{
    clconst_model *model;
    folder_enter();
    folder_write_model(model_path, graph);
    ck_assert_ok(open_model(0, &model, error));
    ck_assert_int_eq(mmap_count, 2);
    ck_assert_int_eq(pread_count, 0);
    check_model(model);
    folder_leave();
}
END_TEST

/* What the header says of them. */
START_TEST(mapped_files_must_not_shrink)
{
    clconst_model *model;
    folder_enter();
    folder_write_model(model_path, graph);
    ck_assert_ok(open_model(0, &model, error));
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        signal(SIGBUS, SIG_DFL);
        cut_files();
        check_model(model);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    clconst_model_destroy(model);
    folder_leave();
}
END_TEST

START_TEST(a_model_that_shrinks_while_it_is_copied_is_an_error)
{
    clconst_model *model;
    char message[128];
    folder_enter();
    folder_write_model(model_path, graph);
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, graph, "");
    snprintf(message,
             sizeof(message),
             "\"%s\" has 4 bytes of %zu left; it must not shrink while it is "
             "read",
             model_path,
             buffer.size);
    proto_free(&buffer);
    shrinks_at = 1;
    shrinking = model_path;
    ck_assert_fails(open_model(1, &model, error), CLCONST_IO_ERROR, message);
    folder_leave();
}
END_TEST

/* Why external data could not be read. */
static void check_failure(int32_t native_code, const char *reason)
{
    clconst_model *model;
    clconst_resolution *resolution;
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    ck_assert_ok(open_model(1, &model, error));
    ck_assert_ok(clconst_resolution_create(model, NULL, &resolution, error));
    ck_assert_ok(
        clconst_resolution_get_constant(resolution, 0, &resolved, error));
    ck_assert_int_eq(resolved.state, CLCONST_INVALID);
    ck_assert_int_eq(resolved.status, CLCONST_IO_ERROR);
    ck_assert_int_eq(resolved.native_code, native_code);
    ck_assert_str_eq(resolved.reason, reason);
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
}

START_TEST(data_that_shrink_while_they_are_copied_are_an_error)
{
    folder_enter();
    folder_write_model(model_path, "5:{1:4 2:2 14:1 8:'t' " AT("w.bin") "}");
    shrinks_at = 2;
    shrinking = "model/w.bin";
    check_failure(EIO,
                  "location \"w.bin\" has 4 bytes of 16 left; it must not "
                  "shrink while it is read");
    folder_leave();
}
END_TEST

START_TEST(reads_that_end_early_go_on)
{
    clconst_model *model;
    folder_enter();
    folder_write_model(model_path, graph);
    most = 5;
    failure = EINTR;
    ck_assert_ok(open_model(1, &model, error));
    ck_assert_int_gt(pread_count, 5);
    check_model(model);
    folder_leave();
}
END_TEST

START_TEST(reads_that_fail_are_an_error)
{
    clconst_model *model;
    folder_enter();
    folder_write_model(model_path, graph);
    failure = EIO;
    ck_assert_fails(open_model(1, &model, error),
                    CLCONST_IO_ERROR,
                    "\"model/m.onnx\" cannot be read: Input/output error");
    folder_leave();
}
END_TEST

START_TEST(missing_files_are_io_errors)
{
    folder_enter();
    folder_write_model(model_path,
                       "5:{1:1 2:7 14:1 8:'t' " AT(
                           "none.bin") "} "
                                       "1:{4:'ConstantOfShape' 1:'t' 2:'f'}");
    check_failure(ENOENT,
                  "location \"none.bin\" cannot be opened: No such file or "
                  "directory");
    folder_leave();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("onnx copy");
    TCase *tcase = tcase_create("copy");
    tcase_add_test(tcase, copied_files_may_shrink);
    tcase_add_test(tcase, mapped_files_are_not_read);
    tcase_add_test(tcase, mapped_files_must_not_shrink);
    tcase_add_test(tcase, a_model_that_shrinks_while_it_is_copied_is_an_error);
    tcase_add_test(tcase, data_that_shrink_while_they_are_copied_are_an_error);
    tcase_add_test(tcase, reads_that_end_early_go_on);
    tcase_add_test(tcase, reads_that_fail_are_an_error);
    tcase_add_test(tcase, missing_files_are_io_errors);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
