#include "backend/cpu/write.h"

#include <string.h>

#include "backend/cpu/fill.h"
#include "backend/cpu/memory.h"

/* From here on threads save more than they cost. */
#define SHARED_SIZE ((size_t)4 << 20)

/*
 * What a worker takes at a time. Parts are many, because a new thread may begin
 * late, even by as long as the whole write takes. On fresh memory they are huge
 * pages, so that no two threads map the same one.
 */
#define PART_SIZE ((size_t)512 << 10)

/*
 * From here on a fill streams. Measured on two cores: streaming wins from 4 MiB
 * on when the buffer is not in the cache, and loses to about 64 MiB when it is.
 */
#define STREAMING_SIZE ((size_t)8 << 20)

/* A list of smaller plans is shared out in stretches of this size. */
#define SHARE_SIZE ((size_t)2 << 20)

/* Bytes of a plan from begin to end. */
static void write_range(const clconst_plan *plan,
                        uint8_t *dst,
                        size_t begin,
                        size_t end,
                        clconst__stores stores)
{
    if (plan->content == CLCONST__CONTENT_BYTES) {
        memcpy(dst + begin, plan->source + begin, end - begin);
        return;
    }
    /* Pairs are scattered over the zeros of their pattern. */
    const clconst__pattern *pattern = &plan->pattern;
    clconst__pattern rotated;
    if (begin % CLCONST__PATTERN_SIZE != 0) {
        clconst__pattern_rotate(&rotated, pattern, begin);
        pattern = &rotated;
    }
    clconst__cpu_fill(dst + begin, end - begin, pattern, stores);
}

/* One plan on its way to memory, cut at addresses that are multiples of
 * part_size. */
typedef struct write_job {
    const clconst_plan *plan;
    uint8_t *dst;
    size_t first_size; /* of the first part */
    size_t part_size;
    clconst__stores stores;
} write_job;

static size_t part_begin(const write_job *job, size_t index)
{
    return index == 0 ? 0 : job->first_size + (index - 1) * job->part_size;
}

static void write_part(void *context, size_t index)
{
    const write_job *job = context;
    size_t end = part_begin(job, index + 1);
    write_range(job->plan,
                job->dst,
                part_begin(job, index),
                end < job->plan->size ? end : job->plan->size,
                job->stores);
}

static void write_shared(const clconst_plan *plan,
                         uint8_t *dst,
                         bool is_fresh,
                         const clconst__workers *workers)
{
    size_t part = is_fresh ? CLCONST__HUGE_PAGE_SIZE : PART_SIZE;
    /* The fault that maps a fresh page brings it into the cache. */
    bool is_streaming = plan->size >= STREAMING_SIZE && !is_fresh;
    write_job job = {
        .plan = plan,
        .dst = dst,
        .first_size = part - (uintptr_t)dst % part,
        .part_size = part,
        .stores =
            is_streaming ? CLCONST__STORES_STREAMING : CLCONST__STORES_WIDE,
    };
    /* Only the first and the last part may be smaller. */
    size_t count = 1 + (plan->size - job.first_size + part - 1) / part;
    clconst__parallel_run(workers, count, write_part, &job);
}

/* Whether the body is all zero bytes, as fresh memory is. */
static bool is_zero_fill(const clconst_plan *plan)
{
    return plan->content != CLCONST__CONTENT_BYTES && plan->period == 1 &&
           plan->pattern.bytes[0] == 0;
}

void clconst__cpu_write(const clconst_plan *plan,
                        void *dst,
                        bool is_fresh,
                        const clconst__workers *workers)
{
    if (plan->size == 0) {
        return;
    }
    bool is_there = is_fresh && is_zero_fill(plan);
    if (!is_there && plan->size < SHARED_SIZE) {
        write_range(plan, dst, 0, plan->size, CLCONST__STORES_WIDE);
    } else if (!is_there) {
        write_shared(plan, dst, is_fresh, workers);
    }
    if (plan->content == CLCONST__CONTENT_PAIRS) {
        clconst__scatter_apply(plan->scatter, dst);
    } else if (!is_there) {
        /* One byte of zero would have the kernel clear a huge page. */
        ((uint8_t *)dst)[plan->size - 1] = plan->last_byte;
    }
}

/* Small plans on their way to memory. A worker's share is the plans that begin
 * in a stretch of the bytes of all. */
typedef struct list_job {
    const clconst__placed *placed;
    size_t count;
    uint8_t *dst;
    bool is_fresh;
} list_job;

static void write_share(void *context, size_t index)
{
    static const clconst__workers caller = {.thread_count = 1};
    const list_job *job = context;
    size_t begin = index * SHARE_SIZE;
    size_t end = begin + SHARE_SIZE;
    size_t before = 0;
    for (size_t i = 0; i < job->count && before < end; i++) {
        const clconst__placed *output = &job->placed[i];
        /* An arena of empty outputs has no memory to point into. */
        if (before >= begin && output->plan->size > 0) {
            clconst__cpu_write(output->plan,
                               job->dst + output->offset,
                               job->is_fresh,
                               &caller);
        }
        before += output->plan->size;
    }
}

/* The number of plans from the first on that are too small for all workers. */
static size_t
count_small(const clconst__placed *placed, size_t count, size_t *size)
{
    size_t used = 0;
    *size = 0;
    while (used < count && placed[used].plan->size < SHARE_SIZE) {
        *size += placed[used].plan->size;
        used++;
    }
    return used;
}

void clconst__cpu_write_all(const clconst__placed *placed,
                            size_t count,
                            void *dst,
                            bool is_fresh,
                            const clconst__workers *workers)
{
    for (size_t i = 0; i < count;) {
        list_job job = {placed + i, 0, dst, is_fresh};
        size_t size;
        job.count = count_small(job.placed, count - i, &size);
        if (job.count > 0) {
            clconst__parallel_run(
                workers, size / SHARE_SIZE + 1, write_share, &job);
            i += job.count;
        } else {
            clconst__cpu_write(placed[i].plan,
                               (uint8_t *)dst + placed[i].offset,
                               is_fresh,
                               workers);
            i++;
        }
    }
}
