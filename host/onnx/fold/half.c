#include "onnx/fold/half.h"

/* Bits of a format of 16: of the fraction, and the exponent of the lowest
 * normal number. */
typedef struct half_format {
    unsigned fraction_bits;
    int lowest_exponent;
} half_format;

static const half_format float16 = {10, -14};
static const half_format bfloat16 = {7, -126};

static const half_format *format_of(clconst_dtype dtype)
{
    if (dtype == CLCONST_FLOAT16) {
        return &float16;
    }
    return dtype == CLCONST_BFLOAT16 ? &bfloat16 : NULL;
}

enum { DOUBLE_FRACTION_BITS = 52, DOUBLE_BIAS = 1023, SIGN_BIT = 15 };

/* 2 to a power that a double has as a normal number. */
static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + DOUBLE_BIAS) << DOUBLE_FRACTION_BITS;
    double power;
    memcpy(&power, &bits, sizeof(power));
    return power;
}

static double load(const half_format *format, uint16_t bits)
{
    unsigned width = format->fraction_bits;
    uint64_t sign = bits >> SIGN_BIT;
    uint64_t fraction = bits & ((1U << width) - 1U);
    unsigned exponent = (bits & 0x7fffU) >> width;
    unsigned highest = 0x7fffU >> width;
    double real;
    if (exponent == highest) {
        uint64_t wide = sign << 63 | UINT64_C(0x7ff) << DOUBLE_FRACTION_BITS |
                        fraction << (DOUBLE_FRACTION_BITS - width);
        memcpy(&real, &wide, sizeof(real));
        return real;
    }
    if (exponent > 0) {
        fraction |= UINT64_C(1) << width;
        exponent--;
    }
    real = (double)fraction *
           power_of_two((int)exponent + format->lowest_exponent - (int)width);
    return sign != 0 ? -real : real;
}

/* The fraction and exponent of a positive number of 2 to exponent times
 * significand, which has 53 bits. */
static unsigned
round_significand(const half_format *format, uint64_t significand, int exponent)
{
    unsigned width = format->fraction_bits;
    bool is_normal = exponent >= format->lowest_exponent;
    int missing = is_normal ? 0 : format->lowest_exponent - exponent;
    unsigned shift = DOUBLE_FRACTION_BITS - width + (unsigned)missing;
    if (shift > DOUBLE_FRACTION_BITS + 1) {
        return 0;
    }
    uint64_t kept = significand >> shift;
    uint64_t rest = significand & ((UINT64_C(1) << shift) - 1);
    uint64_t middle = UINT64_C(1) << (shift - 1);
    if (rest > middle || (rest == middle && (kept & 1) != 0)) {
        kept++;
    }
    /* What is carried out of the fraction goes into the exponent. */
    unsigned bits = (unsigned)kept;
    if (is_normal) {
        bits += (unsigned)(exponent - format->lowest_exponent) << width;
    }
    return bits;
}

static uint16_t store(const half_format *format, double real)
{
    uint64_t wide;
    memcpy(&wide, &real, sizeof(wide));
    unsigned width = format->fraction_bits;
    unsigned sign = (unsigned)(wide >> 63) << SIGN_BIT;
    unsigned infinity = 0x7fffU >> width << width;
    uint64_t fraction = wide & ((UINT64_C(1) << DOUBLE_FRACTION_BITS) - 1);
    int exponent = (int)(wide >> DOUBLE_FRACTION_BITS & 0x7ff) - DOUBLE_BIAS;
    if (exponent > DOUBLE_BIAS) {
        unsigned payload =
            (unsigned)(fraction >> (DOUBLE_FRACTION_BITS - width));
        /* A NaN stays one. */
        payload += fraction != 0 && payload == 0 ? 1U : 0U;
        return (uint16_t)(sign | infinity | payload);
    }
    if (exponent == -DOUBLE_BIAS) {
        return (uint16_t)sign;
    }
    /* Beyond this, the exponent would not fit its bits. */
    if (exponent > 1 - format->lowest_exponent) {
        return (uint16_t)(sign | infinity);
    }
    unsigned bits = round_significand(
        format, fraction | UINT64_C(1) << DOUBLE_FRACTION_BITS, exponent);
    return (uint16_t)(sign | (bits < infinity ? bits : infinity));
}

clconst__number_kind clconst__number_widen(clconst_dtype dtype,
                                           const uint8_t *bytes,
                                           clconst__number *number)
{
    const half_format *format = format_of(dtype);
    if (format == NULL) {
        *number = clconst__number_load(dtype, bytes);
        return clconst__number_kind_of(dtype);
    }
    uint16_t bits;
    memcpy(&bits, bytes, sizeof(bits));
    number->d = load(format, bits);
    return CLCONST__REAL;
}

bool clconst__number_narrow(clconst_dtype dtype, double real, uint8_t *bytes)
{
    const half_format *format = format_of(dtype);
    if (format == NULL) {
        return clconst__number_kind_of(dtype) == CLCONST__REAL &&
               clconst__number_store(
                   dtype, (clconst__number){.d = real}, bytes);
    }
    uint16_t bits = store(format, real);
    memcpy(bytes, &bits, sizeof(bits));
    return true;
}
