#include "core/pattern.h"

#include <string.h>

enum { PATTERN_BITS = 8 * CLCONST__PATTERN_SIZE };

void clconst__pattern_widen(clconst__pattern *pattern,
                            const void *element,
                            unsigned bits)
{
    const uint8_t *source = element;
    memset(pattern->bytes, 0, sizeof(pattern->bytes));
    if (bits >= 8) {
        size_t size = bits / 8;
        for (size_t i = 0; i < CLCONST__PATTERN_SIZE; i++) {
            pattern->bytes[i] = source[i % size];
        }
        return;
    }
    unsigned code = source[0] & ((1U << bits) - 1U);
    for (size_t bit = 0; bit < PATTERN_BITS; bit += bits) {
        /* A 6-bit element may reach into the next byte. */
        unsigned shifted = code << (bit % 8);
        pattern->bytes[bit / 8] |= (uint8_t)shifted;
        if (shifted > 0xff) {
            pattern->bytes[bit / 8 + 1] |= (uint8_t)(shifted >> 8);
        }
    }
}

size_t clconst__pattern_period(const clconst__pattern *pattern)
{
    size_t period = 1;
    while (CLCONST__PATTERN_SIZE % period != 0 ||
           memcmp(pattern->bytes,
                  pattern->bytes + period,
                  CLCONST__PATTERN_SIZE - period) != 0) {
        period++;
    }
    return period;
}

void clconst__pattern_rotate(clconst__pattern *rotated,
                             const clconst__pattern *pattern,
                             size_t offset)
{
    size_t first = offset % CLCONST__PATTERN_SIZE;
    memcpy(
        rotated->bytes, pattern->bytes + first, CLCONST__PATTERN_SIZE - first);
    memcpy(
        rotated->bytes + CLCONST__PATTERN_SIZE - first, pattern->bytes, first);
}

void clconst__pattern_repeat(const clconst__pattern *pattern,
                             uint8_t *dst,
                             size_t size)
{
    while (size >= CLCONST__PATTERN_SIZE) {
        memcpy(dst, pattern->bytes, CLCONST__PATTERN_SIZE);
        dst += CLCONST__PATTERN_SIZE;
        size -= CLCONST__PATTERN_SIZE;
    }
    memcpy(dst, pattern->bytes, size);
}
