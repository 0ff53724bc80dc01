/*
 * Resize and Upsample, of which only dims are told.
 */
#include <inttypes.h>
#include <math.h>

#include "onnx/fold/extent.h"
#include "onnx/fold/number.h"
#include "onnx/fold/operators.h"

/*
 * A node's request: axes, which are scratch, and for each a scale or a size.
 * What is NULL is not given, or unknown.
 */
typedef struct request {
    size_t *axes;
    size_t count;
    float *scales;
    clconst__cell *sizes;
    bool is_exact; /* the sizes are not changed for the aspect ratio */
    bool is_larger;
} request;

static clconst_status
read_axes(clconst__folding *folding, request *read, clconst_error *error)
{
    size_t rank = folding->inputs[0]->rank;
    int64_t *given = NULL;
    size_t count = 0;
    clconst_status status = CLCONST_OK;
    if (folding->opset >= 18) {
        status = clconst__folding_ints(folding, "axes", &given, &count, error);
    }
    read->count = given != NULL ? count : rank;
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, read->count, sizeof(*read->axes), &read->axes, error);
    }
    for (size_t i = 0; i < read->count && status == CLCONST_OK; i++) {
        read->axes[i] = i;
        if (given != NULL) {
            status =
                clconst__axis_normalize(given[i], rank, &read->axes[i], error);
        }
    }
    return status;
}

/* The policy counts for sizes alone. */
static clconst_status read_policy(const clconst__folding *folding,
                                  request *read,
                                  clconst_error *error)
{
    clconst__span policy;
    clconst_status status = clconst__folding_string(
        folding, "keep_aspect_ratio_policy", "stretch", &policy, error);
    read->is_exact = clconst__span_equals(policy, clconst__span_of("stretch"));
    read->is_larger =
        clconst__span_equals(policy, clconst__span_of("not_smaller"));
    if (status == CLCONST_OK && !read->is_exact && !read->is_larger &&
        !clconst__span_equals(policy, clconst__span_of("not_larger"))) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "keep_aspect_ratio_policy is none of stretch, "
                             "not_larger and not_smaller");
    }
    return status;
}

static clconst_status
check_count(const char *name, size_t count, size_t wanted, clconst_error *error)
{
    if (count == wanted) {
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "%s has %zu elements; it must have %zu",
                         name,
                         count,
                         wanted);
}

static clconst_status
check_scales(const float *scales, size_t count, clconst_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!(scales[i] > 0) || isinf(scales[i])) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "scale %zu is %g; it must be finite and "
                                 "above 0",
                                 i,
                                 (double)scales[i]);
        }
    }
    return CLCONST_OK;
}

/* An input of floats that are all known. */
static clconst_status read_scales(clconst__folding *folding,
                                  const clconst__fact *fact,
                                  request *read,
                                  clconst_error *error)
{
    if (!clconst__fact_is_known(fact)) {
        return CLCONST_OK;
    }
    if (fact->dtype != CLCONST_FLOAT) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "scales have dtype %s; it must be float",
                             clconst_dtype_name(fact->dtype));
    }
    clconst_status status =
        check_count("scales", fact->count, read->count, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, fact->count, sizeof(*read->scales), &read->scales, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (fact->count > 0) {
        memcpy(read->scales, fact->data, fact->count * sizeof(float));
    }
    return check_scales(read->scales, fact->count, error);
}

/* Whether a list is given: an empty one stands for none. */
typedef enum presence { MISSING, UNCERTAIN, GIVEN } presence;

static presence find_presence(const clconst__fact *fact)
{
    uint64_t count = 0;
    if (fact != NULL && !clconst__fact_count(fact, &count)) {
        return UNCERTAIN;
    }
    return count == 0 ? MISSING : GIVEN;
}

static clconst_status
read_sizes(clconst__folding *folding, request *read, clconst_error *error)
{
    size_t count;
    clconst_status status =
        clconst__folding_cells(folding, 3, &read->sizes, &count, error);
    if (status == CLCONST_OK && read->sizes != NULL) {
        status = check_count("sizes", count, read->count, error);
    }
    for (size_t i = 0; status == CLCONST_OK && read->sizes != NULL && i < count;
         i++) {
        status = clconst__cell_check_dim(read->sizes[i], i, error);
    }
    return status == CLCONST_OK ? read_policy(folding, read, error) : status;
}

/* One of scales and sizes is given, and so the one that may be is where the
 * other is missing. A scalar has neither. */
static clconst_status
read_request(clconst__folding *folding, request *read, clconst_error *error)
{
    *read = (request){.is_exact = true};
    size_t first = folding->opset < 11 ? 1 : 2;
    const clconst__fact *input = clconst__folding_input(folding, first);
    presence scales = find_presence(input);
    presence sizes = find_presence(clconst__folding_input(folding, 3));
    clconst_status status = read_axes(folding, read, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (scales != sizes) {
        return scales > sizes ? read_scales(folding, input, read, error)
                              : read_sizes(folding, read, error);
    }
    bool is_scalar = folding->inputs[0]->rank == 0;
    if (scales == GIVEN || (scales == MISSING && !is_scalar)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "scales and sizes are both %s; one of them must "
                             "be given",
                             scales == GIVEN ? "given" : "missing");
    }
    return CLCONST_OK;
}

/* The dim times the scale, rounded as ONNX's own inference does it. */
static clconst_status scale_dim(clconst__folding *folding,
                                clconst__cell dim,
                                float scale,
                                float (*round)(float),
                                clconst__cell *scaled,
                                clconst_error *error)
{
    if (dim.cause != CLCONST__KNOWN) {
        *scaled = dim;
        return scale == 1
                   ? CLCONST_OK
                   : clconst__cell_derive(folding, &dim, 1, scaled, error);
    }
    float product = round((float)dim.value * scale);
    if (!(product < -(float)INT64_MIN)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "dim %" PRId64 " times %g overflows; int64 must "
                             "hold it",
                             dim.value,
                             (double)scale);
    }
    *scaled = (clconst__cell){(int64_t)product, CLCONST__KNOWN};
    return CLCONST_OK;
}

/* The one scale that keeps the aspect ratio; false when a dim is unknown. */
static bool
find_scale(const clconst__folding *folding, const request *read, float *scale)
{
    for (size_t i = 0; i < read->count; i++) {
        clconst__cell dim = folding->inputs[0]->dims[read->axes[i]];
        clconst__cell size = read->sizes[i];
        if (dim.cause != CLCONST__KNOWN || size.cause != CLCONST__KNOWN ||
            dim.value == 0) {
            return false;
        }
        float own = (float)size.value / (float)dim.value;
        if (i == 0 || (read->is_larger ? own > *scale : own < *scale)) {
            *scale = own;
        }
    }
    return read->count > 0;
}

/* What the dims of the axes become; those of others stay. */
static clconst_status resize(clconst__folding *folding,
                             const request *read,
                             clconst__cell *dims,
                             clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    float scale = 1;
    bool has_scale = read->sizes != NULL && !read->is_exact &&
                     find_scale(folding, read, &scale);
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < read->count && status == CLCONST_OK; i++) {
        size_t axis = read->axes[i];
        clconst__cell dim = input->dims[axis];
        if (read->scales != NULL) {
            status = scale_dim(
                folding, dim, read->scales[i], floorf, &dims[axis], error);
        } else if (read->sizes != NULL && read->is_exact) {
            dims[axis] = read->sizes[i];
        } else if (has_scale) {
            status = scale_dim(folding, dim, scale, roundf, &dims[axis], error);
        } else {
            dims[axis] = (clconst__cell){0, CLCONST__UNTOLD};
        }
    }
    return status;
}

static clconst_status infer(clconst__folding *folding,
                            clconst_status (*read_node)(clconst__folding *,
                                                        request *,
                                                        clconst_error *),
                            clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    request read;
    clconst_status status =
        clconst__output_set_like(folding, 0, input->dtype, input, error);
    if (status != CLCONST_OK || input->dims == NULL) {
        return status;
    }
    status = read_node(folding, &read, error);
    if (status == CLCONST_OK) {
        status = resize(folding, &read, folding->outputs[0]->dims, error);
    }
    return status;
}

static clconst_status infer_resize(clconst__folding *folding,
                                   clconst_error *error)
{
    return infer(folding, read_request, error);
}

/* Scales are an attribute before opset 9. */
static clconst_status
read_upsample(clconst__folding *folding, request *read, clconst_error *error)
{
    *read = (request){.is_exact = true};
    size_t count;
    clconst_status status = read_axes(folding, read, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (folding->opset >= 9) {
        const clconst__fact *scales = clconst__folding_input(folding, 1);
        return scales != NULL ? read_scales(folding, scales, read, error)
                              : CLCONST_OK;
    }
    status = clconst__folding_floats(
        folding, "scales", &read->scales, &count, error);
    if (status == CLCONST_OK) {
        status = check_count("scales", count, read->count, error);
    }
    return status == CLCONST_OK ? check_scales(read->scales, count, error)
                                : status;
}

static clconst_status infer_upsample(clconst__folding *folding,
                                     clconst_error *error)
{
    return infer(folding, read_upsample, error);
}

const clconst__operator clconst__resize_operators[] = {
    {"Resize", 1, CLCONST__NO_VALUES, false, infer_resize, NULL},
    {"Upsample", 1, CLCONST__NO_VALUES, false, infer_upsample, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
