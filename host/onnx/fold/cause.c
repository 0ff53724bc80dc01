#include "onnx/fold/cause.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* Index 0 is taken by what is known. */
static clconst_status append(clconst__causes *causes,
                             const clconst__cause_entry *entry,
                             clconst__cause *cause,
                             clconst_error *error)
{
    size_t index = causes->count == 0 ? 1 : causes->count;
    if (index >= CLCONST__CAUSES_MAX) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "evaluation finds more than %zu unknown numbers; "
                             "it must not",
                             CLCONST__CAUSES_MAX);
    }
    clconst_status status = clconst__grow(&causes->items,
                                          &causes->capacity,
                                          index + 1,
                                          sizeof(*causes->items),
                                          error);
    if (status != CLCONST_OK) {
        return status;
    }
    memset(&causes->items[0], 0, sizeof(causes->items[0]));
    causes->items[index] = *entry;
    causes->count = index + 1;
    /* Twice, since the array doubles. */
    clconst__budget_take(causes->budget, 2 * sizeof(*entry));
    *cause = (clconst__cause)index;
    return CLCONST_OK;
}

clconst_status clconst__cause_add(clconst__causes *causes,
                                  clconst_status status,
                                  clconst__cause *cause,
                                  clconst_error *error,
                                  const char *format,
                                  ...)
{
    char text[sizeof(error->message)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    size_t size = strlen(text) + 1;
    clconst__cause_entry entry = {.status = status};
    clconst_status made = clconst__alloc(1, size, &entry.text, error);
    if (made != CLCONST_OK) {
        return made;
    }
    memcpy(entry.text, text, size);
    made = append(causes, &entry, cause, error);
    if (made != CLCONST_OK) {
        clconst__free(entry.text);
        return made;
    }
    causes->items[*cause].root = *cause;
    clconst__budget_take(causes->budget, size);
    return CLCONST_OK;
}

clconst_status clconst__cause_derive(clconst__causes *causes,
                                     clconst__cause from,
                                     clconst__cause *cause,
                                     clconst_error *error)
{
    const clconst__cause_entry *root = &causes->items[from];
    clconst__cause_entry entry = {.status = root->status, .root = root->root};
    return append(causes, &entry, cause, error);
}

clconst_status clconst__cause_repeat(clconst__causes *causes,
                                     clconst__cause from,
                                     clconst__cause *cause,
                                     clconst_error *error)
{
    clconst__cause_entry root = causes->items[causes->items[from].root];
    clconst_status status =
        clconst__cause_add(causes, root.status, cause, error, "%s", root.text);
    if (status == CLCONST_OK) {
        causes->items[*cause].native_code = root.native_code;
    }
    return status;
}

clconst_status clconst__cause_tell(const clconst__causes *causes,
                                   clconst__cause cause,
                                   const char *subject,
                                   clconst_error *error)
{
    if (cause == CLCONST__KNOWN) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "%s needs a value that is not computed",
                             subject);
    }
    const clconst__cause_entry *root =
        &causes->items[causes->items[cause].root];
    return clconst__fail_native(
        error,
        root->status,
        root->native_code,
        root->status == CLCONST_UNSUPPORTED ? "%s needs %s" : "%s is wrong: %s",
        subject,
        root->text);
}

void clconst__causes_free(clconst__causes *causes)
{
    for (size_t i = 1; i < causes->count; i++) {
        clconst__free(causes->items[i].text);
    }
    clconst__free(causes->items);
}
