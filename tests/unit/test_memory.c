/* What the library takes from the heap, counted where it takes it. */
#include <clconst/clconst_model.h>
#include <stdlib.h>

#include "faults/system.h"
#include "harness/harness.h"
#include "harness/proto.h"

/* Bytes taken since the last call of start. */
static size_t begun;

static void start(void)
{
    begun = system_get_taken();
}

static size_t taken(void)
{
    return system_get_taken() - begun;
}

/* More than any bookkeeping, and far less than any output here. */
enum { BOOKKEEPING = 4096 };

START_TEST(a_sparse_constant_takes_memory_for_its_values_only)
{
    /* 2^28 elements of 2 bits, 64 MiB. */
    static const int64_t dims[] = {INT64_C(1) << 28};
    static const int64_t at[] = {0, 77777777, (INT64_C(1) << 28) - 1};
    static const int64_t count = 3;
    static const uint8_t codes = 0x39; /* 1, 2, 3 */
    const size_t size = (size_t)64 << 20;
    clconst_view values = {CLCONST_UINT2, {&count, 1}, &codes, 1};
    clconst_view indices = {CLCONST_INT64, {&count, 1}, at, sizeof(at)};
    clconst_shape shape = {dims, 1};
    uint8_t *bytes = malloc(size);
    ck_assert_ptr_nonnull(bytes);
    clconst_op *op;
    clconst_plan *plan;
    start();
    ck_assert_ok(
        clconst_op_create_sparse(&values, &indices, &shape, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    ck_assert_ok(clconst_write(NULL, plan, bytes, size, error));
    ck_assert_uint_gt(taken(), 0);
    ck_assert_uint_lt(taken(), BOOKKEEPING);
    /* 77777777 is 4 * 19444444 + 1. */
    ck_assert_uint_eq(bytes[0], 0x01);
    ck_assert_uint_eq(bytes[19444444], 0x02 << 2);
    ck_assert_uint_eq(bytes[size - 1], 0x03 << 6);
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
    free(bytes);
}
END_TEST

START_TEST(a_plan_takes_no_memory_for_its_output)
{
    /* R27 */
    static const int64_t dims[] = {1024, 1024, 64};
    clconst_shape shape = {dims, 3};
    clconst_op *op;
    clconst_plan *plan;
    start();
    ck_assert_ok(clconst_op_create_constant_of_shape(NULL, &op, error));
    ck_assert_ok(clconst_plan_create(op, &shape, &plan, error));
    ck_assert_uint_gt(taken(), 0);
    ck_assert_uint_lt(taken(), BOOKKEEPING);
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
}
END_TEST

START_TEST(sizes_are_checked_before_memory_is_taken)
{
    /* R73: 2^40 elements of int8, in 4 raw bytes, and in one entry. */
    static const char *const tensors[] = {
        "1:1099511627776 2:3 9:'abcd'",
        "1:1099511627776 2:3 5:[1]",
    };
    for (size_t i = 0; i < 2; i++) {
        proto_buffer buffer = {NULL, 0, 0};
        proto_append(&buffer, "%s", tensors[i]);
        clconst_op *op = NULL;
        start();
        ck_assert_int_ne(clconst_op_decode_tensor(
                             buffer.bytes, buffer.size, NULL, &op, NULL),
                         CLCONST_OK);
        ck_assert_uint_lt(taken(), BOOKKEEPING);
        proto_free(&buffer);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tcase = tcase_create("memory");
    tcase_add_test(tcase, a_sparse_constant_takes_memory_for_its_values_only);
    tcase_add_test(tcase, a_plan_takes_no_memory_for_its_output);
    tcase_add_test(tcase, sizes_are_checked_before_memory_is_taken);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
