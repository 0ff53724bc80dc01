/*
 * One folder of ONNX's backend tests: model.onnx, and folders test_data_set_N
 * with input_K.pb and output_K.pb.
 */
#ifndef CLCONST_CLI_CASE_H
#define CLCONST_CLI_CASE_H

#include "cli/model.h"

typedef enum cli_case_result {
    CLI_CASE_PASSED,
    CLI_CASE_FAILED,
    CLI_CASE_SKIPPED, /* the model has operators that are not ours */
} cli_case_result;

/*
 * Runs all data sets of a folder; outputs must be equal in dtype, in shape and
 * in each bit. Unless it passes, the message of reason says why.
 */
cli_case_result cli_case_run(const char *folder,
                             const cli_engines *engines,
                             const cli_args *args,
                             cli_report *report,
                             clconst_error *reason);

#endif
