/*
 * What the default does on PoCL, by its row of the table of fill paths, as far
 * as counters and memory show it.
 */
#include <stdio.h>

#include "backend/opencl_fixture.h"
#include "backend/suites.h"
#include "harness/pages.h"

static bool is_pocl(const fixture *f)
{
    bool is_it = fixture_is_platform(f, "Portable Computing Language");
    if (!is_it) {
        printf("SKIP: it is PoCL's row of the table of fill paths\n");
    }
    return is_it;
}

static const clconst_fill_path native_paths[] = {CLCONST_PATH_NATIVE,
                                                 CLCONST_PATH_AUTO};

/* By any other path the scatter needs a program, and so does the large fill
 * but for the driver's. */
START_TEST(native_kernels_need_no_program)
{
    enum { LARGE = 3 << 20 };
    static const int64_t indices[] = {1, 3, 5};
    static const int64_t dim = 1001;
    clconst_fill_path path = native_paths[_i];
    fixture f;
    fixture_open(&f, path);
    if (!fixture_has_native_kernels(&f) ||
        (path == CLCONST_PATH_AUTO && !is_pocl(&f))) {
        fixture_close(&f);
        return;
    }
    clconst_plan *plans[] = {
        harness_fill_plan(CLCONST_FLOAT6E2M3, harness_element, LARGE),
        harness_sparse_plan(CLCONST_FLOAT, harness_element, indices, 3, &dim),
    };
    ck_assert_ok(clconst_engine_prepare(f.engine, error));
    for (size_t i = 0; i < 2; i++) {
        clconst_tensor *tensor;
        ck_assert_ok(clconst_run(f.engine, plans[i], &tensor, error));
        ck_assert_uint_eq(fixture_programs_built(&f), 0);
        ck_assert_uint_eq(fixture_command_count(&f), i + 1);
        clconst_tensor_destroy(tensor);
        clconst_plan_destroy(plans[i]);
    }
    fixture_close(&f);
}
END_TEST

/* What a tensor's buffer was made over; NULL: memory of the driver's. */
static const void *get_host_memory(const clconst_tensor *tensor)
{
    cl_mem buffer = clconst_tensor_get_buffer(tensor);
    cl_mem_flags flags;
    void *host;
    ck_assert_cl(
        clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof(flags), &flags, NULL));
    ck_assert_cl(
        clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof(host), &host, NULL));
    return (flags & CL_MEM_USE_HOST_PTR) != 0 ? host : NULL;
}

/* From the size of a huge page on. */
static const struct {
    size_t size;
    uint8_t element;
    bool is_on_host;
    size_t resident_size;
} memory_rows[] = {
    {(2 << 20) - 1, 0, false, 0},
    {2 << 20, 1, true, 2 << 20},
    {8 << 20, 1, true, 8 << 20},
    /* Fresh memory holds zeros. */
    {8 << 20, 0, true, 0},
};

START_TEST(tensors_lie_on_huge_pages_of_the_host)
{
    const uint8_t element[16] = {memory_rows[_i].element};
    size_t size = memory_rows[_i].size;
    fixture f;
    fixture_open(&f, CLCONST_PATH_AUTO);
    if (!is_pocl(&f)) {
        fixture_close(&f);
        return;
    }
    clconst_plan *plan =
        harness_fill_plan(CLCONST_UINT8, element, (int64_t)size);
    clconst_tensor *tensor;
    ck_assert_ok(clconst_run(f.engine, plan, &tensor, error));
    const void *host = get_host_memory(tensor);
    ck_assert_int_eq(host != NULL, memory_rows[_i].is_on_host);
    if (host != NULL && pages_can_tell()) {
        ck_assert(pages_are_huge(host));
        ck_assert_uint_eq(pages_resident_size(host, size),
                          memory_rows[_i].resident_size);
    }
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    fixture_close(&f);
}
END_TEST

Suite *opencl_auto_suite(void)
{
    Suite *suite = suite_create("opencl_auto");
    TCase *tcase = tcase_create("opencl_auto");
    tcase_add_loop_test(tcase,
                        native_kernels_need_no_program,
                        0,
                        sizeof(native_paths) / sizeof(native_paths[0]));
    tcase_add_loop_test(tcase,
                        tensors_lie_on_huge_pages_of_the_host,
                        0,
                        sizeof(memory_rows) / sizeof(memory_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
