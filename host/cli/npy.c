#include "cli/npy.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

static const char magic[] = "\x93NUMPY";

enum { MAGIC_SIZE = sizeof(magic) - 1, ALIGNMENT = 64 };

typedef struct descr_row {
    clconst_dtype dtype;
    const char *descr;
} descr_row;

static const descr_row descr_rows[] = {
    {CLCONST_BOOL, "|b1"},
    {CLCONST_INT8, "|i1"},
    {CLCONST_INT16, "<i2"},
    {CLCONST_INT32, "<i4"},
    {CLCONST_INT64, "<i8"},
    {CLCONST_UINT8, "|u1"},
    {CLCONST_UINT16, "<u2"},
    {CLCONST_UINT32, "<u4"},
    {CLCONST_UINT64, "<u8"},
    {CLCONST_FLOAT16, "<f2"},
    {CLCONST_FLOAT, "<f4"},
    {CLCONST_DOUBLE, "<f8"},
    {CLCONST_COMPLEX64, "<c8"},
    {CLCONST_COMPLEX128, "<c16"},
};

enum { DESCR_COUNT = sizeof(descr_rows) / sizeof(descr_rows[0]) };

const char *cli_npy_descr(clconst_dtype dtype)
{
    for (size_t i = 0; i < DESCR_COUNT; i++) {
        if (descr_rows[i].dtype == dtype) {
            return descr_rows[i].descr;
        }
    }
    return NULL;
}

static void print_dict(const clconst_view *view, FILE *stream)
{
    fprintf(stream,
            "{'descr': '%s', 'fortran_order': False, 'shape': (",
            cli_npy_descr(view->dtype));
    for (size_t i = 0; i < view->shape.rank; i++) {
        fprintf(stream,
                i + 1 < view->shape.rank ? "%" PRId64 ", " : "%" PRId64,
                view->shape.dims[i]);
    }
    fputs(view->shape.rank == 1 ? ",), }" : "), }", stream);
}

cli_outcome cli_npy_make_header(const clconst_view *view,
                                char **header,
                                size_t *size,
                                clconst_error *error)
{
    enum { PREFIX_SIZE = MAGIC_SIZE + 4 };
    char *text = NULL;
    size_t text_size = 0;
    FILE *stream = open_memstream(&text, &text_size);
    if (stream != NULL) {
        fprintf(stream, "%s%c%c%c%c", magic, 1, 0, 0, 0);
        print_dict(view, stream);
        /* The header ends in a line feed, and the elements are aligned. */
        long used = ftell(stream);
        fprintf(stream, "%*s", ALIGNMENT - (int)(used % ALIGNMENT), "\n");
    }
    if (!cli_text_close(stream, &text)) {
        free(text);
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for a file's header");
    }
    size_t dict_size = text_size - PREFIX_SIZE;
    text[MAGIC_SIZE + 2] = (char)(dict_size & 0xff);
    text[MAGIC_SIZE + 3] = (char)(dict_size >> 8);
    *header = text;
    *size = text_size;
    return CLI_DONE;
}

/* The header's dict literal, read from left to right. */
typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static void skip_spaces(cursor *text)
{
    while (text->at < text->end && isspace((unsigned char)*text->at)) {
        text->at++;
    }
}

/* Takes the word, after any spaces. */
static bool take(cursor *text, const char *word)
{
    size_t size = strlen(word);
    skip_spaces(text);
    if ((size_t)(text->end - text->at) < size ||
        memcmp(text->at, word, size) != 0) {
        return false;
    }
    text->at += size;
    return true;
}

static bool take_dim(cursor *text, int64_t *dim)
{
    skip_spaces(text);
    const char *begin = text->at;
    int64_t value = 0;
    while (text->at < text->end && isdigit((unsigned char)*text->at)) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *text->at - '0', &value)) {
            return false;
        }
        text->at++;
    }
    *dim = value;
    return text->at > begin;
}

/* (), (3,) or (3, 4); dims has room for one dim per two characters. */
static bool take_shape(cursor *text, int64_t *dims, size_t *rank)
{
    if (!take(text, "(")) {
        return false;
    }
    *rank = 0;
    while (!take(text, ")")) {
        if (*rank > 0 && !take(text, ",")) {
            return false;
        }
        if (take(text, ")")) {
            return true;
        }
        if (!take_dim(text, &dims[*rank])) {
            return false;
        }
        ++*rank;
    }
    return true;
}

static bool take_descr(cursor *text, clconst_dtype *dtype)
{
    if (!take(text, "'")) {
        return false;
    }
    for (size_t i = 0; i < DESCR_COUNT; i++) {
        if (take(text, descr_rows[i].descr)) {
            *dtype = descr_rows[i].dtype;
            return take(text, "'");
        }
    }
    return false;
}

/* What the dict must say, each key once, in any order. */
typedef struct dict {
    clconst_view *view;
    int64_t *dims;
    bool has_descr;
    bool has_order;
    bool has_shape;
} dict;

static bool take_entry(cursor *text, dict *read)
{
    if (!read->has_descr && take(text, "'descr':")) {
        return read->has_descr = take_descr(text, &read->view->dtype);
    }
    if (!read->has_order && take(text, "'fortran_order':")) {
        return read->has_order = take(text, "False");
    }
    if (!read->has_shape && take(text, "'shape':")) {
        return read->has_shape =
                   take_shape(text, read->dims, &read->view->shape.rank);
    }
    return false;
}

static bool take_dict(cursor *text, dict *read)
{
    bool is_open = take(text, "{");
    while (is_open && take_entry(text, read)) {
        bool has_comma = take(text, ",");
        if (take(text, "}")) {
            return read->has_descr && read->has_order && read->has_shape;
        }
        is_open = has_comma;
    }
    return false;
}

/* The dict and, behind it, the elements. */
static bool
split(const uint8_t *bytes, size_t size, cursor *text, const uint8_t **elements)
{
    if (size < MAGIC_SIZE + 6 || memcmp(bytes, magic, MAGIC_SIZE) != 0) {
        return false;
    }
    unsigned version = bytes[MAGIC_SIZE];
    if (version < 1 || version > 3) {
        return false;
    }
    size_t field_size = version == 1 ? 2 : 4;
    const uint8_t *field = bytes + MAGIC_SIZE + 2;
    size_t dict_size = 0;
    for (size_t i = field_size; i > 0; i--) {
        dict_size = dict_size << 8 | field[i - 1];
    }
    if (dict_size > size - MAGIC_SIZE - 2 - field_size) {
        return false;
    }
    text->at = (const char *)field + field_size;
    text->end = text->at + dict_size;
    *elements = field + field_size + dict_size;
    return true;
}

cli_outcome cli_npy_parse(const char *path,
                          const uint8_t *bytes,
                          size_t size,
                          clconst_view *view,
                          int64_t **dims,
                          clconst_error *error)
{
    cursor text;
    const uint8_t *elements;
    if (!split(bytes, size, &text, &elements)) {
        return cli_fail(error,
                        CLCONST_MALFORMED,
                        "file %s is no file of numpy.save in version 1 to 3",
                        path);
    }
    int64_t *parsed;
    size_t room = (size_t)(text.end - text.at) / 2 + 1;
    cli_outcome outcome = cli_alloc(room, sizeof(*parsed), &parsed, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    clconst_view read = {.data = elements,
                         .size = size - (size_t)(elements - bytes),
                         .shape = {parsed, 0}};
    cursor rest = text;
    dict entries = {.view = &read, .dims = parsed};
    size_t needed = 0;
    if (!take_dict(&rest, &entries)) {
        outcome =
            cli_fail(error,
                     CLCONST_UNSUPPORTED,
                     "file %s has the header %.*s; its descr must be that "
                     "of a little-endian number, and its order C's",
                     path,
                     (int)(text.end - text.at),
                     text.at);
    } else {
        outcome = cli_outcome_of(
            clconst_byte_size(read.dtype, &read.shape, &needed, error));
    }
    if (outcome == CLI_DONE && needed != read.size) {
        outcome = cli_fail(error,
                           CLCONST_MALFORMED,
                           "file %s has %zu bytes of elements; its shape needs "
                           "%zu",
                           path,
                           read.size,
                           needed);
    }
    if (outcome != CLI_DONE) {
        free(parsed);
        return outcome;
    }
    *view = read;
    *dims = parsed;
    return CLI_DONE;
}
