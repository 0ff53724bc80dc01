#include "backend/opencl/tuning.h"

#include <string.h>

#define KIBIBYTES(count) ((size_t)(count) << 10)

/* The first row that fits serves. */
static const clconst__tuning rows[] = {
    /* PoCL 3.1, 64 MiB: patterns of 1 byte 7.1 to 9.9 GB/s, of 2 bytes 3.3 to
     * 4.3, of 16 bytes 5.1 to 7.7, wider ones no faster. The driver against
     * the kernel, 16-byte pattern: 64 KiB 1.6 v 1.1 GB/s, 256 KiB 2.4 v 3.1;
     * on data in the cache, another machine, 256 KiB 17 v 10, 256 MiB 8 v 25.
     */
    {
        .platform = "Portable Computing Language",
        .type = "cpu",
        .pattern_sizes = {1, 16, 16, 16, 16},
        .driver_size_max = KIBIBYTES(256),
        .access = CLCONST__ACCESS_CHUNKED,
        .expand_size = 128,
        .has_fast_tables = true,
        .prefers_native = true,
        .prefers_host_memory = true,
    },
    /* rusticl 22.3.6 on llvmpipe, 128 MiB: patterns of 1 byte 8.8 GB/s, of 2
     * bytes 0.5, of 4 bytes 8.3, of 8 bytes 1.9, of 16 bytes 3.1, of 128 bytes
     * 6.2. The coalesced kernel 1.3 GB/s and 57 ms a launch, the chunked one
     * 0.8 and 93. */
    {
        .platform = "rusticl",
        .type = "cpu",
        .pattern_sizes = {1, 4, 4, 128, 128},
        .driver_size_max = SIZE_MAX,
        .access = CLCONST__ACCESS_COALESCED,
        .expand_size = KIBIBYTES(64),
    },
    /* Oclgrind 21.10 interprets kernels, below a million work-items a second;
     * its own fill is a loop on the host. */
    {
        .platform = "Oclgrind",
        .pattern_sizes = {1, 2, 4, 8, 16},
        .driver_size_max = SIZE_MAX,
        .access = CLCONST__ACCESS_COALESCED,
        .expand_size = KIBIBYTES(4),
    },
    /* Any other CPU driver: as PoCL, not measured. */
    {
        .type = "cpu",
        .pattern_sizes = {1, 16, 16, 16, 16},
        .driver_size_max = KIBIBYTES(256),
        .access = CLCONST__ACCESS_CHUNKED,
        .expand_size = 128,
        .has_fast_tables = true,
    },
    /* GPUs and accelerators, not measured: the driver where a launch costs
     * more than the bytes, so that small fills build no program. Patterns of
     * 2 bytes are widened: Level Zero once lost them at odd multiples of 2
     * (intel/compute-runtime issue 567). */
    {
        .pattern_sizes = {4, 4, 4, 8, 16},
        .driver_size_max = KIBIBYTES(1024),
        .access = CLCONST__ACCESS_COALESCED,
        .expand_size = 128,
        .has_fast_tables = true,
    },
};

static bool fits(const char *wanted, const char *actual)
{
    return wanted == NULL || strcmp(wanted, actual) == 0;
}

const clconst__tuning *clconst__tuning_find(const char *platform,
                                            const char *type)
{
    const clconst__tuning *row = rows;
    while (!fits(row->platform, platform) || !fits(row->type, type)) {
        row++;
    }
    return row;
}
