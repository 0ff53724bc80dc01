/*
 * NonZero: where the elements are that are not zero. Their number is a dim, so
 * that dims too need the value.
 */
#include "onnx/fold/operators.h"

/* Of dtypes whose zero has two signs: how many parts an element has. */
static size_t count_parts(clconst_dtype dtype)
{
    switch ((int)dtype) {
    case CLCONST_FLOAT:
    case CLCONST_DOUBLE:
    case CLCONST_FLOAT16:
    case CLCONST_BFLOAT16:
        return 1;
    case CLCONST_COMPLEX64:
    case CLCONST_COMPLEX128:
        return 2;
    default:
        return 0;
    }
}

static bool is_zero(const clconst__fact *fact, size_t element, size_t parts)
{
    const uint8_t *bytes = fact->data + element * fact->element_size;
    size_t part_size = parts > 0 ? fact->element_size / parts : SIZE_MAX;
    for (size_t i = 0; i < fact->element_size; i++) {
        unsigned mask = i % part_size == part_size - 1 ? 0x7fU : 0xffU;
        if ((bytes[i] & mask) != 0) {
            return false;
        }
    }
    return true;
}

static clconst_status infer(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__cell *dims;
    clconst_status status =
        clconst__output_set_rank(folding, 0, CLCONST_INT64, 2, &dims, error);
    if (status != CLCONST_OK || input->dims == NULL) {
        return status;
    }
    dims[0] = (clconst__cell){(int64_t)input->rank, CLCONST__KNOWN};
    uint64_t count;
    if (clconst__fact_count(input, &count) && count == 0) {
        dims[1] = (clconst__cell){0, CLCONST__KNOWN};
        return CLCONST_OK;
    }
    if (!clconst__fact_is_known(input)) {
        return CLCONST_OK;
    }
    status = clconst__folding_work(folding, input->count, error);
    size_t parts = count_parts(input->dtype);
    int64_t found = 0;
    for (size_t i = 0; i < input->count && status == CLCONST_OK; i++) {
        found += is_zero(input, i, parts) ? 0 : 1;
    }
    if (status == CLCONST_OK) {
        dims[1] = (clconst__cell){found, CLCONST__KNOWN};
    }
    return status;
}

static clconst_status compute(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst__fact *output = folding->outputs[0];
    size_t width = (size_t)output->dims[1].value;
    size_t parts = count_parts(input->dtype);
    size_t found = 0;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < input->count && width > 0; i++) {
        if (is_zero(input, i, parts)) {
            continue;
        }
        size_t rest = i;
        for (size_t axis = input->rank; axis-- > 0 && status == CLCONST_OK;) {
            size_t length = (size_t)input->dims[axis].value;
            clconst__cell index = {(int64_t)(rest % length), CLCONST__KNOWN};
            status = clconst__fact_set_cell(
                output, axis * width + found, index, error);
            rest /= length;
        }
        found++;
    }
    return status;
}

const clconst__operator clconst__non_zero_operators[] = {
    {"NonZero", 1, CLCONST__ALL_VALUES, false, infer, compute},
    {NULL, 0, 0, false, NULL, NULL},
};
