#include "core/box.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"

/* Rows of whole bytes leave no bit of a byte to their neighbours. */
static clconst_status
set_rows(const clconst_plan *plan, clconst__box *box, clconst_error *error)
{
    size_t row_count = 1;
    for (size_t i = 0; i + 1 < plan->rank; i++) {
        row_count *= (size_t)plan->dims[i];
    }
    int64_t length = plan->rank > 0 ? plan->dims[plan->rank - 1] : 1;
    if ((uint64_t)length * clconst_dtype_bits(plan->dtype) % 8 != 0) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "row has %" PRId64
                             " elements of %s; rows of a region must be whole "
                             "bytes",
                             length,
                             clconst_dtype_name(plan->dtype));
    }
    box->row_size = plan->size / row_count;
    box->row_count = 1;
    box->extent = box->row_size;
    return CLCONST_OK;
}

/* Repeats what the box holds already count times. */
static clconst_status repeat(clconst__box *box,
                             size_t dim,
                             size_t count,
                             size_t stride,
                             clconst_error *error)
{
    if (stride < box->extent) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "stride %zu is %zu; it must be at least the %zu "
                             "bytes that it steps over",
                             dim,
                             stride,
                             box->extent);
    }
    size_t steps;
    if (!clconst__mul_size(stride, count - 1, &steps) ||
        !clconst__add_size(box->extent, steps, &box->extent)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "stride %zu is %zu; %zu steps must stay below "
                             "2^64 bytes",
                             dim,
                             stride,
                             count - 1);
    }
    if (box->rank == 0 && stride == box->row_size) {
        box->row_size *= count;
        return CLCONST_OK;
    }
    box->row_count *= count;
    size_t last = box->rank - 1;
    if (box->rank > 0 && stride == box->strides[last] * box->counts[last]) {
        box->counts[last] *= count;
        return CLCONST_OK;
    }
    if (box->rank == CLCONST__BOX_RANK_MAX) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "region has a gap within more than %d of its "
                             "dims; fewer must do",
                             CLCONST__BOX_RANK_MAX);
    }
    box->counts[box->rank] = count;
    box->strides[box->rank] = stride;
    box->rank++;
    return CLCONST_OK;
}

clconst_status clconst__box_create(const clconst_plan *plan,
                                   const size_t *strides,
                                   clconst__box *box,
                                   clconst_error *error)
{
    if (plan->kind != CLCONST_PLAN_FILL) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "plan is no fill; regions take fills only");
    }
    if (plan->rank > 1 && strides == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "strides is NULL; rank %zu needs strides",
                             plan->rank);
    }
    memset(box, 0, sizeof(*box));
    if (plan->size == 0) {
        return CLCONST_OK;
    }
    clconst_status status = set_rows(plan, box, error);
    for (size_t i = plan->rank; i-- > 1 && status == CLCONST_OK;) {
        if (plan->dims[i - 1] > 1) {
            status = repeat(
                box, i - 1, (size_t)plan->dims[i - 1], strides[i - 1], error);
        }
    }
    return status;
}

size_t clconst__box_row_offset(const clconst__box *box, size_t row)
{
    size_t offset = 0;
    for (size_t i = 0; row > 0; i++) {
        offset += row % box->counts[i] * box->strides[i];
        row /= box->counts[i];
    }
    return offset;
}
