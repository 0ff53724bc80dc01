/* Buffers that the application has made for reading alone, or barred to the
 * host: what still reaches them, and what is refused. */
#include <string.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"

enum { BUFFER_SIZE = 64 };

/* A kernel's write to such a buffer is undefined, a driver's fill is not. */
START_TEST(enqueue_fills_read_only_buffers_without_a_kernel)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_KERNEL);
    cl_mem buffer = fixture_create_buffer(&f, CL_MEM_READ_ONLY, BUFFER_SIZE);
    clconst_plan *plan = harness_fill_plan(CLCONST_UINT8, harness_element, 9);
    clconst_plan *odd = harness_fill_plan(CLCONST_INT16, harness_element, 4);
    ck_assert_fails(
        clconst_enqueue(
            f.engine, odd, f.queue, buffer, 3, 0, NULL, NULL, error),
        CLCONST_INVALID_ARGUMENT,
        "buffer is CL_MEM_READ_ONLY; a fill of 8 bytes at offset 3 "
        "needs a kernel, which may not write it");
    ck_assert_uint_eq(fixture_command_count(&f), 0);
    ck_assert_ok(clconst_enqueue(
        f.engine, plan, f.queue, buffer, 3, 0, NULL, NULL, error));
    ck_assert_uint_eq(fixture_programs_built(&f), 0);
    uint8_t expected[9];
    memset(expected, harness_element[0], sizeof(expected));
    fixture_assert_buffer(&f, buffer, BUFFER_SIZE, 3, expected, 9, "uint8");
    clconst_plan_destroy(plan);
    clconst_plan_destroy(odd);
    ck_assert_cl(clReleaseMemObject(buffer));
    fixture_close(&f);
}
END_TEST

START_TEST(enqueue_refuses_copies_to_buffers_barred_to_the_host)
{
    static const cl_mem_flags flags[] = {CL_MEM_HOST_READ_ONLY,
                                         CL_MEM_HOST_NO_ACCESS};
    fixture f;
    fixture_open(&f, CLCONST_PATH_DRIVER);
    clconst_plan *plan = harness_copy_plan(CLCONST_UINT8, harness_element, 9);
    clconst_plan *fill = harness_fill_plan(CLCONST_UINT8, harness_element, 9);
    for (size_t i = 0; i < 2; i++) {
        cl_mem buffer = fixture_create_buffer(&f, flags[i], BUFFER_SIZE);
        ck_assert_fails(
            clconst_enqueue(
                f.engine, plan, f.queue, buffer, 0, 0, NULL, NULL, error),
            CLCONST_INVALID_ARGUMENT,
            "buffer bars writes from the host; 9 bytes come from there");
        ck_assert_ok(clconst_enqueue(
            f.engine, fill, f.queue, buffer, 0, 0, NULL, NULL, error));
        ck_assert_cl(clFinish(f.queue));
        ck_assert_cl(clReleaseMemObject(buffer));
    }
    clconst_plan_destroy(plan);
    clconst_plan_destroy(fill);
    fixture_close(&f);
}
END_TEST

/* Flags that bar nothing where there is nothing to write. */
START_TEST(empty_outputs_reach_any_buffer)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_KERNEL);
    clconst_plan *copy = harness_copy_plan(CLCONST_UINT8, "", 0);
    clconst_plan *fill = harness_fill_plan(CLCONST_INT16, harness_element, 0);
    const struct {
        cl_mem_flags flags;
        const clconst_plan *plan;
        const char *name;
    } rows[] = {
        {CL_MEM_HOST_NO_ACCESS, copy, "a copy, no access from the host"},
        {CL_MEM_HOST_READ_ONLY, copy, "a copy, reads from the host"},
        {CL_MEM_READ_ONLY, fill, "a fill, reads of kernels"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cl_mem buffer = fixture_create_buffer(&f, rows[i].flags, BUFFER_SIZE);
        clconst_error failure = {0};
        clconst_status status = clconst_enqueue(f.engine,
                                                rows[i].plan,
                                                f.queue,
                                                buffer,
                                                3,
                                                0,
                                                NULL,
                                                NULL,
                                                &failure);
        ck_assert_msg(
            status == CLCONST_OK, "%s: %s", rows[i].name, failure.message);
        ck_assert_cl(clReleaseMemObject(buffer));
    }
    ck_assert_uint_eq(fixture_command_count(&f), 0);
    clconst_plan_destroy(copy);
    clconst_plan_destroy(fill);
    fixture_close(&f);
}
END_TEST

/* The image of a batch of fills holds their table alone, which only a kernel
 * reads. */
START_TEST(tables_reach_barred_buffers_only_where_they_are_read)
{
    static const clconst_fill_path paths[] = {CLCONST_PATH_DRIVER,
                                              CLCONST_PATH_KERNEL};
    fixture f;
    fixture_open(&f, paths[_i]);
    enum { COUNT = 512 };
    clconst_plan *plan =
        harness_fill_plan(CLCONST_UINT8, harness_element, COUNT);
    const clconst_plan *plans[] = {plan, plan};
    clconst_batch *batch;
    ck_assert_ok(clconst_batch_create(plans, 2, NULL, &batch, error));
    cl_mem buffer = fixture_create_buffer(
        &f, CL_MEM_HOST_NO_ACCESS, clconst_batch_get_arena_size(batch, 0));
    clconst_error failure = {0};
    clconst_status status = clconst_batch_enqueue(
        f.engine, batch, 0, f.queue, buffer, 0, 0, NULL, NULL, &failure);
    ck_assert_cl(clFinish(f.queue));
    if (paths[_i] == CLCONST_PATH_DRIVER) {
        ck_assert_msg(status == CLCONST_OK, "%s", failure.message);
        ck_assert_uint_eq(fixture_command_count(&f), 2);
    } else {
        static const char start[] = "buffer bars writes from the host; ";
        ck_assert_int_eq(status, CLCONST_INVALID_ARGUMENT);
        ck_assert_msg(strncmp(failure.message, start, strlen(start)) == 0,
                      "%s",
                      failure.message);
        ck_assert_uint_eq(fixture_command_count(&f), 0);
    }
    ck_assert_cl(clReleaseMemObject(buffer));
    clconst_batch_destroy(batch);
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

Suite *opencl_flags_suite(void)
{
    Suite *suite = suite_create("opencl_flags");
    TCase *tcase = tcase_create("opencl_flags");
    tcase_add_test(tcase, enqueue_fills_read_only_buffers_without_a_kernel);
    tcase_add_test(tcase, enqueue_refuses_copies_to_buffers_barred_to_the_host);
    tcase_add_test(tcase, empty_outputs_reach_any_buffer);
    tcase_add_loop_test(
        tcase, tables_reach_barred_buffers_only_where_they_are_read, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
