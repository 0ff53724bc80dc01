/* Faults below the CPU engine. */
#include "faults/suites.h"
#include "harness/harness.h"

int main(void)
{
    Suite *suites[] = {cpu_suite(), available_suite()};
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
