#include "cli/text.h"

#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

enum { REPLACEMENT_SIZE = sizeof(replacement) - 1 };

/* First bytes of the sequences in table 3-7 of the Unicode Standard, with the
 * range of the second byte; later bytes are 80..BF. */
typedef struct sequence_row {
    unsigned char first;
    unsigned char last;
    unsigned char second_first;
    unsigned char second_last;
    unsigned char size;
} sequence_row;

static const sequence_row sequence_rows[] = {
    {0x00, 0x7f, 0x00, 0x00, 1},
    {0xc2, 0xdf, 0x80, 0xbf, 2},
    {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4},
    {0xf4, 0xf4, 0x80, 0x8f, 4},
};

typedef struct code_range {
    uint32_t first;
    uint32_t last;
} code_range;

/* C0 and C1 controls, and the format characters that break lines or turn the
 * direction of writing (Unicode Standard Annex 9, section 2). */
static const code_range unprintable[] = {
    {0x00, 0x1f},
    {0x7f, 0x9f},
    {0x61c, 0x61c},
    {0x200e, 0x200f},
    {0x2028, 0x202e},
    {0x2066, 0x2069},
};

/* Bytes of the valid sequence at the start, 0 when there is none. */
static size_t
decode(const unsigned char *bytes, size_t size, uint32_t *code_point)
{
    size_t row_count = sizeof(sequence_rows) / sizeof(sequence_rows[0]);
    const sequence_row *row = sequence_rows;
    while (row < sequence_rows + row_count &&
           (bytes[0] < row->first || bytes[0] > row->last)) {
        row++;
    }
    if (row == sequence_rows + row_count || row->size > size) {
        return 0;
    }
    uint32_t code = row->size == 1 ? bytes[0] : bytes[0] & (0x7fU >> row->size);
    for (size_t i = 1; i < row->size; i++) {
        unsigned char first = i == 1 ? row->second_first : 0x80;
        unsigned char last = i == 1 ? row->second_last : 0xbf;
        if (bytes[i] < first || bytes[i] > last) {
            return 0;
        }
        code = code << 6 | (bytes[i] & 0x3fU);
    }
    *code_point = code;
    return row->size;
}

static bool is_printable(uint32_t code)
{
    for (size_t i = 0; i < sizeof(unprintable) / sizeof(unprintable[0]); i++) {
        if (code >= unprintable[i].first && code <= unprintable[i].last) {
            return false;
        }
    }
    return true;
}

json_t *cli_text_json(const char *bytes, size_t size)
{
    if (size > SIZE_MAX / REPLACEMENT_SIZE - 1) {
        return NULL;
    }
    char *valid = malloc(size * REPLACEMENT_SIZE + 1);
    if (valid == NULL) {
        return NULL;
    }
    size_t used = 0;
    for (size_t at = 0; at < size;) {
        uint32_t code;
        size_t step =
            decode((const unsigned char *)bytes + at, size - at, &code);
        const char *source = step > 0 ? bytes + at : replacement;
        size_t source_size = step > 0 ? step : REPLACEMENT_SIZE;
        memcpy(valid + used, source, source_size);
        used += source_size;
        at += step > 0 ? step : 1;
    }
    json_t *string = json_stringn(valid, used);
    free(valid);
    return string;
}

json_t *cli_text_json_string(const char *text)
{
    return text != NULL ? cli_text_json(text, strlen(text)) : json_null();
}

void cli_text_print(FILE *stream, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint32_t code;
        size_t step =
            decode((const unsigned char *)bytes + at, size - at, &code);
        if (step == 0) {
            fputs(replacement, stream);
            at++;
            continue;
        }
        if (is_printable(code)) {
            fwrite(bytes + at, 1, step, stream);
        } else {
            fprintf(stream, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
        }
        at += step;
    }
}

bool cli_text_close(FILE *stream, char *const *text)
{
    if (stream == NULL) {
        return false;
    }
    bool is_whole = !ferror(stream);
    /* The C library's close may succeed and still have found no memory. */
    return fclose(stream) == 0 && is_whole && *text != NULL;
}

size_t cli_text_width(const char *bytes, size_t size)
{
    size_t width = 0;
    for (size_t i = 0; i < size; i++) {
        /* Bytes 80..BF continue a character. */
        if (((unsigned char)bytes[i] & 0xc0U) != 0x80U) {
            width++;
        }
    }
    return width;
}
