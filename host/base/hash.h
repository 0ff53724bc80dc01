/*
 * A keyed hash of bytes. Who chooses the bytes cannot choose two that collide
 * without the keys.
 */
#ifndef CLCONST_BASE_HASH_H
#define CLCONST_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct clconst__hash_keys {
    uint64_t words[2];
} clconst__hash_keys;

/* Keys from an address, which the writer of a file cannot know. */
clconst__hash_keys clconst__hash_keys_of(const void *address);

/* bytes may be NULL when size is 0. */
uint64_t
clconst__hash(const clconst__hash_keys *keys, const void *bytes, size_t size);

#endif
