#include "backend/opencl_cache_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/oracle.h"

enum { COUNT = 1001 };

char cache_folder[] = "clconst-cache-XXXXXX";

void cache_make_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(cache_folder));
}

size_t cache_count_entries(char path[CACHE_PATH_SIZE])
{
    DIR *entries = opendir(cache_folder);
    ck_assert_ptr_nonnull(entries);
    size_t count = 0;
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] != '.') {
            snprintf(
                path, CACHE_PATH_SIZE, "%s/%s", cache_folder, entry->d_name);
            count++;
        }
    }
    closedir(entries);
    return count;
}

void cache_remove_folder(void)
{
    DIR *entries = opendir(cache_folder);
    ck_assert_ptr_nonnull(entries);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
    ck_assert_int_eq(rmdir(cache_folder), 0);
}

clconst_engine *cache_create_engine(clconst_note_function note,
                                    void *context,
                                    const char *cache_dir)
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

void cache_run_fill(clconst_engine *engine)
{
    uint8_t expected[COUNT * 8];
    uint8_t actual[sizeof(expected)];
    oracle_fill(expected, CLCONST_DOUBLE, harness_element, COUNT);
    clconst_tensor *tensor;
    clconst_plan *plan =
        harness_fill_plan(CLCONST_DOUBLE, harness_element, COUNT);
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    ck_assert_ok(clconst_tensor_read(tensor, 0, actual, sizeof(actual), error));
    harness_assert_bytes(actual, expected, sizeof(actual), "cached kernel");
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
}

clconst_engine_counters cache_fill_once(clconst_note_function note,
                                        void *context,
                                        const char *cache_dir)
{
    clconst_engine *engine = cache_create_engine(note, context, cache_dir);
    cache_run_fill(engine);
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_engine_get_counters(engine, &counters);
    clconst_engine_destroy(engine);
    return counters;
}
