#include "backend/engines.h"
#include "measure.h"

int main(void)
{
    engines_require();
    Suite *const suites[] = {
        measure_opencl_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
