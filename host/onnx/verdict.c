#include "onnx/verdict.h"

#include <string.h>

#include "base/alloc.h"
#include "onnx/content.h"
#include "onnx/context.h"
#include "onnx/span.h"

clconst_status clconst__verdict_set_dims(clconst__verdict *verdict,
                                         const int64_t *dims,
                                         size_t rank,
                                         clconst_error *error)
{
    clconst_status status =
        clconst__alloc(rank, sizeof(*verdict->dims), &verdict->dims, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < rank; i++) {
        verdict->dims[i].value = dims != NULL ? dims[i] : -1;
    }
    verdict->has_rank = true;
    verdict->rank = rank;
    return CLCONST_OK;
}

clconst_status clconst__verdict_set_cells(clconst__verdict *verdict,
                                          const clconst__causes *causes,
                                          const clconst__cell *cells,
                                          size_t rank,
                                          clconst_error *error)
{
    clconst_status status =
        clconst__verdict_set_dims(verdict, NULL, rank, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        clconst__cause cause = cells[i].cause;
        if (cause == CLCONST__KNOWN) {
            verdict->dims[i].value = cells[i].value;
        } else {
            verdict->dims[i].symbol =
                clconst__span_string(causes->items[cause].symbol);
        }
    }
    return status;
}

void clconst__verdict_skip(clconst__verdict *verdict)
{
    clconst_plan_destroy(verdict->plan);
    verdict->plan = NULL;
    verdict->state = CLCONST_NOT_TAKEN;
    verdict->status = CLCONST_UNSUPPORTED;
    verdict->native_code = 0;
    verdict->reason = "branch not taken";
}

void clconst__verdict_borrow(clconst__verdict *verdict,
                             clconst_status status,
                             int32_t native_code,
                             const char *reason)
{
    verdict->status = status;
    verdict->native_code = native_code;
    verdict->state =
        status == CLCONST_UNSUPPORTED ? CLCONST_UNRESOLVED : CLCONST_INVALID;
    verdict->reason = reason;
}

clconst_status clconst__verdict_refuse(clconst__verdict *verdict,
                                       const clconst_error *reason,
                                       clconst_error *error)
{
    clconst_status status = (clconst_status)reason->status;
    if (!clconst__is_verdict(status)) {
        return clconst__fail_as(error, reason);
    }
    size_t size = strlen(reason->message) + 1;
    clconst_status made = clconst__alloc(1, size, &verdict->own_reason, error);
    if (made == CLCONST_OK) {
        memcpy(verdict->own_reason, reason->message, size);
        clconst__verdict_borrow(
            verdict, status, reason->native_code, verdict->own_reason);
    }
    return made;
}

clconst_status clconst__verdict_plan(clconst__verdict *verdict,
                                     const clconst_op *op,
                                     const clconst_shape *shape,
                                     clconst_error *error)
{
    clconst_error reason;
    clconst_status status = clconst__blame_model(
        clconst_plan_create(op, shape, &verdict->plan, &reason), &reason);
    if (status != CLCONST_OK) {
        return clconst__verdict_refuse(verdict, &reason, error);
    }
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(verdict->plan, &output);
    verdict->state = CLCONST_RESOLVED;
    return clconst__verdict_set_dims(
        verdict, output.shape.dims, output.shape.rank, error);
}

void clconst__verdict_clear(clconst__verdict *verdict)
{
    clconst_plan_destroy(verdict->plan);
    clconst__free(verdict->own_reason);
    clconst__free(verdict->dims);
    memset(verdict, 0, sizeof(*verdict));
}
