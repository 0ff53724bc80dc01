/*
 * What the loader asks of a layer (the "Layers" section of the
 * cl_loader_layers specification).
 */
#include "faults/layer_loader.h"

#include <string.h>

#include <CL/cl_layer.h>

const cl_icd_dispatch *layer_target;

cl_int
layer_answer(const layer_lie *lie, size_t size, void *value, size_t *actual)
{
    if (value != NULL && size < lie->size) {
        return CL_INVALID_VALUE;
    }
    if (value != NULL) {
        memcpy(value, lie->value, lie->size);
    }
    if (actual != NULL) {
        *actual = lie->size;
    }
    return CL_SUCCESS;
}

static cl_icd_dispatch own;

LAYER_EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info key,
                                                 size_t size,
                                                 void *value,
                                                 size_t *actual)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char name[] = "clconst tests";
    const layer_lie answers[] = {
        {CL_LAYER_API_VERSION, sizeof(version), &version},
        {CL_LAYER_NAME, sizeof(name), name},
    };
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        if (answers[i].key == key) {
            return layer_answer(&answers[i], size, value, actual);
        }
    }
    return CL_INVALID_VALUE;
}

LAYER_EXPORTED cl_int CL_API_CALL
clInitLayer(cl_uint count,
            const cl_icd_dispatch *drivers,
            cl_uint *own_count,
            const cl_icd_dispatch **own_dispatch)
{
    /* The loader's table must reach as far as this layer's. */
    if (count < sizeof(own) / sizeof(own.clGetPlatformIDs)) {
        return CL_INVALID_VALUE;
    }
    layer_target = drivers;
    own = *drivers;
    layer_install(&own);
    *own_count = sizeof(own) / sizeof(own.clGetPlatformIDs);
    *own_dispatch = &own;
    return CL_SUCCESS;
}
