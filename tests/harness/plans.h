/*
 * Plans of known content.
 */
#ifndef CLCONST_TESTS_PLANS_H
#define CLCONST_TESTS_PLANS_H

#include "harness/harness.h"

/* An element of 16 bytes without a period, so that a wrong rotation shows. */
extern const uint8_t harness_element[16];

/* count elements, each the lowest bits of element. */
clconst_plan *
harness_fill_plan(int dtype, const uint8_t element[16], int64_t count);

/* A Constant of count elements that borrows data. */
clconst_plan *harness_copy_plan(int dtype, const void *data, int64_t count);

/* A sparse Constant of dense shape [*dense_dim] that borrows all arrays: count
 * values at ascending indices. */
clconst_plan *harness_sparse_plan(int dtype,
                                  const void *values,
                                  const int64_t *indices,
                                  int64_t count,
                                  const int64_t *dense_dim);

size_t harness_plan_size(const clconst_plan *plan);

#endif
