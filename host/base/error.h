/*
 * How calls fail: one function writes the caller's clconst_error and returns
 * the status, so that a failure is one statement.
 */
#ifndef CLCONST_BASE_ERROR_H
#define CLCONST_BASE_ERROR_H

#include <clconst/clconst.h>

/*
 * Fills error, if not NULL, and returns status. The message is cut at the
 * struct's end. Form: subject, value, rule; lower case; no full stop.
 */
__attribute__((format(printf, 3, 4))) clconst_status clconst__fail(
    clconst_error *error, clconst_status status, const char *format, ...);

/* The same with a native code: a cl_int or an errno. */
__attribute__((format(printf, 4, 5))) clconst_status
clconst__fail_native(clconst_error *error,
                     clconst_status status,
                     int32_t native_code,
                     const char *format,
                     ...);

#endif
