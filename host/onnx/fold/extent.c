#include "onnx/fold/extent.h"

#include <inttypes.h>

#include "core/shape.h"

static bool is_known(clconst__cell cell, int64_t value)
{
    return cell.cause == CLCONST__KNOWN && cell.value == value;
}

static clconst_status overflow(clconst_error *error)
{
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "a dim of the result overflows; int64 must hold it");
}

clconst_status clconst__cell_multiply(clconst__folding *folding,
                                      clconst__cell a,
                                      clconst__cell b,
                                      clconst__cell *product,
                                      clconst_error *error)
{
    if (is_known(a, 1) || is_known(b, 0)) {
        *product = b;
        return CLCONST_OK;
    }
    if (is_known(b, 1) || is_known(a, 0)) {
        *product = a;
        return CLCONST_OK;
    }
    const clconst__cell from[] = {a, b};
    clconst_status status =
        clconst__cell_derive(folding, from, 2, product, error);
    if (status == CLCONST_OK && product->cause == CLCONST__KNOWN &&
        __builtin_mul_overflow(a.value, b.value, &product->value)) {
        return overflow(error);
    }
    return status;
}

clconst_status clconst__cell_scale(clconst__folding *folding,
                                   clconst__cell dim,
                                   int64_t factor,
                                   clconst__cell *product,
                                   clconst_error *error)
{
    return clconst__cell_multiply(
        folding, dim, (clconst__cell){factor, CLCONST__KNOWN}, product, error);
}

clconst_status clconst__cell_add(clconst__folding *folding,
                                 clconst__cell a,
                                 clconst__cell b,
                                 clconst__cell *sum,
                                 clconst_error *error)
{
    if (is_known(a, 0) || is_known(b, 0)) {
        *sum = is_known(a, 0) ? b : a;
        return CLCONST_OK;
    }
    const clconst__cell from[] = {a, b};
    clconst_status status = clconst__cell_derive(folding, from, 2, sum, error);
    if (status == CLCONST_OK && sum->cause == CLCONST__KNOWN &&
        __builtin_add_overflow(a.value, b.value, &sum->value)) {
        return overflow(error);
    }
    return status;
}

clconst_status clconst__cell_divide(clconst__folding *folding,
                                    clconst__cell dim,
                                    int64_t divisor,
                                    clconst__cell *quotient,
                                    clconst_error *error)
{
    if (dim.cause != CLCONST__KNOWN && divisor != 1) {
        return clconst__cell_derive(folding, &dim, 1, quotient, error);
    }
    *quotient = dim;
    quotient->value /= divisor;
    return CLCONST_OK;
}

clconst_status clconst__cell_match(clconst__cell *dim,
                                   clconst__cell other,
                                   const char *name,
                                   const char *other_name,
                                   clconst_error *error)
{
    if (other.cause != CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    if (dim->cause == CLCONST__KNOWN && dim->value != other.value) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s is %" PRId64 " and %s is %" PRId64
                             "; they must be equal",
                             name,
                             dim->value,
                             other_name,
                             other.value);
    }
    *dim = other;
    return CLCONST_OK;
}

clconst_status
clconst__cell_check_dim(clconst__cell dim, size_t axis, clconst_error *error)
{
    if (dim.cause != CLCONST__KNOWN || dim.value >= 0) {
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "dim %zu is %" PRId64 "; dims must be >= 0",
                         axis,
                         dim.value);
}

clconst_status clconst__rank_check(const clconst__fact *fact,
                                   const char *name,
                                   size_t rank,
                                   clconst_error *error)
{
    if (fact->dims == NULL || fact->rank == rank) {
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "%s has rank %zu; it must be %zu",
                         name,
                         fact->rank,
                         rank);
}

clconst_status clconst__rank_limit(size_t rank, clconst_error *error)
{
    if (rank <= CLCONST__RANK_MAX) {
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "the result has rank %zu; it must be at most %d",
                         rank,
                         CLCONST__RANK_MAX);
}
