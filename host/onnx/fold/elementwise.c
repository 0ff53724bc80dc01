/*
 * Operators whose result has the dims of their first input, and of which
 * nothing more is told.
 */
#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"

static clconst_status infer_like(clconst__folding *folding,
                                 clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    return clconst__output_set_like(folding, 0, input->dtype, input, error);
}

static clconst_status infer_bool(clconst__folding *folding,
                                 clconst_error *error)
{
    return clconst__output_set_like(
        folding, 0, CLCONST_BOOL, folding->inputs[0], error);
}

/* The same bits as elements of another dtype, of the same width. */
static clconst_status infer_bit_cast(clconst__folding *folding,
                                     clconst_error *error)
{
    clconst_dtype dtype;
    clconst_status status =
        clconst__folding_dtype(folding, "to", CLCONST_UNDEFINED, &dtype, error);
    if (status != CLCONST_OK) {
        return status;
    }
    return clconst__output_set_like(
        folding, 0, dtype, folding->inputs[0], error);
}

/* The axis is the last one, or the second before opset 13. */
static clconst_status infer_softmax(clconst__folding *folding,
                                    clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    int64_t axis;
    size_t normal;
    clconst_status status = clconst__folding_int(
        folding, "axis", folding->opset < 13 ? 1 : -1, &axis, error);
    /* The default must not fail where nothing names an axis. */
    if (status == CLCONST_OK && input->dims != NULL &&
        clconst__folding_has(folding, "axis")) {
        status = clconst__axis_normalize(axis, input->rank, &normal, error);
    }
    return status == CLCONST_OK ? infer_like(folding, error) : status;
}

/* The mask is bool from opset 10 on. */
static clconst_status infer_dropout(clconst__folding *folding,
                                    clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst_status status = infer_like(folding, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_like(folding,
                                          1,
                                          folding->opset < 10 ? input->dtype
                                                              : CLCONST_BOOL,
                                          input,
                                          error);
    }
    return status;
}

/* The results behind the first are one number for each channel. */
static clconst_status infer_batch_normalization(clconst__folding *folding,
                                                clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    const clconst__fact *mean = folding->inputs[3];
    clconst_status status = infer_like(folding, error);
    for (size_t i = 1; i < folding->output_count && status == CLCONST_OK; i++) {
        clconst__cell *dims;
        status =
            clconst__output_set_rank(folding, i, mean->dtype, 1, &dims, error);
        if (status == CLCONST_OK && mean->dims != NULL && mean->rank == 1) {
            dims[0] = mean->dims[0];
        } else if (status == CLCONST_OK && input->dims != NULL &&
                   input->rank > 1) {
            dims[0] = input->dims[1];
        }
    }
    return status;
}

/* The dims of mean and deviation: 1 from the axis on. */
static clconst_status set_statistics(clconst__folding *folding,
                                     size_t output,
                                     size_t axis,
                                     clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__cell *dims;
    clconst_dtype dtype;
    clconst_status status = clconst__folding_dtype(
        folding, "stash_type", CLCONST_FLOAT, &dtype, error);
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, output, dtype, input->rank, &dims, error);
    }
    for (size_t i = 0; i < input->rank && status == CLCONST_OK; i++) {
        dims[i] =
            i < axis ? input->dims[i] : (clconst__cell){1, CLCONST__KNOWN};
    }
    return status;
}

static clconst_status infer_layer_normalization(clconst__folding *folding,
                                                clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    int64_t axis;
    size_t normal;
    clconst_status status =
        clconst__folding_int(folding, "axis", -1, &axis, error);
    if (status == CLCONST_OK) {
        status = infer_like(folding, error);
    }
    if (status == CLCONST_OK && input->dims != NULL) {
        status = clconst__axis_normalize(axis, input->rank, &normal, error);
        for (size_t i = 1; i < 3 && status == CLCONST_OK; i++) {
            status = set_statistics(folding, i, normal, error);
        }
    }
    return status;
}

/* The dtype is the scale's. */
static clconst_status infer_rms_normalization(clconst__folding *folding,
                                              clconst_error *error)
{
    return clconst__output_set_like(
        folding, 0, folding->inputs[1]->dtype, folding->inputs[0], error);
}

#define LIKE(name)                                                             \
    {                                                                          \
        name, 1, CLCONST__NO_VALUES, false, infer_like, NULL                   \
    }

const clconst__operator clconst__elementwise_operators[] = {
    LIKE("Acos"),
    LIKE("Acosh"),
    LIKE("Asin"),
    LIKE("Asinh"),
    LIKE("Atan"),
    LIKE("Atanh"),
    LIKE("BitwiseNot"),
    LIKE("Celu"),
    LIKE("Cos"),
    LIKE("Cosh"),
    LIKE("Elu"),
    LIKE("Erf"),
    LIKE("Exp"),
    LIKE("Gelu"),
    LIKE("GroupNormalization"),
    LIKE("HardSigmoid"),
    LIKE("HardSwish"),
    LIKE("InstanceNormalization"),
    LIKE("LRN"),
    LIKE("LeakyRelu"),
    LIKE("Log"),
    LIKE("LpNormalization"),
    LIKE("MeanVarianceNormalization"),
    LIKE("Mish"),
    LIKE("Reciprocal"),
    LIKE("Relu"),
    LIKE("ReverseSequence"),
    LIKE("RotaryEmbedding"),
    LIKE("Selu"),
    LIKE("Shrink"),
    LIKE("Sigmoid"),
    LIKE("Sin"),
    LIKE("Sinh"),
    LIKE("Softplus"),
    LIKE("Softsign"),
    LIKE("SwiGLU"),
    LIKE("Swish"),
    LIKE("Tan"),
    LIKE("Tanh"),
    LIKE("TensorScatter"),
    LIKE("ThresholdedRelu"),
    {"BatchNormalization",
     5,
     CLCONST__NO_VALUES,
     false,
     infer_batch_normalization,
     NULL},
    {"BitCast", 1, CLCONST__NO_VALUES, false, infer_bit_cast, NULL},
    {"Dropout", 1, CLCONST__NO_VALUES, false, infer_dropout, NULL},
    {"Hardmax", 1, CLCONST__NO_VALUES, false, infer_softmax, NULL},
    {"IsInf", 1, CLCONST__NO_VALUES, false, infer_bool, NULL},
    {"IsNaN", 1, CLCONST__NO_VALUES, false, infer_bool, NULL},
    {"LayerNormalization",
     2,
     CLCONST__NO_VALUES,
     false,
     infer_layer_normalization,
     NULL},
    {"LogSoftmax", 1, CLCONST__NO_VALUES, false, infer_softmax, NULL},
    {"RMSNormalization",
     2,
     CLCONST__NO_VALUES,
     false,
     infer_rms_normalization,
     NULL},
    {"Softmax", 1, CLCONST__NO_VALUES, false, infer_softmax, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
