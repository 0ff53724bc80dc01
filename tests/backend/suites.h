/* The suites of this folder, one per file. */
#ifndef CLCONST_TESTS_BACKEND_SUITES_H
#define CLCONST_TESTS_BACKEND_SUITES_H

#include <check.h>

Suite *run_suite(void);
Suite *batch_suite(void);
Suite *parts_suite(void);
Suite *pieces_suite(void);

/* For OpenCL engines only. */
Suite *opencl_arguments_suite(void);
Suite *opencl_auto_suite(void);
Suite *opencl_bytes_suite(void);
Suite *opencl_cache_suite(void);
Suite *opencl_cache_users_suite(void);
Suite *opencl_commands_suite(void);
Suite *opencl_devices_suite(void);
Suite *opencl_dynamic_suite(void);
Suite *opencl_dynamic_arguments_suite(void);
Suite *opencl_engine_suite(void);
Suite *opencl_events_suite(void);
Suite *opencl_flags_suite(void);
Suite *opencl_pointers_suite(void);
Suite *opencl_region_suite(void);
Suite *opencl_region_arguments_suite(void);
Suite *opencl_svm_suite(void);
Suite *opencl_tuning_suite(void);

#endif
