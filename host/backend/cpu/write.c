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

/* Plans at ascending offsets on their way to memory, cut at addresses that are
 * multiples of part_size, wherever plans begin and end. */
typedef struct write_job {
    const clconst__placed *placed;
    size_t count;
    uint8_t *dst;
    bool is_fresh;
    bool is_shared;
    bool has_bytes; /* to store */
    bool has_pairs;
    /* Offsets: of the first byte to store, of the first cut, and past the last
     * byte. */
    size_t begin;
    size_t first_cut;
    size_t end;
    size_t part_size;
} write_job;

static size_t end_of(const clconst__placed *placed)
{
    return placed->offset + placed->plan->size;
}

/* Not where the bytes are zero, as fresh memory is: to store one of them would
 * have the kernel clear a huge page. */
static bool is_stored(const write_job *job, const clconst_plan *plan)
{
    bool is_zero = plan->content != CLCONST__CONTENT_BYTES &&
                   plan->period == 1 && plan->pattern.bytes[0] == 0;
    return plan->size > 0 && !(is_zero && job->is_fresh);
}

/* Bytes of a plan from begin to end; all of it with its pairs. */
static void write_range(const write_job *job,
                        const clconst__placed *placed,
                        size_t begin,
                        size_t end)
{
    const clconst_plan *plan = placed->plan;
    uint8_t *dst = job->dst + placed->offset;
    if (plan->content == CLCONST__CONTENT_BYTES) {
        memcpy(dst + begin, plan->source + begin, end - begin);
    } else {
        const clconst__pattern *pattern = &plan->pattern;
        clconst__pattern rotated;
        if (begin % CLCONST__PATTERN_SIZE != 0) {
            clconst__pattern_rotate(&rotated, pattern, begin);
            pattern = &rotated;
        }
        /* The fault that maps a fresh page brings it into the cache. */
        bool is_streaming = plan->size >= STREAMING_SIZE && !job->is_fresh;
        clconst__cpu_fill(dst + begin,
                          end - begin,
                          pattern,
                          is_streaming ? CLCONST__STORES_STREAMING
                                       : CLCONST__STORES_WIDE);
    }
    bool has_pairs = plan->content == CLCONST__CONTENT_PAIRS;
    if (end == plan->size && !has_pairs) {
        dst[end - 1] = plan->last_byte;
    }
    if (end - begin == plan->size && has_pairs) {
        clconst__scatter_apply(plan->scatter, dst);
    }
}

/* The first plan that ends behind an offset, or the count: ends ascend. */
static size_t find_plan(const write_job *job, size_t offset)
{
    size_t low = 0;
    size_t high = job->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (end_of(&job->placed[middle]) > offset) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* What lies between two offsets. */
static void write_stretch(const write_job *job, size_t begin, size_t end)
{
    for (size_t i = find_plan(job, begin);
         i < job->count && job->placed[i].offset < end;
         i++) {
        const clconst__placed *placed = &job->placed[i];
        if (is_stored(job, placed->plan)) {
            size_t size = placed->plan->size;
            size_t left = end - placed->offset;
            size_t first = placed->offset < begin ? begin - placed->offset : 0;
            write_range(job, placed, first, left < size ? left : size);
        }
    }
}

static size_t part_begin(const write_job *job, size_t index)
{
    return index == 0 ? job->begin
                      : job->first_cut + (index - 1) * job->part_size;
}

static void write_part(void *context, size_t index)
{
    const write_job *job = context;
    size_t end = part_begin(job, index + 1);
    write_stretch(job, part_begin(job, index), end < job->end ? end : job->end);
}

static void write_shared(write_job *job, const clconst__workers *workers)
{
    size_t part = job->is_fresh ? CLCONST__HUGE_PAGE_SIZE : PART_SIZE;
    uintptr_t address = (uintptr_t)job->dst + job->begin;
    job->part_size = part;
    job->first_cut = job->begin + part - address % part;
    /* Only the first and the last part may be smaller. */
    size_t count = 1 + (job->end - job->first_cut + part - 1) / part;
    clconst__parallel_run(workers, count, write_part, job);
}

/* Whether so much lies between two stretches to store that parts between them
 * would be empty. */
static bool is_far(size_t end, size_t begin)
{
    return begin - end >= PART_SIZE;
}

/* Takes plans from the first on that lie one behind the other, some at least.
 */
static void
take_near(write_job *job, const clconst__placed *placed, size_t count)
{
    size_t end = placed->offset;
    job->placed = placed;
    job->begin = job->end = end;
    job->has_bytes = job->has_pairs = false;
    for (job->count = 0; job->count < count; job->count++) {
        const clconst__placed *next = &placed[job->count];
        bool has_bytes = is_stored(job, next->plan);
        if (next->offset < end ||
            (has_bytes && job->has_bytes && is_far(job->end, next->offset))) {
            break;
        }
        end = end_of(next);
        if (has_bytes) {
            job->begin = job->has_bytes ? job->begin : next->offset;
            job->end = end;
            job->has_bytes = true;
        }
        job->has_pairs |= next->plan->content == CLCONST__CONTENT_PAIRS;
    }
}

/* Whether parts meet within a plan. */
static bool is_cut(const write_job *job, const clconst__placed *placed)
{
    size_t begin = placed->offset;
    size_t end = end_of(placed);
    if (!job->is_shared || end <= job->first_cut) {
        return false;
    }
    return begin < job->first_cut ||
           (begin - job->first_cut) / job->part_size !=
               (end - 1 - job->first_cut) / job->part_size;
}

/* The pairs of plans whose zeros were there, or came in parts. */
static void scatter_pairs(const write_job *job)
{
    for (size_t i = 0; i < job->count && job->has_pairs; i++) {
        const clconst__placed *placed = &job->placed[i];
        const clconst_plan *plan = placed->plan;
        if (plan->content == CLCONST__CONTENT_PAIRS && plan->size > 0 &&
            (job->is_fresh || is_cut(job, placed))) {
            clconst__scatter_apply(plan->scatter, job->dst + placed->offset);
        }
    }
}

void clconst__cpu_write_all(const clconst__placed *placed,
                            size_t count,
                            void *dst,
                            bool is_fresh,
                            const clconst__workers *workers)
{
    write_job job = {.dst = dst, .is_fresh = is_fresh};
    for (size_t i = 0; i < count; i += job.count) {
        take_near(&job, placed + i, count - i);
        job.is_shared = job.end - job.begin >= SHARED_SIZE;
        if (job.is_shared) {
            write_shared(&job, workers);
        } else {
            write_stretch(&job, job.begin, job.end);
        }
        scatter_pairs(&job);
    }
}

void clconst__cpu_write(const clconst_plan *plan,
                        void *dst,
                        bool is_fresh,
                        const clconst__workers *workers)
{
    const clconst__placed placed = {plan, 0};
    clconst__cpu_write_all(&placed, 1, dst, is_fresh, workers);
}
