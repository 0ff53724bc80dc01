#include "cli/shape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One entry, which ends at a comma or at the end of the text. */
static cli_outcome parse_entry(const char *text,
                               const char *what,
                               size_t index,
                               int64_t *entry,
                               clconst_error *error)
{
    size_t size = strcspn(text, ",");
    size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
    size_t used = sign + strspn(text + sign, "0123456789");
    if (used == sign || used != size) {
        return cli_fail_usage(error,
                              "%s %zu is \"%.*s\"; it must be an integer",
                              what,
                              index,
                              (int)size,
                              text);
    }
    errno = 0;
    long long number = strtoll(text, NULL, 10);
    if (errno == ERANGE) {
        return cli_fail(error,
                        CLCONST_INVALID_ARGUMENT,
                        "%s %zu is %.*s; it must fit in 64 bits",
                        what,
                        index,
                        (int)size,
                        text);
    }
    *entry = number;
    return CLI_DONE;
}

cli_outcome cli_shape_parse(const char *text,
                            const char *what,
                            int64_t **dims,
                            size_t *rank,
                            clconst_error *error)
{
    size_t count = text[0] != '\0' ? 1 : 0;
    for (const char *at = text; *at != '\0'; at++) {
        count += *at == ',' ? 1 : 0;
    }
    int64_t *parsed;
    cli_outcome outcome = cli_alloc(count, sizeof(*parsed), &parsed, error);
    for (size_t i = 0; i < count && outcome == CLI_DONE; i++) {
        outcome = parse_entry(text, what, i, &parsed[i], error);
        text += strcspn(text, ",");
        text += *text == ',' ? 1 : 0;
    }
    if (outcome != CLI_DONE) {
        free(parsed);
        return outcome;
    }
    *dims = parsed;
    *rank = count;
    return CLI_DONE;
}

void cli_shape_print(const clconst_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "[");
    for (size_t i = 0; i < shape->rank; i++) {
        size_t used = strlen(text);
        snprintf(text + used,
                 size - used,
                 i > 0 ? ",%" PRId64 : "%" PRId64,
                 shape->dims[i]);
    }
    size_t used = strlen(text);
    snprintf(text + used, size - used, "]");
}
