/*
 * Threads on OpenCL engines. Each has plans and a buffer of its own, so that
 * bytes of another thread, or of another call, show.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/opencl_fixture.h"
#include "faults/crew.h"
#include "faults/suites.h"
#include "harness/oracle.h"

enum { ROUNDS = 20, OFFSET = 3, BUFFER_SIZE = 4096 };

/* A plan and its bytes, of a kind and a value that follow from a number. */
typedef struct sample {
    clconst_plan *plan;
    uint8_t source[16];
    int64_t at[2];
    int64_t dense;
    uint8_t expected[2048];
    size_t size;
} sample;

static void make_sample(sample *s, int number)
{
    memset(s, 0, sizeof(*s));
    for (size_t i = 0; i < sizeof(s->source); i++) {
        s->source[i] = (uint8_t)((size_t)number * 31 + i * i * 7 + 1);
    }
    int64_t count = 50 + number % 64;
    switch (number % 3) {
    case 0:
        s->plan = harness_fill_plan(CLCONST_COMPLEX128, s->source, count);
        s->size = oracle_size(CLCONST_COMPLEX128, (uint64_t)count);
        oracle_fill(
            s->expected, CLCONST_COMPLEX128, s->source, (uint64_t)count);
        break;
    case 1:
        s->plan = harness_copy_plan(CLCONST_UINT8, s->source, 16);
        s->size = 16;
        memcpy(s->expected, s->source, 16);
        break;
    default:
        s->dense = count;
        s->at[0] = number % 7;
        s->at[1] = count - 1;
        s->plan =
            harness_sparse_plan(CLCONST_DOUBLE, s->source, s->at, 2, &s->dense);
        s->size = oracle_size(CLCONST_DOUBLE, (uint64_t)count);
        memcpy(s->expected + s->at[0] * 8, s->source, 8);
        memcpy(s->expected + s->at[1] * 8, s->source + 8, 8);
    }
}

/* Made by the test's own thread, since they assert. */
static sample samples[CREW_COUNT * ROUNDS];

static void make_samples(void)
{
    for (int i = 0; i < CREW_COUNT * ROUNDS; i++) {
        make_sample(&samples[i], i);
    }
}

static void destroy_samples(void)
{
    for (int i = 0; i < CREW_COUNT * ROUNDS; i++) {
        clconst_plan_destroy(samples[i].plan);
    }
}

/* Enqueues the sample, and reads it back behind its event. */
static const char *fill_and_compare(const fixture *f,
                                    cl_command_queue queue,
                                    cl_mem buffer,
                                    const sample *s)
{
    uint8_t actual[sizeof(s->expected)];
    cl_event event;
    if (clconst_enqueue(
            f->engine, s->plan, queue, buffer, OFFSET, 0, NULL, &event, NULL) !=
        CLCONST_OK) {
        return "clconst_enqueue failed";
    }
    cl_int code = clEnqueueReadBuffer(
        queue, buffer, CL_TRUE, OFFSET, s->size, actual, 1, &event, NULL);
    clReleaseEvent(event);
    if (code != CL_SUCCESS) {
        return "clEnqueueReadBuffer failed";
    }
    return memcmp(actual, s->expected, s->size) == 0
               ? NULL
               : "the bytes are another call's, or wrong";
}

/* Some rounds of one thread, on the fixture's queue or on one of its own. */
static const char *
work(const fixture *f, cl_command_queue queue, int number, int rounds)
{
    const char *failure = NULL;
    cl_int code;
    cl_mem buffer =
        clCreateBuffer(f->context, CL_MEM_READ_WRITE, BUFFER_SIZE, NULL, &code);
    if (code != CL_SUCCESS) {
        return "clCreateBuffer failed";
    }
    for (int i = 0; i < rounds && failure == NULL; i++) {
        failure = fill_and_compare(
            f, queue, buffer, &samples[number + CREW_COUNT * i]);
    }
    clReleaseMemObject(buffer);
    return failure;
}

static const char *work_on_own_queue(const fixture *f, int number, int rounds)
{
    cl_int code;
    cl_command_queue queue =
        clCreateCommandQueue(f->context, f->device, 0, &code);
    if (code != CL_SUCCESS) {
        return "clCreateCommandQueue failed";
    }
    const char *failure = work(f, queue, number, rounds);
    clReleaseCommandQueue(queue);
    return failure;
}

static const char *share_queue(void *context, int number)
{
    const fixture *f = context;
    return work(f, f->queue, number, ROUNDS);
}

static const char *have_queues(void *context, int number)
{
    return work_on_own_queue(context, number, ROUNDS);
}

/* Every other thread makes and destroys engines of its own. */
static const char *come_and_go(void *context, int number)
{
    fixture own = *(const fixture *)context;
    const char *failure = NULL;
    if (number % 2 == 0) {
        return work_on_own_queue(&own, number, ROUNDS);
    }
    for (int i = 0; i < 3 && failure == NULL; i++) {
        if (clconst_engine_create_opencl(
                own.context, own.device, NULL, &own.engine, NULL) !=
            CLCONST_OK) {
            return "clconst_engine_create_opencl failed";
        }
        failure = work_on_own_queue(&own, number, 1);
        clconst_engine_destroy(own.engine);
    }
    return failure;
}

static const clconst_fill_path paths[] = {
    CLCONST_PATH_KERNEL,
    CLCONST_PATH_DRIVER,
    CLCONST_PATH_NATIVE,
};
enum { PATH_COUNT = sizeof(paths) / sizeof(paths[0]) };

/* Kernels take several arguments: set by two threads at once they would mix. */
START_TEST(threads_share_an_engine_and_its_kernels)
{
    static const crew_body bodies[] = {share_queue, have_queues, come_and_go};
    fixture f;
    if (!fixture_try_open(&f, paths[_i])) {
        return;
    }
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        crew_run(bodies[i], &f);
    }
    fixture_close(&f);
}
END_TEST

static const char *use_first(void *context, int number)
{
    return work_on_own_queue(context, number, 1);
}

static const char *prepare(void *context, int number)
{
    (void)number;
    return clconst_engine_prepare(((const fixture *)context)->engine, NULL) ==
                   CLCONST_OK
               ? NULL
               : "clconst_engine_prepare failed";
}

/* The programs that one thread alone builds for what all threads do. */
static uint64_t count_programs(crew_body body)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_KERNEL);
    for (int i = 0; i < CREW_COUNT; i++) {
        ck_assert_ptr_null(body(&f, i));
    }
    uint64_t count = fixture_programs_built(&f);
    fixture_close(&f);
    return count;
}

static const crew_body first_bodies[] = {use_first, prepare};

START_TEST(threads_build_each_program_once)
{
    crew_body body = first_bodies[_i];
    uint64_t expected = count_programs(body);
    for (int i = 0; i < 3; i++) {
        fixture f;
        fixture_open(&f, CLCONST_PATH_KERNEL);
        crew_run(body, &f);
        ck_assert_uint_eq(fixture_programs_built(&f), expected);
        fixture_close(&f);
    }
}
END_TEST

static char folder[] = "clconst-threads-XXXXXX";

static clconst_status create_with_folder(const fixture *f,
                                         clconst_engine **engine)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.fill_path = CLCONST_PATH_KERNEL;
    options.cache_dir = folder;
    return clconst_engine_create_opencl(
        f->context, f->device, &options, engine, NULL);
}

/* Each engine finds programs in the folder, or builds and keeps them. */
static const char *share_folder(void *context, int number)
{
    fixture own = *(const fixture *)context;
    if (create_with_folder(&own, &own.engine) != CLCONST_OK) {
        return "clconst_engine_create_opencl failed";
    }
    const char *failure = work_on_own_queue(&own, number, 1);
    clconst_engine_destroy(own.engine);
    return failure;
}

static size_t empty_folder(void)
{
    DIR *entries = opendir(folder);
    size_t count = 0;
    const struct dirent *entry;
    ck_assert_ptr_nonnull(entries);
    while ((entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] != '.') {
            ck_assert_int_eq(unlinkat(dirfd(entries), entry->d_name, 0), 0);
            count++;
        }
    }
    closedir(entries);
    return count;
}

START_TEST(threads_share_a_folder_of_programs)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_AUTO);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    crew_run(share_folder, &f);
    clconst_engine *engine;
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    ck_assert_int_eq(create_with_folder(&f, &engine), CLCONST_OK);
    ck_assert_ok(clconst_engine_prepare(engine, error));
    clconst_engine_get_counters(engine, &counters);
    uint64_t all = count_programs(prepare);
    uint64_t used = count_programs(use_first);
    ck_assert_uint_eq(counters.programs_loaded, used);
    ck_assert_uint_eq(counters.programs_built, all - used);
    clconst_engine_destroy(engine);
    ck_assert_uint_eq(empty_folder(), used);
    ck_assert_int_eq(rmdir(folder), 0);
    fixture_close(&f);
}
END_TEST

/* Contexts, engines and queues of each thread's own. */
static const char *work_alone(void *context, int number)
{
    fixture own = *(const fixture *)context;
    cl_int code;
    own.context = clCreateContext(NULL, 1, &own.device, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        return "clCreateContext failed";
    }
    const char *failure = "clconst_engine_create_opencl failed";
    if (clconst_engine_create_opencl(
            own.context, own.device, NULL, &own.engine, NULL) == CLCONST_OK) {
        failure = work_on_own_queue(&own, number, 2);
        clconst_engine_destroy(own.engine);
    }
    clReleaseContext(own.context);
    return failure;
}

START_TEST(threads_have_contexts_of_their_own)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_AUTO);
    crew_run(work_alone, &f);
    fixture_close(&f);
}
END_TEST

Suite *threads_suite(void)
{
    Suite *suite = suite_create("threads");
    TCase *tcase = tcase_create("threads");
    tcase_add_checked_fixture(tcase, make_samples, destroy_samples);
    tcase_add_loop_test(
        tcase, threads_share_an_engine_and_its_kernels, 0, PATH_COUNT);
    tcase_add_loop_test(tcase, threads_build_each_program_once, 0, 2);
    tcase_add_test(tcase, threads_share_a_folder_of_programs);
    tcase_add_test(tcase, threads_have_contexts_of_their_own);
    suite_add_tcase(suite, tcase);
    return suite;
}
