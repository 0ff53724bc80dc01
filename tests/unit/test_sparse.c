#include <string.h>

#include "core/plan.h"
#include "harness/harness.h"
#include "harness/oracle.h"
#include "unit/suites.h"

enum { DENSE_MAX = 16384, VALUES_MAX = 512, GUARD = 0x5a, GUARD_SIZE = 32 };

static void random_bytes(uint8_t *bytes, size_t size, uint64_t *state)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(harness_random(state) >> 32);
    }
}

/* Ascending indices, dense enough that sub-byte neighbours share bytes. */
static size_t
random_indices(int64_t *indices, int64_t element_count, uint64_t *state)
{
    size_t count = 0;
    for (int64_t i = 0; i < element_count && count < VALUES_MAX; i++) {
        if (harness_random(state) % 3 == 0) {
            indices[count++] = i;
        }
    }
    return count;
}

/* Row-major coordinates of linear indices. */
static void to_coordinates(int64_t *coordinates,
                           const int64_t *indices,
                           size_t count,
                           const clconst_shape *shape)
{
    for (size_t i = 0; i < count; i++) {
        int64_t rest = indices[i];
        for (size_t j = shape->rank; j-- > 0;) {
            coordinates[i * shape->rank + j] = rest % shape->dims[j];
            rest /= shape->dims[j];
        }
    }
}

static void check_dense(const clconst_view *values,
                        const clconst_view *indices,
                        const clconst_shape *shape,
                        const uint8_t *expected,
                        const char *row)
{
    static uint8_t bytes[DENSE_MAX + 2 * GUARD_SIZE];
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(clconst_op_create_sparse(values, indices, shape, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    ck_assert_int_eq(clconst_op_get_kind(op), CLCONST_OP_SPARSE_CONSTANT);
    ck_assert_int_eq(clconst_plan_get_kind(plan), CLCONST_PLAN_SCATTER);
    clconst_op_destroy(op);
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan, &output);
    ck_assert_int_eq(output.dtype, values->dtype);
    ck_assert_uint_eq(output.shape.rank, shape->rank);
    memset(bytes, GUARD, sizeof(bytes));
    ck_assert_ok(
        clconst_write(NULL, plan, bytes + GUARD_SIZE, output.size, error));
    harness_assert_bytes(bytes + GUARD_SIZE, expected, output.size, row);
    for (size_t i = 0; i < GUARD_SIZE; i++) {
        ck_assert_uint_eq(bytes[i], GUARD);
        ck_assert_uint_eq(bytes[GUARD_SIZE + output.size + i], GUARD);
    }
    clconst_plan_destroy(plan);
}

/* Linear and coordinate indices of one random tensor. */
static void check_random(clconst_dtype dtype, uint64_t seed, const char *row)
{
    static uint8_t values_bytes[VALUES_MAX * 16];
    static uint8_t expected[DENSE_MAX];
    static int64_t linear[VALUES_MAX];
    static int64_t coordinates[VALUES_MAX * 3];
    static const int64_t dims[] = {7, 3, 31};
    const clconst_shape shape = {dims, 3};
    uint64_t state = seed;
    random_bytes(values_bytes, sizeof(values_bytes), &state);
    int64_t count = (int64_t)random_indices(linear, 7 * 3 * 31, &state);
    to_coordinates(coordinates, linear, (size_t)count, &shape);
    memset(expected, 0, sizeof(expected));
    for (int64_t i = 0; i < count; i++) {
        oracle_place(expected,
                     (int)dtype,
                     (uint64_t)linear[i],
                     values_bytes,
                     (uint64_t)i);
    }
    int64_t pair[] = {count, 3};
    clconst_view values = {dtype,
                           {&count, 1},
                           values_bytes,
                           oracle_size((int)dtype, (uint64_t)count)};
    clconst_view indices = {
        CLCONST_INT64, {pair, 1}, linear, (size_t)count * 8};
    check_dense(&values, &indices, &shape, expected, row);
    indices.shape.rank = 2;
    indices.data = coordinates;
    indices.size = (size_t)count * 24;
    check_dense(&values, &indices, &shape, expected, row);
}

START_TEST(each_dtype_expands_as_the_oracle_does)
{
#define CLCONST_X(name, number, bits, text)                                    \
    if (number != CLCONST_STRING) {                                            \
        check_random(CLCONST_##name, 0x1234567 + (uint64_t)_i, text);          \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
}
END_TEST

START_TEST(indices_need_no_alignment)
{
    static const int64_t dims[] = {9};
    static const int64_t two = 2;
    const clconst_shape shape = {dims, 1};
    const int64_t entries[] = {1, 8};
    const uint16_t values_data[] = {0x1122, 0x3344};
    uint8_t unaligned[1 + sizeof(entries)];
    memcpy(unaligned + 1, entries, sizeof(entries));
    uint8_t expected[18] = {0};
    memcpy(expected + 2, values_data, 2);
    memcpy(expected + 16, values_data + 1, 2);
    clconst_view values = {CLCONST_UINT16, {&two, 1}, values_data, 4};
    clconst_view indices = {CLCONST_INT64, {&two, 1}, unaligned + 1, 16};
    check_dense(&values, &indices, &shape, expected, "unaligned");
}
END_TEST

START_TEST(no_values_give_zeros_in_three_forms)
{
    /* 8.21 */
    static const int64_t dims[] = {3, 5};
    static const int64_t none[] = {0, 2};
    static const uint8_t expected[15 * 4] = {0};
    const clconst_shape shape = {dims, 2};
    clconst_view values = {CLCONST_FLOAT, {none, 1}, NULL, 0};
    clconst_view indices = {CLCONST_INT64, {none, 1}, NULL, 0};
    check_dense(&values, NULL, &shape, expected, "no indices");
    check_dense(&values, &indices, &shape, expected, "linear");
    indices.shape.rank = 2;
    check_dense(&values, &indices, &shape, expected, "coordinates");
}
END_TEST

START_TEST(unlisted_strings_are_empty)
{
    /* 8.23 */
    static const int64_t dims[] = {3};
    static const int64_t one = 1;
    static const int64_t at = 1;
    const clconst_shape shape = {dims, 1};
    clconst_string string = {"abc", 3};
    clconst_view values = {CLCONST_STRING, {&one, 1}, &string, sizeof(string)};
    clconst_view indices = {CLCONST_INT64, {&one, 1}, &at, 8};
    clconst_op *op;
    clconst_plan *plan;
    clconst_engine *engine;
    clconst_tensor *tensor;
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    ck_assert_ok(
        clconst_op_create_sparse(&values, &indices, &shape, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    ck_assert_int_eq(clconst_plan_get_kind(plan), CLCONST_PLAN_STRINGS);
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    clconst_op_destroy(op);
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
    clconst_view view;
    clconst_tensor_get_view(tensor, &view);
    const clconst_string *strings = view.data;
    ck_assert_uint_eq(view.size, 3 * sizeof(clconst_string));
    ck_assert_uint_eq(strings[0].size, 0);
    ck_assert_uint_eq(strings[1].size, 3);
    ck_assert_mem_eq(strings[1].data, "abc", 3);
    ck_assert_uint_eq(strings[2].size, 0);
    clconst_tensor_destroy(tensor);
}
END_TEST

typedef struct refusal_row {
    size_t value_rank;
    int64_t value_dims[2];
    clconst_dtype index_dtype;
    size_t index_rank;
    int64_t index_dims[3];
    int64_t entries[8];
    size_t rank;
    int64_t dims[3];
    clconst_status status;
    const char *message;
} refusal_row;

/* The rules of the table in section 4 of the facts, one broken at a time. */
static const refusal_row refusal_rows[] = {
    {2,
     {2, 1},
     CLCONST_INT64,
     1,
     {2},
     {0, 1},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "values have rank 2; it must be 1"},
    {0,
     {0},
     CLCONST_INT64,
     1,
     {1},
     {0},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "values have rank 0; it must be 1"},
    /* 8.20 */
    {1,
     {2},
     CLCONST_INT64,
     1,
     {2},
     {0, 1},
     0,
     {0},
     CLCONST_INVALID_ARGUMENT,
     "dense shape has rank 0; a sparse tensor needs rank 1 or more"},
    {1,
     {2},
     CLCONST_INT64,
     1,
     {2},
     {0, 1},
     2,
     {9, 0},
     CLCONST_INVALID_ARGUMENT,
     "dim 1 is 0; dims of a sparse tensor must be > 0"},
    {1,
     {2},
     CLCONST_INT64,
     1,
     {2},
     {0, 1},
     2,
     {9, -1},
     CLCONST_INVALID_ARGUMENT,
     "dim 1 is -1; dims must be >= 0"},
    {1,
     {2},
     CLCONST_UNDEFINED,
     0,
     {0},
     {0},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "indices are missing; 2 values need them"},
    /* 8.22 */
    {1,
     {2},
     CLCONST_INT32,
     1,
     {2},
     {0, 1},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "indices have dtype int32; they must be int64"},
    {1,
     {2},
     CLCONST_INT64,
     0,
     {0},
     {0},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "indices have rank 0; it must be 1 or 2"},
    /* R67 */
    {1,
     {2},
     CLCONST_INT64,
     3,
     {2, 1, 1},
     {0, 1},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "indices have rank 3; it must be 1 or 2"},
    {1,
     {2},
     CLCONST_INT64,
     1,
     {3},
     {0, 1, 2},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "indices have 3 entries; there are 2 values"},
    {1,
     {2},
     CLCONST_INT64,
     2,
     {2, 3},
     {0, 1, 2, 3, 4, 5},
     2,
     {9, 9},
     CLCONST_INVALID_ARGUMENT,
     "indices have 3 columns; the dense rank is 2"},
    {1,
     {2},
     CLCONST_INT64,
     1,
     {2},
     {0, 9},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "index 1 is 9; it must be >= 0 and below 9"},
    {1,
     {2},
     CLCONST_INT64,
     1,
     {2},
     {-1, 0},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "index 0 is -1; it must be >= 0 and below 9"},
    {1,
     {2},
     CLCONST_INT64,
     2,
     {2, 2},
     {0, 1, 0, 3},
     2,
     {9, 3},
     CLCONST_INVALID_ARGUMENT,
     "index 1 has coordinate 3 in dim 1; it must be >= 0 and below 3"},
    {1,
     {2},
     CLCONST_INT64,
     2,
     {2, 2},
     {0, -1, 0, 1},
     2,
     {9, 3},
     CLCONST_INVALID_ARGUMENT,
     "index 0 has coordinate -1 in dim 1; it must be >= 0 and below 3"},
    /* 8.19 */
    {1,
     {2},
     CLCONST_INT64,
     1,
     {2},
     {4, 4},
     1,
     {9},
     CLCONST_INVALID_ARGUMENT,
     "index 1 is element 4 after element 4; indices must ascend without "
     "repetition"},
    {1,
     {2},
     CLCONST_INT64,
     2,
     {2, 2},
     {1, 0, 0, 2},
     2,
     {9, 3},
     CLCONST_INVALID_ARGUMENT,
     "index 1 is element 2 after element 3; indices must ascend without "
     "repetition"},
    {1,
     {1},
     CLCONST_INT64,
     2,
     {1, 2},
     {0, 0},
     2,
     {INT64_C(1) << 32, INT64_C(1) << 32},
     CLCONST_TOO_LARGE,
     "dim 1 is 4294967296; the product of the dims must be below 2^63"},
};

START_TEST(sparse_refuses)
{
    static const uint8_t data[8] = {1, 2, 3, 4};
    const refusal_row *row = &refusal_rows[_i];
    clconst_op *op = NULL;
    clconst_shape value_shape = {row->value_dims, row->value_rank};
    clconst_view values = {CLCONST_UINT8, value_shape, data, 0};
    ck_assert_ok(
        clconst_byte_size(CLCONST_UINT8, &value_shape, &values.size, error));
    clconst_shape index_shape = {row->index_dims, row->index_rank};
    clconst_view indices = {row->index_dtype, index_shape, row->entries, 0};
    const clconst_view *given = NULL;
    if (row->index_dtype != CLCONST_UNDEFINED) {
        ck_assert_ok(clconst_byte_size(
            row->index_dtype, &index_shape, &indices.size, error));
        given = &indices;
    }
    clconst_shape shape = {row->dims, row->rank};
    ck_assert_fails(
        clconst_op_create_sparse(&values, given, &shape, &op, error),
        row->status,
        row->message);
    ck_assert_ptr_null(op);
}
END_TEST

START_TEST(the_last_element_of_a_huge_tensor_is_reached)
{
    /* 2^63 - 1 elements of 6 bits: their count of bits wraps. */
    static const int64_t dims[] = {INT64_MAX};
    static const int64_t at = INT64_MAX - 1;
    static const int64_t one = 1;
    static const uint8_t code = 0x2d;
    const clconst_shape shape = {dims, 1};
    clconst_view values = {CLCONST_FLOAT6E2M3, {&one, 1}, &code, 1};
    clconst_view indices = {CLCONST_INT64, {&one, 1}, &at, 8};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(
        clconst_op_create_sparse(&values, &indices, &shape, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    /* Element 2^63 - 2 begins at bit 6 * (2^63 - 2) = 8 * 0x5ffffffffffffffe
     * + 4 of the tensor: its low 4 bits are the high ones of that byte. */
    const clconst__scatter *scatter = plan->scatter;
    ck_assert_uint_eq(scatter->count, 2);
    ck_assert_uint_eq(scatter->indices[0], UINT64_C(0x5ffffffffffffffe));
    ck_assert_uint_eq(scatter->units[0], 0xd0);
    ck_assert_uint_eq(scatter->indices[1], UINT64_C(0x5fffffffffffffff));
    ck_assert_uint_eq(scatter->units[1], 0x02);
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
}
END_TEST

START_TEST(a_count_whose_storage_wraps_is_refused)
{
    /* 26 bytes for each value are 2^64 + 10. */
    static const int64_t count = INT64_C(709490156681136601);
    static const int64_t dims[] = {INT64_MAX};
    static const int64_t at = 0;
    static const uint8_t code = 0;
    const clconst_shape shape = {dims, 1};
    clconst_view values = {CLCONST_UINT2, {&count, 1}, &code, 0};
    clconst_view indices = {
        CLCONST_INT64, {&count, 1}, &at, (size_t)count * sizeof(at)};
    clconst_op *op = NULL;
    ck_assert_ok(
        clconst_byte_size(CLCONST_UINT2, &values.shape, &values.size, error));
    ck_assert_fails(
        clconst_op_create_sparse(&values, &indices, &shape, &op, error),
        CLCONST_OUT_OF_MEMORY,
        "no memory for 709490156681136601 indices");
    ck_assert_ptr_null(op);
}
END_TEST

Suite *sparse_suite(void)
{
    Suite *suite = suite_create("sparse");
    TCase *tcase = tcase_create("sparse");
    tcase_add_loop_test(tcase, each_dtype_expands_as_the_oracle_does, 0, 10);
    tcase_add_test(tcase, indices_need_no_alignment);
    tcase_add_test(tcase, no_values_give_zeros_in_three_forms);
    tcase_add_test(tcase, unlisted_strings_are_empty);
    tcase_add_loop_test(tcase,
                        sparse_refuses,
                        0,
                        sizeof(refusal_rows) / sizeof(refusal_rows[0]));
    tcase_add_test(tcase, the_last_element_of_a_huge_tensor_is_reached);
    tcase_add_test(tcase, a_count_whose_storage_wraps_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
