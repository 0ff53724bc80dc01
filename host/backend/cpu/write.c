#include "backend/cpu/write.h"

#include <string.h>

/* A multiple of the pattern's size that stays in the first-level cache. */
enum { BLOCK_SIZE = 128 * CLCONST__PATTERN_SIZE };

static void fill(uint8_t *dst, size_t size, const clconst__pattern *pattern)
{
    uint8_t block[BLOCK_SIZE];
    size_t first = size < BLOCK_SIZE ? size : BLOCK_SIZE;
    for (size_t at = 0; at < first; at += CLCONST__PATTERN_SIZE) {
        memcpy(block + at, pattern->bytes, CLCONST__PATTERN_SIZE);
    }
    while (size > 0) {
        size_t step = size < BLOCK_SIZE ? size : BLOCK_SIZE;
        memcpy(dst, block, step);
        dst += step;
        size -= step;
    }
}

void clconst__cpu_write(const clconst_plan *plan, void *dst)
{
    if (plan->size == 0) {
        return;
    }
    uint8_t *bytes = dst;
    if (plan->kind == CLCONST_PLAN_FILL) {
        fill(bytes, plan->size, &plan->pattern);
    } else {
        memcpy(bytes, plan->source, plan->size);
    }
    bytes[plan->size - 1] = plan->last_byte;
}

clconst_status clconst_write(const clconst_plan *plan,
                             void *dst,
                             size_t size,
                             clconst_error *error)
{
    if (plan == NULL || (dst == NULL && size > 0)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "plan or dst is NULL; both are required");
    }
    if (plan->kind == CLCONST_PLAN_STRINGS) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "dtype is string; strings are read from their "
                             "operator's value");
    }
    if (size != plan->size) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "size is %zu; the output has %zu bytes",
                             size,
                             plan->size);
    }
    clconst__cpu_write(plan, dst);
    return CLCONST_OK;
}
