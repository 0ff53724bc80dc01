/* The suites of the ONNX reader, one per file. */
#ifndef CLCONST_TESTS_UNIT_ONNX_SUITES_H
#define CLCONST_TESTS_UNIT_ONNX_SUITES_H

#include <check.h>

Suite *onnx_parts_suite(void);
Suite *onnx_tensor_suite(void);
Suite *onnx_rules_suite(void);
Suite *onnx_node_suite(void);
Suite *onnx_node_rules_suite(void);
Suite *onnx_schema_suite(void);
Suite *onnx_write_suite(void);
Suite *onnx_model_suite(void);
Suite *onnx_versions_suite(void);
Suite *onnx_file_suite(void);
Suite *onnx_resolution_suite(void);
Suite *onnx_bindings_suite(void);
Suite *onnx_symbols_suite(void);
Suite *onnx_hostile_suite(void);
Suite *onnx_fold_hostile_suite(void);
Suite *onnx_limits_suite(void);
Suite *onnx_sparse_suite(void);
Suite *onnx_location_suite(void);
Suite *onnx_external_suite(void);
Suite *onnx_reader_suite(void);
Suite *onnx_functions_suite(void);
Suite *onnx_operators_suite(void);

#endif
