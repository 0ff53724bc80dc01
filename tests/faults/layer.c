/* The layer itself: its state. */
#include "faults/layer_wrap.h"

#include <stdlib.h>

layer_state layer;

LAYER_EXPORTED layer_state *LAYER_STATE_FUNCTION(void);

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

cl_int layer_count_command(cl_int code, cl_uint num_wait, const cl_event *event)
{
    if (code == CL_SUCCESS && event != NULL) {
        layer_count_live(LAYER_KIND_EVENT, 1);
    }
    if (code == CL_SUCCESS && num_wait == 0) {
        atomic_fetch_add(&layer.free_count, 1);
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

void layer_install(cl_icd_dispatch *table)
{
    read_environment();
    layer_install_calls(table);
    layer_install_later_calls(table);
}
