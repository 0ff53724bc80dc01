#include "measure.h"

int main(void)
{
    Suite *const suites[] = {
        measure_cases_suite(),
        measure_chart_suite(),
        measure_rounds_suite(),
        measure_rows_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
