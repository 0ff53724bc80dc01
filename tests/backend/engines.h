/*
 * What the suites of this folder share: the engine under test, which the
 * environment variable CLCONST_TEST_DEVICE names as clconst_engine_options
 * does, and plans of known content.
 */
#ifndef CLCONST_TESTS_ENGINES_H
#define CLCONST_TESTS_ENGINES_H

#include <stdbool.h>

#include "harness/harness.h"

/* An element of 16 bytes without a period, so that a wrong rotation shows. */
extern const uint8_t engines_element[16];

/* Skips the program when the device under test is missing, or cannot fill by
 * the path that CLCONST_TEST_PATH names. The runtime starts in a child, since
 * PoCL hangs in children of a process that has started it. */
void engines_require(void);

/* Whether a test of so many bytes is left out, with a printed reason: the
 * environment variable CLCONST_TEST_SIZE_MAX is for devices that interpret. */
bool engines_skip_size(size_t size);

/* Whether case number of a long loop is left out: of so many cases one is tried
 * as CLCONST_TEST_CASE_STEP tells, for devices where a launch takes long. The
 * loop's second case prints the reason. */
bool engines_skip_case(size_t number);

/* The engine under test. */
clconst_engine *engines_create(clconst_fill_path fill_path);

/* count elements, each the lowest bits of element. */
clconst_plan *
engines_fill_plan(int dtype, const uint8_t element[16], int64_t count);

/* A Constant of count elements that borrows data. */
clconst_plan *engines_copy_plan(int dtype, const void *data, int64_t count);

/* A sparse Constant of dense shape [*dense_dim] that borrows all arrays: count
 * values at ascending indices. */
clconst_plan *engines_sparse_plan(int dtype,
                                  const void *values,
                                  const int64_t *indices,
                                  int64_t count,
                                  const int64_t *dense_dim);

size_t engines_plan_size(const clconst_plan *plan);

#endif
