/* The suites of this folder, one per file. */
#ifndef CLCONST_TESTS_UNIT_SUITES_H
#define CLCONST_TESTS_UNIT_SUITES_H

#include <check.h>

Suite *pattern_suite(void);

#endif
