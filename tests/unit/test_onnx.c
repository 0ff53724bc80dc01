#include "harness/harness.h"
#include "unit/onnx_suites.h"

int main(void)
{
    Suite *suites[] = {
        onnx_parts_suite(),        onnx_tensor_suite(),
        onnx_rules_suite(),        onnx_node_suite(),
        onnx_node_rules_suite(),   onnx_schema_suite(),
        onnx_write_suite(),        onnx_model_suite(),
        onnx_versions_suite(),     onnx_file_suite(),
        onnx_resolution_suite(),   onnx_bindings_suite(),
        onnx_symbols_suite(),      onnx_hostile_suite(),
        onnx_limits_suite(),       onnx_sparse_suite(),
        onnx_location_suite(),     onnx_external_suite(),
        onnx_reader_suite(),       onnx_functions_suite(),
        onnx_fold_hostile_suite(), onnx_operators_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
