/*
 * Faults below the library. The process is one for all tests, since they share
 * the layer, and OpenCL does not survive a fork.
 *
 * Reports about other software that are a matter of drivers, threads and
 * memory, and where they are tested; files without a folder are of this one:
 *
 * R103         quirks.c, fills_by_the_driver_have_pieces_below_2_to_the_31
 * R106, R113   quirks.c, a_driver_without_a_fill_is_asked_once
 * R107         limits.c, a_device_needs_version_1_2
 * R109, R110   backend/opencl_svm.c, svm_of_an_empty_output_is_an_event
 * R112         limits.c, a_device_needs_version_1_2; quirks.c,
 *              drivers_never_see_bad_or_empty_ranges
 * R115         quirks.c, fills_leave_no_reference_behind
 * R117         backend/opencl_bytes.c, enqueue_fills_sub_buffers, on one
 *              device; what moves bytes between devices is the driver
 * R121         backend/opencl_svm.c, svm_fills_each_dtype_at_each_address and
 *              svm_fill_by_the_driver_needs_alignment
 * R137         backend/opencl_events.c, event_covers_all_commands_of_a_call:
 *              twenty tensors take two commands
 * R139, R140   backend/opencl_devices.c, tuning_has_a_legal_row_for_each_device
 * R156         quirks.c, binaries_are_for_a_folder_alone
 * R157         calls.c, "prepare from a folder" with clCreateKernel failing
 * R158, R160   threads.c, threads_share_an_engine_and_its_kernels and
 *              threads_build_each_program_once
 * R162         backend/opencl_engine.c, threads_share_one_engine skips it
 * R163         events.c, buffer_queue_and_engine_may_go_before_the_event
 * R164, R170   quirks.c, each_context_has_programs_of_its_own
 * R165 to R167 test_exit.c; backend/test_unload.c
 * R168         calls.c and allocations.c: each operation some hundred times
 * R169         threads.c, threads_have_contexts_of_their_own
 * R171, R172,  limits.c, requests_are_compared_with_what_the_device_has
 * R174, R176
 * R177         calls.c with CL_MEM_OBJECT_ALLOCATION_FAILURE at each first
 *              command; quirks.c, memory_that_is_missing_late_is_out_of_memory
 * R178         the driver ends the process; its largest allocation and memory
 *              are all that it tells, and are compared with (R171)
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
        events_suite(),
        keys_suite(),
        limits_suite(),
        quirks_suite(),
    };
    return harness_run(suites, sizeof(suites) / sizeof(suites[0]));
}
