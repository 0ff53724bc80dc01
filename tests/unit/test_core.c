#include "harness/harness.h"
#include "unit/suites.h"

int main(void)
{
    Suite *suites[] = {
        base_suite(),
        shape_suite(),
        pattern_suite(),
        op_suite(),
        sparse_suite(),
        plan_suite(),
        arena_suite(),
        batch_suite(),
        duplicates_suite(),
        cpu_suite(),
        pages_suite(),
        region_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
