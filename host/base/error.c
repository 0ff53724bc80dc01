#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

void clconst__error_set(clconst_error *error,
                        clconst_status status,
                        int32_t native_code,
                        const char *format,
                        ...)
{
    if (error == NULL) {
        return;
    }
    error->status = (int32_t)status;
    error->native_code = native_code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
}

clconst_status clconst__fail_as(clconst_error *error,
                                const clconst_error *failure)
{
    if (error != NULL) {
        *error = *failure;
    }
    return (clconst_status)failure->status;
}

clconst_status clconst__fail_instead(clconst_error *error,
                                     clconst_status status)
{
    if (error != NULL) {
        error->status = (int32_t)status;
    }
    return status;
}
