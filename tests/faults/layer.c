/*
 * The layer itself: its state, and what the loader asks of a layer (the
 * "Layers" section of the cl_loader_layers specification).
 */
#include "faults/layer_wrap.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl_layer.h>

layer_state layer;
const cl_icd_dispatch *layer_target;

#define EXPORTED __attribute__((visibility("default")))

EXPORTED layer_state *LAYER_STATE_FUNCTION(void);

layer_state *LAYER_STATE_FUNCTION(void)
{
    return &layer;
}

cl_int layer_begin(layer_entry entry)
{
    atomic_fetch_add(&layer.call_counts[entry], 1);
    for (size_t i = 0; i < layer.fault_count; i++) {
        const layer_fault *fault = &layer.faults[i];
        if (fault->entry != entry) {
            continue;
        }
        size_t number = atomic_fetch_add(&layer.fault_calls[i], 1) + 1;
        if (number == fault->first ||
            (fault->is_forever && number > fault->first)) {
            atomic_fetch_add(&layer.struck_count, 1);
            return fault->code;
        }
    }
    return layer.is_memory_lazy && entry == LAYER_clEnqueueNDRangeKernel &&
                   atomic_load(&layer.memory_used) > layer.memory_size
               ? CL_MEM_OBJECT_ALLOCATION_FAILURE
               : CL_SUCCESS;
}

void layer_count_live(layer_kind kind, long change)
{
    atomic_fetch_add(&layer.live_counts[kind], change);
}

cl_int layer_count_event(cl_int code, const cl_event *event)
{
    if (code == CL_SUCCESS && event != NULL) {
        layer_count_live(LAYER_KIND_EVENT, 1);
    }
    return code;
}

const layer_lie *layer_find_lie(cl_uint key)
{
    for (size_t i = 0; i < layer.lie_count; i++) {
        if (layer.lies[i].key == key) {
            return &layer.lies[i];
        }
    }
    return NULL;
}

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

EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info key,
                                           size_t size,
                                           void *value,
                                           size_t *actual)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char name[] = "clconst faults";
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

/* What nobody in this process steers. */
static void read_environment(void)
{
    static cl_ulong max_allocation;
    static const layer_lie lie = {
        CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(max_allocation), &max_allocation};
    const char *text = getenv("CLCONST_LAYER_MAX_ALLOCATION");
    if (text != NULL) {
        max_allocation = strtoull(text, NULL, 10);
        layer.lies = &lie;
        layer.lie_count = 1;
    }
    layer.zeroes_fills = getenv("CLCONST_LAYER_ZEROES") != NULL;
}

EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint count,
                                        const cl_icd_dispatch *drivers,
                                        cl_uint *own_count,
                                        const cl_icd_dispatch **own_dispatch)
{
    /* The loader's table must reach as far as this layer's. */
    if (count < sizeof(own) / sizeof(own.clGetPlatformIDs)) {
        return CL_INVALID_VALUE;
    }
    read_environment();
    layer_target = drivers;
    own = *drivers;
    layer_install_calls(&own);
    layer_install_later_calls(&own);
    *own_count = sizeof(own) / sizeof(own.clGetPlatformIDs);
    *own_dispatch = &own;
    return CL_SUCCESS;
}
