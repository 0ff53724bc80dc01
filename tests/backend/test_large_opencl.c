/*
 * Parts of the caller's large buffers, at offsets past 2^31 and 2^32 as far as
 * the device has them.
 */
#include <stdio.h>

#include "backend/large.h"
#include "backend/opencl_fixture.h"

#define TWO_TO(n) ((size_t)1 << (n))

/* The largest buffer that is of use here. */
static size_t find_size(const fixture *f)
{
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(f->engine, &info);
    size_t size = TWO_TO(32) + 4096;
    return info.max_allocation_size < size ? (size_t)info.max_allocation_size
                                           : size;
}

static void read_at(
    const fixture *f, cl_mem buffer, size_t offset, uint8_t *bytes, size_t size)
{
    ck_assert_cl(clEnqueueReadBuffer(
        f->queue, buffer, CL_TRUE, offset, size, bytes, 0, NULL, NULL));
}

/* One fill of count bytes, and the bytes on both sides of it. */
static void check_fill(const fixture *f,
                       cl_mem buffer,
                       size_t buffer_size,
                       size_t offset,
                       size_t count)
{
    enum { SIDE = 16 };
    static const uint8_t guard[2 * SIDE];
    uint8_t actual[LARGE_WINDOW];
    uint8_t expected[LARGE_WINDOW];
    size_t before = offset < SIDE ? offset : SIDE;
    size_t behind = buffer_size - offset - count;
    behind = behind < SIDE ? behind : SIDE;
    clconst_plan *plan =
        engines_fill_plan(CLCONST_UINT8, engines_element, (int64_t)count);
    uint8_t zero = 0;
    ck_assert_cl(clEnqueueFillBuffer(f->queue,
                                     buffer,
                                     &zero,
                                     1,
                                     offset - before,
                                     before + count + behind,
                                     0,
                                     NULL,
                                     NULL));
    ck_assert_ok(clconst_enqueue(
        f->engine, plan, f->queue, buffer, offset, 0, NULL, NULL, error));
    ck_assert_cl(clFinish(f->queue));
    size_t offsets[16];
    size_t windows = large_windows(count, offsets);
    for (size_t i = 0; i < windows; i++) {
        large_expect(CLCONST_UINT8, offsets[i], expected, sizeof(expected));
        read_at(f, buffer, offset + offsets[i], actual, sizeof(actual));
        harness_assert_bytes(actual, expected, sizeof(actual), "part");
    }
    read_at(f, buffer, offset - before, actual, before > 0 ? before : 1);
    harness_assert_bytes(actual, guard, before, "before");
    if (behind > 0) {
        read_at(f, buffer, offset + count, actual, behind);
        harness_assert_bytes(actual, guard, behind, "behind");
    }
    clconst_plan_destroy(plan);
}

START_TEST(parts_of_large_buffers_are_filled)
{
    fixture f;
    fixture_open(&f, CLCONST_PATH_AUTO);
    size_t size = find_size(&f);
    if (large_is_possible(f.engine, size, "buffer")) {
        cl_int code;
        cl_mem buffer =
            clCreateBuffer(f.context, CL_MEM_READ_WRITE, size, NULL, &code);
        ck_assert_cl(code);
        check_fill(&f, buffer, size, size - 1000, 1000);
        check_fill(&f, buffer, size, size - 3000, 999);
        check_fill(&f, buffer, size, size / 2 - 333, 4001);
        if (size > TWO_TO(31) + 2000) {
            check_fill(&f, buffer, size, TWO_TO(31) - 1001, 2001);
        } else {
            printf("SKIP: offsets past 2^31: buffers have at most %zu bytes\n",
                   size);
        }
        if (size > TWO_TO(32)) {
            check_fill(&f, buffer, size, TWO_TO(32) - 1001, 2001);
        } else {
            printf("SKIP: offsets past 2^32: buffers have at most %zu bytes\n",
                   size);
        }
        check_fill(&f, buffer, size, 1, size - 2);
        ck_assert_cl(clReleaseMemObject(buffer));
    }
    fixture_close(&f);
}
END_TEST

int main(void)
{
    engines_require();
    Suite *suite = suite_create("large buffers");
    TCase *tcase = tcase_create("buffers");
    tcase_add_test(tcase, parts_of_large_buffers_are_filled);
    suite_add_tcase(suite, tcase);
    return harness_run(&suite, 1);
}
