#include "cli/bench_limit.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* How the limit is looked for. */
typedef enum store_kind {
    STORE_STREAMING, /* past the cache */
    STORE_NORMAL,
    STORE_WIDE,   /* 32 bytes at a time */
    STORE_MEMSET, /* as the C library chooses */
} store_kind;

enum { LINE_SIZE = 64, STORED_VALUE = 1 };

/* What is to be stored; dst is at a line. */
typedef struct store_job {
    uint8_t *dst;
    size_t size;
    uint8_t value;
    store_kind kind;
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

#if defined(__SSE2__)
__attribute__((target("avx"))) static void store_avx(const store_job *job)
{
    const __m256i value = _mm256_set1_epi8((char)job->value);
    __m256i *dst = (__m256i *)(void *)job->dst;
    for (size_t i = 0; i < job->size / LINE_SIZE; i++) {
        _mm256_store_si256(dst, value);
        _mm256_store_si256(dst + 1, value);
        dst += 2;
        atomic_signal_fence(memory_order_seq_cst);
    }
    size_t rest = job->size % LINE_SIZE;
    memset(job->dst + job->size - rest, job->value, rest);
}
#endif

/* Normal ones where the processor has no wider. */
static void store_wide(const store_job *job)
{
#if defined(__SSE2__)
    if (__builtin_cpu_supports("avx")) {
        store_avx(job);
        return;
    }
#endif
    store_normal(job);
}

/* All that a team stores: each member a share of whole lines, in one piece. */
static void store_share(void *context, size_t index, size_t count)
{
    static void (*const functions[])(const store_job *) = {
        [STORE_STREAMING] = store_streaming,
        [STORE_NORMAL] = store_normal,
        [STORE_WIDE] = store_wide,
        [STORE_MEMSET] = store_memset,
    };
    const store_job *all = context;
    size_t share = all->size / count / LINE_SIZE * LINE_SIZE;
    store_job job = *all;
    job.dst += index * share;
    job.size = index + 1 < count ? share : all->size - index * share;
    functions[job.kind](&job);
}

cli_outcome
cli_bench_poison(uint8_t *dst, size_t size, uint8_t value, clconst_error *error)
{
    cli_bench_team *team;
    cli_outcome outcome = cli_bench_team_start(&team, error);
    if (outcome == CLI_DONE) {
        store_job job = {
            .dst = dst,
            .size = size,
            .value = value,
            .kind = STORE_STREAMING,
        };
        cli_bench_team_run(team, store_share, &job);
        cli_bench_team_stop(team);
    }
    return outcome;
}

static cli_outcome start_team(cli_bench_case *bench, clconst_error *error)
{
    return cli_bench_team_start(&bench->team, error);
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
    const store_kind *kind = bench->context;
    store_job job = {
        .dst = dst,
        .size = group->size,
        .value = STORED_VALUE,
        .kind = *kind,
    };
    for (size_t i = 0; i < bench->fill_count; i++) {
        if (bench->team != NULL) {
            cli_bench_team_run(bench->team, store_share, &job);
        } else {
            store_share(&job, 0, 1);
        }
    }
    return CLI_DONE;
}

static cli_outcome verify_stores(cli_bench_case *bench, clconst_error *error)
{
    const cli_bench_group *group = bench->group;
    const uint8_t *bytes =
        group->bytes != NULL ? group->bytes : (const uint8_t *)bench->block;
    bool is_stored = bytes[0] == STORED_VALUE &&
                     memcmp(bytes, bytes + 1, group->size - 1) == 0;
    return is_stored ? CLI_DONE
                     : cli_fail(error,
                                CLCONST_DEVICE_ERROR,
                                "%zu bytes are not what was stored",
                                group->size);
}

static void stop_team(cli_bench_case *bench)
{
    cli_bench_team_stop(bench->team);
    bench->team = NULL;
    cli_bench_unmap(bench->block, bench->group->size);
    bench->block = NULL;
}

cli_outcome cli_bench_limit_add(cli_bench_group *group,
                                const cli_sample *sample,
                                size_t fill_count,
                                clconst_error *error)
{
    static struct {
        store_kind kind;
        bool is_shared; /* by all processors */
    } all[] = {
        {STORE_STREAMING, true},
        {STORE_NORMAL, true},
        {STORE_WIDE, true},
        {STORE_WIDE, false},
        {STORE_MEMSET, false},
    };
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const cli_bench_case bench = {
            .path = "limit",
            .role = CLI_BENCH_LIMIT,
            .sample = sample,
            .fill_count = fill_count,
            .start = all[i].is_shared ? start_team : NULL,
            .run = run_stores,
            .reset = stop_team,
            .verify = verify_stores,
            .context = &all[i].kind,
        };
        if (outcome == CLI_DONE) {
            outcome = cli_bench_group_add(group, &bench, error);
        }
    }
    return outcome;
}
