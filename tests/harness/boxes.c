#include "harness/boxes.h"

#include <stdio.h>

#include "harness/harness.h"
#include "harness/oracle.h"

/* Sixteen bytes, of which no two are the same. */
static const char element[] =
    "\x91\x52\xc3\x34\xa5\x16\x87\x78\x69\xfa\x4b\xdc\x2d\xbe\x0f\xe1";

const box_refusal boxes_refusals[BOXES_REFUSAL_COUNT] = {
    {{CLCONST_FLOAT, {3, 3}, 2, {(size_t)1 << 63}, 0, 0},
     CLCONST_INVALID_ARGUMENT,
     "stride 0 is 9223372036854775808; 2 steps must stay below 2^64 bytes"},
    {{CLCONST_FLOAT, {2, 3}, 2, {SIZE_MAX - 11}, 0, 0},
     CLCONST_INVALID_ARGUMENT,
     "stride 0 is 18446744073709551604; 1 steps must stay below 2^64 bytes"},
    {{CLCONST_FLOAT, {2, 3}, 2, {11}, 0, 0},
     CLCONST_INVALID_ARGUMENT,
     "stride 0 is 11; it must be at least the 12 bytes that it steps over"},
    {{CLCONST_FLOAT, {2, 2, 1}, 3, {11, 8}, 0, 0},
     CLCONST_INVALID_ARGUMENT,
     "stride 0 is 11; it must be at least the 12 bytes that it steps over"},
    {{CLCONST_UINT4, {2, 3}, 2, {2}, 0, 0},
     CLCONST_UNSUPPORTED,
     "row has 3 elements of uint4; rows of a region must be whole bytes"},
    {{CLCONST_FLOAT6E2M3, {2, 6}, 2, {8}, 0, 0},
     CLCONST_UNSUPPORTED,
     "row has 6 elements of float6e2m3; rows of a region must be whole bytes"},
    {{CLCONST_UINT2, {0}, 0, {0}, 0, 0},
     CLCONST_UNSUPPORTED,
     "row has 1 elements of uint2; rows of a region must be whole bytes"},
    {{CLCONST_UINT8,
      {2, 2, 2, 2, 2, 2, 2, 2, 2, 1},
      10,
      {2000, 900, 400, 180, 80, 36, 16, 7, 3},
      0,
      0},
     CLCONST_UNSUPPORTED,
     "region has a gap within more than 8 of its dims; fewer must do"},
};

clconst_plan *boxes_create_plan(const box *b)
{
    clconst_view value = {
        (clconst_dtype)b->dtype, {NULL, 0}, element, oracle_size(b->dtype, 1)};
    clconst_shape shape = {b->dims, b->rank};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, &shape, &plan, error));
    clconst_op_destroy(op);
    return plan;
}

static void expand(const box *b, size_t dim, uint8_t *dst)
{
    if (dim + 1 >= b->rank) {
        uint64_t count = b->rank > 0 ? (uint64_t)b->dims[dim] : 1;
        oracle_fill(dst, b->dtype, element, count);
        return;
    }
    for (int64_t i = 0; i < b->dims[dim]; i++) {
        expand(b, dim + 1, dst + (size_t)i * b->strides[dim]);
    }
}

void boxes_expand(const box *b, uint8_t *dst)
{
    expand(b, 0, dst);
}

void boxes_measure(box *b)
{
    size_t last = b->rank > 0 ? b->rank - 1 : 0;
    b->extent =
        oracle_size(b->dtype, b->rank > 0 ? (uint64_t)b->dims[last] : 1);
    for (size_t i = 0; i < last; i++) {
        b->extent += (size_t)(b->dims[i] - 1) * b->strides[i];
    }
}

static uint64_t below(uint64_t *state, uint64_t limit)
{
    return (harness_random(state) >> 33) % limit;
}

void boxes_randomize(box *b, uint64_t *state)
{
    static const int dtypes[] = {
#define CLCONST_X(name, number, bits, text) number,
        CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
    };
    do {
        b->dtype = dtypes[below(state, sizeof(dtypes) / sizeof(dtypes[0]))];
    } while (b->dtype == CLCONST_STRING);
    b->rank = (size_t)below(state, 7);
    unsigned bits = oracle_bits(b->dtype);
    if (bits < 8 && b->rank == 0) {
        b->rank = 1;
    }
    for (size_t i = 0; i < b->rank; i++) {
        b->dims[i] = 1 + (int64_t)below(state, 5);
    }
    if (b->rank > 0) {
        int64_t *length = &b->dims[b->rank - 1];
        *length = bits < 8 ? *length * (bits == 6 ? 4 : 8 / (int)bits)
                           : *length * (1 + (int64_t)below(state, 8));
    }
    b->offset = (size_t)below(state, 70);
    b->extent =
        oracle_size(b->dtype, b->rank > 0 ? (uint64_t)b->dims[b->rank - 1] : 1);
    for (size_t i = b->rank; i-- > 1;) {
        size_t gap = below(state, 2) == 0 ? 0 : (size_t)below(state, 40);
        size_t count = (size_t)b->dims[i - 1];
        b->strides[i - 1] = count > 1 ? b->extent + gap : gap;
        b->extent += (count - 1) * b->strides[i - 1];
    }
}

void boxes_describe(const box *b, size_t number, char *row, size_t size)
{
    snprintf(row,
             size,
             "case %zu: rank %zu of %s, %zu bytes at %zu",
             number,
             b->rank,
             clconst_dtype_name((clconst_dtype)b->dtype),
             b->extent,
             b->offset);
}
