/*
 * What the kernel says of the memory that it has (/proc/meminfo), and what the
 * CPU engine makes of it. The test says it.
 */
#include <stdint.h>

#include "backend/cpu/available.h"
#include "backend/engines.h"
#include "faults/suites.h"
#include "faults/system.h"

typedef struct text_row {
    const char *text;
    bool is_told;
    uint64_t size;
} text_row;

#define MEMINFO(rest) "MemTotal:  9 kB\nMemFree:  8 kB\n" rest

/* 2^54 KiB are 2^64 bytes. */
static const text_row text_rows[] = {
    {MEMINFO("MemAvailable:    1000 kB\nBuffers: 7 kB\n"), true, 1024000},
    {MEMINFO("MemAvailable: 0 kB\n"), true, 0},
    {MEMINFO("MemAvailable: 18014398509481983 kB\n"), true, UINT64_MAX - 1023},
    {MEMINFO("MemAvailable: 18014398509481984 kB\n"), false, 0},
    {MEMINFO("MemAvailable: 18446744073709551615 kB\n"), false, 0},
    {MEMINFO("MemAvailable: 18446744073709551616 kB\n"), false, 0},
    {MEMINFO("MemAvailable: 18446744073709551620 kB\n"), false, 0},
    {MEMINFO("MemAvailable: 99999999999999999999999 kB\n"), false, 0},
    {MEMINFO("MemAvailable: 1000 MB\n"), false, 0},
    {MEMINFO("MemAvailable: 1000\n"), false, 0},
    {MEMINFO("MemAvailable: 1000"), false, 0},
    {MEMINFO("MemAvailable: -1000 kB\n"), false, 0},
    {MEMINFO("MemAvailable: kB\n"), false, 0},
    {MEMINFO("MemAvailable:"), false, 0},
    /* Before Linux 3.14. */
    {MEMINFO("Buffers: 7 kB\n"), false, 0},
    {MEMINFO("NotMemAvailable: 1000 kB\n"), false, 0},
    {"", false, 0},
};

START_TEST(available_memory_is_what_the_kernel_says)
{
    const text_row *row = &text_rows[_i];
    uint64_t size = 0;
    system_set_text(row->text);
    bool is_told = clconst__available_memory(&size);
    system_set_text(NULL);
    ck_assert_msg(is_told == row->is_told, "\"%s\"", row->text);
    ck_assert_msg(!is_told || size == row->size, "\"%s\"", row->text);
}
END_TEST

enum { JUDGED_SIZE = 64 << 20 };

typedef struct fill_row {
    const char *text;
    size_t size;
    const char *message; /* NULL: the fill is made */
} fill_row;

static const fill_row fill_rows[] = {
    {MEMINFO("MemAvailable: 65536 kB\n"), JUDGED_SIZE, NULL},
    {MEMINFO("MemAvailable: 65536 kB\n"),
     JUDGED_SIZE + 1,
     "size is 67108865 bytes; this machine has 67108864 available"},
    {MEMINFO("MemAvailable: 65535 kB\n"),
     JUDGED_SIZE,
     "size is 67108864 bytes; this machine has 67107840 available"},
    /* Small blocks are not judged, nor is what nobody knows. */
    {MEMINFO("MemAvailable: 1 kB\n"), JUDGED_SIZE - 1, NULL},
    {MEMINFO(""), JUDGED_SIZE + 1, NULL},
};

START_TEST(large_fills_are_compared_with_what_is_available)
{
    static const uint8_t zero[16] = {0};
    const fill_row *row = &fill_rows[_i];
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine;
    clconst_tensor *tensor = NULL;
    clconst_plan *plan =
        harness_fill_plan(CLCONST_UINT8, zero, (int64_t)row->size);
    options.device = "cpu";
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    size_t mapped = system_count(SYSTEM_mmap);
    system_set_text(row->text);
    if (row->message == NULL) {
        ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    } else {
        ck_assert_fails(clconst_run(engine, plan, &tensor, error),
                        CLCONST_OUT_OF_MEMORY,
                        row->message);
        ck_assert_ptr_null(tensor);
        ck_assert_uint_eq(system_count(SYSTEM_mmap), mapped);
    }
    system_set_text(NULL);
    clconst_tensor_destroy(tensor);
    clconst_plan_destroy(plan);
    clconst_engine_destroy(engine);
}
END_TEST

Suite *available_suite(void)
{
    Suite *suite = suite_create("available");
    TCase *tcase = tcase_create("available");
    tcase_add_loop_test(tcase,
                        available_memory_is_what_the_kernel_says,
                        0,
                        sizeof(text_rows) / sizeof(text_rows[0]));
    tcase_add_loop_test(tcase,
                        large_fills_are_compared_with_what_is_available,
                        0,
                        sizeof(fill_rows) / sizeof(fill_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
