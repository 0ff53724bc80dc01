/*
 * How calls fail: one expression writes the caller's clconst_error and has the
 * status as its value, so that a failure is one statement.
 */
#ifndef CLCONST_BASE_ERROR_H
#define CLCONST_BASE_ERROR_H

#include <clconst/clconst.h>

/*
 * Fills error, if not NULL. The message is cut at the struct's end. Form:
 * subject, value, rule; lower case; no full stop.
 */
__attribute__((format(printf, 4, 5))) void
clconst__error_set(clconst_error *error,
                   clconst_status status,
                   int32_t native_code,
                   const char *format,
                   ...);

/* Macros, so that compilers see that the value is not CLCONST_OK. The native
 * code is a cl_int or an errno. */
#define clconst__fail_native(error, status, native_code, ...)                  \
    (clconst__error_set(error, status, native_code, __VA_ARGS__), (status))
#define clconst__fail(error, status, ...)                                      \
    clconst__fail_native(error, status, 0, __VA_ARGS__)

/* Fails as another call did, which filled failure. */
clconst_status clconst__fail_as(clconst_error *error,
                                const clconst_error *failure);

/* Gives a failure another status; error has its message, unless it is NULL. */
clconst_status clconst__fail_instead(clconst_error *error,
                                     clconst_status status);

#endif
