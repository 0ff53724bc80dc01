#include "harness/plans.h"

#include "harness/oracle.h"

const uint8_t harness_element[16] = {0xe1,
                                     0x52,
                                     0xc3,
                                     0x34,
                                     0xa5,
                                     0x16,
                                     0x87,
                                     0x78,
                                     0x69,
                                     0xfa,
                                     0x4b,
                                     0xdc,
                                     0x2d,
                                     0xbe,
                                     0x0f,
                                     0x91};

clconst_plan *
harness_fill_plan(int dtype, const uint8_t element[16], int64_t count)
{
    clconst_view value = {
        (clconst_dtype)dtype, {NULL, 0}, element, oracle_size(dtype, 1)};
    clconst_shape shape = {&count, 1};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(clconst_op_create_constant_of_shape(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, &shape, &plan, error));
    clconst_op_destroy(op);
    return plan;
}

clconst_plan *harness_copy_plan(int dtype, const void *data, int64_t count)
{
    clconst_view value = {(clconst_dtype)dtype,
                          {&count, 1},
                          data,
                          oracle_size(dtype, (uint64_t)count)};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(clconst_op_create_constant(&value, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    clconst_op_destroy(op);
    return plan;
}

clconst_plan *harness_sparse_plan(int dtype,
                                  const void *values,
                                  const int64_t *indices,
                                  int64_t count,
                                  const int64_t *dense_dim)
{
    clconst_view value_view = {(clconst_dtype)dtype,
                               {&count, 1},
                               values,
                               oracle_size(dtype, (uint64_t)count)};
    clconst_view index_view = {
        CLCONST_INT64, {&count, 1}, indices, (size_t)count * sizeof(*indices)};
    clconst_shape shape = {dense_dim, 1};
    clconst_op *op;
    clconst_plan *plan;
    ck_assert_ok(
        clconst_op_create_sparse(&value_view, &index_view, &shape, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    clconst_op_destroy(op);
    return plan;
}

size_t harness_plan_size(const clconst_plan *plan)
{
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan, &output);
    return output.size;
}
