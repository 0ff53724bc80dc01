#include "backend/dynamic_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/oracle.h"

void dynamic_open(dynamic_setting *s, size_t shape_size, size_t output_size)
{
    fixture_open(&s->f, CLCONST_PATH_AUTO);
    s->output_size = output_size;
    s->shape = fixture_create_buffer(&s->f, CL_MEM_READ_WRITE, shape_size);
    s->output = fixture_create_buffer(&s->f, CL_MEM_READ_WRITE, output_size);
    s->result =
        fixture_create_buffer(&s->f, CL_MEM_READ_WRITE, DYNAMIC_BUFFER_SIZE);
}

void dynamic_close(dynamic_setting *s)
{
    ck_assert_cl(clReleaseMemObject(s->shape));
    ck_assert_cl(clReleaseMemObject(s->output));
    ck_assert_cl(clReleaseMemObject(s->result));
    fixture_close(&s->f);
}

clconst_op *dynamic_create_op(int dtype)
{
    clconst_view value = {(clconst_dtype)dtype,
                          {NULL, 0},
                          harness_element,
                          oracle_size(dtype, 1)};
    clconst_op *op;
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
    return op;
}

void dynamic_write_shape(const dynamic_setting *s,
                         const int64_t *dims,
                         const dynamic_call *c)
{
    if (c->rank > 0) {
        fixture_write_buffer(
            &s->f, s->shape, c->shape_offset, dims, c->rank * sizeof(*dims));
    }
}

void dynamic_enqueue(const dynamic_setting *s, const dynamic_call *c)
{
    clconst_op *op = dynamic_create_op(c->dtype);
    ck_assert_ok(clconst_enqueue_dynamic(s->f.engine,
                                         op,
                                         s->f.queue,
                                         c->rank > 0 ? s->shape : NULL,
                                         c->shape_offset,
                                         c->rank,
                                         c->capacity > 0 ? s->output : NULL,
                                         c->offset,
                                         c->capacity,
                                         s->result,
                                         c->result_offset,
                                         0,
                                         NULL,
                                         NULL,
                                         error));
    clconst_op_destroy(op);
}

void dynamic_assert_call(const dynamic_setting *s,
                         const int64_t *dims,
                         const dynamic_call *c)
{
    char row[256];
    int size = snprintf(row,
                        sizeof(row),
                        "%s, capacity %zu, offset %zu, dims",
                        clconst_dtype_name((clconst_dtype)c->dtype),
                        c->capacity,
                        c->offset);
    for (size_t i = 0; i < c->rank && i < DYNAMIC_RANK_MAX && size < 200; i++) {
        size += snprintf(
            row + size, sizeof(row) - (size_t)size, " %" PRId64, dims[i]);
    }
    fixture_reset_buffer(&s->f, s->output, s->output_size);
    fixture_reset_buffer(&s->f, s->result, DYNAMIC_BUFFER_SIZE);
    dynamic_write_shape(s, dims, c);
    dynamic_enqueue(s, c);
    clconst_dynamic_result actual;
    uint8_t bytes[DYNAMIC_BUFFER_SIZE];
    fixture_read_buffer(&s->f, s->result, bytes, sizeof(bytes));
    memcpy(&actual, bytes + c->result_offset, sizeof(actual));
    ck_assert_msg(actual.status == c->expected.status &&
                      actual.bad_dim == c->expected.bad_dim &&
                      actual.element_count == c->expected.element_count,
                  "%s: {%d, %d, %" PRIu64 "}, expected {%d, %d, %" PRIu64 "}",
                  row,
                  actual.status,
                  actual.bad_dim,
                  actual.element_count,
                  c->expected.status,
                  c->expected.bad_dim,
                  c->expected.element_count);
    fixture_assert_buffer(&s->f,
                          s->result,
                          DYNAMIC_BUFFER_SIZE,
                          c->result_offset,
                          &c->expected,
                          sizeof(c->expected),
                          row);
    uint64_t count =
        c->expected.status == CLCONST_OK ? c->expected.element_count : 0;
    size_t output_size = oracle_size(c->dtype, count);
    uint8_t *expected = malloc(output_size + 1);
    oracle_fill(expected, c->dtype, harness_element, count);
    fixture_assert_buffer(&s->f,
                          s->output,
                          s->output_size,
                          c->offset,
                          expected,
                          output_size,
                          row);
    free(expected);
}
