#include "cli/outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cli_outcome cli_outcome_of(clconst_status status)
{
    switch (status) {
    case CLCONST_OK:
        return CLI_DONE;
    case CLCONST_CANCELLED:
        return CLI_STOPPED;
    default:
        return CLI_UNMET;
    }
}

void cli_error_set(clconst_error *error,
                   clconst_status status,
                   int32_t native_code,
                   const char *format,
                   ...)
{
    error->status = (int32_t)status;
    error->native_code = native_code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
}

void cli_error_add_reason(clconst_error *error)
{
    size_t used = strlen(error->message);
    snprintf(error->message + used,
             sizeof(error->message) - used,
             "; %s",
             strerror(error->native_code));
}

cli_outcome
cli_explain(cli_outcome outcome, clconst_error *error, const char *format, ...)
{
    if (outcome == CLI_DONE) {
        return outcome;
    }
    char message[sizeof(error->message)];
    memcpy(message, error->message, sizeof(message));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    size_t used = strlen(error->message);
    snprintf(
        error->message + used, sizeof(error->message) - used, ": %s", message);
    return outcome;
}

cli_outcome
cli_alloc(size_t count, size_t size, void *memory, clconst_error *error)
{
    void *block = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    /* Pointers travel as bytes, since a void ** may not alias every pointer. */
    memcpy(memory, &block, sizeof(block));
    return block != NULL ? CLI_DONE
                         : cli_fail(error,
                                    CLCONST_OUT_OF_MEMORY,
                                    "no memory for %zu entries of %zu bytes",
                                    count,
                                    size);
}
