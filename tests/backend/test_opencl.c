#include "backend/engines.h"
#include "backend/suites.h"

int main(void)
{
    engines_require();
    Suite *suites[] = {
        opencl_devices_suite(),
        opencl_engine_suite(),
        opencl_arguments_suite(),
        opencl_auto_suite(),
        opencl_bytes_suite(),
        opencl_cache_suite(),
        opencl_cache_users_suite(),
        opencl_commands_suite(),
        opencl_events_suite(),
        opencl_flags_suite(),
        opencl_tuning_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
