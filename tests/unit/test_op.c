#include "core/op.h"

#include <string.h>

#include "harness/harness.h"
#include "unit/suites.h"

START_TEST(no_value_means_float_zero)
{
    clconst_op *op;
    ck_assert_ok(clconst_op_create_constant_of_shape(NULL, &op, error));
    clconst_view value;
    clconst_op_get_value(op, &value);
    ck_assert_int_eq(clconst_op_get_kind(op), CLCONST_OP_CONSTANT_OF_SHAPE);
    ck_assert_int_eq(value.dtype, CLCONST_FLOAT);
    ck_assert_uint_eq(value.shape.rank, 0);
    ck_assert_uint_eq(value.size, 4);
    ck_assert_mem_eq(value.data, "\0\0\0\0", 4);
    clconst_op_destroy(op);
    clconst_op_destroy(NULL);
}
END_TEST

START_TEST(a_fill_value_of_any_rank_is_copied)
{
    int64_t dims[] = {1, 1, 1};
    uint8_t data[] = {0xf5};
    for (size_t rank = 0; rank <= 3; rank++) {
        clconst_view view = {CLCONST_INT4, {dims, rank}, data, 1};
        clconst_op *op;
        ck_assert_ok(clconst_op_create_constant_of_shape(&view, &op, error));
        data[0] = 0;
        clconst_view value;
        clconst_op_get_value(op, &value);
        ck_assert_uint_eq(value.shape.rank, rank);
        ck_assert_uint_eq(*(const uint8_t *)value.data, 0x05);
        clconst_op_destroy(op);
        data[0] = 0xf5;
    }
}
END_TEST

START_TEST(a_constant_borrows_its_data)
{
    int64_t dims[] = {2};
    uint16_t data[] = {1, 2};
    clconst_view view = {CLCONST_UINT16, {dims, 1}, data, sizeof(data)};
    clconst_op *op;
    ck_assert_ok(clconst_op_create_constant(&view, &op, error));
    dims[0] = 9;
    clconst_view value;
    clconst_op_get_value(op, &value);
    ck_assert_int_eq(clconst_op_get_kind(op), CLCONST_OP_CONSTANT);
    ck_assert_ptr_eq(value.data, data);
    ck_assert_int_eq(value.shape.dims[0], 2);
    clconst_op_destroy(op);
}
END_TEST

typedef struct refusal_row {
    clconst_op_kind kind;
    int dtype;
    size_t rank;
    int64_t dims[2];
    size_t size;
    bool has_data;
    clconst_status status;
    const char *message;
} refusal_row;

#define COS      CLCONST_OP_CONSTANT_OF_SHAPE
#define CONSTANT CLCONST_OP_CONSTANT

static const refusal_row refusal_rows[] = {
    /* 8.3 */
    {COS,
     CLCONST_FLOAT,
     1,
     {2},
     8,
     true,
     CLCONST_INVALID_ARGUMENT,
     "value has 2 elements; ConstantOfShape needs exactly 1"},
    {COS,
     CLCONST_FLOAT,
     1,
     {0},
     0,
     true,
     CLCONST_INVALID_ARGUMENT,
     "value has 0 elements; ConstantOfShape needs exactly 1"},
    {COS,
     CLCONST_STRING,
     1,
     {1},
     16,
     true,
     CLCONST_UNSUPPORTED,
     "value has dtype string; ConstantOfShape has no strings"},
    {COS,
     CLCONST_FLOAT,
     1,
     {1},
     8,
     true,
     CLCONST_INVALID_ARGUMENT,
     "value has 8 bytes; 1 elements of float take 4"},
    {COS,
     CLCONST_FLOAT,
     1,
     {1},
     4,
     false,
     CLCONST_INVALID_ARGUMENT,
     "value data is NULL; 4 bytes are needed"},
    {CONSTANT,
     CLCONST_INT4,
     1,
     {3},
     1,
     true,
     CLCONST_INVALID_ARGUMENT,
     "value has 1 bytes; 3 elements of int4 take 2"},
    {CONSTANT,
     CLCONST_INT4,
     1,
     {3},
     3,
     true,
     CLCONST_INVALID_ARGUMENT,
     "value has 3 bytes; 3 elements of int4 take 2"},
    /* R101 */
    {CONSTANT,
     CLCONST_INT8,
     2,
     {-1, 4},
     4,
     true,
     CLCONST_INVALID_ARGUMENT,
     "dim 0 is -1; dims must be >= 0"},
    {CONSTANT,
     29,
     0,
     {0},
     4,
     true,
     CLCONST_INVALID_ARGUMENT,
     "dtype 29 is not a TensorProto.DataType"},
};

START_TEST(create_refuses)
{
    static const uint64_t data[2] = {0, 0};
    const refusal_row *row = &refusal_rows[_i];
    clconst_view view = {(clconst_dtype)row->dtype,
                         {row->dims, row->rank},
                         row->has_data ? data : NULL,
                         row->size};
    clconst_op *op = NULL;
    if (row->kind == COS) {
        ck_assert_fails(clconst_op_create_constant_of_shape(&view, &op, error),
                        row->status,
                        row->message);
    } else {
        ck_assert_fails(clconst_op_create_constant(&view, &op, error),
                        row->status,
                        row->message);
    }
    ck_assert_ptr_null(op);
}
END_TEST

START_TEST(missing_arguments_are_named)
{
    static const char sparse[] =
        "values, shape or op is NULL; all are required";
    static const int64_t dim = 1;
    clconst_shape shape = {&dim, 1};
    clconst_view value = {CLCONST_UINT8, {&dim, 1}, "a", 1};
    clconst_op *op;
    ck_assert_fails(clconst_op_create_constant(NULL, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    "value or op is NULL; both are required");
    ck_assert_fails(clconst_op_create_constant(&value, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "value or op is NULL; both are required");
    ck_assert_fails(clconst_op_create_sparse(NULL, NULL, &shape, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    sparse);
    ck_assert_fails(clconst_op_create_sparse(&value, NULL, NULL, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    sparse);
    ck_assert_fails(clconst_op_create_sparse(&value, NULL, &shape, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    sparse);
    ck_assert_fails(clconst_op_create_constant_of_shape(NULL, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "op is NULL; it is required");
}
END_TEST

Suite *op_suite(void)
{
    Suite *suite = suite_create("op");
    TCase *tcase = tcase_create("op");
    tcase_add_test(tcase, no_value_means_float_zero);
    tcase_add_test(tcase, a_fill_value_of_any_rank_is_copied);
    tcase_add_test(tcase, a_constant_borrows_its_data);
    tcase_add_loop_test(tcase,
                        create_refuses,
                        0,
                        sizeof(refusal_rows) / sizeof(refusal_rows[0]));
    tcase_add_test(tcase, missing_arguments_are_named);
    suite_add_tcase(suite, tcase);
    return suite;
}
