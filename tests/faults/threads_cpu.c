/*
 * Threads on the CPU engine and on shared operators and plans, and children of
 * a fork.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/engines.h"
#include "faults/crew.h"
#include "faults/suites.h"
#include "harness/oracle.h"

/* Large enough for threads of the engine's own, and streaming stores. */
enum { SIZE = 9 << 20, ROUNDS = 3 };

static clconst_engine *create_engine(unsigned thread_count)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine = NULL;
    options.device = "cpu";
    options.thread_count = thread_count;
    return clconst_engine_create(&options, &engine, NULL) == CLCONST_OK ? engine
                                                                        : NULL;
}

/* A fill of SIZE bytes; NULL when one of the calls fails. */
static clconst_plan *create_plan(uint8_t byte)
{
    static const int64_t dim = SIZE;
    clconst_view value = {CLCONST_UINT8, {NULL, 0}, &byte, 1};
    clconst_shape shape = {&dim, 1};
    clconst_op *op = NULL;
    clconst_plan *plan = NULL;
    if (clconst_op_create_constant_of_shape(&value, &op, NULL) == CLCONST_OK) {
        (void)clconst_plan_create(op, &shape, &plan, NULL);
    }
    clconst_op_destroy(op);
    return plan;
}

/* The first byte, and each the same as the one before. */
static bool is_filled(const uint8_t *bytes, uint8_t byte)
{
    return bytes[0] == byte && memcmp(bytes, bytes + 1, SIZE - 1) == 0;
}

static bool fills_tensor(clconst_engine *engine, uint8_t byte)
{
    clconst_plan *plan = create_plan(byte);
    clconst_tensor *tensor = NULL;
    clconst_view view = {CLCONST_UNDEFINED, {NULL, 0}, NULL, 0};
    bool is_right =
        plan != NULL && clconst_run(engine, plan, &tensor, NULL) == CLCONST_OK;
    if (is_right) {
        clconst_tensor_get_view(tensor, &view);
        is_right = view.size == SIZE && is_filled(view.data, byte);
    }
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    return is_right;
}

static bool fills_memory(const clconst_engine *engine, uint8_t byte)
{
    clconst_plan *plan = create_plan(byte);
    uint8_t *bytes = malloc(SIZE);
    bool is_right =
        plan != NULL && bytes != NULL &&
        clconst_write(engine, plan, bytes, SIZE, NULL) == CLCONST_OK &&
        is_filled(bytes, byte);
    free(bytes);
    clconst_plan_destroy(plan);
    return is_right;
}

static const char *share_engine(void *context, int number)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t byte = (uint8_t)(number * ROUNDS + i);
        if (!fills_tensor(context, byte) || !fills_memory(context, byte)) {
            return "the bytes are another call's, or wrong";
        }
    }
    return NULL;
}

START_TEST(threads_share_a_cpu_engine)
{
    clconst_engine *engine = create_engine(3);
    ck_assert_ptr_nonnull(engine);
    crew_run(share_engine, engine);
    clconst_engine_counters counters = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_engine_get_counters(engine, &counters);
    /* clconst_write counts nothing. */
    ck_assert_uint_eq(counters.command_count, CREW_COUNT * ROUNDS);
    ck_assert_uint_eq(counters.byte_size, (uint64_t)CREW_COUNT * ROUNDS * SIZE);
    clconst_engine_destroy(engine);
}
END_TEST

static const char *have_engines(void *context, int number)
{
    (void)context;
    clconst_engine *engine = create_engine(2);
    bool is_right = engine != NULL && fills_tensor(engine, (uint8_t)number);
    clconst_engine_destroy(engine);
    return is_right ? NULL : "an engine of its own fails";
}

START_TEST(threads_have_cpu_engines_of_their_own)
{
    crew_run(have_engines, NULL);
}
END_TEST

/* Objects that the test's thread gives to all others, and forgets. */
typedef struct shared_objects {
    clconst_op *op;
    clconst_plan *plans[CREW_COUNT]; /* each made from the operator */
    atomic_size_t left;              /* threads that use the operator */
} shared_objects;

static const char *share_objects(void *context, int number)
{
    static const int64_t dim = 100;
    shared_objects *objects = context;
    clconst_shape shape = {&dim, 1};
    const clconst_plan *plans[2];
    clconst_plan *plan = NULL;
    clconst_batch *batch = NULL;
    uint8_t bytes[100];
    if (clconst_plan_create(objects->op, &shape, &plan, NULL) != CLCONST_OK) {
        return "clconst_plan_create failed";
    }
    /* The last one that needs the operator destroys it. */
    if (atomic_fetch_sub(&objects->left, 1) == 1) {
        clconst_op_destroy(objects->op);
    }
    plans[0] = plan;
    plans[1] = objects->plans[number];
    if (clconst_batch_create(plans, 2, NULL, &batch, NULL) != CLCONST_OK) {
        return "clconst_batch_create failed";
    }
    clconst_plan_destroy(objects->plans[number]);
    bool is_right =
        clconst_write(NULL, plan, bytes, sizeof(bytes), NULL) == CLCONST_OK;
    clconst_plan_destroy(plan);
    clconst_batch_destroy(batch);
    return is_right ? NULL : "clconst_write failed";
}

START_TEST(threads_share_operators_and_plans)
{
    static const float one = 1.0F;
    static const int64_t dim = 25;
    clconst_view value = {CLCONST_FLOAT, {NULL, 0}, &one, sizeof(one)};
    clconst_shape shape = {&dim, 1};
    for (int i = 0; i < 20; i++) {
        shared_objects objects;
        atomic_init(&objects.left, CREW_COUNT);
        /* 100 elements of uint8 take an operator of their own. */
        clconst_view byte = {CLCONST_UINT8, {NULL, 0}, &one, 1};
        clconst_op *op;
        ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
        for (int j = 0; j < CREW_COUNT; j++) {
            ck_assert_ok(
                clconst_plan_create(op, &shape, &objects.plans[j], error));
        }
        clconst_op_destroy(op);
        ck_assert_ok(
            clconst_op_create_constant_of_shape(&byte, &objects.op, error));
        crew_run(share_objects, &objects);
    }
}
END_TEST

/* Exits with 0 when the child's fills are right. */
static void run_child(clconst_engine *engine)
{
    /* A hang must end. */
    alarm(60);
    bool is_right = fills_tensor(engine, 7) && fills_memory(engine, 8);
    clconst_engine *own = create_engine(4);
    is_right = is_right && own != NULL && fills_memory(own, 9);
    clconst_engine_destroy(own);
    _exit(is_right ? 0 : 1);
}

static void assert_child(clconst_engine *engine)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        run_child(engine);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0) {
        ck_assert_int_eq(errno, EINTR);
    }
    ck_assert_msg(!WIFSIGNALED(status), "the child ends by signal %d", status);
    ck_assert_int_eq(WEXITSTATUS(status), 0);
}

START_TEST(a_forked_child_uses_its_parents_engine)
{
    clconst_engine *engine = create_engine(4);
    ck_assert_ptr_nonnull(engine);
    ck_assert(fills_tensor(engine, 1));
    assert_child(engine);
    ck_assert(fills_tensor(engine, 2));
    clconst_engine_destroy(engine);
}
END_TEST

/* What fills while the test forks. */
typedef struct busy_work {
    clconst_engine *engine;
    atomic_bool is_done;
} busy_work;

static void *keep_busy(void *argument)
{
    busy_work *work = argument;
    while (!atomic_load(&work->is_done)) {
        (void)fills_tensor(work->engine, 3);
    }
    return NULL;
}

START_TEST(a_child_forked_amid_a_fill_works)
{
    busy_work work = {.engine = create_engine(4)};
    pthread_t thread;
    ck_assert_ptr_nonnull(work.engine);
    atomic_init(&work.is_done, false);
    ck_assert_int_eq(pthread_create(&thread, NULL, keep_busy, &work), 0);
    for (int i = 0; i < 10; i++) {
        assert_child(work.engine);
    }
    atomic_store(&work.is_done, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    clconst_engine_destroy(work.engine);
}
END_TEST

Suite *threads_cpu_suite(void)
{
    Suite *suite = suite_create("threads_cpu");
    TCase *tcase = tcase_create("threads_cpu");
    tcase_add_test(tcase, threads_share_a_cpu_engine);
    tcase_add_test(tcase, threads_have_cpu_engines_of_their_own);
    tcase_add_test(tcase, threads_share_operators_and_plans);
    tcase_add_test(tcase, a_forked_child_uses_its_parents_engine);
    tcase_add_test(tcase, a_child_forked_amid_a_fill_works);
    suite_add_tcase(suite, tcase);
    return suite;
}
