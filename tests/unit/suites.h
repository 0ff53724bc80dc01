/* The suites of this folder, one per file. */
#ifndef CLCONST_TESTS_UNIT_SUITES_H
#define CLCONST_TESTS_UNIT_SUITES_H

#include <check.h>

Suite *base_suite(void);
Suite *shape_suite(void);
Suite *pattern_suite(void);
Suite *op_suite(void);
Suite *sparse_suite(void);
Suite *plan_suite(void);
Suite *arena_suite(void);
Suite *batch_suite(void);
Suite *duplicates_suite(void);
Suite *cpu_suite(void);
Suite *pages_suite(void);
Suite *region_suite(void);

#endif
