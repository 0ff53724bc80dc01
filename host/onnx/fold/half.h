/*
 * Halves: elements of float16 and bfloat16, beside the numbers that arithmetic
 * is done with.
 */
#ifndef CLCONST_ONNX_FOLD_HALF_H
#define CLCONST_ONNX_FOLD_HALF_H

#include "onnx/fold/number.h"

/* As clconst__number_load; a half is real. CLCONST__NO_NUMBER for a dtype that
 * is neither number nor half. */
clconst__number_kind clconst__number_widen(clconst_dtype dtype,
                                           const uint8_t *bytes,
                                           clconst__number *number);

/* Stores a real in a dtype of reals, rounded once to nearest even; false for
 * other dtypes. */
bool clconst__number_narrow(clconst_dtype dtype, double real, uint8_t *bytes);

#endif
