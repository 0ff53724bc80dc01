#include "base/storage.h"

#include "base/alloc.h"
#include "base/checked.h"

typedef struct block_storage {
    clconst__storage base;
    clconst__storage *parent;
    max_align_t bytes[];
} block_storage;

static void destroy_block(clconst__storage *storage)
{
    block_storage *block = (block_storage *)storage;
    clconst__storage_release(block->parent);
    clconst__free(block);
}

clconst_status clconst__storage_create_block(size_t size,
                                             clconst__storage *parent,
                                             clconst__storage **storage,
                                             void **block,
                                             clconst_error *error)
{
    size_t total;
    if (!clconst__add_size(size, sizeof(block_storage), &total)) {
        return clconst__fail(error,
                             CLCONST_OUT_OF_MEMORY,
                             "no memory for a block of %zu bytes",
                             size);
    }
    block_storage *created;
    clconst_status status = clconst__alloc(1, total, &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__refs_init(&created->base.refs);
    created->base.destroy = destroy_block;
    created->parent = clconst__storage_retain(parent);
    *storage = &created->base;
    *block = created->bytes;
    return CLCONST_OK;
}

typedef struct joined_storage {
    clconst__storage base;
    clconst__storage *parts[2];
} joined_storage;

static void destroy_joined(clconst__storage *storage)
{
    joined_storage *joined = (joined_storage *)storage;
    clconst__storage_release(joined->parts[0]);
    clconst__storage_release(joined->parts[1]);
    clconst__free(joined);
}

clconst_status clconst__storage_join(clconst__storage *a,
                                     clconst__storage *b,
                                     clconst__storage **joined,
                                     clconst_error *error)
{
    if (a == NULL || b == NULL || a == b) {
        *joined = clconst__storage_retain(a != NULL ? a : b);
        return CLCONST_OK;
    }
    joined_storage *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__refs_init(&created->base.refs);
    created->base.destroy = destroy_joined;
    created->parts[0] = clconst__storage_retain(a);
    created->parts[1] = clconst__storage_retain(b);
    *joined = &created->base;
    return CLCONST_OK;
}

clconst__storage *clconst__storage_retain(clconst__storage *storage)
{
    if (storage != NULL) {
        clconst__refs_retain(&storage->refs);
    }
    return storage;
}

void clconst__storage_release(clconst__storage *storage)
{
    if (storage != NULL && clconst__refs_release(&storage->refs)) {
        storage->destroy(storage);
    }
}

void clconst__storage_give_back(clconst__storage *storage,
                                const void *bytes,
                                size_t size)
{
    if (storage != NULL && storage->give_back != NULL && size > 0) {
        storage->give_back(storage, bytes, size);
    }
}
