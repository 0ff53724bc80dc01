#include "faults/suites.h"
#include "harness/harness.h"

int main(void)
{
    Suite *suite = threads_cpu_suite();
    return harness_run(&suite, 1);
}
