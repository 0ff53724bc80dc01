#include "faults/world.h"

#include <stdlib.h>
#include <string.h>

#include "faults/steer.h"
#include "harness/oracle.h"

enum {
    FILL_COUNT = 16383,  /* of uint4, so that the last byte is its own */
    COPY_COUNT = 80001,  /* of uint4; more than a batch gathers */
    LONG_COUNT = 330001, /* of uint4 */
    SPARSE_COUNT = 5,    /* of float16 */
    DENSE_COUNT = 1001,  /* of float16 */
    LARGE_COUNT = (4 << 20) + 5, /* of uint8; enough for several threads */
    THREAD_COUNT = 3             /* of engines, whatever the machine has */
};

static uint8_t source[LONG_COUNT / 2 + 1];

/* What batches are made of. */
static const struct {
    int plans[6];
    size_t count;
    size_t expand_size;
} batch_rows[WORLD_BATCH_COUNT] = {
    {{WORLD_FILL, WORLD_COPY, WORLD_SCATTER, WORLD_EMPTY}, 4, 1},
    {{WORLD_FILL, WORLD_COPY, WORLD_SCATTER, WORLD_EMPTY, WORLD_FILL}, 5, 4096},
    {{WORLD_COPY, WORLD_FILL, WORLD_LONG, WORLD_SCATTER, WORLD_COPY}, 5, 1},
};

static void make_fill(world *w, int index, int dtype, size_t count)
{
    w->sizes[index] = oracle_size(dtype, count);
    w->expected[index] = calloc(w->sizes[index] + 1, 1);
    oracle_fill(w->expected[index], dtype, harness_element, count);
    w->plans[index] = harness_fill_plan(dtype, harness_element, (int64_t)count);
}

/* The unused bits of the last byte are set in the source, so that a command of
 * its own clears them. */
static void make_copy(world *w, int index, size_t count)
{
    w->sizes[index] = oracle_size(CLCONST_UINT4, count);
    w->expected[index] = calloc(w->sizes[index], 1);
    source[w->sizes[index] - 1] |= 0xf0;
    oracle_copy(w->expected[index], CLCONST_UINT4, source, count);
    w->plans[index] = harness_copy_plan(CLCONST_UINT4, source, (int64_t)count);
}

/* Too much for the oracle, which goes bit by bit. */
static void make_large(world *w)
{
    w->sizes[WORLD_LARGE] = LARGE_COUNT;
    w->expected[WORLD_LARGE] = malloc(LARGE_COUNT);
    memset(w->expected[WORLD_LARGE], harness_element[0], LARGE_COUNT);
    w->plans[WORLD_LARGE] =
        harness_fill_plan(CLCONST_UINT8, harness_element, LARGE_COUNT);
}

static void make_box(world *w)
{
    w->box = (box){CLCONST_UINT8, {3, 100}, 2, {111}, WORLD_OFFSET, 0};
    boxes_measure(&w->box);
    w->sizes[WORLD_BOX] = w->box.extent;
    w->expected[WORLD_BOX] = malloc(w->box.extent);
    memset(w->expected[WORLD_BOX], FIXTURE_GUARD, w->box.extent);
    boxes_expand(&w->box, w->expected[WORLD_BOX]);
    w->plans[WORLD_BOX] = boxes_create_plan(&w->box);
}

static void make_plans(world *w)
{
    static const int64_t dense = DENSE_COUNT;
    static const int64_t at[SPARSE_COUNT] = {0, 1, 500, 999, 1000};
    make_fill(w, WORLD_FILL, CLCONST_UINT4, FILL_COUNT);
    make_fill(w, WORLD_EMPTY, CLCONST_FLOAT, 0);
    make_large(w);
    make_box(w);
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof(source); i++) {
        source[i] = (uint8_t)harness_random(&seed);
    }
    make_copy(w, WORLD_COPY, COPY_COUNT);
    make_copy(w, WORLD_LONG, LONG_COUNT);
    w->sizes[WORLD_SCATTER] = oracle_size(CLCONST_FLOAT16, DENSE_COUNT);
    w->expected[WORLD_SCATTER] = calloc(w->sizes[WORLD_SCATTER], 1);
    for (uint64_t i = 0; i < SPARSE_COUNT; i++) {
        oracle_place(w->expected[WORLD_SCATTER],
                     CLCONST_FLOAT16,
                     (uint64_t)at[i],
                     source,
                     i);
    }
    w->plans[WORLD_SCATTER] =
        harness_sparse_plan(CLCONST_FLOAT16, source, at, SPARSE_COUNT, &dense);
}

static void make_batch(world *w, size_t index)
{
    const clconst_plan *plans[6];
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    for (size_t i = 0; i < batch_rows[index].count; i++) {
        plans[i] = w->plans[batch_rows[index].plans[i]];
    }
    options.expand_size = batch_rows[index].expand_size;
    ck_assert_ok(clconst_batch_create(
        plans, batch_rows[index].count, &options, &w->batches[index], error));
    ck_assert_uint_eq(clconst_batch_get_arena_count(w->batches[index]), 1);
}

void world_open(world *w)
{
    memset(w, 0, sizeof(*w));
    make_plans(w);
    for (size_t i = 0; i < WORLD_BATCH_COUNT; i++) {
        make_batch(w, i);
    }
    w->device = fixture_find_device();
    steer_show_only(w->device);
    w->context = fixture_create_context(w->device);
    cl_int code;
    w->queue = clCreateCommandQueue(w->context, w->device, 0, &code);
    ck_assert_cl(code);
    w->buffer = clCreateBuffer(
        w->context, CL_MEM_READ_WRITE, WORLD_BUFFER_SIZE, NULL, &code);
    ck_assert_cl(code);
    w->past = clCreateUserEvent(w->context, &code);
    ck_assert_cl(code);
    ck_assert_cl(clSetUserEventStatus(w->past, CL_COMPLETE));
}

void world_close(world *w)
{
    for (int i = 0; i < WORLD_PLAN_COUNT; i++) {
        clconst_plan_destroy(w->plans[i]);
        free(w->expected[i]);
    }
    for (size_t i = 0; i < WORLD_BATCH_COUNT; i++) {
        clconst_batch_destroy(w->batches[i]);
    }
    ck_assert_cl(clReleaseEvent(w->past));
    ck_assert_cl(clReleaseMemObject(w->buffer));
    ck_assert_cl(clReleaseCommandQueue(w->queue));
    ck_assert_cl(clReleaseContext(w->context));
}

clconst_status world_create_engine(world *w,
                                   clconst_fill_path path,
                                   const char *cache_dir,
                                   clconst_error *error)
{
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.fill_path = path;
    options.cache_dir = cache_dir;
    options.thread_count = THREAD_COUNT;
    return clconst_engine_create_opencl(
        w->context, w->device, &options, &w->engine, error);
}

void world_destroy_engine(world *w)
{
    clconst_engine_destroy(w->engine);
    w->engine = NULL;
}

void world_reset_buffer(world *w)
{
    static const uint8_t guard = FIXTURE_GUARD;
    uint8_t *bytes = malloc(WORLD_BUFFER_SIZE);
    memset(bytes, guard, WORLD_BUFFER_SIZE);
    ck_assert_cl(clEnqueueWriteBuffer(w->queue,
                                      w->buffer,
                                      CL_TRUE,
                                      0,
                                      WORLD_BUFFER_SIZE,
                                      bytes,
                                      0,
                                      NULL,
                                      NULL));
    free(bytes);
}

clconst_batch *world_get_batch(const world *w, int output)
{
    return output < WORLD_PLAN_COUNT ? NULL
                                     : w->batches[output - WORLD_PLAN_COUNT];
}

/* Bytes that the output may take. */
static size_t range_size(const world *w, int output)
{
    return output < WORLD_PLAN_COUNT
               ? w->sizes[output]
               : clconst_batch_get_arena_size(world_get_batch(w, output), 0);
}

void world_assert_around(const world *w,
                         int output,
                         const uint8_t *bytes,
                         const char *row)
{
    uint8_t *guards = malloc(WORLD_BUFFER_SIZE);
    size_t end = WORLD_OFFSET + range_size(w, output);
    memset(guards, FIXTURE_GUARD, WORLD_BUFFER_SIZE);
    ck_assert_uint_lt(end, WORLD_BUFFER_SIZE);
    harness_assert_bytes(bytes, guards, WORLD_OFFSET, row);
    harness_assert_bytes(
        bytes + end, guards + end, WORLD_BUFFER_SIZE - end, row);
    free(guards);
}

/* The buffer's bytes, which the caller frees, with guards around the range. */
static uint8_t *read_buffer(world *w, int output, const char *row)
{
    uint8_t *bytes = malloc(WORLD_BUFFER_SIZE);
    ck_assert_cl(clEnqueueReadBuffer(w->queue,
                                     w->buffer,
                                     CL_TRUE,
                                     0,
                                     WORLD_BUFFER_SIZE,
                                     bytes,
                                     0,
                                     NULL,
                                     NULL));
    world_assert_around(w, output, bytes, row);
    return bytes;
}

void world_assert_guards(world *w, int output, const char *row)
{
    free(read_buffer(w, output, row));
}

void world_assert_buffer(world *w, int output, const char *row)
{
    uint8_t *bytes = read_buffer(w, output, row);
    if (output >= WORLD_PLAN_COUNT) {
        world_assert_arena(w, output, bytes + WORLD_OFFSET, row);
    } else {
        harness_assert_bytes(
            bytes + WORLD_OFFSET, w->expected[output], w->sizes[output], row);
    }
    free(bytes);
}

void world_assert_tensor(world *w,
                         int plan,
                         const clconst_tensor *tensor,
                         const char *row)
{
    uint8_t *bytes = malloc(w->sizes[plan] + 1);
    ck_assert_ok(clconst_tensor_read(tensor, 0, bytes, w->sizes[plan], error));
    harness_assert_bytes(bytes, w->expected[plan], w->sizes[plan], row);
    free(bytes);
}

void world_assert_arena(const world *w,
                        int output,
                        const uint8_t *bytes,
                        const char *row)
{
    size_t index = (size_t)(output - WORLD_PLAN_COUNT);
    for (size_t i = 0; i < batch_rows[index].count; i++) {
        int plan = batch_rows[index].plans[i];
        clconst_place place = CLCONST_PLACE_INIT;
        ck_assert_ok(
            clconst_batch_get_place(w->batches[index], i, &place, error));
        harness_assert_bytes(
            bytes + place.offset, w->expected[plan], w->sizes[plan], row);
    }
}
