/*
 * Arithmetic on sizes that come from callers and files. Each function returns
 * false on overflow; the result is then meaningless.
 */
#ifndef CLCONST_BASE_CHECKED_H
#define CLCONST_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool clconst__add_size(size_t a, size_t b, size_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool clconst__mul_size(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

static inline bool clconst__mul_int64(int64_t a, int64_t b, int64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* Rounds up to a multiple of a power of two. */
static inline bool
clconst__align_size(size_t size, size_t alignment, size_t *aligned)
{
    if (!clconst__add_size(size, alignment - 1, aligned)) {
        return false;
    }
    *aligned &= ~(alignment - 1);
    return true;
}

/* True when offset and size name a range within total. */
static inline bool clconst__range_fits(size_t offset, size_t size, size_t total)
{
    return offset <= total && size <= total - offset;
}

#endif
