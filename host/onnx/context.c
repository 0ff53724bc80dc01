#include "onnx/context.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

clconst_status clconst__strictness_check(clconst_strictness strictness,
                                         clconst_error *error)
{
    if (strictness != CLCONST_DEFAULT && strictness != CLCONST_STRICT &&
        strictness != CLCONST_LENIENT) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "strictness is %d; it must be 0, 1 or 2",
                             (int)strictness);
    }
    return CLCONST_OK;
}

static void
note(const clconst__context *context, clconst_note_code code, const char *text)
{
    if (context->note == NULL) {
        return;
    }
    char whole[1024];
    snprintf(whole,
             sizeof(whole),
             "%s%s%s",
             context->subject != NULL ? context->subject : "",
             context->subject != NULL ? ": " : "",
             text);
    context->note(context->note_context, code, whole);
}

__attribute__((format(printf, 5, 0))) static clconst_status
judge(const clconst__context *context,
      bool is_refused,
      clconst_note_code code,
      clconst_error *error,
      const char *format,
      va_list arguments)
{
    char text[sizeof(error->message)];
    vsnprintf(text, sizeof(text), format, arguments);
    if (is_refused) {
        return clconst__fail(error, CLCONST_INVALID_MODEL, "%s", text);
    }
    note(context, code, text);
    return CLCONST_OK;
}

clconst_status clconst__fault(const clconst__context *context,
                              clconst_error *error,
                              const char *format,
                              ...)
{
    va_list arguments;
    va_start(arguments, format);
    clconst_status status = judge(context,
                                  context->strictness != CLCONST_LENIENT,
                                  CLCONST_NOTE_LENIENT,
                                  error,
                                  format,
                                  arguments);
    va_end(arguments);
    return status;
}

clconst_status clconst__novelty(const clconst__context *context,
                                clconst_note_code code,
                                clconst_error *error,
                                const char *format,
                                ...)
{
    va_list arguments;
    va_start(arguments, format);
    clconst_status status = judge(context,
                                  context->strictness == CLCONST_STRICT,
                                  code,
                                  error,
                                  format,
                                  arguments);
    va_end(arguments);
    return status;
}

void clconst__remark(const clconst__context *context,
                     clconst_note_code code,
                     const char *format,
                     ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    note(context, code, text);
}

clconst_status clconst__blame_model(clconst_status status, clconst_error *error)
{
    return status == CLCONST_INVALID_ARGUMENT
               ? clconst__fail_instead(error, CLCONST_INVALID_MODEL)
               : status;
}
