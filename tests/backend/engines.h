/*
 * The engine under test, which the environment variable CLCONST_TEST_DEVICE
 * names as clconst_engine_options does.
 */
#ifndef CLCONST_TESTS_ENGINES_H
#define CLCONST_TESTS_ENGINES_H

#include <stdbool.h>

#include "harness/harness.h"
#include "harness/plans.h"

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

#endif
