#include "cli/value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/decimal.h"
#include "cli/guess.h"
#include "cli/token.h"

typedef enum value_kind { SIGNED, UNSIGNED, BOOLEAN, FLOATING } value_kind;

/* How the elements of a dtype are written, or the two parts of complex ones. */
typedef struct value_row {
    clconst_dtype dtype;
    value_kind kind;
    unsigned bits; /* of one part */
    cli_format format;
} value_row;

/* Formats: IEEE 754-2019, table 3.5; bfloat16 is the upper half of binary32;
 * the narrow ones as ONNX's technical notes on float8, float4 and float6 say
 * (docs/docsgen/source/technical of onnx). */
#define NO_FORMAT                                                              \
    {                                                                          \
        false, false, 0, 0, 0, CLI_TOP_NUMBER                                  \
    }
#define BINARY32                                                               \
    {                                                                          \
        true, true, 8, 23, 127, CLI_TOP_IEEE                                   \
    }
#define BINARY64                                                               \
    {                                                                          \
        true, true, 11, 52, 1023, CLI_TOP_IEEE                                 \
    }

static const value_row rows[] = {
    {CLCONST_BOOL, BOOLEAN, 8, NO_FORMAT},
    {CLCONST_INT2, SIGNED, 2, NO_FORMAT},
    {CLCONST_INT4, SIGNED, 4, NO_FORMAT},
    {CLCONST_INT8, SIGNED, 8, NO_FORMAT},
    {CLCONST_INT16, SIGNED, 16, NO_FORMAT},
    {CLCONST_INT32, SIGNED, 32, NO_FORMAT},
    {CLCONST_INT64, SIGNED, 64, NO_FORMAT},
    {CLCONST_UINT2, UNSIGNED, 2, NO_FORMAT},
    {CLCONST_UINT4, UNSIGNED, 4, NO_FORMAT},
    {CLCONST_UINT8, UNSIGNED, 8, NO_FORMAT},
    {CLCONST_UINT16, UNSIGNED, 16, NO_FORMAT},
    {CLCONST_UINT32, UNSIGNED, 32, NO_FORMAT},
    {CLCONST_UINT64, UNSIGNED, 64, NO_FORMAT},
    {CLCONST_FLOAT, FLOATING, 32, BINARY32},
    {CLCONST_DOUBLE, FLOATING, 64, BINARY64},
    {CLCONST_COMPLEX64, FLOATING, 32, BINARY32},
    {CLCONST_COMPLEX128, FLOATING, 64, BINARY64},
    {CLCONST_FLOAT16, FLOATING, 16, {true, true, 5, 10, 15, CLI_TOP_IEEE}},
    {CLCONST_BFLOAT16, FLOATING, 16, {true, true, 8, 7, 127, CLI_TOP_IEEE}},
    {CLCONST_FLOAT8E4M3FN, FLOATING, 8, {true, true, 4, 3, 7, CLI_TOP_NAN}},
    {CLCONST_FLOAT8E4M3FNUZ, FLOATING, 8, {true, true, 4, 3, 8, CLI_TOP_FNUZ}},
    {CLCONST_FLOAT8E5M2, FLOATING, 8, {true, true, 5, 2, 15, CLI_TOP_IEEE}},
    {CLCONST_FLOAT8E5M2FNUZ, FLOATING, 8, {true, true, 5, 2, 16, CLI_TOP_FNUZ}},
    {CLCONST_FLOAT8E8M0, FLOATING, 8, {false, false, 8, 0, 127, CLI_TOP_NAN}},
    {CLCONST_FLOAT6E2M3, FLOATING, 6, {true, true, 2, 3, 1, CLI_TOP_NUMBER}},
    {CLCONST_FLOAT6E3M2, FLOATING, 6, {true, true, 3, 2, 3, CLI_TOP_NUMBER}},
    {CLCONST_FLOAT4E2M1, FLOATING, 4, {true, true, 2, 1, 1, CLI_TOP_NUMBER}},
};

/* NumPy's names come first, of the dtypes that ONNX names otherwise. */
static const struct {
    const char *name;
    clconst_dtype dtype;
} names[] = {{"float32", CLCONST_FLOAT},
             {"float64", CLCONST_DOUBLE},
#define CLCONST_X(name, number, bits, text) {text, CLCONST_##name},
             CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
};

static const value_row *find_row(clconst_dtype dtype)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].dtype == dtype) {
            return &rows[i];
        }
    }
    return NULL;
}

static bool is_complex(clconst_dtype dtype)
{
    return dtype == CLCONST_COMPLEX64 || dtype == CLCONST_COMPLEX128;
}

static const char *syntax_of(const value_row *row)
{
    if (row->kind == BOOLEAN) {
        return "true, false, 0, 1";
    }
    if (row->kind != FLOATING) {
        return "an integer";
    }
    return row->format.top == CLI_TOP_NUMBER ? "a number"
                                             : "a number, inf, nan";
}

static cli_outcome
fail_syntax(const cli_token *read, const value_row *row, clconst_error *error)
{
    return cli_fail_usage(error,
                          "value is \"%.*s\"; %s takes %s, or 0x and %u hex "
                          "digits",
                          (int)read->size,
                          read->text,
                          clconst_dtype_name(row->dtype),
                          syntax_of(row),
                          (row->bits + 3) / 4);
}

static cli_outcome fail_range(const cli_token *read,
                              const value_row *row,
                              const char *rule,
                              clconst_error *error)
{
    return cli_fail(error,
                    CLCONST_INVALID_ARGUMENT,
                    "value is %.*s; %s %s",
                    (int)read->size,
                    read->text,
                    clconst_dtype_name(row->dtype),
                    rule);
}

/* Hex digits as bytes, lowest first. */
static void store_hex(const char *digits, size_t count, uint8_t *bytes)
{
    for (size_t i = 0; i < count; i++) {
        char digit[] = {digits[count - 1 - i], '\0'};
        unsigned nibble = (unsigned)strtoul(digit, NULL, 16);
        bytes[i / 2] = (uint8_t)(bytes[i / 2] | nibble << i % 2 * 4);
    }
}

static cli_outcome parse_hex(const cli_token *read,
                             const value_row *row,
                             uint8_t *part,
                             clconst_error *error)
{
    size_t count = read->size - 2;
    if (count != (row->bits + 3) / 4) {
        return fail_syntax(read, row, error);
    }
    store_hex(read->digits + 2, count, part);
    unsigned used = row->kind == BOOLEAN ? 1 : row->bits;
    if (used < 8 && part[0] >> used != 0) {
        return fail_range(read, row, "has no such bits", error);
    }
    return CLI_DONE;
}

static cli_outcome parse_integer(const cli_token *read,
                                 const value_row *row,
                                 uint64_t *bits,
                                 clconst_error *error)
{
    uint64_t mask = UINT64_MAX >> (64 - row->bits);
    uint64_t limit = row->kind == BOOLEAN    ? 1
                     : row->kind == UNSIGNED ? mask
                                             : mask >> 1;
    uint64_t lower_limit = row->kind == SIGNED ? limit + 1 : 0;
    errno = 0;
    unsigned long long magnitude = strtoull(read->digits, NULL, 10);
    if (errno == ERANGE ||
        magnitude > (read->is_negative ? lower_limit : limit)) {
        char rule[64];
        snprintf(rule,
                 sizeof(rule),
                 "takes %s%" PRIu64 " to %" PRIu64,
                 lower_limit > 0 ? "-" : "",
                 lower_limit,
                 limit);
        return fail_range(read, row, rule, error);
    }
    *bits = (read->is_negative ? 0 - magnitude : magnitude) & mask;
    return CLI_DONE;
}

static cli_outcome parse_integral(const cli_token *read,
                                  const value_row *row,
                                  uint64_t *bits,
                                  clconst_error *error)
{
    switch (read->kind) {
    case CLI_TOKEN_INTEGER:
        return parse_integer(read, row, bits, error);
    case CLI_TOKEN_TRUE:
    case CLI_TOKEN_FALSE:
        if (row->kind == BOOLEAN) {
            *bits = read->kind == CLI_TOKEN_TRUE ? 1 : 0;
            return CLI_DONE;
        }
        break;
    case CLI_TOKEN_DECIMAL:
        return fail_range(read, row, "takes integers only", error);
    default:
        break;
    }
    return fail_range(read, row, "has no such value", error);
}

static cli_outcome parse_floating(const cli_token *read,
                                  const value_row *row,
                                  uint64_t *bits,
                                  clconst_error *error)
{
    const cli_format *format = &row->format;
    bool has_value = false;
    switch (read->kind) {
    case CLI_TOKEN_INTEGER:
    case CLI_TOKEN_DECIMAL:
        if (!cli_decimal_round(read->digits, read->is_negative, format, bits)) {
            return fail_range(read,
                              row,
                              format->has_zero
                                  ? "has a smaller range"
                                  : "takes numbers from 2^-127 to 2^127",
                              error);
        }
        return CLI_DONE;
    case CLI_TOKEN_INF:
        has_value = cli_format_infinity(format, read->is_negative, bits);
        break;
    case CLI_TOKEN_NAN:
        has_value = cli_format_nan(format, read->is_negative, bits);
        break;
    default:
        break;
    }
    return has_value ? CLI_DONE
                     : fail_range(read, row, "has no such value", error);
}

/* An element, or one part of a complex one. */
static cli_outcome parse_part(const cli_token *read,
                              const value_row *row,
                              uint8_t *part,
                              clconst_error *error)
{
    if (read->kind == CLI_TOKEN_NONE) {
        return fail_syntax(read, row, error);
    }
    if (read->kind == CLI_TOKEN_HEX) {
        return parse_hex(read, row, part, error);
    }
    uint64_t bits = 0;
    cli_outcome outcome = row->kind == FLOATING
                              ? parse_floating(read, row, &bits, error)
                              : parse_integral(read, row, &bits, error);
    /* The host is little-endian. */
    memcpy(part, &bits, (row->bits + 7) / 8);
    return outcome;
}

/* RE,IM, or the bits of both parts with the real part in the lower ones. */
static cli_outcome parse_complex(const char *text,
                                 const value_row *row,
                                 uint8_t *element,
                                 clconst_error *error)
{
    size_t real_size = strcspn(text, ",");
    cli_token real = cli_token_read(text, real_size);
    size_t digit_count = 2 * row->bits / 4;
    if (text[real_size] == '\0') {
        if (real.kind == CLI_TOKEN_HEX && real.size == 2 + digit_count) {
            store_hex(real.digits + 2, digit_count, element);
            return CLI_DONE;
        }
        return cli_fail_usage(error,
                              "value is \"%s\"; %s takes RE,IM, or 0x and %zu "
                              "hex digits",
                              text,
                              clconst_dtype_name(row->dtype),
                              digit_count);
    }
    const char *rest = text + real_size + 1;
    cli_token imaginary = cli_token_read(rest, strlen(rest));
    cli_outcome outcome = parse_part(&real, row, element, error);
    return outcome == CLI_DONE
               ? parse_part(&imaginary, row, element + row->bits / 8, error)
               : outcome;
}

cli_outcome
cli_dtype_parse(const char *name, clconst_dtype *dtype, clconst_error *error)
{
    cli_guess guess = cli_guess_begin(name, strlen(name));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i].name, name) == 0) {
            *dtype = names[i].dtype;
            return CLI_DONE;
        }
        cli_guess_try(&guess, names[i].name, strlen(names[i].name));
    }
    cli_outcome outcome = cli_fail_usage(
        error,
        "dtype is \"%s\"; it must be a name as float, int64 or float8e4m3fn",
        name);
    (void)cli_guess_tell(&guess, "", error);
    return outcome;
}

cli_outcome cli_value_parse(const char *text,
                            clconst_dtype dtype,
                            uint8_t *element,
                            clconst_error *error)
{
    memset(element, 0, CLI_ELEMENT_SIZE_MAX);
    const value_row *row = find_row(dtype);
    if (row == NULL) {
        return cli_fail(error,
                        CLCONST_UNSUPPORTED,
                        "dtype is %s; ConstantOfShape has no such type",
                        clconst_dtype_name(dtype));
    }
    if (text == NULL) {
        bool has_zero = row->kind != FLOATING || row->format.has_zero;
        return has_zero ? CLI_DONE
                        : cli_fail(error,
                                   CLCONST_INVALID_ARGUMENT,
                                   "value is missing; %s has no zero and needs "
                                   "one",
                                   clconst_dtype_name(dtype));
    }
    if (is_complex(dtype)) {
        return parse_complex(text, row, element, error);
    }
    cli_token read = cli_token_read(text, strlen(text));
    return parse_part(&read, row, element, error);
}
