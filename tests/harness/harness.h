/*
 * What the Check suites of this project share: one way to run them, to skip,
 * and to compare bytes.
 */
#ifndef CLCONST_TESTS_HARNESS_H
#define CLCONST_TESTS_HARNESS_H

#include <check.h>
#include <clconst/clconst.h>

/* Runs the suites and returns the exit status of main. */
int harness_run(Suite *const *suites, size_t count);

/* Prints the reason and ends the program with the status of a skipped test.
 * Call it before any suite runs. */
_Noreturn void harness_skip(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Fails unless the call succeeds; the message is the library's. */
#define ck_assert_ok(call)                                                     \
    do {                                                                       \
        clconst_error harness_error = {0, 0, ""};                              \
        clconst_error *error = &harness_error;                                 \
        clconst_status harness_status = (call);                                \
        ck_assert_msg(harness_status == CLCONST_OK,                            \
                      "%s: %s: %s",                                            \
                      #call,                                                   \
                      clconst_status_name(harness_status),                     \
                      harness_error.message);                                  \
    } while (0)

/* Fails unless the call, which names its last argument `error`, fails with
 * this status and exactly this message. */
#define ck_assert_fails(call, expected_status, expected_message)               \
    do {                                                                       \
        clconst_error harness_error = {0, 0, ""};                              \
        clconst_error *error = &harness_error;                                 \
        clconst_status harness_status = (call);                                \
        ck_assert_msg(harness_status == (expected_status) &&                   \
                          harness_error.status == (int32_t)(expected_status),  \
                      "%s: status %s; expected %s: %s",                        \
                      #call,                                                   \
                      clconst_status_name(harness_status),                     \
                      clconst_status_name(expected_status),                    \
                      harness_error.message);                                  \
        ck_assert_str_eq(harness_error.message, (expected_message));           \
    } while (0)

/* Fails at the first differing byte, naming its index and the row. */
void harness_assert_bytes(const void *actual,
                          const void *expected,
                          size_t size,
                          const char *row);

/* A reproducible stream of numbers; *state is the seed and must not be 0. */
uint64_t harness_random(uint64_t *state);

#endif
