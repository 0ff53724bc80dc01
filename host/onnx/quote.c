#include "onnx/quote.h"

#include <stdio.h>

/* What one byte becomes: at most \xNN. */
static size_t escape(char *dst, uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    if (byte < 0x20 || byte > 0x7e) {
        dst[0] = '\\';
        dst[1] = 'x';
        dst[2] = digits[byte >> 4];
        dst[3] = digits[byte & 0xf];
        return 4;
    }
    size_t size = 0;
    if (byte == '"' || byte == '\\') {
        dst[size++] = '\\';
    }
    dst[size++] = (char)byte;
    return size;
}

/* around is put before and behind the name. */
static clconst__quoted print(clconst__span name, const char *around)
{
    clconst__quoted quoted;
    size_t end_size = strlen(around);
    size_t room = sizeof(quoted.text) - sizeof("...") - end_size;
    size_t size = end_size;
    const char *cut = "";
    memcpy(quoted.text, around, size);
    for (size_t i = 0; i < name.size; i++) {
        char escaped[4];
        size_t escaped_size = escape(escaped, name.data[i]);
        if (size + escaped_size > room) {
            cut = "...";
            break;
        }
        memcpy(quoted.text + size, escaped, escaped_size);
        size += escaped_size;
    }
    snprintf(
        quoted.text + size, sizeof(quoted.text) - size, "%s%s", cut, around);
    return quoted;
}

clconst__quoted clconst__quote(clconst__span name)
{
    return print(name, "\"");
}

clconst__quoted clconst__escape(clconst__span name)
{
    return print(name, "");
}
