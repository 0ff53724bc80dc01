#include "backend/engines.h"
#include "backend/suites.h"

/* What is written beside a whole buffer: boxes, shapes that the device knows,
 * and memory that a pointer names. */
int main(void)
{
    engines_require();
    Suite *suites[] = {
        opencl_region_suite(),
        opencl_region_arguments_suite(),
        opencl_dynamic_suite(),
        opencl_dynamic_arguments_suite(),
        opencl_svm_suite(),
        opencl_pointers_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
