/*
 * What fault tests work on: an engine on a context of the test's own, plans of
 * each kind with their bytes, a batch of them, and a buffer of guard bytes.
 */
#ifndef CLCONST_TESTS_WORLD_H
#define CLCONST_TESTS_WORLD_H

#include "backend/opencl_fixture.h"
#include "harness/boxes.h"

enum {
    WORLD_FILL,
    WORLD_COPY,
    WORLD_SCATTER,
    WORLD_EMPTY,
    /* A copy of several pieces. */
    WORLD_LONG,
    /* Large enough for host memory of the library's own, and for threads. */
    WORLD_LARGE,
    /* Written as a region; its bytes have guards between the rows. */
    WORLD_BOX,
    WORLD_PLAN_COUNT,

    /* Batches of some of the plans, of one arena each: with tables, with small
     * outputs in an image, and with more to copy than fits into flight. */
    WORLD_TABLES = WORLD_PLAN_COUNT,
    WORLD_IMAGE,
    WORLD_PIECES,
    WORLD_OUTPUT_COUNT,
    WORLD_BATCH_COUNT = WORLD_OUTPUT_COUNT - WORLD_PLAN_COUNT,

    /* No multiple of any pattern. */
    WORLD_OFFSET = 5,
    WORLD_BUFFER_SIZE = 128 << 10,
    /* For runs of batches: a copy fills a piece. */
    WORLD_IN_FLIGHT_SIZE = 4 * 40001,
};

typedef struct world {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    clconst_engine *engine;
    clconst_plan *plans[WORLD_PLAN_COUNT];
    uint8_t *expected[WORLD_PLAN_COUNT];
    size_t sizes[WORLD_PLAN_COUNT];
    clconst_batch *batches[WORLD_BATCH_COUNT];
    box box;
    cl_mem buffer;
    cl_event past; /* has completed */

    /* What an operation made, until it is checked. */
    clconst_engine *made_engine;
    clconst_tensor *tensor;
    cl_event event;
    uint8_t *bytes;
    clconst_op *op;
    cl_mem shape;
    cl_mem result;
    uint8_t *shared; /* memory that a pointer names */
} world;

/* Without an engine. */
void world_open(world *w);
void world_close(world *w);

clconst_status world_create_engine(world *w,
                                   clconst_fill_path path,
                                   const char *cache_dir,
                                   clconst_error *error);

void world_destroy_engine(world *w);

/* Sets all bytes of the buffer to the guard. */
void world_reset_buffer(world *w);

/* NULL for a plan. */
clconst_batch *world_get_batch(const world *w, int output);

/* The output's bytes, of a plan or a batch, at WORLD_OFFSET, guards around
 * them. */
void world_assert_buffer(world *w, int output, const char *row);

/* Guards around the range that the output may have taken. */
void world_assert_guards(world *w, int output, const char *row);

/* The same of other WORLD_BUFFER_SIZE bytes. */
void world_assert_around(const world *w,
                         int output,
                         const uint8_t *bytes,
                         const char *row);

/* The tensor's bytes are the plan's. */
void world_assert_tensor(world *w,
                         int plan,
                         const clconst_tensor *tensor,
                         const char *row);

/* An arena's tensors are those of the batch. */
void world_assert_arena(const world *w,
                        int output,
                        const uint8_t *bytes,
                        const char *row);

#endif
