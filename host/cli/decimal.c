#include "cli/decimal.h"

#include <fenv.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024,
               "double must be IEEE 754's binary64");

enum { DOUBLE_MANTISSA_BITS = 52, DOUBLE_BIAS = 1023 };

static const char digits[] = "0123456789";

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

static uint64_t sign_bit(const cli_format *format)
{
    return UINT64_C(1) << (format->exponent_bits + format->mantissa_bits);
}

static uint64_t ieee_infinity(const cli_format *format)
{
    return ((UINT64_C(1) << format->exponent_bits) - 1)
           << format->mantissa_bits;
}

/* The code of the largest finite magnitude. */
static uint64_t largest(const cli_format *format)
{
    switch (format->top) {
    case CLI_TOP_IEEE:
        return ieee_infinity(format) - 1;
    case CLI_TOP_NAN:
        return sign_bit(format) - 2;
    case CLI_TOP_NUMBER:
    case CLI_TOP_FNUZ:
        break;
    }
    return sign_bit(format) - 1;
}

static uint64_t
with_sign(const cli_format *format, bool is_negative, uint64_t code)
{
    return is_negative && format->is_signed ? code | sign_bit(format) : code;
}

bool cli_format_infinity(const cli_format *format,
                         bool is_negative,
                         uint64_t *code)
{
    if (format->top != CLI_TOP_IEEE) {
        return false;
    }
    *code = with_sign(format, is_negative, ieee_infinity(format));
    return true;
}

bool cli_format_nan(const cli_format *format, bool is_negative, uint64_t *code)
{
    switch (format->top) {
    case CLI_TOP_IEEE: {
        /* The quiet NaN without a payload (IEEE 754-2019, 6.2.1). */
        uint64_t quiet = UINT64_C(1) << (format->mantissa_bits - 1);
        *code = with_sign(format, is_negative, ieee_infinity(format) | quiet);
        return true;
    }
    case CLI_TOP_NAN:
        *code = with_sign(format, is_negative, sign_bit(format) - 1);
        return true;
    case CLI_TOP_FNUZ:
        *code = sign_bit(format);
        return true;
    case CLI_TOP_NUMBER:
        break;
    }
    return false;
}

size_t cli_decimal_size(const char *text)
{
    size_t whole = strspn(text, digits);
    size_t used = whole;
    size_t fraction = 0;
    if (text[used] == '.') {
        fraction = strspn(text + used + 1, digits);
        used += 1 + fraction;
    }
    if (whole + fraction == 0) {
        return 0;
    }
    if (text[used] == 'e' || text[used] == 'E') {
        size_t sign = text[used + 1] == '-' || text[used + 1] == '+' ? 1 : 0;
        size_t exponent = strspn(text + used + 1 + sign, digits);
        used += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return used;
}

/*
 * The bits of the number rounded to odd: a double on either side of an inexact
 * number is taken if its last bit is set. Rounding that to two bits less than
 * a double has, or fewer, gives what rounding the number itself gives (Boldo
 * and Melquiond, "Emulation of FMA and correctly rounded sums: proved
 * algorithms using rounding to odd", 2008).
 */
static uint64_t round_to_odd(const char *text)
{
    int mode = fegetround();
    fesetround(FE_DOWNWARD);
    uint64_t below = bits_of(strtod(text, NULL));
    fesetround(FE_UPWARD);
    uint64_t above = bits_of(strtod(text, NULL));
    fesetround(mode);
    return below | (below != above ? 1 : 0);
}

/* The code of a double that is not 0, perhaps above the largest or below 0. */
static int64_t round_bits(uint64_t bits, const cli_format *format)
{
    int exponent = (int)(bits >> DOUBLE_MANTISSA_BITS) - DOUBLE_BIAS;
    uint64_t mantissa = bits & ((UINT64_C(1) << DOUBLE_MANTISSA_BITS) - 1);
    mantissa |= UINT64_C(1) << DOUBLE_MANTISSA_BITS;
    /* Subnormal numbers share the exponent of the smallest normal ones. */
    int lowest = 1 - format->bias;
    int target = format->has_zero && exponent < lowest ? lowest : exponent;
    int shift = DOUBLE_MANTISSA_BITS - format->mantissa_bits;
    shift += target - exponent;
    shift = shift > 63 ? 63 : shift;
    uint64_t rounded = mantissa >> shift;
    uint64_t rest = mantissa & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    /* Without mantissa bits both neighbours of a tie are odd, and the larger
     * one is taken (IEEE 754-2019, 4.3.1). */
    if (rest > half || (rest == half && (rounded & 1) != 0)) {
        rounded++;
    }
    /* The leading bit of a normal number adds 1 to the exponent's field. */
    int64_t field = target + format->bias - 1;
    return field * (INT64_C(1) << format->mantissa_bits) + (int64_t)rounded;
}

bool cli_decimal_round(const char *text,
                       bool is_negative,
                       const cli_format *format,
                       uint64_t *code)
{
    bool is_double = format->mantissa_bits == DOUBLE_MANTISSA_BITS;
    uint64_t bits =
        is_double ? bits_of(strtod(text, NULL)) : round_to_odd(text);
    int64_t magnitude =
        is_double || bits == 0 ? (int64_t)bits : round_bits(bits, format);
    if (!format->has_zero && (bits == 0 || is_negative)) {
        return false;
    }
    if (magnitude < 0 || (uint64_t)magnitude > largest(format)) {
        return false;
    }
    bool has_sign =
        is_negative && (magnitude != 0 || format->top != CLI_TOP_FNUZ);
    *code = with_sign(format, has_sign, (uint64_t)magnitude);
    return true;
}
