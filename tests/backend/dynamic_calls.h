/*
 * Calls of clconst_enqueue_dynamic over guards, compared with what they are to
 * answer and to write.
 */
#ifndef CLCONST_TESTS_DYNAMIC_CALLS_H
#define CLCONST_TESTS_DYNAMIC_CALLS_H

#include "backend/opencl_fixture.h"

enum {
    DYNAMIC_RANK_MAX = 7,
    /* Shapes and results lie at any alignment, between guards. */
    DYNAMIC_BUFFER_SIZE = 128,
};

/* The memory of a call: three buffers of guards. */
typedef struct dynamic_setting {
    fixture f;
    cl_mem shape;
    cl_mem output;
    cl_mem result;
    size_t output_size;
} dynamic_setting;

/* One call, and what it is to answer. dims are those up to the rank, unless
 * that is higher. */
typedef struct dynamic_call {
    int dtype;
    int64_t dims[DYNAMIC_RANK_MAX];
    size_t rank;
    size_t capacity;
    size_t offset;
    size_t shape_offset;
    size_t result_offset;
    clconst_dynamic_result expected;
} dynamic_call;

void dynamic_open(dynamic_setting *s, size_t shape_size, size_t output_size);
void dynamic_close(dynamic_setting *s);

/* ConstantOfShape of harness_element. */
clconst_op *dynamic_create_op(int dtype);

void dynamic_write_shape(const dynamic_setting *s,
                         const int64_t *dims,
                         const dynamic_call *c);

/* Enqueues the call on the fixture's queue, without events. */
void dynamic_enqueue(const dynamic_setting *s, const dynamic_call *c);

/* Runs the call over guards, and compares all bytes of output and result. */
void dynamic_assert_call(const dynamic_setting *s,
                         const int64_t *dims,
                         const dynamic_call *c);

#endif
