/*
 * Host memory for tensors: zeroed, and, where large, on huge pages that the
 * kernel has yet to map.
 */
#ifndef CLCONST_BACKEND_CPU_MEMORY_H
#define CLCONST_BACKEND_CPU_MEMORY_H

#include "base/error.h"

/* What vector stores and other devices like best: a cache line. */
#define CLCONST__HOST_ALIGNMENT 64

/* The size of a huge page on x86-64 and, with 4 KiB pages, on ARM64. */
#define CLCONST__HUGE_PAGE_SIZE ((size_t)2 << 20)

typedef struct clconst__host_block {
    void *bytes; /* NULL for no bytes */
    void *base;
    size_t mapped_size; /* 0 when base came from the heap */
} clconst__host_block;

/*
 * OUT_OF_MEMORY, from 64 MiB on also for more than the machine has available. A
 * block of which copies will fill copied_size bytes, the most of it, has pages
 * of the usual size.
 */
clconst_status clconst__host_block_create(size_t size,
                                          size_t copied_size,
                                          clconst__host_block *block,
                                          clconst_error *error);

void clconst__host_block_destroy(clconst__host_block *block);

#endif
