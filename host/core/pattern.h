/*
 * The pattern: one element, repeated to 48 bytes. 48 bytes is a multiple of
 * every element width, so a fill is the pattern repeated, whatever the dtype.
 */
#ifndef CLCONST_CORE_PATTERN_H
#define CLCONST_CORE_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#define CLCONST__PATTERN_SIZE 48

typedef struct clconst__pattern {
    uint8_t bytes[CLCONST__PATTERN_SIZE];
} clconst__pattern;

/*
 * Repeats an element of 2, 4, 6, 8, 16, 32, 64 or 128 bits. element holds the
 * element in its lowest bits, little-endian; the bits above are ignored.
 */
void clconst__pattern_widen(clconst__pattern *pattern,
                            const void *element,
                            unsigned bits);

/* The smallest number of bytes whose repetition is the pattern: a divisor of
 * 48. */
size_t clconst__pattern_period(const clconst__pattern *pattern);

/* The pattern as seen from its byte number offset on. */
void clconst__pattern_rotate(clconst__pattern *rotated,
                             const clconst__pattern *pattern,
                             size_t offset);

/* Writes size bytes to dst: byte i is pattern byte i mod 48. */
void clconst__pattern_repeat(const clconst__pattern *pattern,
                             uint8_t *dst,
                             size_t size);

#endif
