/*
 * A pattern repeated over host memory. It knows bytes only, and one thread.
 */
#ifndef CLCONST_BACKEND_CPU_FILL_H
#define CLCONST_BACKEND_CPU_FILL_H

#include "core/pattern.h"

/*
 * Normal stores, of 16 bytes, leave the bytes in the cache. So do wide ones, of
 * 32 where the processor has them, else normal: within a cache their number is
 * what takes the time. Streaming stores go around it, where memory takes the
 * time, not their number: they save the read of each line that
 * another store begins with, but the bytes are far away afterwards.
 */
typedef enum clconst__stores {
    CLCONST__STORES_NORMAL,
    CLCONST__STORES_WIDE,
    CLCONST__STORES_STREAMING,
} clconst__stores;

/* Writes size bytes to dst, at any address: byte i is pattern byte i mod 48. */
void clconst__cpu_fill(uint8_t *dst,
                       size_t size,
                       const clconst__pattern *pattern,
                       clconst__stores stores);

#endif
