#include "harness/proto.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

enum { VARINT = 0, FIXED64 = 1, DELIMITED = 2, FIXED32 = 5 };

/* Check reports each assertion, kept or not, to the parent process; a writer
 * of millions of fields must not. */
static void require(bool is_kept, const char *rule, const char *text)
{
    if (!is_kept) {
        ck_abort_msg("%s: %s", rule, text);
    }
}

static void put(proto_buffer *buffer, const void *bytes, size_t size)
{
    if (buffer->size + size > buffer->capacity) {
        buffer->capacity = (buffer->size + size) * 2;
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
        require(buffer->bytes != NULL, "no memory", "");
    }
    if (size > 0) {
        memcpy(buffer->bytes + buffer->size, bytes, size);
        buffer->size += size;
    }
}

static void put_varint(proto_buffer *buffer, uint64_t value)
{
    do {
        uint8_t byte = (uint8_t)(value & 0x7f);
        value >>= 7;
        byte = (uint8_t)(byte | (value > 0 ? 0x80 : 0));
        put(buffer, &byte, 1);
    } while (value > 0);
}

void proto_append_header(proto_buffer *buffer, unsigned field, size_t size)
{
    put_varint(buffer, field << 3 | DELIMITED);
    put_varint(buffer, size);
}

void proto_append_bytes(proto_buffer *buffer,
                        unsigned field,
                        const void *bytes,
                        size_t size)
{
    proto_append_header(buffer, field, size);
    put(buffer, bytes, size);
}

static void put_hex(proto_buffer *buffer, const char **text)
{
    while (isxdigit((unsigned char)(*text)[0])) {
        const char digits[] = {(*text)[0], (*text)[1], '\0'};
        uint8_t byte = (uint8_t)strtoul(digits, NULL, 16);
        put(buffer, &byte, 1);
        *text += 2;
    }
}

static void put_fields(proto_buffer *buffer, const char **text);

/* The content of a length-delimited field, behind the sign of its kind. */
static void put_content(proto_buffer *content, char kind, const char **text)
{
    if (kind == '\'') {
        const char *end = strchr(*text, '\'');
        require(end != NULL, "a string does not end", *text);
        put(content, *text, (size_t)(end - *text));
        *text = end + 1;
    } else if (kind == 'x') {
        put_hex(content, text);
    } else if (kind == '{') {
        put_fields(content, text);
        require(**text == '}', "a message does not end", *text);
        (*text)++;
    } else {
        while (**text != ']') {
            char *end;
            put_varint(content, (uint64_t)strtoll(*text, &end, 0));
            require(end != *text, "no number", *text);
            *text = end;
        }
        (*text)++;
    }
}

static void put_scalar(proto_buffer *buffer, unsigned field, const char **text)
{
    char *end;
    if (**text == 'f') {
        float value = strtof(*text + 1, &end);
        put_varint(buffer, field << 3 | FIXED32);
        put(buffer, &value, sizeof(value));
    } else if (**text == 'd') {
        double value = strtod(*text + 1, &end);
        put_varint(buffer, field << 3 | FIXED64);
        put(buffer, &value, sizeof(value));
    } else {
        uint64_t value = **text == '-' ? (uint64_t)strtoll(*text, &end, 0)
                                       : strtoull(*text, &end, 0);
        put_varint(buffer, field << 3 | VARINT);
        put_varint(buffer, value);
    }
    require(end != *text, "no number", *text);
    *text = end;
}

static void put_field(proto_buffer *target, const char **text)
{
    if (**text == '!') {
        (*text)++;
        put_hex(target, text);
        return;
    }
    char *end;
    unsigned field = (unsigned)strtoul(*text, &end, 10);
    require(*end == ':', "no field", *text);
    *text = end + 1;
    char kind = **text;
    if (kind == '\0' || strchr("'x{[", kind) == NULL) {
        put_scalar(target, field, text);
        return;
    }
    (*text)++;
    proto_buffer content = {NULL, 0, 0};
    put_content(&content, kind, text);
    proto_append_bytes(target, field, content.bytes, content.size);
    proto_free(&content);
}

static void put_fields(proto_buffer *buffer, const char **text)
{
    for (;;) {
        while (**text == ' ') {
            (*text)++;
        }
        if (**text == '\0' || **text == '}') {
            return;
        }
        put_field(buffer, text);
    }
}

void proto_append(proto_buffer *buffer, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    require(size < (int)sizeof(text), "text is too long", format);
    const char *position = text;
    put_fields(buffer, &position);
    require(*position == '\0', "a message ends twice", position);
}

void proto_free(proto_buffer *buffer)
{
    free(buffer->bytes);
    memset(buffer, 0, sizeof(*buffer));
}
