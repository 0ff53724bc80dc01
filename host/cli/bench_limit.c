#include "cli/bench_limit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { THREADS_MAX = 256, LINE_SIZE = 64 };

/* What one thread stores; dst is at a line. */
typedef struct store_job {
    uint8_t *dst;
    size_t size;
    uint8_t value;
    cli_bench_stores stores;
} store_job;

static void store_streaming(const store_job *job)
{
#if defined(__SSE2__)
    __m128i word = _mm_set1_epi8((char)job->value);
    __m128i *dst = (__m128i *)(void *)job->dst;
    for (size_t i = 0; i < job->size / LINE_SIZE; i++) {
        _mm_stream_si128(dst, word);
        _mm_stream_si128(dst + 1, word);
        _mm_stream_si128(dst + 2, word);
        _mm_stream_si128(dst + 3, word);
        dst += 4;
    }
    _mm_sfence();
    size_t rest = job->size % LINE_SIZE;
    memset(job->dst + job->size - rest, job->value, rest);
#else
    memset(job->dst, job->value, job->size);
#endif
}

static void store_normal(const store_job *job)
{
    typedef uint64_t word __attribute__((vector_size(16), may_alias));
    uint64_t half = job->value * UINT64_C(0x0101010101010101);
    const word value = {half, half};
    word *dst = (word *)(void *)job->dst;
    for (size_t i = 0; i < job->size / LINE_SIZE; i++) {
        dst[0] = value;
        dst[1] = value;
        dst[2] = value;
        dst[3] = value;
        dst += 4;
        /* Keeps the compiler from making it a call of memset, which may
         * stream. */
        atomic_signal_fence(memory_order_seq_cst);
    }
    size_t rest = job->size % LINE_SIZE;
    memset(job->dst + job->size - rest, job->value, rest);
}

/* The C library's choice of stores. */
static void store_memset(const store_job *job)
{
    memset(job->dst, job->value, job->size);
}

static void *run_job(void *argument)
{
    static void (*const functions[])(const store_job *) = {
        [CLI_BENCH_STORES_STREAMING] = store_streaming,
        [CLI_BENCH_STORES_NORMAL] = store_normal,
        [CLI_BENCH_STORES_ALONE] = store_memset,
    };
    const store_job *job = argument;
    functions[job->stores](job);
    return NULL;
}

static size_t count_threads(cli_bench_stores stores)
{
    if (stores == CLI_BENCH_STORES_ALONE) {
        return 1;
    }
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1) {
        return 1;
    }
    return count < THREADS_MAX ? (size_t)count : THREADS_MAX;
}

void cli_bench_store(uint8_t *dst,
                     size_t size,
                     uint8_t value,
                     cli_bench_stores stores)
{
    pthread_t threads[THREADS_MAX];
    store_job jobs[THREADS_MAX];
    bool is_started[THREADS_MAX] = {false};
    size_t count = count_threads(stores);
    size_t share = size / count / LINE_SIZE * LINE_SIZE;
    for (size_t i = 0; i < count; i++) {
        jobs[i] = (store_job){
            .dst = dst + i * share,
            .size = i + 1 < count ? share : size - i * share,
            .value = value,
            .stores = stores,
        };
        is_started[i] =
            i + 1 < count &&
            pthread_create(&threads[i], NULL, run_job, &jobs[i]) == 0;
        if (!is_started[i]) {
            run_job(&jobs[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (is_started[i]) {
            pthread_join(threads[i], NULL);
        }
    }
}

static cli_outcome run_stores(cli_bench_case *bench, clconst_error *error)
{
    cli_bench_group *group = bench->group;
    uint8_t *dst = group->bytes;
    if (dst == NULL) {
        dst = bench->block = cli_bench_map(group->size);
    }
    if (dst == NULL) {
        return cli_fail(error,
                        CLCONST_OUT_OF_MEMORY,
                        "no memory for %zu bytes",
                        group->size);
    }
    const cli_bench_stores *stores = bench->context;
    cli_bench_store(dst, group->size, 1, *stores);
    return CLI_DONE;
}

static void unmap_block(cli_bench_case *bench)
{
    cli_bench_unmap(bench->block, bench->group->size);
    bench->block = NULL;
}

cli_outcome cli_bench_limit_add(cli_bench_group *group,
                                const cli_sample *sample,
                                clconst_error *error)
{
    static cli_bench_stores all[] = {
        CLI_BENCH_STORES_STREAMING,
        CLI_BENCH_STORES_NORMAL,
        CLI_BENCH_STORES_ALONE,
    };
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const cli_bench_case bench = {
            .path = "limit",
            .role = CLI_BENCH_LIMIT,
            .sample = sample,
            .fill_count = 1,
            .run = run_stores,
            .reset = unmap_block,
            .context = &all[i],
        };
        if (outcome == CLI_DONE) {
            outcome = cli_bench_group_add(group, &bench, error);
        }
    }
    return outcome;
}
