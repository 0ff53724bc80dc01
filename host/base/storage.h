/*
 * Storage keeps bytes alive that operators borrow: a file's mapping, or a heap
 * block. It is counted, and knows nothing of what the bytes mean.
 */
#ifndef CLCONST_BASE_STORAGE_H
#define CLCONST_BASE_STORAGE_H

#include <stddef.h>

#include "base/error.h"
#include "base/refs.h"

typedef struct clconst__storage {
    clconst__refs refs;
    void (*destroy)(struct clconst__storage *storage);
    /* Takes the memory from bytes of the storage that nobody needs soon and
     * that come back when they are read. NULL where there are none such. */
    void (*give_back)(struct clconst__storage *storage,
                      const void *bytes,
                      size_t size);
} clconst__storage;

/*
 * A zeroed heap block of size bytes, aligned for any type. It retains parent,
 * which may be NULL, since its content may point there.
 */
clconst_status clconst__storage_create_block(size_t size,
                                             clconst__storage *parent,
                                             clconst__storage **storage,
                                             void **block,
                                             clconst_error *error);

/*
 * A storage that keeps both alive, either of which may be NULL; *joined is
 * NULL when both are.
 */
clconst_status clconst__storage_join(clconst__storage *a,
                                     clconst__storage *b,
                                     clconst__storage **joined,
                                     clconst_error *error);

/* All accept NULL. */
clconst__storage *clconst__storage_retain(clconst__storage *storage);
void clconst__storage_release(clconst__storage *storage);
void clconst__storage_give_back(clconst__storage *storage,
                                const void *bytes,
                                size_t size);

#endif
