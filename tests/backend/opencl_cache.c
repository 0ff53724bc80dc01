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

#include "backend/opencl/cache.h"
#include "backend/opencl_cache_fixture.h"
#include "backend/suites.h"
#include "base/alloc.h"

/* The path of the folder's only file. */
static void find_entry(char path[CACHE_PATH_SIZE])
{
    ck_assert_uint_eq(cache_count_entries(path), 1);
}

START_TEST(programs_are_built_once_and_then_loaded)
{
    cache_make_folder();
    clconst_engine_counters first = cache_fill_once(NULL, NULL, cache_folder);
    ck_assert_uint_eq(first.programs_built, 1);
    ck_assert_uint_eq(first.programs_loaded, 0);
    clconst_engine_counters second = cache_fill_once(NULL, NULL, cache_folder);
    ck_assert_uint_eq(second.programs_built, 0);
    ck_assert_uint_eq(second.programs_loaded, 1);
    cache_remove_folder();
}
END_TEST

/* A launch completes a program on PoCL: one that is kept before lacks in each
 * later process what the launch compiles. */
START_TEST(programs_are_kept_that_have_been_launched)
{
    char path[CACHE_PATH_SIZE];
    cache_make_folder();
    for (size_t i = 0; i < 2; i++) {
        clconst_engine *engine = cache_create_engine(NULL, NULL, cache_folder);
        ck_assert_ok(clconst_engine_prepare(engine, error));
        if (i == 1) {
            cache_run_fill(engine);
        }
        clconst_engine_destroy(engine);
        ck_assert_uint_eq(cache_count_entries(path), i);
    }
    ck_assert_uint_eq(cache_fill_once(NULL, NULL, cache_folder).programs_loaded,
                      1);
    cache_remove_folder();
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
    cache_make_folder();
    cache_fill_once(NULL, NULL, cache_folder);
    char path[CACHE_PATH_SIZE];
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
        clconst_engine_counters counters =
            cache_fill_once(NULL, NULL, cache_folder);
        ck_assert_msg(counters.programs_built == 1, "row %zu was taken", i);
        counters = cache_fill_once(NULL, NULL, cache_folder);
        ck_assert_msg(counters.programs_loaded == 1, "row %zu stayed", i);
    }
    cache_remove_folder();
}
END_TEST

START_TEST(entries_answer_to_their_key_alone)
{
    cache_make_folder();
    uint8_t text[] = "driver A value";
    const clconst__bytes key_a = {text, 8};
    const clconst__bytes value = {text + 9, 5};
    clconst__bytes found;
    ck_assert(clconst__cache_write(cache_folder, &key_a, &value));
    ck_assert(clconst__cache_read(cache_folder, &key_a, &found));
    ck_assert_uint_eq(found.size, 5);
    ck_assert_mem_eq(found.data, "value", 5);
    clconst__free(found.data);
    uint8_t other[] = "driver B";
    const clconst__bytes key_b = {other, 8};
    ck_assert(!clconst__cache_read(cache_folder, &key_b, &found));
    /* The same file under the other key's name, as a collision would give. */
    char path_a[CACHE_PATH_SIZE];
    find_entry(path_a);
    ck_assert(clconst__cache_write(cache_folder, &key_b, &value));
    DIR *entries = opendir(cache_folder);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        char path[CACHE_PATH_SIZE];
        snprintf(path, sizeof(path), "%s/%s", cache_folder, entry->d_name);
        if (entry->d_name[0] != '.' && strcmp(path, path_a) != 0) {
            ck_assert_int_eq(rename(path_a, path), 0);
        }
    }
    closedir(entries);
    ck_assert(!clconst__cache_read(cache_folder, &key_b, &found));
    cache_remove_folder();
}
END_TEST

/* A file in the folder, last written so many seconds ago. */
static void leave_file(const char *name, time_t age)
{
    char path[CACHE_PATH_SIZE];
    snprintf(path, sizeof(path), "%s/%s", cache_folder, name);
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
    char path[CACHE_PATH_SIZE];
    cache_make_folder();
    ck_assert(clconst__cache_write(cache_folder, &key, &value));
    find_entry(path);
    long size = file_size(path);
    for (long i = 0; i < size; i++) {
        for (int is_cut = 0; is_cut < 2; is_cut++) {
            damage(path, is_cut ? -1 : i, is_cut ? i : -1);
            ck_assert_msg(!clconst__cache_read(cache_folder, &key, &found),
                          "byte %ld of %ld, %s",
                          i,
                          size,
                          is_cut ? "the end" : "changed");
            ck_assert(clconst__cache_write(cache_folder, &key, &value));
        }
    }
    ck_assert(clconst__cache_read(cache_folder, &key, &found));
    clconst__free(found.data);
    cache_remove_folder();
}
END_TEST

static void take_note(void *context, clconst_note_code code, const char *text)
{
    ck_assert_int_eq(code, CLCONST_NOTE_CACHE);
    snprintf(context, CACHE_PATH_SIZE, "%s", text);
}

START_TEST(an_unusable_folder_is_noted_and_left_out)
{
    cache_make_folder();
    leave_file("file", 0);
    char file[CACHE_PATH_SIZE];
    snprintf(file, sizeof(file), "%s/file", cache_folder);
    /* All that a folder needs, but for being one. */
    ck_assert_int_eq(chmod(file, S_IRWXU), 0);
    const char *const paths[] = {"missing/folder", file};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        char expected[2 * CACHE_PATH_SIZE];
        snprintf(expected,
                 sizeof(expected),
                 "cache_dir is \"%s\"; it must be a folder to read and write",
                 paths[i]);
        char text[CACHE_PATH_SIZE] = "";
        clconst_engine_counters counters =
            cache_fill_once(take_note, text, paths[i]);
        ck_assert_str_eq(text, expected);
        ck_assert_uint_eq(counters.programs_built, 1);
    }
    cache_remove_folder();
}
END_TEST

START_TEST(the_folder_holds_64_mib_at_most)
{
    enum { MIB = 1 << 20, SIZE = 24 * MIB };
    cache_make_folder();
    uint8_t *bytes = calloc(SIZE, 1);
    ck_assert_ptr_nonnull(bytes);
    const clconst__bytes value = {bytes, SIZE};
    uint8_t names[] = {1, 2, 3};
    clconst__bytes found;
    for (size_t i = 0; i < 3; i++) {
        const clconst__bytes key = {&names[i], 1};
        ck_assert(clconst__cache_write(cache_folder, &key, &value));
        /* Times of files have a step of some milliseconds. */
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    for (size_t i = 0; i < 3; i++) {
        const clconst__bytes key = {&names[i], 1};
        bool is_found = clconst__cache_read(cache_folder, &key, &found);
        ck_assert_msg(is_found == (i > 0), "entry %zu", i);
        if (is_found) {
            clconst__free(found.data);
        }
    }
    free(bytes);
    cache_remove_folder();
}
END_TEST

START_TEST(an_entry_beyond_64_mib_is_not_kept)
{
    enum { SIZE = 64 << 20 };
    cache_make_folder();
    uint8_t *bytes = calloc(SIZE, 1);
    ck_assert_ptr_nonnull(bytes);
    uint8_t names[] = {1, 2};
    const clconst__bytes small = {bytes, 5};
    const clconst__bytes large = {bytes, SIZE};
    const clconst__bytes keys[] = {{&names[0], 1}, {&names[1], 1}};
    clconst__bytes found;
    ck_assert(clconst__cache_write(cache_folder, &keys[0], &small));
    ck_assert(!clconst__cache_write(cache_folder, &keys[1], &large));
    ck_assert(!clconst__cache_read(cache_folder, &keys[1], &found));
    ck_assert(clconst__cache_read(cache_folder, &keys[0], &found));
    clconst__free(found.data);
    free(bytes);
    cache_remove_folder();
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
    cache_make_folder();
    for (size_t i = 0; i < ROW_COUNT; i++) {
        leave_file(rows[i].name, rows[i].age);
    }
    uint8_t text[] = "key";
    const clconst__bytes key = {text, 3};
    ck_assert(clconst__cache_write(cache_folder, &key, &key));
    for (size_t i = 0; i < ROW_COUNT; i++) {
        char path[CACHE_PATH_SIZE];
        snprintf(path, sizeof(path), "%s/%s", cache_folder, rows[i].name);
        ck_assert_msg(
            (access(path, F_OK) == 0) == rows[i].stays, "%s", rows[i].name);
    }
    cache_remove_folder();
}
END_TEST

/* A relative folder is the one that it was at the engine's creation. */
START_TEST(the_folder_stays_when_the_process_moves)
{
    cache_make_folder();
    char before[CACHE_PATH_SIZE];
    ck_assert_ptr_nonnull(getcwd(before, sizeof(before)));
    clconst_engine *engine = cache_create_engine(NULL, NULL, cache_folder);
    ck_assert_int_eq(chdir("/"), 0);
    cache_run_fill(engine);
    clconst_engine_destroy(engine);
    ck_assert_int_eq(chdir(before), 0);
    clconst_engine_counters later = cache_fill_once(NULL, NULL, cache_folder);
    ck_assert_uint_eq(later.programs_loaded, 1);
    cache_remove_folder();
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
