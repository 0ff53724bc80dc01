#include "faults/steer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/harness.h"

#define STRING_OF(x) #x
#define NAME_OF(x)   STRING_OF(x)

layer_state *layer;

static const char *const entry_names[] = {
#define LAYER_X(name) [LAYER_##name] = #name,
    LAYER_ENTRY_MAP(LAYER_X) LAYER_LATER_ENTRY_MAP(LAYER_X)
#undef LAYER_X
};

static const char *const kind_names[] = {
#define LAYER_X(name, text) text,
    LAYER_KIND_MAP(LAYER_X)
#undef LAYER_X
};

_Noreturn static void refuse(const char *reason)
{
    printf("FAIL: %s\n", reason);
    exit(EXIT_FAILURE);
}

void steer_require(void)
{
    const char *path = getenv("OPENCL_LAYERS");
    if (path == NULL) {
        refuse("OPENCL_LAYERS names no layer");
    }
    cl_uint count;
    (void)clGetPlatformIDs(0, NULL, &count);
    /* The loader has loaded it, or nobody has. */
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    void *address =
        library != NULL ? dlsym(library, NAME_OF(LAYER_STATE_FUNCTION)) : NULL;
    if (address == NULL) {
        refuse("the ICD loader has not loaded the layer of OPENCL_LAYERS");
    }
    layer_state_function get_state;
    memcpy(&get_state, &address, sizeof(get_state));
    layer = get_state();
    if (steer_count(LAYER_clGetPlatformIDs) == 0) {
        refuse("the ICD loader does not call its layers");
    }
}

const char *steer_entry_name(layer_entry entry)
{
    return entry_names[entry];
}

void steer_fail(layer_entry entry, size_t first, bool is_forever, cl_int code)
{
    size_t index = layer->fault_count;
    ck_assert_uint_lt(index, LAYER_FAULT_MAX);
    layer->faults[index] = (layer_fault){entry, first, is_forever, code};
    atomic_store(&layer->fault_calls[index], 0);
    layer->fault_count++;
}

size_t steer_stop(void)
{
    layer->fault_count = 0;
    return atomic_exchange(&layer->struck_count, 0);
}

void steer_lie(const layer_lie *lies, size_t count)
{
    layer->lies = lies;
    layer->lie_count = count;
}

void steer_limit_memory(size_t size, bool is_lazy)
{
    layer->memory_size = size;
    layer->is_memory_lazy = is_lazy;
}

void steer_await_memory(size_t size)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; atomic_load(&layer->memory_used) != size && i < 5000; i++) {
        nanosleep(&pause, NULL);
    }
    ck_assert_uint_eq(atomic_load(&layer->memory_used), size);
}

void steer_show_only(cl_device_id device)
{
    cl_platform_id platform;
    ck_assert_int_eq(
        clGetDeviceInfo(
            device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL),
        CL_SUCCESS);
    layer->platform = platform;
}

void steer_forget_fills(void)
{
    atomic_store(&layer->fill_count, 0);
}

steer_live steer_get_live(void)
{
    steer_live live;
    for (size_t i = 0; i < LAYER_KIND_COUNT; i++) {
        live.counts[i] = atomic_load(&layer->live_counts[i]);
    }
    return live;
}

void steer_assert_live(const steer_live *before, const char *row)
{
    steer_live now = steer_get_live();
    for (size_t i = 0; i < LAYER_KIND_COUNT; i++) {
        ck_assert_msg(now.counts[i] == before->counts[i],
                      "%s: %ld %s are held; before it were %ld",
                      row,
                      now.counts[i],
                      kind_names[i],
                      before->counts[i]);
    }
}

size_t steer_count(layer_entry entry)
{
    return atomic_load(&layer->call_counts[entry]);
}
