/*
 * A model for the evaluation to compute, chosen by the bytes of a fuzzer.
 */
#ifndef CLCONST_TESTS_FUZZ_FOLD_MODEL_H
#define CLCONST_TESTS_FUZZ_FOLD_MODEL_H

#include <clconst/clconst_model.h>

#include "fuzz/invariants.h"
#include "harness/proto.h"

/* Inputs x0 and so on: [m], [n, m], a scalar, and [2]; the symbols of their
 * dims. */
enum { FOLD_INPUTS = 4, FOLD_SYMBOLS = 2 };

typedef struct fold_model {
    proto_buffer bytes;
    int64_t dims[FOLD_SYMBOLS]; /* what m and n are bound to */
    unsigned bound;             /* inputs that are bound at first */
    clconst_input_value values[FOLD_INPUTS];
    int64_t shapes[FOLD_INPUTS][2];
    int64_t data[FOLD_INPUTS][16];
} fold_model;

void fold_model_create(fuzz_input *input, fold_model *model);

void fold_model_destroy(fold_model *model);

#endif
