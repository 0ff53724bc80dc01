/* The CPU engine: host memory, filled by the calling thread. */
#include "backend/engine.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "backend/cpu/write.h"
#include "base/alloc.h"
#include "base/checked.h"

/* A cache line: what vector stores and other devices like best. */
enum { ALIGNMENT = 64 };

typedef struct cpu_engine {
    clconst_engine base;
    atomic_uint_least64_t command_count;
    atomic_uint_least64_t byte_size;
} cpu_engine;

typedef struct cpu_memory {
    clconst__memory base;
    uint8_t *bytes;
    void *block;
} cpu_memory;

static const char engine_name[] = "clconst CPU engine";

static uint64_t physical_memory_size(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_size = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_size > 0 ? (uint64_t)pages * (uint64_t)page_size
                                      : SIZE_MAX;
}

static void get_info(const clconst_engine *engine, clconst_engine_info *info)
{
    (void)engine;
    info->kind = CLCONST_ENGINE_CPU;
    info->name = engine_name;
    info->global_memory_size = physical_memory_size();
    info->max_allocation_size = info->global_memory_size;
    info->alignment = ALIGNMENT;
}

static void get_counters(const clconst_engine *engine,
                         clconst_engine_counters *counters)
{
    cpu_engine *cpu = (cpu_engine *)engine;
    counters->command_count = atomic_load(&cpu->command_count);
    counters->byte_size = atomic_load(&cpu->byte_size);
}

static clconst_status prepare(clconst_engine *engine, clconst_error *error)
{
    (void)engine;
    (void)error;
    return CLCONST_OK;
}

static clconst_status allocate(clconst_engine *engine,
                               size_t size,
                               clconst__memory **memory,
                               clconst_error *error)
{
    (void)engine;
    uint64_t limit = physical_memory_size();
    size_t block_size;
    if (size > limit || !clconst__add_size(size, ALIGNMENT, &block_size)) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "size is %zu bytes; this machine has %" PRIu64,
                             size,
                             limit);
    }
    cpu_memory *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    created->base.size = size;
    if (size > 0) {
        status = clconst__alloc(1, block_size, &created->block, error);
        if (status != CLCONST_OK) {
            clconst__free(created);
            return status;
        }
        uintptr_t address = (uintptr_t)created->block;
        created->bytes = (uint8_t *)created->block +
                         (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
        created->base.host = created->bytes;
    }
    *memory = &created->base;
    return CLCONST_OK;
}

static clconst_status execute(clconst_engine *engine,
                              const clconst__placed *placed,
                              size_t count,
                              clconst__memory *memory,
                              clconst_error *error)
{
    (void)error;
    cpu_engine *cpu = (cpu_engine *)engine;
    cpu_memory *target = (cpu_memory *)memory;
    for (size_t i = 0; i < count; i++) {
        if (placed[i].plan->size > 0) {
            clconst__cpu_write(placed[i].plan,
                               target->bytes + placed[i].offset);
            atomic_fetch_add(&cpu->command_count, 1);
            atomic_fetch_add(&cpu->byte_size, placed[i].plan->size);
        }
    }
    return CLCONST_OK;
}

static clconst_status read_memory(clconst_engine *engine,
                                  const clconst__memory *memory,
                                  size_t offset,
                                  void *dst,
                                  size_t size,
                                  clconst_error *error)
{
    (void)engine;
    (void)error;
    const cpu_memory *source = (const cpu_memory *)memory;
    memcpy(dst, source->bytes + offset, size);
    return CLCONST_OK;
}

static void release(clconst_engine *engine, clconst__memory *memory)
{
    (void)engine;
    clconst__free(((cpu_memory *)memory)->block);
    clconst__free(memory);
}

static void destroy(clconst_engine *engine)
{
    clconst__free(engine);
}

static const clconst__backend cpu_backend = {
    .get_info = get_info,
    .get_counters = get_counters,
    .prepare = prepare,
    .allocate = allocate,
    .execute = execute,
    .read = read_memory,
    .release = release,
    .destroy = destroy,
};

clconst_status clconst__cpu_create(const clconst_engine_options *options,
                                   clconst_engine **engine,
                                   clconst_error *error)
{
    (void)options;
    cpu_engine *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__refs_init(&created->base.refs);
    created->base.backend = &cpu_backend;
    *engine = &created->base;
    return CLCONST_OK;
}

void clconst__cpu_list(clconst_device_visitor visit, void *context)
{
    uint64_t size = physical_memory_size();
    clconst_device device = {
        .struct_size = sizeof(device),
        .id = "cpu",
        .platform = "clconst",
        .name = engine_name,
        .type = "host",
        .version = clconst_version(),
        .global_memory_size = size,
        .max_allocation_size = size,
        .is_usable = 1,
    };
    visit(context, &device);
}
