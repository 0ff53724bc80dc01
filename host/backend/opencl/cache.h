/*
 * Bytes kept in a folder under a key, for later processes. It knows nothing of
 * what they are. Nothing here fails: an entry that cannot be read is missing,
 * one that cannot be written is not kept.
 */
#ifndef CLCONST_BACKEND_OPENCL_CACHE_H
#define CLCONST_BACKEND_OPENCL_CACHE_H

#include <stdbool.h>

#include "base/error.h"

typedef struct clconst__bytes {
    uint8_t *data; /* freed with clconst__free */
    size_t size;
} clconst__bytes;

enum { CLCONST__CACHE_PATH_SIZE = 4096 };

/* Makes the folder where it is missing, and tells whether it takes entries.
 * path is then the same folder whatever the process does to its own. */
bool clconst__cache_open(const char *folder,
                         char path[CLCONST__CACHE_PATH_SIZE]);

/*
 * The entry of this key, whole and undamaged: length, key and checksum are
 * compared before anyone sees a byte. False when there is none.
 */
bool clconst__cache_read(const char *folder,
                         const clconst__bytes *key,
                         clconst__bytes *value);

/*
 * Keeps the entry: written beside its place and renamed, so that processes that
 * read or write it at once see a whole one. Old entries go when the folder
 * holds more than 64 MiB; an entry that is larger is not kept. False when the
 * entry is not kept.
 */
bool clconst__cache_write(const char *folder,
                          const clconst__bytes *key,
                          const clconst__bytes *value);

#endif
