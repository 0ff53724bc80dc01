/*
 * Causes: why something of a tensor is unknown. Two unknown numbers with the
 * same cause are equal, so that a cause is also the name of the number.
 */
#ifndef CLCONST_ONNX_FOLD_CAUSE_H
#define CLCONST_ONNX_FOLD_CAUSE_H

#include "base/error.h"
#include "onnx/fold/budget.h"
#include "onnx/span.h"

/* An index into the causes. 0 means that something is known. */
typedef uint32_t clconst__cause;

enum { CLCONST__KNOWN = 0 };

/* What an operator left open, until its node is done. */
#define CLCONST__UNTOLD UINT32_MAX

/*
 * text, on the heap, says what is needed when status is UNSUPPORTED, and else
 * what is wrong; a derived cause has that of its root. symbol is the name that
 * the model gives to the number, if any.
 */
typedef struct clconst__cause_entry {
    clconst_status status;
    int32_t native_code;
    clconst__cause root;
    char *text;
    clconst__span symbol;
} clconst__cause_entry;

/* budget pays for them. */
typedef struct clconst__causes {
    clconst__budget *budget;
    clconst__cause_entry *items;
    size_t count;
    size_t capacity;
} clconst__causes;

/* More would let a small model ask for any amount of memory. */
#define CLCONST__CAUSES_MAX ((size_t)1 << 20)

/*
 * A new cause. TOO_LARGE above the limit, which ends the evaluation: it is no
 * verdict on a single value.
 */
__attribute__((format(printf, 5, 6))) clconst_status
clconst__cause_add(clconst__causes *causes,
                   clconst_status status,
                   clconst__cause *cause,
                   clconst_error *error,
                   const char *format,
                   ...);

/* A number of its own that is unknown for the same reason as another. */
clconst_status clconst__cause_derive(clconst__causes *causes,
                                     clconst__cause from,
                                     clconst__cause *cause,
                                     clconst_error *error);

/* A root of its own that is told like another. */
clconst_status clconst__cause_repeat(clconst__causes *causes,
                                     clconst__cause from,
                                     clconst__cause *cause,
                                     clconst_error *error);

/* Sets error to what a subject lacks, and returns the cause's status. What has
 * no cause is not computed. */
clconst_status clconst__cause_tell(const clconst__causes *causes,
                                   clconst__cause cause,
                                   const char *subject,
                                   clconst_error *error);

void clconst__causes_free(clconst__causes *causes);

#endif
