#include "core/shape.h"

#include "harness/harness.h"
#include "harness/oracle.h"
#include "unit/suites.h"

#define TWO_TO(exponent) (INT64_C(1) << (exponent))

typedef struct size_row {
    const char *name;
    clconst_dtype dtype;
    size_t rank;
    int64_t dims[4];
    size_t size;
} size_row;

static const size_row size_rows[] = {
    {"scalar", CLCONST_DOUBLE, 0, {0}, 8},
    {"scalar of 2 bits", CLCONST_INT2, 0, {0}, 1},
    {"rank 1 of 0", CLCONST_FLOAT, 1, {0}, 0},
    {"zero first", CLCONST_FLOAT, 2, {0, 3}, 0},
    {"zero last", CLCONST_FLOAT, 2, {2, 0}, 0},
    /* R33: a wrapped product of 0 is not an empty tensor; this is. */
    {"zero and huge", CLCONST_FLOAT, 3, {TWO_TO(62), 4, 0}, 0},
    {"zero before huge", CLCONST_FLOAT, 3, {0, TWO_TO(62), 4}, 0},
    {"five nibbles", CLCONST_UINT4, 1, {5}, 3},
    {"five of 6 bits", CLCONST_FLOAT6E3M2, 1, {5}, 4},
    {"bool is a byte", CLCONST_BOOL, 1, {9}, 9},
    {"strings are pairs", CLCONST_STRING, 1, {3}, 3 * sizeof(clconst_string)},
    {"past 32 bits", CLCONST_FLOAT, 2, {65536, 65536}, TWO_TO(34)},
    {"largest of 1 byte", CLCONST_UINT8, 1, {INT64_MAX}, INT64_MAX},
    {"largest of 2 bits", CLCONST_UINT2, 1, {INT64_MAX}, TWO_TO(61)},
};

START_TEST(byte_size_is_elements_times_width_rounded_up)
{
    const size_row *row = &size_rows[_i];
    clconst_shape shape = {row->dims, row->rank};
    size_t size;
    ck_assert_ok(clconst_byte_size(row->dtype, &shape, &size, error));
    ck_assert_msg(size == row->size,
                  "%s: %zu bytes; expected %zu",
                  row->name,
                  size,
                  row->size);
}
END_TEST

START_TEST(byte_size_agrees_with_the_oracle_on_each_dtype)
{
#define CLCONST_X(name, number, bits, text)                                    \
    for (int64_t count = 0; number != CLCONST_STRING && count < 20; count++) { \
        clconst_shape shape = {&count, 1};                                     \
        size_t size;                                                           \
        ck_assert_ok(clconst_byte_size(CLCONST_##name, &shape, &size, error)); \
        ck_assert_uint_eq(size, oracle_size(number, (uint64_t)count));         \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
}
END_TEST

typedef struct refusal_row {
    int dtype;
    size_t rank;
    int64_t dims[4];
    clconst_status status;
    const char *message;
} refusal_row;

static const refusal_row refusal_rows[] = {
    /* R3, R5 */
    {CLCONST_FLOAT,
     3,
     {2, -1, 3},
     CLCONST_INVALID_ARGUMENT,
     "dim 1 is -1; dims must be >= 0"},
    {CLCONST_FLOAT,
     4,
     {-1, 3, 224, 224},
     CLCONST_INVALID_ARGUMENT,
     "dim 0 is -1; dims must be >= 0"},
    /* 8.5: a negative dim beside a zero */
    {CLCONST_FLOAT,
     2,
     {0, -1},
     CLCONST_INVALID_ARGUMENT,
     "dim 1 is -1; dims must be >= 0"},
    /* R30 to R34 */
    {CLCONST_FLOAT,
     2,
     {TWO_TO(32), TWO_TO(32)},
     CLCONST_TOO_LARGE,
     "dim 1 is 4294967296; the product of the dims must be below 2^63"},
    {CLCONST_UINT8,
     2,
     {TWO_TO(31), TWO_TO(32)},
     CLCONST_TOO_LARGE,
     "dim 1 is 4294967296; the product of the dims must be below 2^63"},
    {CLCONST_FLOAT,
     3,
     {TWO_TO(20), TWO_TO(20), TWO_TO(21)},
     CLCONST_TOO_LARGE,
     "shape has 2305843009213693952 elements of float; their size must be "
     "below 2^63 bytes"},
    {CLCONST_COMPLEX128,
     1,
     {TWO_TO(59)},
     CLCONST_TOO_LARGE,
     "shape has 576460752303423488 elements of complex128; their size must be "
     "below 2^63 bytes"},
    {CLCONST_STRING,
     1,
     {TWO_TO(59)},
     CLCONST_TOO_LARGE,
     "shape has 576460752303423488 elements of string; their size must be "
     "below 2^63 bytes"},
    /* R48: invalid dtypes have no default size */
    {0,
     0,
     {0},
     CLCONST_INVALID_ARGUMENT,
     "dtype 0 is not a "
     "TensorProto.DataType"},
    {29,
     0,
     {0},
     CLCONST_INVALID_ARGUMENT,
     "dtype 29 is not a "
     "TensorProto.DataType"},
    {255,
     0,
     {0},
     CLCONST_INVALID_ARGUMENT,
     "dtype 255 is not a "
     "TensorProto.DataType"},
    {-1,
     0,
     {0},
     CLCONST_INVALID_ARGUMENT,
     "dtype -1 is not a "
     "TensorProto.DataType"},
};

START_TEST(byte_size_refuses)
{
    const refusal_row *row = &refusal_rows[_i];
    clconst_shape shape = {row->dims, row->rank};
    size_t size = 77;
    ck_assert_fails(
        clconst_byte_size((clconst_dtype)row->dtype, &shape, &size, error),
        row->status,
        row->message);
    ck_assert_uint_eq(size, 77);
}
END_TEST

START_TEST(just_below_each_limit_is_accepted)
{
    int64_t dims[2] = {TWO_TO(59) - 1, 1};
    clconst_shape shape = {dims, 2};
    size_t size;
    ck_assert_ok(clconst_byte_size(CLCONST_COMPLEX128, &shape, &size, error));
    ck_assert_uint_eq(size, (size_t)(TWO_TO(59) - 1) * 16);
}
END_TEST

START_TEST(rank_1024_is_the_highest)
{
    int64_t dims[1025];
    for (size_t i = 0; i < 1025; i++) {
        dims[i] = 1;
    }
    dims[1023] = 3;
    clconst_shape shape = {dims, 1024};
    size_t size;
    ck_assert_ok(clconst_byte_size(CLCONST_INT16, &shape, &size, error));
    ck_assert_uint_eq(size, 6);
    shape.rank = 1025;
    ck_assert_fails(clconst_byte_size(CLCONST_INT16, &shape, &size, error),
                    CLCONST_TOO_LARGE,
                    "rank is 1025; it must be at most 1024");
}
END_TEST

START_TEST(missing_arguments_are_named)
{
    clconst_shape shape = {NULL, 0};
    size_t size;
    ck_assert_ok(clconst_byte_size(CLCONST_INT16, &shape, &size, error));
    shape.rank = 2;
    ck_assert_fails(clconst_byte_size(CLCONST_INT16, &shape, &size, error),
                    CLCONST_INVALID_ARGUMENT,
                    "dims is NULL; rank 2 needs dims");
    ck_assert_fails(clconst_byte_size(CLCONST_INT16, NULL, &size, error),
                    CLCONST_INVALID_ARGUMENT,
                    "shape or size is NULL; both are required");
    ck_assert_fails(clconst_byte_size(CLCONST_INT16, &shape, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "shape or size is NULL; both are required");
}
END_TEST

Suite *shape_suite(void)
{
    Suite *suite = suite_create("shape");
    TCase *tcase = tcase_create("shape");
    tcase_add_loop_test(tcase,
                        byte_size_is_elements_times_width_rounded_up,
                        0,
                        sizeof(size_rows) / sizeof(size_rows[0]));
    tcase_add_test(tcase, byte_size_agrees_with_the_oracle_on_each_dtype);
    tcase_add_loop_test(tcase,
                        byte_size_refuses,
                        0,
                        sizeof(refusal_rows) / sizeof(refusal_rows[0]));
    tcase_add_test(tcase, just_below_each_limit_is_accepted);
    tcase_add_test(tcase, rank_1024_is_the_highest);
    tcase_add_test(tcase, missing_arguments_are_named);
    suite_add_tcase(suite, tcase);
    return suite;
}
