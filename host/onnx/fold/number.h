/*
 * Numbers: elements of bool, the integers, float and double, widened to the
 * three types that arithmetic is done in.
 */
#ifndef CLCONST_ONNX_FOLD_NUMBER_H
#define CLCONST_ONNX_FOLD_NUMBER_H

#include "onnx/fold/folding.h"

/* Sets of dtypes, as bits. */
#define CLCONST__DTYPE_BIT(name) (UINT32_C(1) << CLCONST_##name)
#define CLCONST__UNSIGNED_DTYPES                                               \
    (CLCONST__DTYPE_BIT(UINT8) | CLCONST__DTYPE_BIT(UINT16) |                  \
     CLCONST__DTYPE_BIT(UINT32) | CLCONST__DTYPE_BIT(UINT64))
#define CLCONST__SIGNED_DTYPES                                                 \
    (CLCONST__DTYPE_BIT(INT8) | CLCONST__DTYPE_BIT(INT16) |                    \
     CLCONST__DTYPE_BIT(INT32) | CLCONST__DTYPE_BIT(INT64))
#define CLCONST__REAL_DTYPES                                                   \
    (CLCONST__DTYPE_BIT(FLOAT16) | CLCONST__DTYPE_BIT(BFLOAT16) |              \
     CLCONST__DTYPE_BIT(FLOAT) | CLCONST__DTYPE_BIT(DOUBLE))
#define CLCONST__NUMERIC_DTYPES                                                \
    (CLCONST__UNSIGNED_DTYPES | CLCONST__SIGNED_DTYPES | CLCONST__REAL_DTYPES)
#define CLCONST__ALL_DTYPES UINT32_MAX

/* The member of a number that counts. Sums, products, quotients and roots of
 * floats that are rounded from double to float are rounded as if once. */
typedef enum clconst__number_kind {
    CLCONST__SIGNED,
    CLCONST__UNSIGNED,
    CLCONST__REAL,
    CLCONST__NO_NUMBER
} clconst__number_kind;

enum { CLCONST__NUMBER_KINDS = CLCONST__NO_NUMBER };

typedef union clconst__number {
    int64_t i;
    uint64_t u;
    double d;
} clconst__number;

/* CLCONST__NO_NUMBER for a dtype whose elements are not computed with. */
clconst__number_kind clconst__number_kind_of(clconst_dtype dtype);

/* An integer that is not negative as a number. */
clconst__number clconst__number_of(clconst__number_kind kind, int64_t value);

/* The element at bytes, which need not be aligned. */
clconst__number clconst__number_load(clconst_dtype dtype, const uint8_t *bytes);

/* False when the dtype cannot hold the number. A real is rounded. */
bool clconst__number_store(clconst_dtype dtype,
                           clconst__number number,
                           uint8_t *bytes);

/* What a dtype keeps of a number while it accumulates: of float, the rounded.
 */
clconst__number clconst__number_round(clconst_dtype dtype,
                                      clconst__number number);

/* The lowest and highest numbers of a dtype; infinities where it has them. */
clconst__number clconst__number_lowest(clconst_dtype dtype);
clconst__number clconst__number_highest(clconst_dtype dtype);

/* UNSUPPORTED unless the dtype's elements are computed with. */
clconst_status clconst__number_check(clconst_dtype dtype, clconst_error *error);

/* An element of a value: a number, or why it is unknown. */
typedef struct clconst__element {
    clconst__number number;
    clconst__cause cause;
} clconst__element;

clconst__element clconst__element_load(const clconst__fact *fact, size_t index);

/* INVALID_MODEL for a number that the output's dtype cannot hold. */
clconst_status clconst__element_store(clconst__fact *fact,
                                      size_t index,
                                      clconst__element element,
                                      clconst_error *error);

/* An unknown element of its own that follows from another. UNSUPPORTED when an
 * evaluation has too many of them. */
clconst_status clconst__element_derive(clconst__folding *folding,
                                       clconst__cause from,
                                       clconst__element *element,
                                       clconst_error *error);

#endif
