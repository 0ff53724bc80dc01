#include "backend/engines.h"
#include "backend/suites.h"

int main(void)
{
    engines_require();
    Suite *suites[] = {
        run_suite(),
        batch_suite(),
        parts_suite(),
        pieces_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
