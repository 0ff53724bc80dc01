/*
 * Loads a model and tells what that took: large_load DEVICE MODEL DATA. DATA is
 * the file of its external data. A line of JSON: sizes in bytes, of memory that
 * no file backs but for "file_bytes", and seconds; "copy_seconds" is what a
 * plain copy of DATA into fresh memory takes.
 */
#define _DEFAULT_SOURCE

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <clconst/clconst_model.h>

static void check(clconst_status status, const clconst_error *error)
{
    if (status != CLCONST_OK) {
        fprintf(stderr, "%s\n", error->message);
        /* What tests/large/test_large.py takes for a skip. */
        exit(status == CLCONST_NO_DEVICE ? 77 : 1);
    }
}

/* Bytes in memory: "RssAnon" of what no file backs, "RssFile" of the rest. */
static uint64_t resident_size(const char *key)
{
    char line[256];
    size_t key_size = strlen(key);
    uint64_t size = 0;
    FILE *stream = fopen("/proc/self/status", "r");
    while (stream != NULL && fgets(line, sizeof(line), stream) != NULL) {
        if (strncmp(line, key, key_size) == 0 &&
            sscanf(line + key_size, ": %" SCNu64 " kB", &size) == 1) {
            break;
        }
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return size << 10;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What the steps of a load leave. */
typedef struct load {
    clconst_model *model;
    clconst_resolution *resolution;
    const clconst_plan **plans;
    size_t plan_count;
    clconst_batch *batch;
    clconst_tensor **tensors;
    uint64_t arena_size;
    uint64_t peak_size;
    uint64_t file_size; /* what files back, after the run */
    double seconds;
} load;

static void note_peak(load *work)
{
    uint64_t size = resident_size("RssAnon");
    work->peak_size = size > work->peak_size ? size : work->peak_size;
}

static int note_progress(void *context, uint64_t done_size, uint64_t total_size)
{
    (void)done_size;
    (void)total_size;
    note_peak(context);
    return 0;
}

static void resolve(load *work, const char *path)
{
    clconst_error error;
    clconst_model_info info = CLCONST_MODEL_INFO_INIT;
    check(clconst_model_open(path, NULL, &work->model, &error), &error);
    clconst_model_get_info(work->model, &info);
    check(
        clconst_resolution_create(work->model, NULL, &work->resolution, &error),
        &error);
    work->plans = calloc(info.constant_count, sizeof(*work->plans));
    for (size_t i = 0; work->plans != NULL && i < info.constant_count; i++) {
        clconst_resolved resolved = CLCONST_RESOLVED_INIT;
        check(clconst_resolution_get_constant(
                  work->resolution, i, &resolved, &error),
              &error);
        if (resolved.plan != NULL) {
            work->plans[work->plan_count++] = resolved.plan;
        }
    }
    note_peak(work);
}

static void make_batch(load *work, const clconst_engine *engine)
{
    clconst_error error;
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    clconst_engine_get_info(engine, &info);
    options.alignment = info.alignment;
    options.expand_size = info.expand_size;
    options.max_arena_size = (size_t)info.max_allocation_size;
    check(clconst_batch_create(
              work->plans, work->plan_count, &options, &work->batch, &error),
          &error);
    size_t count = clconst_batch_get_arena_count(work->batch);
    work->tensors = calloc(count, sizeof(*work->tensors));
    for (size_t i = 0; i < count; i++) {
        work->arena_size += clconst_batch_get_arena_size(work->batch, i);
    }
    note_peak(work);
}

static void run(load *work, clconst_engine *engine)
{
    clconst_error error;
    clconst_batch_run_options options = CLCONST_BATCH_RUN_OPTIONS_INIT;
    options.progress = note_progress;
    options.progress_context = work;
    double begin = seconds_now();
    check(
        clconst_batch_run(engine, work->batch, &options, work->tensors, &error),
        &error);
    work->seconds = seconds_now() - begin;
    work->file_size = resident_size("RssFile");
    note_peak(work);
}

static void release(load *work)
{
    for (size_t i = 0; i < clconst_batch_get_arena_count(work->batch); i++) {
        clconst_tensor_destroy(work->tensors[i]);
    }
    clconst_batch_destroy(work->batch);
    clconst_resolution_destroy(work->resolution);
    clconst_model_destroy(work->model);
    free(work->tensors);
    free(work->plans);
}

/* Of one thread, as a program would do that has nothing but memcpy. */
static double time_plain_copy(const char *path)
{
    struct stat info;
    int descriptor = open(path, O_RDONLY);
    if (descriptor < 0 || fstat(descriptor, &info) != 0) {
        perror(path);
        exit(1);
    }
    size_t size = (size_t)info.st_size;
    void *from = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    void *to = malloc(size);
    close(descriptor);
    if (from == MAP_FAILED || to == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        exit(1);
    }
    double begin = seconds_now();
    memcpy(to, from, size);
    double seconds = seconds_now() - begin;
    /* The copy must not be optimized away. */
    seconds += ((volatile const char *)to)[size - 1] * 0.0;
    munmap(from, size);
    free(to);
    return seconds;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: large_load DEVICE MODEL DATA\n");
        return 2;
    }
    clconst_error error;
    clconst_engine *engine;
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = argv[1];
    /* It brings the file into the page cache, too. */
    double copy_seconds = time_plain_copy(argv[3]);
    check(clconst_engine_create(&options, &engine, &error), &error);
    check(clconst_engine_prepare(engine, &error), &error);
    load work = {0};
    uint64_t prepared_size = resident_size("RssAnon");
    resolve(&work, argv[2]);
    make_batch(&work, engine);
    run(&work, engine);
    release(&work);
    copy_seconds = time_plain_copy(argv[3]);
    clconst_engine_destroy(engine);
    printf("{\"constants\": %zu, \"arena_bytes\": %" PRIu64
           ", \"prepared_bytes\": %" PRIu64 ", \"peak_bytes\": %" PRIu64
           ", \"file_bytes\": %" PRIu64
           ", \"seconds\": %.6f, \"copy_seconds\": %.6f}\n",
           work.plan_count,
           work.arena_size,
           prepared_size,
           work.peak_size,
           work.file_size,
           work.seconds,
           copy_seconds);
    return 0;
}
