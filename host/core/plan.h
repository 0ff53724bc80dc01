/*
 * The plan: how many bytes, and which. The dtype ends here: what executes a
 * plan sees a pattern or bytes, a size, and the mask of the last byte.
 */
#ifndef CLCONST_CORE_PLAN_H
#define CLCONST_CORE_PLAN_H

#include <stdbool.h>

#include "base/refs.h"
#include "core/op.h"
#include "core/pattern.h"
#include "core/table.h"

/* Where an output's bytes come from. */
typedef enum clconst__content {
    CLCONST__CONTENT_PATTERN,
    CLCONST__CONTENT_BYTES,
    CLCONST__CONTENT_PAIRS,
} clconst__content;

struct clconst_plan {
    clconst__refs refs;
    clconst_plan_kind kind;
    clconst_op *op;
    int64_t *dims;
    clconst_dtype dtype;
    size_t rank;
    size_t size;
    /*
     * Byte size - 1 of the output, its unused bits zero, stored since a copy's
     * source may hold other bits there. Meaningless when size is 0.
     */
    uint8_t last_byte;
    /* Whether pattern, source or scatter give the last byte as it is. */
    bool is_last_byte_plain;
    /* The content; strings have the one that their operator has. */
    clconst__content content;
    clconst__pattern pattern;        /* of PATTERN; zero for PAIRS */
    size_t period;                   /* of the pattern, if there is one */
    const uint8_t *source;           /* of BYTES */
    const clconst__scatter *scatter; /* of PAIRS */
    /* Of PAIRS: the row for a table that this row, the indices and the units
     * make up, in this order. */
    clconst__scatter_row scatter_row;
};

/* One more reference, given back with clconst_plan_destroy. */
clconst_plan *clconst__plan_retain(const clconst_plan *plan);

/* Writes plan->size bytes to dst, with this thread alone and nothing clever. */
void clconst__plan_expand(const clconst_plan *plan, uint8_t *dst);

/*
 * Bytes of a copy from begin to end as a plan of its own, which borrows from
 * the copy and has no references.
 */
clconst_plan
clconst__plan_slice(const clconst_plan *copy, size_t begin, size_t end);

/* A plan and the byte of some memory where its output begins. */
typedef struct clconst__placed {
    const clconst_plan *plan;
    size_t offset;
} clconst__placed;

/* Bytes of all outputs, which lie in one memory and so cannot overflow. */
size_t clconst__placed_size(const clconst__placed *placed, size_t count);

#endif
