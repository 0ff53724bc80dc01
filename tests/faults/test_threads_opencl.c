#include "backend/opencl_fixture.h"
#include "faults/suites.h"

int main(void)
{
    engines_require();
    Suite *suite = threads_suite();
    return harness_run(&suite, 1);
}
