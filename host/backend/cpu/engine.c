/* The CPU engine: host memory, written by threads of each call's own. */
#include "backend/engine.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "backend/cpu/engine.h"
#include "backend/cpu/memory.h"
#include "backend/cpu/write.h"
#include "base/alloc.h"

typedef struct cpu_engine {
    clconst_engine base;
    clconst__workers workers;
    atomic_uint_least64_t command_count;
    atomic_uint_least64_t byte_size;
} cpu_engine;

typedef struct cpu_memory {
    clconst__memory base;
    clconst__host_block block;
    bool is_fresh;
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
    info->alignment = CLCONST__HOST_ALIGNMENT;
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
                               size_t copied_size,
                               clconst__memory **memory,
                               clconst_error *error)
{
    (void)engine;
    uint64_t limit = physical_memory_size();
    if (size > limit) {
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
    status =
        clconst__host_block_create(size, copied_size, &created->block, error);
    if (status != CLCONST_OK) {
        clconst__free(created);
        return status;
    }
    created->base.size = size;
    created->base.host = created->block.bytes;
    created->is_fresh = true;
    *memory = &created->base;
    return CLCONST_OK;
}

static clconst_status start(clconst_engine *engine,
                            const clconst__arena *arena,
                            const clconst__placed *placed,
                            clconst__memory *memory,
                            void **work,
                            clconst_error *error)
{
    (void)error;
    cpu_engine *cpu = (cpu_engine *)engine;
    cpu_memory *target = (cpu_memory *)memory;
    const clconst__placed *outputs = placed + arena->all.first;
    size_t count = arena->all.count;
    clconst__cpu_write_all(
        outputs, count, target->block.bytes, target->is_fresh, &cpu->workers);
    target->is_fresh = false;
    atomic_fetch_add(&cpu->command_count, count);
    atomic_fetch_add(&cpu->byte_size, clconst__placed_size(outputs, count));
    *work = NULL;
    return CLCONST_OK;
}

/* There is never anything to finish. */
static clconst_status
finish(clconst_engine *engine, void *work, clconst_error *error)
{
    (void)engine;
    (void)work;
    (void)error;
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
    memcpy(dst, (const uint8_t *)memory->host + offset, size);
    return CLCONST_OK;
}

static void release(clconst_engine *engine, clconst__memory *memory)
{
    (void)engine;
    clconst__host_block_destroy(&((cpu_memory *)memory)->block);
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
    .start = start,
    .finish = finish,
    .read = read_memory,
    .release = release,
    .destroy = destroy,
};

clconst_status clconst__cpu_create(const clconst_engine_options *options,
                                   clconst_engine **engine,
                                   clconst_error *error)
{
    cpu_engine *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__refs_init(&created->base.refs);
    created->base.backend = &cpu_backend;
    created->workers = clconst__workers_from(options);
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

const clconst__workers *clconst__cpu_workers(const clconst_engine *engine)
{
    return engine->backend == &cpu_backend
               ? &((const cpu_engine *)engine)->workers
               : NULL;
}
