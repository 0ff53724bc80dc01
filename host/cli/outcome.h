/*
 * How a request ends: the program's exit status, with the reason in a
 * clconst_error. Functions of the program that can fail return an outcome; the
 * error is never NULL.
 */
#ifndef CLCONST_CLI_OUTCOME_H
#define CLCONST_CLI_OUTCOME_H

#include <clconst/clconst.h>

typedef enum cli_outcome {
    CLI_DONE = 0,
    CLI_UNMET = 1, /* a well-formed request that cannot be met */
    CLI_WRONG_USAGE = 2,
    CLI_STOPPED = 130, /* by an interrupt */
} cli_outcome;

/* Of a call to the library, which has written the error. */
cli_outcome cli_outcome_of(clconst_status status);

/* Fills the error. Form of the message: as the library's. */
__attribute__((format(printf, 4, 5))) void cli_error_set(clconst_error *error,
                                                         clconst_status status,
                                                         int32_t native_code,
                                                         const char *format,
                                                         ...);

/* Adds "; " and the system's text for the native code, an errno. */
void cli_error_add_reason(clconst_error *error);

/* Each fills the error and has its outcome as value. They are macros, so that
 * compilers see that it is not CLI_DONE. */
#define cli_fail(error, status, ...)                                           \
    (cli_error_set(error, status, 0, __VA_ARGS__), (cli_outcome)CLI_UNMET)
#define cli_fail_usage(error, ...)                                             \
    (cli_error_set(error, CLCONST_INVALID_ARGUMENT, 0, __VA_ARGS__),           \
     (cli_outcome)CLI_WRONG_USAGE)
#define cli_fail_io(error, number, ...)                                        \
    (cli_error_set(error, CLCONST_IO_ERROR, number, __VA_ARGS__),              \
     cli_error_add_reason(error),                                              \
     (cli_outcome)CLI_UNMET)

/* Puts "text: " before the message of a failure and returns its outcome;
 * leaves CLI_DONE alone. */
__attribute__((format(printf, 3, 4))) cli_outcome
cli_explain(cli_outcome outcome, clconst_error *error, const char *format, ...);

/* Zeroed memory, freed with free. memory is the address of a pointer, which
 * becomes NULL on failure. */
cli_outcome
cli_alloc(size_t count, size_t size, void *memory, clconst_error *error);

#endif
