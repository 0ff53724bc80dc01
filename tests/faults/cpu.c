/*
 * The CPU engine without memory, files or threads: each system call that a
 * function of it makes fails, number 1, 2, 3 and so on, once and for ever,
 * until the function succeeds untouched.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/engines.h"
#include "faults/failing.h"
#include "faults/suites.h"
#include "harness/boxes.h"
#include "harness/oracle.h"

enum {
    SMALL,  /* a fill */
    MEDIUM, /* a fill; several of them are shared out to threads */
    LARGE,  /* a fill that is shared out, in memory that is mapped */
    ZEROS,  /* a fill for which the kernel is asked what it has */
    COPY,   /* larger than what batches gather */
    SPARSE,
    PLAN_COUNT,
};

enum {
    GUARD = 0x3c,
    GUARD_SIZE = 64,
    MEDIUM_SIZE = (1 << 20) - 3,
    LARGE_SIZE = (4 << 20) + 5,
    ZEROS_SIZE = (64 << 20) + 1,
    COPY_SIZE = 40001,
    SPARSE_COUNT = 3, /* of uint16 */
    DENSE_COUNT = 1000,
    DST_SIZE = 6 << 20,
};

static const int mixed_plans[] = {SMALL, COPY, LARGE, COPY, SPARSE, LARGE};
static const int listed_plans[] = {MEDIUM, MEDIUM, SMALL, MEDIUM, MEDIUM};
enum {
    MIXED_COUNT = sizeof(mixed_plans) / sizeof(mixed_plans[0]),
    MIXED_ARENA_COUNT = 2,
    LISTED_COUNT = sizeof(listed_plans) / sizeof(listed_plans[0]),
};

static struct {
    clconst_engine *engine;
    clconst_plan *plans[PLAN_COUNT];
    uint8_t *expected[PLAN_COUNT]; /* NULL for zeros */
    size_t sizes[PLAN_COUNT];
    clconst_batch *mixed;
    clconst_batch *listed;
    box box;
    clconst_plan *box_plan;
    uint8_t *box_expected;
    uint8_t *dst; /* between guards */
} cpu;

static uint8_t source[COPY_SIZE];

static void add_fill(int index, uint8_t byte, size_t size)
{
    const uint8_t element[16] = {byte};
    cpu.sizes[index] = size;
    cpu.plans[index] = harness_fill_plan(CLCONST_UINT8, element, (int64_t)size);
    if (byte != 0) {
        cpu.expected[index] = malloc(size);
        memset(cpu.expected[index], byte, size);
    }
}

static void add_copy(void)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < COPY_SIZE; i++) {
        source[i] = (uint8_t)harness_random(&seed);
    }
    cpu.sizes[COPY] = COPY_SIZE;
    cpu.plans[COPY] = harness_copy_plan(CLCONST_UINT8, source, COPY_SIZE);
    cpu.expected[COPY] = malloc(COPY_SIZE);
    memcpy(cpu.expected[COPY], source, COPY_SIZE);
}

static void add_sparse(void)
{
    static const int64_t dense = DENSE_COUNT;
    static const int64_t at[SPARSE_COUNT] = {0, 501, DENSE_COUNT - 1};
    cpu.sizes[SPARSE] = oracle_size(CLCONST_UINT16, DENSE_COUNT);
    cpu.plans[SPARSE] =
        harness_sparse_plan(CLCONST_UINT16, source, at, SPARSE_COUNT, &dense);
    cpu.expected[SPARSE] = calloc(cpu.sizes[SPARSE], 1);
    for (uint64_t i = 0; i < SPARSE_COUNT; i++) {
        oracle_place(
            cpu.expected[SPARSE], CLCONST_UINT16, (uint64_t)at[i], source, i);
    }
}

static void add_box(void)
{
    cpu.box = (box){CLCONST_UINT8, {1500, 3000}, 2, {3100}, GUARD_SIZE, 0};
    boxes_measure(&cpu.box);
    cpu.box_plan = boxes_create_plan(&cpu.box);
    cpu.box_expected = malloc(cpu.box.extent);
    memset(cpu.box_expected, GUARD, cpu.box.extent);
    boxes_expand(&cpu.box, cpu.box_expected);
}

static clconst_status make_batch(const int *plans,
                                 size_t count,
                                 clconst_batch **batch,
                                 clconst_error *error)
{
    const clconst_plan *list[MIXED_COUNT];
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    for (size_t i = 0; i < count; i++) {
        list[i] = cpu.plans[plans[i]];
    }
    options.max_arena_size = 5 << 20;
    return clconst_batch_create(list, count, &options, batch, error);
}

static void open_cpu(void)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    options.thread_count = 3;
    ck_assert_ok(clconst_engine_create(&options, &cpu.engine, error));
    add_fill(SMALL, 0xa1, 1001);
    add_fill(MEDIUM, 0xa2, MEDIUM_SIZE);
    add_fill(LARGE, 0xa3, LARGE_SIZE);
    add_fill(ZEROS, 0, ZEROS_SIZE);
    add_copy();
    add_sparse();
    add_box();
    ck_assert_ok(make_batch(mixed_plans, MIXED_COUNT, &cpu.mixed, error));
    ck_assert_ok(make_batch(listed_plans, LISTED_COUNT, &cpu.listed, error));
    ck_assert_uint_eq(clconst_batch_get_arena_count(cpu.mixed),
                      MIXED_ARENA_COUNT);
    ck_assert_uint_eq(clconst_batch_get_arena_count(cpu.listed), 1);
    cpu.dst = malloc(GUARD_SIZE + DST_SIZE + GUARD_SIZE);
}

static void close_cpu(void)
{
    for (int i = 0; i < PLAN_COUNT; i++) {
        clconst_plan_destroy(cpu.plans[i]);
        free(cpu.expected[i]);
    }
    clconst_batch_destroy(cpu.mixed);
    clconst_batch_destroy(cpu.listed);
    clconst_plan_destroy(cpu.box_plan);
    free(cpu.box_expected);
    free(cpu.dst);
    clconst_engine_destroy(cpu.engine);
    memset(&cpu, 0, sizeof(cpu));
}

typedef struct operation {
    const char *name;
    failing_call run;
    int plan;
    failing_needs needs;
} operation;

/* Check has memory of its own, which is why it is asked only in need. */
static void check(bool is_right, const char *what)
{
    if (!is_right) {
        ck_abort_msg("%s", what);
    }
}

static void check_bytes(const uint8_t *actual, int plan)
{
    size_t size = cpu.sizes[plan];
    if (cpu.expected[plan] != NULL) {
        check(memcmp(actual, cpu.expected[plan], size) == 0, "bytes are wrong");
    } else {
        /* The kernel would map all pages that are looked at. */
        check(actual[0] == 0 && actual[size - 1] == 0, "bytes are not zero");
    }
}

static void check_place(const clconst_batch *batch,
                        size_t index,
                        int plan,
                        const uint8_t *const *arenas)
{
    clconst_place place = CLCONST_PLACE_INIT;
    check(clconst_batch_get_place(batch, index, &place, NULL) == CLCONST_OK &&
              place.size == cpu.sizes[plan],
          "a place is wrong");
    check_bytes(arenas[place.arena] + place.offset, plan);
}

static const uint8_t *bytes_of(const clconst_tensor *tensor)
{
    clconst_view view;
    clconst_tensor_get_view(tensor, &view);
    return view.data;
}

static clconst_status create(const void *context, clconst_error *error)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine = NULL;
    (void)context;
    options.device = "cpu";
    clconst_status status = clconst_engine_create(&options, &engine, error);
    check((engine != NULL) == (status == CLCONST_OK), "an engine is wrong");
    clconst_engine_destroy(engine);
    return status;
}

static clconst_status create_batch(const void *context, clconst_error *error)
{
    clconst_batch *batch = NULL;
    (void)context;
    clconst_status status = make_batch(mixed_plans, MIXED_COUNT, &batch, error);
    check((batch != NULL) == (status == CLCONST_OK), "a batch is wrong");
    clconst_batch_destroy(batch);
    return status;
}

static clconst_status run(const void *context, clconst_error *error)
{
    const operation *o = context;
    clconst_tensor *tensor = NULL;
    clconst_status status =
        clconst_run(cpu.engine, cpu.plans[o->plan], &tensor, error);
    check((tensor != NULL) == (status == CLCONST_OK), "a tensor is wrong");
    if (tensor != NULL) {
        check_bytes(bytes_of(tensor), o->plan);
    }
    clconst_tensor_destroy(tensor);
    return status;
}

static clconst_status run_batch(const void *context, clconst_error *error)
{
    clconst_batch_run_options options = CLCONST_BATCH_RUN_OPTIONS_INIT;
    clconst_tensor *tensors[MIXED_ARENA_COUNT] = {NULL, NULL};
    const uint8_t *arenas[MIXED_ARENA_COUNT];
    (void)context;
    /* Several pieces of each copy. */
    options.in_flight_size = COPY_SIZE;
    clconst_status status =
        clconst_batch_run(cpu.engine, cpu.mixed, &options, tensors, error);
    for (size_t i = 0; i < MIXED_ARENA_COUNT; i++) {
        check((tensors[i] != NULL) == (status == CLCONST_OK),
              "a tensor of the batch is wrong");
        arenas[i] = tensors[i] != NULL ? bytes_of(tensors[i]) : NULL;
    }
    for (size_t i = 0; i < MIXED_COUNT && status == CLCONST_OK; i++) {
        check_place(cpu.mixed, i, mixed_plans[i], arenas);
    }
    for (size_t i = 0; i < MIXED_ARENA_COUNT; i++) {
        clconst_tensor_destroy(tensors[i]);
    }
    return status;
}

static uint8_t *begin_dst(void)
{
    memset(cpu.dst, GUARD, GUARD_SIZE + DST_SIZE + GUARD_SIZE);
    return cpu.dst + GUARD_SIZE;
}

/* Guards before the first byte, and behind the last one. */
static void check_guards(size_t size)
{
    for (size_t i = 0; i < GUARD_SIZE; i++) {
        check(cpu.dst[i] == GUARD && cpu.dst[GUARD_SIZE + size + i] == GUARD,
              "a guard is gone");
    }
}

static clconst_status write_plan(const void *context, clconst_error *error)
{
    const operation *o = context;
    uint8_t *dst = begin_dst();
    clconst_status status = clconst_write(
        cpu.engine, cpu.plans[o->plan], dst, cpu.sizes[o->plan], error);
    check_bytes(dst, o->plan);
    check_guards(cpu.sizes[o->plan]);
    return status;
}

static clconst_status write_batch(const void *context, clconst_error *error)
{
    const uint8_t *dst = begin_dst();
    size_t size = clconst_batch_get_arena_size(cpu.listed, 0);
    (void)context;
    clconst_status status = clconst_batch_write(
        cpu.engine, cpu.listed, 0, cpu.dst + GUARD_SIZE, size, error);
    for (size_t i = 0; i < LISTED_COUNT; i++) {
        check_place(cpu.listed, i, listed_plans[i], &dst);
    }
    check_guards(size);
    return status;
}

static clconst_status write_region(const void *context, clconst_error *error)
{
    const uint8_t *dst = begin_dst();
    (void)context;
    clconst_status status = clconst_write_region(cpu.engine,
                                                 cpu.box_plan,
                                                 cpu.dst,
                                                 GUARD_SIZE + DST_SIZE,
                                                 cpu.box.offset,
                                                 cpu.box.strides,
                                                 error);
    check(memcmp(dst, cpu.box_expected, cpu.box.extent) == 0,
          "the box is wrong");
    check_guards(cpu.box.extent);
    return status;
}

#define ONE(name) FAILING_SET(name)
#define BLOCKS                                                                 \
    {                                                                          \
        ONE(calloc), 0                                                         \
    }
/* Without threads, or memory for their list, the caller does it all. */
#define THREADS                                                                \
    {                                                                          \
        0, ONE(calloc) | ONE(pthread_create)                                   \
    }
#define BLOCKS_THREADS                                                         \
    {                                                                          \
        ONE(calloc) | ONE(mmap), ONE(calloc) | ONE(pthread_create)             \
    }
/* A kernel that does not tell what it has may have enough. */
#define BLOCKS_QUESTION                                                        \
    {                                                                          \
        ONE(calloc) | ONE(mmap), ONE(open) | ONE(read)                         \
    }

static const operation operations[] = {
    {"create an engine", create, 0, BLOCKS},
    {"create a batch", create_batch, 0, BLOCKS},
    {"run a small fill", run, SMALL, BLOCKS},
    {"run a copy", run, COPY, BLOCKS},
    {"run a sparse constant", run, SPARSE, BLOCKS},
    {"run a large fill", run, LARGE, BLOCKS_THREADS},
    {"run a fill of zeros", run, ZEROS, BLOCKS_QUESTION},
    {"run a batch", run_batch, 0, BLOCKS_THREADS},
    {"write a large fill", write_plan, LARGE, THREADS},
    {"write a batch", write_batch, 0, THREADS},
    {"write a region", write_region, 0, THREADS},
};
enum { OPERATION_COUNT = sizeof(operations) / sizeof(operations[0]) };

START_TEST(cpu_survives_each_failing_system_call)
{
    const operation *o = &operations[_i];
    size_t tried = fail_each_need(o->run, o, o->name, &o->needs);
    printf("%s: %zu system calls failed\n", o->name, tried);
}
END_TEST

Suite *cpu_suite(void)
{
    Suite *suite = suite_create("cpu");
    TCase *tcase = tcase_create("cpu");
    /* Once for all tests, which leave it as it is. */
    tcase_add_unchecked_fixture(tcase, open_cpu, close_cpu);
    tcase_add_loop_test(
        tcase, cpu_survives_each_failing_system_call, 0, OPERATION_COUNT);
    suite_add_tcase(suite, tcase);
    return suite;
}
