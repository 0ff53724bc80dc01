#include "onnx/content.h"

#include "base/alloc.h"
#include "core/shape.h"

static clconst_status
append_dim(void *context, uint64_t entry, clconst_error *error)
{
    clconst__dims *dims = context;
    if (dims->count < CLCONST__RANK_MAX) {
        clconst_status status = clconst__grow(&dims->items,
                                              &dims->capacity,
                                              dims->count + 1,
                                              sizeof(*dims->items),
                                              error);
        if (status != CLCONST_OK) {
            return status;
        }
        dims->items[dims->count] = (int64_t)entry;
    }
    dims->count++;
    return CLCONST_OK;
}

clconst_status clconst__take_dims(const clconst__occurrence *occurrence,
                                  void *target,
                                  clconst_error *error)
{
    return clconst__visit_varints(occurrence, append_dim, target, error);
}

bool clconst__is_verdict(clconst_status status)
{
    return status == CLCONST_UNSUPPORTED || status == CLCONST_INVALID_MODEL ||
           status == CLCONST_TOO_LARGE || status == CLCONST_IO_ERROR;
}

void clconst__content_clear(clconst__content *content)
{
    clconst_op_destroy(content->op);
    clconst__free(content->dims.items);
    memset(content, 0, sizeof(*content));
}
