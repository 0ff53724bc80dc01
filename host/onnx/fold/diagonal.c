/*
 * EyeLike and Trilu: matrices by what lies above and below a diagonal.
 */
#include <inttypes.h>

#include "onnx/fold/copy.h"
#include "onnx/fold/half.h"
#include "onnx/fold/operators.h"

static clconst_status infer_eye(clconst__folding *folding, clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    clconst_dtype dtype;
    clconst_status status =
        clconst__folding_dtype(folding, "dtype", input->dtype, &dtype, error);
    if (status == CLCONST_OK && input->dims != NULL && input->rank != 2) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "input has rank %zu; it must be 2",
                             input->rank);
    }
    return status == CLCONST_OK
               ? clconst__output_set_like(folding, 0, dtype, input, error)
               : status;
}

static clconst_status compute_eye(clconst__folding *folding,
                                  clconst_error *error)
{
    clconst__fact *output = folding->outputs[0];
    int64_t rows = output->dims[0].value;
    int64_t columns = output->dims[1].value;
    int64_t diagonal;
    uint8_t one[sizeof(clconst__number)];
    clconst__number_kind kind = clconst__number_kind_of(output->dtype);
    bool is_integer = kind == CLCONST__SIGNED || kind == CLCONST__UNSIGNED;
    clconst_status status =
        clconst__folding_int(folding, "k", 0, &diagonal, error);
    if (status != CLCONST_OK || output->count == 0) {
        return status;
    }
    if (is_integer ? !clconst__number_store(
                         output->dtype, clconst__number_of(kind, 1), one)
                   : !clconst__number_narrow(output->dtype, 1, one)) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "an identity of dtype %s",
                             clconst_dtype_name(output->dtype));
    }
    for (int64_t i = 0; i < rows; i++) {
        if (diagonal >= -i && diagonal < columns - i) {
            size_t index = (size_t)(i * columns + i + diagonal);
            memcpy(output->own_data + index * output->element_size,
                   one,
                   output->element_size);
        }
    }
    return CLCONST_OK;
}

static clconst_status infer_trilu(clconst__folding *folding,
                                  clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    if (input->dims != NULL && input->rank < 2) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "input has rank %zu; it must be 2 or more",
                             input->rank);
    }
    return clconst__output_set_like(folding, 0, input->dtype, input, error);
}

/* Input 1, which may be left out. */
static clconst_status read_diagonal(clconst__folding *folding,
                                    int64_t *diagonal,
                                    clconst_error *error)
{
    clconst__cell *cells;
    size_t count;
    clconst_status status =
        clconst__folding_cells(folding, 1, &cells, &count, error);
    *diagonal = 0;
    if (status != CLCONST_OK || cells == NULL) {
        return status;
    }
    if (count != 1) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "k has %zu elements; it must have one",
                             count);
    }
    *diagonal = cells[0].value;
    return cells[0].cause == CLCONST__KNOWN
               ? CLCONST_OK
               : clconst__cause_tell(
                     folding->causes, cells[0].cause, "k", error);
}

static clconst_status compute_trilu(clconst__folding *folding,
                                    clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    int64_t diagonal;
    int64_t upper;
    clconst_status status = read_diagonal(folding, &diagonal, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_int(folding, "upper", 1, &upper, error);
    }
    for (size_t i = 0; i < input->count && status == CLCONST_OK; i++) {
        size_t rows = (size_t)input->dims[input->rank - 2].value;
        size_t columns = (size_t)input->dims[input->rank - 1].value;
        int64_t row = (int64_t)(i / columns % rows);
        int64_t distance = (int64_t)(i % columns) - row;
        if (upper != 0 ? distance >= diagonal : distance <= diagonal) {
            status = clconst__element_move(folding, 0, i, input, i, error);
        }
    }
    return status;
}

const clconst__operator clconst__diagonal_operators[] = {
    {"EyeLike", 1, CLCONST__NO_VALUES, true, infer_eye, compute_eye},
    {"Trilu", 1, CLCONST__ALL_VALUES, true, infer_trilu, compute_trilu},
    {NULL, 0, 0, false, NULL, NULL},
};
