#include "backend/large.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/oracle.h"

size_t large_windows(size_t size, size_t offsets[16])
{
    static const uint64_t boundaries[] = {
        (uint64_t)1 << 30, (uint64_t)1 << 31, (uint64_t)1 << 32};
    size_t count = 0;
    offsets[count++] = 0;
    offsets[count++] = size - LARGE_WINDOW;
    offsets[count++] = size / 2 - LARGE_WINDOW / 2;
    offsets[count++] = size / 3;
    offsets[count++] = size / 7 * 5;
    for (size_t i = 0; i < 3; i++) {
        if (size >= boundaries[i] + LARGE_WINDOW) {
            offsets[count++] = boundaries[i] - LARGE_WINDOW / 2;
        }
    }
    return count;
}

void large_expect(int dtype, size_t offset, void *bytes, size_t size)
{
    uint8_t element[16];
    uint8_t all[LARGE_PERIOD + LARGE_WINDOW + LARGE_PERIOD];
    memcpy(element, harness_element, sizeof(element));
    if (dtype == CLCONST_BOOL) {
        element[0] = 1;
    }
    oracle_fill(all, dtype, element, sizeof(all) * 8 / oracle_bits(dtype));
    memcpy(bytes, all + offset % LARGE_PERIOD, size);
}

static uint64_t find_memory(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool large_is_possible(const clconst_engine *engine,
                       size_t size,
                       const char *row)
{
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine_get_info(engine, &info);
    /* Some drivers keep a second copy. */
    uint64_t limit = find_memory() / 3;
    if (info.max_allocation_size < limit) {
        limit = info.max_allocation_size;
    }
    if (size > limit) {
        printf("SKIP: %s: %zu bytes; %s takes %" PRIu64 " here\n",
               row,
               size,
               info.name,
               limit);
        return false;
    }
    return true;
}
