/*
 * The one door to the heap. Sizes of 0 are served as 1, so that NULL always
 * means failure.
 */
#ifndef CLCONST_BASE_ALLOC_H
#define CLCONST_BASE_ALLOC_H

#include <stddef.h>

#include "base/error.h"

/* Zeroed memory for count entries of size bytes. OUT_OF_MEMORY. */
clconst_status
clconst__alloc(size_t count, size_t size, void *memory, clconst_error *error);

/*
 * Grows an array of *capacity entries of size bytes to at least count entries,
 * at least doubling it. memory is the address of the array's pointer. On
 * failure the array is unchanged. New entries are not zeroed.
 */
clconst_status clconst__grow(void *memory,
                             size_t *capacity,
                             size_t count,
                             size_t size,
                             clconst_error *error);

void clconst__free(void *memory);

#endif
