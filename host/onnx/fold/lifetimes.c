/*
 * Lifetimes: the opsets in which an operator has an attribute, of those that
 * decide what is told of it and that not every version since opset 7 has.
 */
#include <inttypes.h>

#include "onnx/fold/folding.h"

enum { FROM_THE_START = 0, TO_THE_NEWEST = INT32_MAX };

/* Of an operator whose axes are an input since an opset. */
#define REDUCTION(op_type, since)                                              \
    {op_type, "axes", FROM_THE_START, since},                                  \
    {                                                                          \
        op_type, "noop_with_empty_axes", since, TO_THE_NEWEST                  \
    }

/* The first opset with the attribute, and the first without it again. */
static const struct {
    const char *op_type;
    const char *attribute;
    int32_t since;
    int32_t until;
} lifetimes[] = {
    {"AveragePool", "ceil_mode", 10, TO_THE_NEWEST},
    {"AveragePool", "dilations", 19, TO_THE_NEWEST},
    {"Clip", "max", FROM_THE_START, 11},
    {"Clip", "min", FROM_THE_START, 11},
    {"DepthToSpace", "mode", 11, TO_THE_NEWEST},
    {"DequantizeLinear", "output_dtype", 23, TO_THE_NEWEST},
    {"GRU", "layout", 14, TO_THE_NEWEST},
    {"GatherND", "batch_dims", 12, TO_THE_NEWEST},
    {"LSTM", "layout", 14, TO_THE_NEWEST},
    {"LpPool", "ceil_mode", 18, TO_THE_NEWEST},
    {"LpPool", "dilations", 18, TO_THE_NEWEST},
    {"MaxPool", "ceil_mode", 10, TO_THE_NEWEST},
    {"MaxPool", "dilations", 10, TO_THE_NEWEST},
    {"Pad", "pads", FROM_THE_START, 11},
    {"Pad", "value", FROM_THE_START, 11},
    {"QuantizeLinear", "output_dtype", 21, TO_THE_NEWEST},
    {"RNN", "layout", 14, TO_THE_NEWEST},
    REDUCTION("ReduceL1", 18),
    REDUCTION("ReduceL2", 18),
    REDUCTION("ReduceLogSum", 18),
    REDUCTION("ReduceLogSumExp", 18),
    REDUCTION("ReduceMax", 18),
    REDUCTION("ReduceMean", 18),
    REDUCTION("ReduceMin", 18),
    REDUCTION("ReduceProd", 18),
    REDUCTION("ReduceSum", 13),
    REDUCTION("ReduceSumSquare", 18),
    {"Reshape", "allowzero", 14, TO_THE_NEWEST},
    {"Resize", "axes", 18, TO_THE_NEWEST},
    {"Resize", "keep_aspect_ratio_policy", 18, TO_THE_NEWEST},
    {"ScatterElements", "reduction", 16, TO_THE_NEWEST},
    {"ScatterND", "reduction", 16, TO_THE_NEWEST},
    {"Shape", "end", 15, TO_THE_NEWEST},
    {"Shape", "start", 15, TO_THE_NEWEST},
    {"Slice", "axes", FROM_THE_START, 10},
    {"Slice", "ends", FROM_THE_START, 10},
    {"Slice", "starts", FROM_THE_START, 10},
    {"SpaceToDepth", "mode", 28, TO_THE_NEWEST},
    {"Split", "num_outputs", 18, TO_THE_NEWEST},
    {"Split", "split", FROM_THE_START, 13},
    {"Squeeze", "axes", FROM_THE_START, 13},
    {"TopK", "k", FROM_THE_START, 10},
    {"Unsqueeze", "axes", FROM_THE_START, 13},
    {"Upsample", "scales", FROM_THE_START, 9},
};

clconst_status clconst__folding_check_lifetimes(const clconst__folding *folding,
                                                clconst__span op_type,
                                                clconst_error *error)
{
    size_t count = sizeof(lifetimes) / sizeof(lifetimes[0]);
    for (size_t i = 0; i < count && folding->attribute_count > 0; i++) {
        bool is_alive = folding->opset >= lifetimes[i].since &&
                        folding->opset < lifetimes[i].until;
        if (!is_alive &&
            clconst__span_equals(op_type,
                                 clconst__span_of(lifetimes[i].op_type)) &&
            clconst__folding_has(folding, lifetimes[i].attribute)) {
            bool is_early = folding->opset < lifetimes[i].since;
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "%s is an attribute %s opset %" PRId32
                                 "; the node has opset %" PRId64,
                                 lifetimes[i].attribute,
                                 is_early ? "since" : "until",
                                 is_early ? lifetimes[i].since
                                          : lifetimes[i].until - 1,
                                 folding->opset);
        }
    }
    return CLCONST_OK;
}
