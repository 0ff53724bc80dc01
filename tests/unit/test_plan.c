#include "core/plan.h"

#include <string.h>

#include "harness/harness.h"
#include "harness/oracle.h"
#include "unit/suites.h"

/* Element bytes that no rotation or swap leaves alike. */
static const uint8_t element[16] = {0xd6,
                                    0x21,
                                    0x43,
                                    0x85,
                                    0x17,
                                    0x6a,
                                    0xbc,
                                    0xfe,
                                    0x39,
                                    0x02,
                                    0x9d,
                                    0xe8,
                                    0x54,
                                    0x70,
                                    0xcb,
                                    0x1f};

enum { GUARD = 0x5a, GUARD_SIZE = 32, SIZE_MAX_HERE = 16384 };

/* Writes the plan between guards and compares it with the expected bytes. */
static void assert_written(const clconst_plan *plan,
                           const uint8_t *expected,
                           size_t size,
                           const char *row)
{
    static uint8_t bytes[SIZE_MAX_HERE + 2 * GUARD_SIZE];
    memset(bytes, GUARD, sizeof(bytes));
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan, &output);
    ck_assert_uint_eq(output.size, size);
    ck_assert_ok(clconst_write(NULL, plan, bytes + GUARD_SIZE, size, error));
    harness_assert_bytes(bytes + GUARD_SIZE, expected, size, row);
    for (size_t i = 0; i < GUARD_SIZE; i++) {
        ck_assert_uint_eq(bytes[i], GUARD);
        ck_assert_uint_eq(bytes[GUARD_SIZE + size + i], GUARD);
    }
}

static void check_fill(clconst_dtype dtype, int64_t count, const char *row)
{
    static uint8_t expected[SIZE_MAX_HERE];
    clconst_view value = {
        dtype, {NULL, 0}, element, oracle_size((int)dtype, 1)};
    clconst_op *op;
    clconst_plan *plan;
    clconst_shape shape = {&count, 1};
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, &shape, &plan, error));
    clconst_op_destroy(op);
    ck_assert_int_eq(clconst_plan_get_kind(plan), CLCONST_PLAN_FILL);
    oracle_fill(expected, (int)dtype, element, (uint64_t)count);
    assert_written(
        plan, expected, oracle_size((int)dtype, (uint64_t)count), row);
    clconst_plan_destroy(plan);
}

START_TEST(fills_of_each_dtype_have_the_bytes_of_the_oracle)
{
    static const int64_t counts[] = {0,  1,  2,  3,  4,   5,   7,   8,   9,
                                     15, 16, 17, 31, 47,  48,  49,  63,  64,
                                     65, 95, 96, 97, 127, 385, 769, 1023};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
#define CLCONST_X(name, number, bits, text)                                    \
    if (number != CLCONST_STRING) {                                            \
        check_fill(CLCONST_##name, counts[i], text);                           \
    }
        CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
    }
}
END_TEST

static void check_copy(clconst_dtype dtype, int64_t count, const char *row)
{
    static uint8_t source[SIZE_MAX_HERE];
    static uint8_t expected[SIZE_MAX_HERE];
    uint64_t state = 0x9e3779b97f4a7c15U + (uint64_t)count;
    for (size_t i = 0; i < sizeof(source); i++) {
        /* Padding bits are as random as the rest: 8.16. */
        source[i] = (uint8_t)(harness_random(&state) >> 32);
    }
    size_t size = oracle_size((int)dtype, (uint64_t)count);
    clconst_view value = {dtype, {&count, 1}, source, size};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    clconst_op_destroy(op);
    ck_assert_int_eq(clconst_plan_get_kind(plan), CLCONST_PLAN_COPY);
    oracle_copy(expected, (int)dtype, source, (uint64_t)count);
    assert_written(plan, expected, size, row);
    clconst_plan_destroy(plan);
}

START_TEST(copies_of_each_dtype_have_the_bytes_of_the_oracle)
{
    static const int64_t counts[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 1001};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
#define CLCONST_X(name, number, bits, text)                                    \
    if (number != CLCONST_STRING) {                                            \
        check_copy(CLCONST_##name, counts[i], text);                           \
    }
        CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
    }
}
END_TEST

START_TEST(an_empty_shape_is_a_scalar_and_a_zero_dim_is_empty)
{
    /* 8.6, R10, R39 */
    clconst_op *op;
    clconst_plan *scalar;
    clconst_plan *empty;
    int64_t dims[] = {4, 0};
    clconst_shape rank_0 = {NULL, 0};
    clconst_shape zero = {dims, 2};
    ck_assert_ok(clconst_op_create_constant_of_shape(NULL, &op, error));
    ck_assert_ok(clconst_plan_create(op, &rank_0, &scalar, error));
    ck_assert_ok(clconst_plan_create(op, &zero, &empty, error));
    dims[0] = 5;
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(scalar, &output);
    ck_assert_uint_eq(output.shape.rank, 0);
    ck_assert_uint_eq(output.size, 4);
    clconst_plan_get_output(empty, &output);
    ck_assert_uint_eq(output.shape.rank, 2);
    ck_assert_int_eq(output.shape.dims[0], 4);
    ck_assert_uint_eq(output.size, 0);
    ck_assert_ok(clconst_write(NULL, empty, NULL, 0, error));
    clconst_plan_destroy(scalar);
    clconst_plan_destroy(empty);
    clconst_op_destroy(op);
}
END_TEST

START_TEST(plans_of_strings_hold_the_strings_of_the_operator)
{
    clconst_string strings[] = {{"a\0b", 3}, {"", 0}};
    int64_t dims[] = {2};
    clconst_view value = {CLCONST_STRING, {dims, 1}, strings, sizeof(strings)};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    ck_assert_int_eq(clconst_plan_get_kind(plan), CLCONST_PLAN_STRINGS);
    ck_assert_fails(clconst_write(NULL, plan, strings, sizeof(strings), error),
                    CLCONST_UNSUPPORTED,
                    "dtype is string; strings are read from their operator's "
                    "value");
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
}
END_TEST

START_TEST(create_and_write_refuse_wrong_arguments)
{
    clconst_op *fill;
    clconst_op *constant;
    clconst_plan *plan = NULL;
    int64_t dims[] = {2, -1, 3};
    clconst_shape shape = {dims, 3};
    clconst_view value = {CLCONST_UINT8, {NULL, 0}, element, 1};
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &fill, error));
    ck_assert_ok(clconst_op_create_constant(&value, &constant, error));
    ck_assert_fails(clconst_plan_create(fill, NULL, &plan, error),
                    CLCONST_INVALID_ARGUMENT,
                    "shape is NULL; ConstantOfShape needs a shape");
    ck_assert_fails(clconst_plan_create(constant, &shape, &plan, error),
                    CLCONST_INVALID_ARGUMENT,
                    "shape is given; Constant has a shape of its own");
    ck_assert_fails(clconst_plan_create(fill, &shape, &plan, error),
                    CLCONST_INVALID_ARGUMENT,
                    "dim 1 is -1; dims must be >= 0");
    ck_assert_ptr_null(plan);
    ck_assert_fails(clconst_plan_create(NULL, &shape, &plan, error),
                    CLCONST_INVALID_ARGUMENT,
                    "op or plan is NULL; both are required");
    ck_assert_fails(clconst_plan_create(fill, &shape, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "op or plan is NULL; both are required");
    dims[1] = 1;
    ck_assert_ok(clconst_plan_create(fill, &shape, &plan, error));
    uint8_t bytes[6];
    ck_assert_fails(clconst_write(NULL, plan, bytes, 5, error),
                    CLCONST_INVALID_ARGUMENT,
                    "size is 5; the output has 6 bytes");
    ck_assert_fails(clconst_write(NULL, plan, NULL, 6, error),
                    CLCONST_INVALID_ARGUMENT,
                    "dst is NULL; the output has 6 bytes");
    clconst_plan_destroy(plan);
    clconst_plan_destroy(NULL);
    clconst_op_destroy(fill);
    clconst_op_destroy(constant);
}
END_TEST

Suite *plan_suite(void)
{
    Suite *suite = suite_create("plan");
    TCase *tcase = tcase_create("plan");
    tcase_add_test(tcase, fills_of_each_dtype_have_the_bytes_of_the_oracle);
    tcase_add_test(tcase, copies_of_each_dtype_have_the_bytes_of_the_oracle);
    tcase_add_test(tcase, an_empty_shape_is_a_scalar_and_a_zero_dim_is_empty);
    tcase_add_test(tcase, plans_of_strings_hold_the_strings_of_the_operator);
    tcase_add_test(tcase, create_and_write_refuse_wrong_arguments);
    suite_add_tcase(suite, tcase);
    return suite;
}
