/* The suites of this folder, one per file. */
#ifndef CLCONST_TESTS_FAULTS_SUITES_H
#define CLCONST_TESTS_FAULTS_SUITES_H

#include <check.h>

Suite *allocations_suite(void);
Suite *available_suite(void);
Suite *calls_suite(void);
Suite *choices_suite(void);
Suite *cpu_suite(void);
Suite *events_suite(void);
Suite *keys_suite(void);
Suite *limits_suite(void);
Suite *quirks_suite(void);
Suite *threads_cpu_suite(void);
Suite *threads_suite(void);

#endif
