/*
 * Faults below the library. The process is one for all tests, since they share
 * the layer, and OpenCL does not survive a fork. Which reports about other
 * software they are for is listed in conformance/test_cases.py.
 */
#include "backend/engines.h"
#include "faults/steer.h"
#include "faults/suites.h"

int main(void)
{
    engines_require();
    steer_require();
    Suite *suites[] = {
        calls_suite(),
        allocations_suite(),
        choices_suite(),
        events_suite(),
        keys_suite(),
        limits_suite(),
        quirks_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
