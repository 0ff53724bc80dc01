/*
 * Budgets: what the evaluations of one resolution may still cost. Steps are
 * gone when they are spent, bytes come back when they are freed.
 */
#ifndef CLCONST_ONNX_FOLD_BUDGET_H
#define CLCONST_ONNX_FOLD_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * bytes may fall below 0 by what was taken for one node before anybody looked;
 * then nothing more can be spent.
 */
typedef struct clconst__budget {
    uint64_t steps;
    int64_t bytes;
} clconst__budget;

/* False, from then on, when too much has been done or is held. */
static inline bool clconst__budget_spend(clconst__budget *budget,
                                         uint64_t steps)
{
    bool is_enough = steps <= budget->steps && budget->bytes >= 0;
    budget->steps -= is_enough ? steps : budget->steps;
    return is_enough;
}

/* Whether count times size bytes may be taken. */
static inline bool clconst__budget_allows(const clconst__budget *budget,
                                          uint64_t count,
                                          size_t size)
{
    uint64_t bytes;
    return !__builtin_mul_overflow(count, size, &bytes) && budget->bytes >= 0 &&
           bytes <= (uint64_t)budget->bytes;
}

/* TOO_LARGE, which ends the evaluation, when too much is held. */
static inline clconst_status
clconst__budget_check(const clconst__budget *budget, clconst_error *error)
{
    return budget->bytes >= 0
               ? CLCONST_OK
               : clconst__fail(error,
                               CLCONST_TOO_LARGE,
                               "more memory than an evaluation may use");
}

/* Accept NULL. */
static inline void clconst__budget_take(clconst__budget *budget, size_t bytes)
{
    if (budget != NULL) {
        budget->bytes -= (int64_t)bytes;
    }
}

static inline void clconst__budget_return(clconst__budget *budget, size_t bytes)
{
    if (budget != NULL) {
        budget->bytes += (int64_t)bytes;
    }
}

#endif
