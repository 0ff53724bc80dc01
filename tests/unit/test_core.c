#include "harness/harness.h"
#include "unit/suites.h"

int main(void)
{
    Suite *suites[] = {
        pattern_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
