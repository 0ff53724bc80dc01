#include "fuzz/reader.h"

#include <errno.h>
#include <string.h>

#include "fuzz/invariants.h"

static size_t mapped_count;

static bool has_parent(const char *location)
{
    for (const char *at = location; at != NULL; at = strchr(at, '/')) {
        at += *at == '/' ? 1 : 0;
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0')) {
            return true;
        }
    }
    return false;
}

static int map(void *context,
               const char *location,
               uint64_t offset,
               size_t size,
               const void **bytes)
{
    (void)context;
    fuzz_require(location[0] != '\0' && location[0] != '/');
    fuzz_require(!has_parent(location));
    if (size > FUZZ_WRITE_MAX) {
        return EFBIG;
    }
    if (strlen(location) % 2 == 1) {
        return ENOENT;
    }
    uint8_t *block = fuzz_alloc(size);
    memset(block, (int)(offset % 3), size);
    mapped_count++;
    *bytes = block;
    return 0;
}

static void unmap(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)size;
    fuzz_require(mapped_count > 0);
    mapped_count--;
    fuzz_free((void *)bytes);
}

clconst_reader fuzz_reader(void)
{
    mapped_count = 0;
    clconst_reader reader = {NULL, map, unmap};
    return reader;
}

void fuzz_reader_check(void)
{
    fuzz_require(mapped_count == 0);
}
