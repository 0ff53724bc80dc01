/*
 * Operators that make values of their own: random numbers, and quantization to
 * another dtype. Only dims are told.
 */
#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"

/* The dims of input 0, and the dtype that the attribute dtype names. */
static clconst_status infer_random_like(clconst__folding *folding,
                                        clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst_dtype dtype;
    clconst_status status =
        clconst__folding_dtype(folding, "dtype", input->dtype, &dtype, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_like(folding, 0, dtype, input, error);
    }
    return status;
}

/* The dims are an attribute. */
static clconst_status infer_random(clconst__folding *folding,
                                   clconst_error *error)
{
    clconst_dtype dtype;
    int64_t *shape = NULL;
    size_t count = 0;
    clconst__cell *dims;
    clconst_status status =
        clconst__folding_dtype(folding, "dtype", CLCONST_FLOAT, &dtype, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_ints(folding, "shape", &shape, &count, error);
    }
    if (status == CLCONST_OK && shape == NULL) {
        status = clconst__fail(
            error, CLCONST_INVALID_MODEL, "shape is missing; it must be there");
    }
    if (status == CLCONST_OK) {
        status = clconst__rank_limit(count, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__output_set_rank(folding, 0, dtype, count, &dims, error);
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        dims[i] = (clconst__cell){shape[i], CLCONST__KNOWN};
        status = clconst__cell_check_dim(dims[i], i, error);
    }
    return status;
}

/* Dims (batch, samples). */
static clconst_status infer_multinomial(clconst__folding *folding,
                                        clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    int64_t sample_size;
    clconst_dtype dtype;
    clconst__cell *dims;
    clconst_status status =
        clconst__folding_dtype(folding, "dtype", CLCONST_INT32, &dtype, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_int(
            folding, "sample_size", 1, &sample_size, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__rank_check(input, "input 0", 2, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(folding, 0, dtype, 2, &dims, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (input->dims != NULL) {
        dims[0] = input->dims[0];
    }
    dims[1] = (clconst__cell){sample_size, CLCONST__KNOWN};
    return clconst__cell_check_dim(dims[1], 1, error);
}

/* The dtype is an attribute from opset 23 on, and else the scale's. */
static clconst_status infer_dequantize(clconst__folding *folding,
                                       clconst_error *error)
{
    clconst_dtype dtype;
    clconst_status status = clconst__folding_dtype(
        folding, "output_dtype", CLCONST_UNDEFINED, &dtype, error);
    if (dtype == CLCONST_UNDEFINED) {
        dtype = folding->inputs[1]->dtype;
    }
    if (status == CLCONST_OK) {
        status = clconst__output_set_like(
            folding, 0, dtype, folding->inputs[0], error);
    }
    return status;
}

/* The dtype is the zero point's, or an attribute, or uint8. */
static clconst_status infer_quantize(clconst__folding *folding,
                                     clconst_error *error)
{
    const clconst__fact *zero_point = clconst__folding_input(folding, 2);
    clconst_dtype dtype;
    clconst_status status = clconst__folding_dtype(
        folding, "output_dtype", CLCONST_UNDEFINED, &dtype, error);
    if (zero_point != NULL) {
        dtype = zero_point->dtype;
    } else if (dtype == CLCONST_UNDEFINED) {
        dtype = CLCONST_UINT8;
    }
    if (status == CLCONST_OK) {
        status = clconst__output_set_like(
            folding, 0, dtype, folding->inputs[0], error);
    }
    return status;
}

static clconst_status infer_dynamic_quantize(clconst__folding *folding,
                                             clconst_error *error)
{
    static const clconst_dtype dtypes[] = {
        CLCONST_UINT8, CLCONST_FLOAT, CLCONST_UINT8};
    clconst_status status = clconst__output_set_like(
        folding, 0, dtypes[0], folding->inputs[0], error);
    for (size_t i = 1; i < 3 && status == CLCONST_OK; i++) {
        clconst__cell *dims;
        status =
            clconst__output_set_rank(folding, i, dtypes[i], 0, &dims, error);
    }
    return status;
}

#define DIMS_ONLY CLCONST__NO_VALUES, false

const clconst__operator clconst__generation_operators[] = {
    {"Bernoulli", 1, DIMS_ONLY, infer_random_like, NULL},
    {"DequantizeLinear", 2, DIMS_ONLY, infer_dequantize, NULL},
    {"DynamicQuantizeLinear", 1, DIMS_ONLY, infer_dynamic_quantize, NULL},
    {"Multinomial", 1, DIMS_ONLY, infer_multinomial, NULL},
    {"QuantizeLinear", 2, DIMS_ONLY, infer_quantize, NULL},
    {"RandomNormal", 0, DIMS_ONLY, infer_random, NULL},
    {"RandomNormalLike", 1, DIMS_ONLY, infer_random_like, NULL},
    {"RandomUniform", 0, DIMS_ONLY, infer_random, NULL},
    {"RandomUniformLike", 1, DIMS_ONLY, infer_random_like, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
