#include "onnx/fold/extent.h"

#include <inttypes.h>

#include "core/shape.h"

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
