/*
 * Programs kept in a folder: found again, and never trusted when damaged, since
 * PoCL and rusticl abort on damaged binaries.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend/engines.h"
#include "backend/opencl/cache.h"
#include "backend/suites.h"
#include "base/alloc.h"
#include "harness/oracle.h"

enum { COUNT = 1001, PATH_SIZE_MAX = 512 };

static char folder[] = "clconst-cache-XXXXXX";

static void make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* How many files the folder has, and the path of one. */
static size_t count_entries(char path[PATH_SIZE_MAX])
{
    DIR *entries = opendir(folder);
    ck_assert_ptr_nonnull(entries);
    size_t count = 0;
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] != '.') {
            snprintf(path, PATH_SIZE_MAX, "%s/%s", folder, entry->d_name);
            count++;
        }
    }
    closedir(entries);
    return count;
}

/* The path of the folder's only file. */
static void find_entry(char path[PATH_SIZE_MAX])
{
    ck_assert_uint_eq(count_entries(path), 1);
}

static void remove_folder(void)
{
    DIR *entries = opendir(folder);
    ck_assert_ptr_nonnull(entries);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
    ck_assert_int_eq(rmdir(folder), 0);
}

static clconst_engine *
create_engine(clconst_note_function note, void *context, const char *cache_dir)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = getenv("CLCONST_TEST_DEVICE");
    options.fill_path = CLCONST_PATH_KERNEL;
    options.cache_dir = cache_dir;
    options.note = note;
    options.note_context = context;
    clconst_engine *engine;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    return engine;
}

static void run_fill(clconst_engine *engine)
{
    uint8_t expected[COUNT * 8];
    uint8_t actual[sizeof(expected)];
    oracle_fill(expected, CLCONST_DOUBLE, engines_element, COUNT);
    clconst_tensor *tensor;
    clconst_plan *plan =
        engines_fill_plan(CLCONST_DOUBLE, engines_element, COUNT);
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    ck_assert_ok(clconst_tensor_read(tensor, 0, actual, sizeof(actual), error));
    harness_assert_bytes(actual, expected, sizeof(actual), "cached kernel");
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
}

/* One fill by a kernel of a new engine, and what became of its program. */
static clconst_engine_counters
fill_once(clconst_note_function note, void *context, const char *cache_dir)
{
    clconst_engine *engine = create_engine(note, context, cache_dir);
    run_fill(engine);
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_engine_get_counters(engine, &counters);
    clconst_engine_destroy(engine);
    return counters;
}

START_TEST(programs_are_built_once_and_then_loaded)
{
    make_folder();
    clconst_engine_counters first = fill_once(NULL, NULL, folder);
    ck_assert_uint_eq(first.programs_built, 1);
    ck_assert_uint_eq(first.programs_loaded, 0);
    clconst_engine_counters second = fill_once(NULL, NULL, folder);
    ck_assert_uint_eq(second.programs_built, 0);
    ck_assert_uint_eq(second.programs_loaded, 1);
    remove_folder();
}
END_TEST

/* A launch completes a program on PoCL: one that is kept before lacks in each
 * later process what the launch compiles. */
START_TEST(programs_are_kept_that_have_been_launched)
{
    char path[PATH_SIZE_MAX];
    make_folder();
    for (size_t i = 0; i < 2; i++) {
        clconst_engine *engine = create_engine(NULL, NULL, folder);
        ck_assert_ok(clconst_engine_prepare(engine, error));
        if (i == 1) {
            run_fill(engine);
        }
        clconst_engine_destroy(engine);
        ck_assert_uint_eq(count_entries(path), i);
    }
    ck_assert_uint_eq(fill_once(NULL, NULL, folder).programs_loaded, 1);
    remove_folder();
}
END_TEST

/* Reads the entry, and writes it back with one byte changed or the end gone. */
static void damage(const char *path, long at, long size)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    if (at >= 0) {
        ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
        int byte = fgetc(file);
        ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
        ck_assert_int_ne(fputc(byte ^ 0x10, file), EOF);
    }
    ck_assert_int_eq(fclose(file), 0);
    if (size >= 0) {
        ck_assert_int_eq(truncate(path, size), 0);
    }
}

static long file_size(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    fclose(file);
    return size;
}

START_TEST(damaged_entries_are_built_again)
{
    make_folder();
    fill_once(NULL, NULL, folder);
    char path[PATH_SIZE_MAX];
    find_entry(path);
    long size = file_size(path);
    const struct {
        long at;
        long size;
    } rows[] = {
        {0, -1},        /* the magic */
        {8, -1},        /* the key's size */
        {16, -1},       /* the value's size */
        {24, -1},       /* the checksum */
        {40, -1},       /* the key */
        {size / 2, -1}, /* the value */
        {size - 1, -1},
        {-1, 0},
        {-1, 31},
        {-1, size / 2},
        {-1, size - 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        damage(path, rows[i].at, rows[i].size);
        clconst_engine_counters counters = fill_once(NULL, NULL, folder);
        ck_assert_msg(counters.programs_built == 1, "row %zu was taken", i);
        counters = fill_once(NULL, NULL, folder);
        ck_assert_msg(counters.programs_loaded == 1, "row %zu stayed", i);
    }
    remove_folder();
}
END_TEST

START_TEST(entries_answer_to_their_key_alone)
{
    make_folder();
    uint8_t text[] = "driver A value";
    const clconst__bytes key_a = {text, 8};
    const clconst__bytes value = {text + 9, 5};
    clconst__bytes found;
    ck_assert(clconst__cache_write(folder, &key_a, &value));
    ck_assert(clconst__cache_read(folder, &key_a, &found));
    ck_assert_uint_eq(found.size, 5);
    ck_assert_mem_eq(found.data, "value", 5);
    clconst__free(found.data);
    uint8_t other[] = "driver B";
    const clconst__bytes key_b = {other, 8};
    ck_assert(!clconst__cache_read(folder, &key_b, &found));
    /* The same file under the other key's name, as a collision would give. */
    char path_a[PATH_SIZE_MAX];
    find_entry(path_a);
    ck_assert(clconst__cache_write(folder, &key_b, &value));
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        char path[PATH_SIZE_MAX];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && strcmp(path, path_a) != 0) {
            ck_assert_int_eq(rename(path_a, path), 0);
        }
    }
    closedir(entries);
    ck_assert(!clconst__cache_read(folder, &key_b, &found));
    remove_folder();
}
END_TEST

/* A file in the folder, last written so many seconds ago. */
static void leave_file(const char *name, time_t age)
{
    char path[PATH_SIZE_MAX];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fclose(file), 0);
    const struct timespec times[2] = {{.tv_sec = time(NULL) - age},
                                      {.tv_sec = time(NULL) - age}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* R153: an entry is cut at every length, and each of its bytes is another. */
START_TEST(each_byte_of_an_entry_counts)
{
    static const uint8_t text[] = "the key and a value";
    const clconst__bytes key = {(uint8_t *)text, 7};
    const clconst__bytes value = {(uint8_t *)text + 12, 7};
    clconst__bytes found;
    char path[PATH_SIZE_MAX];
    make_folder();
    ck_assert(clconst__cache_write(folder, &key, &value));
    find_entry(path);
    long size = file_size(path);
    for (long i = 0; i < size; i++) {
        for (int is_cut = 0; is_cut < 2; is_cut++) {
            damage(path, is_cut ? -1 : i, is_cut ? i : -1);
            ck_assert_msg(!clconst__cache_read(folder, &key, &found),
                          "byte %ld of %ld, %s",
                          i,
                          size,
                          is_cut ? "the end" : "changed");
            ck_assert(clconst__cache_write(folder, &key, &value));
        }
    }
    ck_assert(clconst__cache_read(folder, &key, &found));
    clconst__free(found.data);
    remove_folder();
}
END_TEST

static void take_note(void *context, clconst_note_code code, const char *text)
{
    ck_assert_int_eq(code, CLCONST_NOTE_CACHE);
    snprintf(context, PATH_SIZE_MAX, "%s", text);
}

START_TEST(an_unusable_folder_is_noted_and_left_out)
{
    make_folder();
    leave_file("file", 0);
    char file[PATH_SIZE_MAX];
    snprintf(file, sizeof(file), "%s/file", folder);
    /* All that a folder needs, but for being one. */
    ck_assert_int_eq(chmod(file, S_IRWXU), 0);
    const char *const paths[] = {"missing/folder", file};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        char expected[2 * PATH_SIZE_MAX];
        snprintf(expected,
                 sizeof(expected),
                 "cache_dir is \"%s\"; it must be a folder to read and write",
                 paths[i]);
        char text[PATH_SIZE_MAX] = "";
        clconst_engine_counters counters = fill_once(take_note, text, paths[i]);
        ck_assert_str_eq(text, expected);
        ck_assert_uint_eq(counters.programs_built, 1);
    }
    remove_folder();
}
END_TEST

START_TEST(the_folder_holds_64_mib_at_most)
{
    enum { MIB = 1 << 20, SIZE = 24 * MIB };
    make_folder();
    uint8_t *bytes = calloc(SIZE, 1);
    ck_assert_ptr_nonnull(bytes);
    const clconst__bytes value = {bytes, SIZE};
    uint8_t names[] = {1, 2, 3};
    clconst__bytes found;
    for (size_t i = 0; i < 3; i++) {
        const clconst__bytes key = {&names[i], 1};
        ck_assert(clconst__cache_write(folder, &key, &value));
        /* Times of files have a step of some milliseconds. */
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    for (size_t i = 0; i < 3; i++) {
        const clconst__bytes key = {&names[i], 1};
        bool is_found = clconst__cache_read(folder, &key, &found);
        ck_assert_msg(is_found == (i > 0), "entry %zu", i);
        if (is_found) {
            clconst__free(found.data);
        }
    }
    free(bytes);
    remove_folder();
}
END_TEST

START_TEST(an_entry_beyond_64_mib_is_not_kept)
{
    enum { SIZE = 64 << 20 };
    make_folder();
    uint8_t *bytes = calloc(SIZE, 1);
    ck_assert_ptr_nonnull(bytes);
    uint8_t names[] = {1, 2};
    const clconst__bytes small = {bytes, 5};
    const clconst__bytes large = {bytes, SIZE};
    const clconst__bytes keys[] = {{&names[0], 1}, {&names[1], 1}};
    clconst__bytes found;
    ck_assert(clconst__cache_write(folder, &keys[0], &small));
    ck_assert(!clconst__cache_write(folder, &keys[1], &large));
    ck_assert(!clconst__cache_read(folder, &keys[1], &found));
    ck_assert(clconst__cache_read(folder, &keys[0], &found));
    clconst__free(found.data);
    free(bytes);
    remove_folder();
}
END_TEST

START_TEST(drafts_of_killed_writers_go)
{
    static const struct {
        const char *name;
        time_t age;
        bool stays;
    } rows[] = {
        {"draft-a1B2c3", 7200, false},
        {"draft-a1B2c4", 60, true}, /* its writer may be at work */
        {"draft-of-mine", 7200, true},
    };
    enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };
    make_folder();
    for (size_t i = 0; i < ROW_COUNT; i++) {
        leave_file(rows[i].name, rows[i].age);
    }
    uint8_t text[] = "key";
    const clconst__bytes key = {text, 3};
    ck_assert(clconst__cache_write(folder, &key, &key));
    for (size_t i = 0; i < ROW_COUNT; i++) {
        char path[PATH_SIZE_MAX];
        snprintf(path, sizeof(path), "%s/%s", folder, rows[i].name);
        ck_assert_msg(
            (access(path, F_OK) == 0) == rows[i].stays, "%s", rows[i].name);
    }
    remove_folder();
}
END_TEST

/* A relative folder is the one that it was at the engine's creation. */
START_TEST(the_folder_stays_when_the_process_moves)
{
    make_folder();
    char before[PATH_SIZE_MAX];
    ck_assert_ptr_nonnull(getcwd(before, sizeof(before)));
    clconst_engine *engine = create_engine(NULL, NULL, folder);
    ck_assert_int_eq(chdir("/"), 0);
    run_fill(engine);
    clconst_engine_destroy(engine);
    ck_assert_int_eq(chdir(before), 0);
    clconst_engine_counters later = fill_once(NULL, NULL, folder);
    ck_assert_uint_eq(later.programs_loaded, 1);
    remove_folder();
}
END_TEST

Suite *opencl_cache_suite(void)
{
    Suite *suite = suite_create("opencl_cache");
    TCase *tcase = tcase_create("opencl_cache");
    tcase_add_test(tcase, programs_are_built_once_and_then_loaded);
    tcase_add_test(tcase, programs_are_kept_that_have_been_launched);
    tcase_add_test(tcase, damaged_entries_are_built_again);
    tcase_add_test(tcase, entries_answer_to_their_key_alone);
    tcase_add_test(tcase, each_byte_of_an_entry_counts);
    tcase_add_test(tcase, an_unusable_folder_is_noted_and_left_out);
    tcase_add_test(tcase, the_folder_holds_64_mib_at_most);
    tcase_add_test(tcase, an_entry_beyond_64_mib_is_not_kept);
    tcase_add_test(tcase, drafts_of_killed_writers_go);
    tcase_add_test(tcase, the_folder_stays_when_the_process_moves);
    suite_add_tcase(suite, tcase);
    return suite;
}
