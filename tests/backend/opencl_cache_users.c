/*
 * A folder of programs beside others who use it: processes that share it, and
 * who takes it away or closes it.
 */
/* setgroups is not in POSIX.1-2008. */
#define _DEFAULT_SOURCE

#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/opencl/cache.h"
#include "backend/opencl_cache_fixture.h"
#include "backend/suites.h"
#include "base/alloc.h"

/* Each body in a process of its own, all at a time. They start before this one
 * uses OpenCL, since PoCL hangs in a child that inherits it. */
static void run_processes(size_t count, void (*body)(size_t number))
{
    pid_t processes[8];
    ck_assert_uint_le(count, sizeof(processes) / sizeof(processes[0]));
    for (size_t i = 0; i < count; i++) {
        processes[i] = fork();
        ck_assert_int_ge(processes[i], 0);
        if (processes[i] == 0) {
            body(i);
            _exit(0);
        }
    }
    for (size_t i = 0; i < count; i++) {
        int state;
        ck_assert_int_eq(waitpid(processes[i], &state, 0), processes[i]);
        ck_assert_msg(
            state == 0, "process %zu ended with 0x%x", i, (unsigned)state);
    }
}

/* Each finds the program of another, or builds and keeps it; and then finds
 * one. */
static void share_folder(size_t number)
{
    (void)number;
    cache_fill_once(NULL, NULL, cache_folder);
    ck_assert_uint_eq(cache_fill_once(NULL, NULL, cache_folder).programs_loaded,
                      1);
}

START_TEST(processes_share_a_folder_of_programs)
{
    char path[CACHE_PATH_SIZE];
    cache_make_folder();
    run_processes(3, share_folder);
    ck_assert_uint_eq(cache_count_entries(path), 1);
    cache_remove_folder();
}
END_TEST

static uint8_t shared_name[] = "shared";
static const clconst__bytes shared_key = {shared_name, 6};
enum { SHARED_SIZE = 200000 };

/* Writes one value over and over and reads what anyone has written: there is
 * always a value, all of one writer. */
static void write_and_read(size_t number)
{
    static uint8_t bytes[SHARED_SIZE];
    const clconst__bytes value = {bytes, SHARED_SIZE};
    memset(bytes, (int)number + 1, SHARED_SIZE);
    for (size_t i = 0; i < 100; i++) {
        clconst__bytes found;
        ck_assert(clconst__cache_write(cache_folder, &shared_key, &value));
        ck_assert(clconst__cache_read(cache_folder, &shared_key, &found));
        ck_assert_uint_eq(found.size, SHARED_SIZE);
        ck_assert_mem_eq(found.data, found.data + 1, SHARED_SIZE - 1);
        clconst__free(found.data);
    }
}

START_TEST(processes_replace_an_entry_as_a_whole)
{
    char path[CACHE_PATH_SIZE];
    cache_make_folder();
    run_processes(3, write_and_read);
    ck_assert_uint_eq(cache_count_entries(path), 1);
    cache_remove_folder();
}
END_TEST

/* Root may do everything, so it becomes nobody, who then owns the folder. */
static uid_t choose_owner(void)
{
    enum { NOBODY = 65534 };
    return geteuid() == 0 ? NOBODY : geteuid();
}

static void become(uid_t owner)
{
    if (geteuid() == 0) {
        ck_assert_int_eq(setgroups(0, NULL), 0);
        ck_assert_int_eq(setgid((gid_t)owner), 0);
        ck_assert_int_eq(setuid(owner), 0);
    }
}

static void use_folder_without_permission(size_t number)
{
    static const struct {
        mode_t mode;
        bool opens;
        bool writes;
        bool reads;
    } mode_rows[] = {
        {S_IRWXU, true, true, true},
        {S_IRUSR | S_IXUSR, false, false, true},
        {S_IWUSR | S_IXUSR, false, true, true},
        {S_IRUSR | S_IWUSR, false, false, false},
        {0, false, false, false},
        {S_IRWXU, true, true, true},
    };
    char path[CLCONST__CACHE_PATH_SIZE];
    clconst__bytes found;
    (void)number;
    become(choose_owner());
    for (size_t i = 0; i < sizeof(mode_rows) / sizeof(mode_rows[0]); i++) {
        ck_assert_int_eq(chmod(cache_folder, mode_rows[i].mode), 0);
        bool opens = clconst__cache_open(cache_folder, path);
        bool writes =
            clconst__cache_write(cache_folder, &shared_key, &shared_key);
        bool reads = clconst__cache_read(cache_folder, &shared_key, &found);
        if (reads) {
            clconst__free(found.data);
        }
        ck_assert_msg(opens == mode_rows[i].opens &&
                          writes == mode_rows[i].writes &&
                          reads == mode_rows[i].reads,
                      "mode 0%o: opens %d, writes %d, reads %d",
                      (unsigned)mode_rows[i].mode,
                      opens,
                      writes,
                      reads);
    }
}

/* A folder that loses permission is as one that has none: nothing is kept, and
 * nothing is left behind. It lies where anyone may go. */
START_TEST(a_folder_without_permission_keeps_nothing)
{
    char path[CACHE_PATH_SIZE];
    char before[CACHE_PATH_SIZE];
    ck_assert_ptr_nonnull(getcwd(before, sizeof(before)));
    ck_assert_int_eq(chdir("/tmp"), 0);
    cache_make_folder();
    ck_assert_int_eq(chown(cache_folder, choose_owner(), (gid_t)-1), 0);
    run_processes(1, use_folder_without_permission);
    ck_assert_uint_eq(cache_count_entries(path), 1);
    cache_remove_folder();
    ck_assert_int_eq(chdir(before), 0);
}
END_TEST

/* What cannot be kept at the end is no error, and nobody is told. */
START_TEST(the_folder_may_go_while_an_engine_uses_it)
{
    cache_make_folder();
    clconst_engine *engine = cache_create_engine(NULL, NULL, cache_folder);
    cache_run_fill(engine);
    cache_remove_folder();
    clconst_engine_destroy(engine);
    ck_assert_int_eq(access(cache_folder, F_OK), -1);
}
END_TEST

Suite *opencl_cache_users_suite(void)
{
    Suite *suite = suite_create("opencl_cache_users");
    TCase *tcase = tcase_create("opencl_cache_users");
    tcase_add_test(tcase, processes_share_a_folder_of_programs);
    tcase_add_test(tcase, processes_replace_an_entry_as_a_whole);
    tcase_add_test(tcase, a_folder_without_permission_keeps_nothing);
    tcase_add_test(tcase, the_folder_may_go_while_an_engine_uses_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
