/*
 * Where the program keeps compiled kernels: the XDG Base Directory
 * Specification says in which folder, and that a relative one does not count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/engines.h"
#include "harness/harness.h"

enum { PATH_SIZE = 8192 };

/* The working folder of a test, and what the last engine was told. */
static char root[PATH_SIZE / 2];
static char cache_dir[PATH_SIZE];
static bool has_cache_dir;

clconst_status
__real_clconst_engine_create(const clconst_engine_options *options,
                             clconst_engine **engine,
                             clconst_error *error);
clconst_status
__wrap_clconst_engine_create(const clconst_engine_options *options,
                             clconst_engine **engine,
                             clconst_error *error);

clconst_status
__wrap_clconst_engine_create(const clconst_engine_options *options,
                             clconst_engine **engine,
                             clconst_error *error)
{
    has_cache_dir = options->cache_dir != NULL;
    snprintf(cache_dir,
             sizeof(cache_dir),
             "%s",
             has_cache_dir ? options->cache_dir : "");
    return __real_clconst_engine_create(options, engine, error);
}

static void open_root(void)
{
    char name[] = "clconst-engines-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(name));
    ck_assert_int_eq(chdir(name), 0);
    ck_assert_ptr_nonnull(getcwd(root, sizeof(root)));
    FILE *file = fopen("file", "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(mkdir("home", S_IRWXU), 0);
    ck_assert_int_eq(mkdir("made", S_IRWXU), 0);
}

static void close_root(void)
{
    static const char *const names[] = {
        "file", "made", "new", "home/.cache", "home"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        (void)remove(names[i]);
    }
    ck_assert_int_eq(chdir(".."), 0);
    ck_assert_int_eq(rmdir(root), 0);
}

/* Below the root where they begin with a slash; NULL: not set. */
typedef struct folder_row {
    const char *name;
    const char *cache_home;
    const char *home;
    const char *made; /* the folder in which the program's is; NULL: none */
} folder_row;

static const folder_row folder_rows[] = {
    {"XDG_CACHE_HOME", "/made", "/home", "/made"},
    {"XDG_CACHE_HOME alone", "/made", NULL, "/made"},
    {"XDG_CACHE_HOME, not there yet", "/new", "/home", "/new"},
    {"XDG_CACHE_HOME, no parent either", "/none/new", "/home", NULL},
    {"XDG_CACHE_HOME, a file", "/file", "/home", NULL},
    {"XDG_CACHE_HOME, relative", "made", "/home", "/home/.cache"},
    {"XDG_CACHE_HOME, empty", "", "/home", "/home/.cache"},
    {"HOME", NULL, "/home", "/home/.cache"},
    {"HOME, not there", NULL, "/none", NULL},
    {"HOME, relative", NULL, "home", NULL},
    {"neither", NULL, NULL, NULL},
};

/* The path below the root, or the text itself. */
static void make_path(char path[PATH_SIZE], const char *text)
{
    snprintf(path, PATH_SIZE, "%s%s", text[0] == '/' ? root : "", text);
}

static void set_variable(const char *name, const char *text)
{
    char path[PATH_SIZE];
    if (text == NULL) {
        ck_assert_int_eq(unsetenv(name), 0);
    } else {
        make_path(path, text);
        ck_assert_int_eq(setenv(name, path, 1), 0);
    }
}

/* Opens the engines as a subcommand does; the CPU engine keeps nothing. */
static void open_engines(void)
{
    const cli_args args = {.device = "cpu"};
    cli_engines engines;
    cli_report report;
    clconst_error error;
    ck_assert_int_eq(cli_report_init(&report, &error), CLI_DONE);
    ck_assert_int_eq(cli_engines_open(&args, &report, &engines, &error),
                     CLI_DONE);
    cli_engines_release(&engines);
    cli_report_release(&report);
}

START_TEST(programs_are_kept_where_xdg_says)
{
    const folder_row *row = &folder_rows[_i];
    set_variable("XDG_CACHE_HOME", row->cache_home);
    set_variable("HOME", row->home);
    open_engines();
    ck_assert_msg(has_cache_dir == (row->made != NULL),
                  "%s: the folder is \"%s\"",
                  row->name,
                  cache_dir);
    if (row->made != NULL) {
        char base[PATH_SIZE];
        char expected[PATH_SIZE + 16];
        struct stat facts;
        make_path(base, row->made);
        snprintf(expected, sizeof(expected), "%s/clconst", base);
        ck_assert_str_eq(cache_dir, expected);
        ck_assert_int_eq(stat(base, &facts), 0);
        /* The specification's mode for a folder that has to be made. */
        ck_assert_uint_eq(facts.st_mode, S_IFDIR | S_IRWXU);
    }
}
END_TEST

/* A path is a folder's up to a length. */
START_TEST(a_path_that_is_too_long_keeps_nothing)
{
    static char text[PATH_SIZE];
    memset(text, '/', 5000);
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", text, 1), 0);
    open_engines();
    ck_assert(!has_cache_dir);
    text[4000] = '\0';
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", text, 1), 0);
    open_engines();
    ck_assert(has_cache_dir);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engines");
    TCase *tcase = tcase_create("engines");
    tcase_add_checked_fixture(tcase, open_root, close_root);
    tcase_add_loop_test(tcase,
                        programs_are_kept_where_xdg_says,
                        0,
                        sizeof(folder_rows) / sizeof(folder_rows[0]));
    tcase_add_test(tcase, a_path_that_is_too_long_keeps_nothing);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
