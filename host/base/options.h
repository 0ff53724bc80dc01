/*
 * Structs that cross the API begin with struct_size. Inputs are copied into a
 * zeroed struct of this library's size, outputs are copied back up to the
 * caller's size.
 */
#ifndef CLCONST_BASE_OPTIONS_H
#define CLCONST_BASE_OPTIONS_H

#include <stddef.h>
#include <string.h>

#include "base/error.h"

/*
 * Copies options, or nothing when NULL, into the zeroed struct own of own_size
 * bytes. INVALID_ARGUMENT when struct_size was never set.
 */
static inline clconst_status clconst__options_read(void *own,
                                                   size_t own_size,
                                                   const void *options,
                                                   clconst_error *error)
{
    memset(own, 0, own_size);
    if (options == NULL) {
        return CLCONST_OK;
    }
    size_t size;
    memcpy(&size, options, sizeof(size));
    if (size < sizeof(size)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "struct_size is %zu; it must be set to the size "
                             "of the struct",
                             size);
    }
    memcpy(own, options, size < own_size ? size : own_size);
    return CLCONST_OK;
}

/* Copies own to the caller's struct, whose struct_size stays. */
static inline void
clconst__output_write(void *output, const void *own, size_t own_size)
{
    size_t size;
    memcpy(&size, output, sizeof(size));
    size_t end = size < own_size ? size : own_size;
    if (end > sizeof(size)) {
        memcpy((char *)output + sizeof(size),
               (const char *)own + sizeof(size),
               end - sizeof(size));
    }
}

#endif
