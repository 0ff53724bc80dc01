#include "harness/harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int harness_run(Suite *const *suites, size_t count)
{
    SRunner *runner = srunner_create(NULL);
    for (size_t i = 0; i < count; i++) {
        srunner_add_suite(runner, suites[i]);
    }
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

_Noreturn void harness_skip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("SKIP: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    exit(77);
}

void harness_assert_bytes(const void *actual,
                          const void *expected,
                          size_t size,
                          const char *row)
{
    const uint8_t *a = actual;
    const uint8_t *e = expected;
    size_t i = 0;
    while (i < size && a[i] == e[i]) {
        i++;
    }
    /* One assertion for all bytes: each reports to the parent process. */
    ck_assert_msg(i == size,
                  "%s: byte %zu of %zu is 0x%02x; expected 0x%02x",
                  row,
                  i,
                  size,
                  i < size ? a[i] : 0,
                  i < size ? e[i] : 0);
}

uint64_t harness_random(uint64_t *state)
{
    /* xorshift64: Marsaglia, "Xorshift RNGs", 2003. */
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
