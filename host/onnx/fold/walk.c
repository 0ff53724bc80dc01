#include "onnx/fold/walk.h"

clconst_status clconst__walk_create(clconst__folding *folding,
                                    const clconst__cell *dims,
                                    size_t rank,
                                    clconst__walk *walk,
                                    clconst_error *error)
{
    *walk = (clconst__walk){.rank = rank};
    size_t **const arrays[] = {&walk->axes, &walk->lengths, &walk->index};
    clconst_status status = CLCONST_OK;
    for (int i = 0; i < 3 && status == CLCONST_OK; i++) {
        status = clconst__folding_scratch(
            folding, rank, sizeof(**arrays[i]), arrays[i], error);
    }
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        if (dims[i].value != 1) {
            walk->axes[walk->axis_count] = i;
            walk->lengths[walk->axis_count++] = (size_t)dims[i].value;
        }
    }
    return status;
}

clconst_status clconst__walk_add(clconst__folding *folding,
                                 clconst__walk *walk,
                                 const size_t *strides,
                                 clconst_error *error)
{
    size_t *own;
    clconst_status status = clconst__folding_scratch(
        folding, walk->axis_count, sizeof(*own), &own, error);
    for (size_t i = 0; i < walk->axis_count && status == CLCONST_OK; i++) {
        own[i] = strides[walk->axes[i]];
    }
    walk->strides[walk->tensor_count++] = own;
    return status;
}

clconst_status clconst__walk_add_broadcast(clconst__folding *folding,
                                           clconst__walk *walk,
                                           const clconst__fact *fact,
                                           clconst_error *error)
{
    size_t *strides;
    clconst_status status = clconst__folding_scratch(
        folding, walk->rank, sizeof(*strides), &strides, error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t stride = 1;
    for (size_t i = 0; i < fact->rank; i++) {
        size_t dim = (size_t)fact->dims[fact->rank - 1 - i].value;
        strides[walk->rank - 1 - i] = dim == 1 ? 0 : stride;
        stride *= dim;
    }
    return clconst__walk_add(folding, walk, strides, error);
}

void clconst__walk_step(clconst__walk *walk)
{
    for (size_t axis = walk->axis_count; axis-- > 0;) {
        walk->index[axis]++;
        bool is_carried = walk->index[axis] == walk->lengths[axis];
        for (size_t i = 0; i < walk->tensor_count; i++) {
            size_t stride = walk->strides[i][axis];
            walk->positions[i] +=
                is_carried ? -stride * (walk->lengths[axis] - 1) : stride;
        }
        if (!is_carried) {
            return;
        }
        walk->index[axis] = 0;
    }
}
