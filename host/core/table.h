/*
 * The rows that the batch kernels read from device memory: which bytes of an
 * arena get which pattern or which scattered units. kernels/fill_batch.cl and
 * kernels/scatter.cl read the same layout, at any alignment.
 */
#ifndef CLCONST_CORE_TABLE_H
#define CLCONST_CORE_TABLE_H

#include "core/pattern.h"
#include "core/scatter.h"

/*
 * The work of all fills is one line of flat bytes, which work-items share out
 * evenly. Each tensor takes its size of the line, rounded up to this.
 */
#define CLCONST__FLAT_STEP 64

/* A fill: byte i of size bytes at offset is pattern byte i mod 48, except the
 * last one. */
typedef struct clconst__fill_row {
    clconst__pattern pattern;
    uint64_t offset;     /* from the arena's begin */
    uint64_t size;       /* not 0 */
    uint64_t flat_begin; /* the sum of the flat sizes before */
    uint64_t last_byte;
} clconst__fill_row;

/* A scatter: pair i puts unit_size bytes at units_offset + i * unit_size to
 * offset + index * unit_size, where index is the 64-bit number at
 * indices_offset + 8 * i. All offsets count from the arena's begin. */
typedef struct clconst__scatter_row {
    uint64_t offset;
    uint64_t unit_size; /* 1, 2, 4, 8 or 16 */
    uint64_t indices_offset;
    uint64_t units_offset;
    uint64_t flat_begin; /* the number of pairs before */
    uint64_t count;      /* of pairs; not 0 */
} clconst__scatter_row;

/* The row of a tensor at offset whose indices lie at indices_offset and whose
 * units lie right behind them. */
clconst__scatter_row clconst__scatter_row_of(const clconst__scatter *scatter,
                                             uint64_t offset,
                                             uint64_t indices_offset,
                                             uint64_t flat_begin);

_Static_assert(sizeof(clconst__fill_row) == 80, "as fill_batch.cl reads it");
_Static_assert(sizeof(clconst__scatter_row) == 48, "as scatter.cl reads it");

#endif
