#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static clconst_status fail(clconst_error *error,
                           clconst_status status,
                           int32_t native_code,
                           const char *format,
                           va_list arguments)
{
    if (error != NULL) {
        error->status = (int32_t)status;
        error->native_code = native_code;
        vsnprintf(error->message, sizeof(error->message), format, arguments);
    }
    return status;
}

clconst_status clconst__fail(clconst_error *error,
                             clconst_status status,
                             const char *format,
                             ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(error, status, 0, format, arguments);
    va_end(arguments);
    return status;
}

clconst_status clconst__fail_native(clconst_error *error,
                                    clconst_status status,
                                    int32_t native_code,
                                    const char *format,
                                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(error, status, native_code, format, arguments);
    va_end(arguments);
    return status;
}
