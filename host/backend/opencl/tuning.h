/*
 * What is fast on which device: the one table behind CLCONST_PATH_AUTO. Beside
 * a row stands what was measured on its device; the rows for devices that were
 * not at hand say so. What a device reports about itself, such as a cache size,
 * decides nothing.
 */
#ifndef CLCONST_BACKEND_OPENCL_TUNING_H
#define CLCONST_BACKEND_OPENCL_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which fill kernel writes: contiguous pieces or neighbouring words. */
typedef enum clconst__access {
    CLCONST__ACCESS_CHUNKED,
    CLCONST__ACCESS_COALESCED,
    CLCONST__ACCESS_COUNT,
} clconst__access;

/* The periods that the driver's fill can repeat: 1, 2, 4, 8 and 16 bytes. */
#define CLCONST__PERIOD_COUNT 5

typedef struct clconst__tuning {
    const char *platform; /* NULL: any */
    const char *type;     /* as in clconst_device; NULL: any */
    /* The largest fill, in bytes, that the driver does faster. */
    size_t driver_size_max;
    /* Batches: the largest output, in bytes, that the host expands faster, and
     * whether one launch for all fills beats a fill command each. */
    size_t expand_size;
    bool has_fast_tables;
    /* Whether native kernels, where the device has them, beat all else, and
     * buffers are best made over host memory that nothing has touched. */
    bool prefers_native;
    bool prefers_host_memory;
    /* The driver's fastest pattern for each period, in bytes: a power of two
     * that is a multiple of the period, at most 128. */
    uint8_t pattern_sizes[CLCONST__PERIOD_COUNT];
    clconst__access access;
} clconst__tuning;

/* The row of a device. There always is one. */
const clconst__tuning *clconst__tuning_find(const char *platform,
                                            const char *type);

#endif
