#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

static clconst_status fail(size_t count, size_t size, clconst_error *error)
{
    return clconst__fail(error,
                         CLCONST_OUT_OF_MEMORY,
                         "no memory for %zu entries of %zu bytes",
                         count,
                         size);
}

/* Pointers travel as bytes, since a void ** may not alias every pointer. */
static void *load_pointer(const void *address)
{
    void *pointer;
    memcpy(&pointer, address, sizeof(pointer));
    return pointer;
}

static void store_pointer(void *address, void *pointer)
{
    memcpy(address, &pointer, sizeof(pointer));
}

clconst_status
clconst__alloc(size_t count, size_t size, void *memory, clconst_error *error)
{
    void *block = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (block == NULL) {
        return fail(count, size, error);
    }
    store_pointer(memory, block);
    return CLCONST_OK;
}

clconst_status clconst__grow(void *memory,
                             size_t *capacity,
                             size_t count,
                             size_t size,
                             clconst_error *error)
{
    if (count <= *capacity) {
        return CLCONST_OK;
    }
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < count) {
        if (!clconst__mul_size(wanted, 2, &wanted)) {
            return fail(count, size, error);
        }
    }
    size_t bytes;
    if (!clconst__mul_size(wanted, size, &bytes)) {
        return fail(count, size, error);
    }
    void *block = realloc(load_pointer(memory), bytes);
    if (block == NULL) {
        return fail(count, size, error);
    }
    store_pointer(memory, block);
    *capacity = wanted;
    return CLCONST_OK;
}

void clconst__free(void *memory)
{
    free(memory);
}
