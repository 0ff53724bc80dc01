/*
 * Decimal numbers as codes of a float format, rounded once. It knows how a
 * code is built and nothing of ONNX or of the command line.
 */
#ifndef CLCONST_CLI_DECIMAL_H
#define CLCONST_CLI_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the largest codes of a magnitude mean. */
typedef enum cli_top {
    CLI_TOP_IEEE,   /* the last exponent is infinity and NaNs, as IEEE 754 */
    CLI_TOP_NAN,    /* the last code is the NaN; there is no infinity */
    CLI_TOP_NUMBER, /* all codes are numbers */
    CLI_TOP_FNUZ,   /* all codes are numbers; minus zero's code is the NaN */
} cli_top;

typedef struct cli_format {
    bool is_signed;
    bool has_zero; /* and subnormal numbers */
    int exponent_bits;
    int mantissa_bits;
    int bias;
    cli_top top;
} cli_format;

/* False when the format has none. */
bool cli_format_infinity(const cli_format *format,
                         bool is_negative,
                         uint64_t *code);
bool cli_format_nan(const cli_format *format, bool is_negative, uint64_t *code);

/* Characters of the unsigned decimal number at the start of text, 0 if none:
 * digits with at most one point, then perhaps e and a signed integer. */
size_t cli_decimal_size(const char *text);

/*
 * The code of the decimal number at the start of text, rounded to nearest,
 * ties to even. False when the result is out of the format's range.
 */
bool cli_decimal_round(const char *text,
                       bool is_negative,
                       const cli_format *format,
                       uint64_t *code);

#endif
