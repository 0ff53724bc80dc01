#include "onnx/fold/broadcast.h"

#include <inttypes.h>

static bool is_one(clconst__cell dim)
{
    return dim.cause == CLCONST__KNOWN && dim.value == 1;
}

/* Stretches *merged by dim. axis counts from the end, for the message. */
static clconst_status stretch(clconst__folding *folding,
                              clconst__cell dim,
                              size_t axis,
                              clconst__cell *merged,
                              clconst_error *error)
{
    bool is_same = dim.cause == merged->cause &&
                   (dim.cause != CLCONST__KNOWN || dim.value == merged->value);
    if (is_same || is_one(dim)) {
        return CLCONST_OK;
    }
    if (is_one(*merged)) {
        *merged = dim;
        return CLCONST_OK;
    }
    if (dim.cause == CLCONST__KNOWN && merged->cause == CLCONST__KNOWN) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "dim %zu from the end is %" PRId64 " and %" PRId64
                             "; dims must be equal or 1 to be broadcast",
                             axis,
                             merged->value,
                             dim.value);
    }
    /* One that is known is not 1, so that the other can only be 1 or it. */
    if (dim.cause == CLCONST__KNOWN) {
        *merged = dim;
        return CLCONST_OK;
    }
    if (merged->cause == CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    return clconst__cell_derive(folding, &dim, 1, merged, error);
}

clconst_status clconst__dims_broadcast(clconst__folding *folding,
                                       const clconst__cell *dims,
                                       size_t rank,
                                       clconst__cell *merged,
                                       size_t merged_rank,
                                       clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        status = stretch(folding,
                         dims[rank - 1 - i],
                         i,
                         &merged[merged_rank - 1 - i],
                         error);
    }
    return status;
}

/* Whether the ranks of all are known, and the highest. */
static bool
find_rank(const clconst__fact *const *facts, size_t count, size_t *rank)
{
    *rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (facts[i] != NULL && facts[i]->dims == NULL) {
            return false;
        }
        if (facts[i] != NULL && facts[i]->rank > *rank) {
            *rank = facts[i]->rank;
        }
    }
    return true;
}

clconst_status clconst__output_set_broadcast(clconst__folding *folding,
                                             size_t output,
                                             clconst_dtype dtype,
                                             const clconst__fact *const *facts,
                                             size_t count,
                                             clconst_error *error)
{
    size_t rank;
    if (!find_rank(facts, count, &rank)) {
        clconst__output_set_dtype(folding, output, dtype);
        return CLCONST_OK;
    }
    clconst__cell *dims;
    clconst_status status =
        clconst__output_set_rank(folding, output, dtype, rank, &dims, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        dims[i] = (clconst__cell){1, CLCONST__KNOWN};
    }
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        if (facts[i] != NULL) {
            status = clconst__dims_broadcast(
                folding, facts[i]->dims, facts[i]->rank, dims, rank, error);
        }
    }
    return status;
}

clconst_status clconst__inputs_share_dtype(const clconst__folding *folding,
                                           size_t count,
                                           uint32_t dtypes,
                                           clconst_dtype *dtype,
                                           clconst_error *error)
{
    *dtype = CLCONST_UNDEFINED;
    for (size_t i = 0; i < count; i++) {
        const clconst__fact *input = clconst__folding_input(folding, i);
        if (input == NULL) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "input %zu is left out; it must not",
                                 i);
        }
        clconst_dtype own = input->dtype;
        if (own == CLCONST_UNDEFINED) {
            continue;
        }
        if ((dtypes >> own & 1U) == 0) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "input %zu has dtype %s; the operator takes "
                                 "others",
                                 i,
                                 clconst_dtype_name(own));
        }
        if (*dtype != CLCONST_UNDEFINED && *dtype != own) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "input %zu has dtype %s; it must be %s as of "
                                 "the others",
                                 i,
                                 clconst_dtype_name(own),
                                 clconst_dtype_name(*dtype));
        }
        *dtype = own;
    }
    return CLCONST_OK;
}
