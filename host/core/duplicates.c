#include "core/duplicates.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

/* A plan on its way through the two sorts. hash is 0 where nothing else has its
 * size. */
typedef struct candidate {
    const clconst_plan *plan;
    size_t index;
    uint64_t hash;
} candidate;

/* -1, 0 or 1, as qsort wants it. */
static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_sizes(const clconst_plan *a, const clconst_plan *b)
{
    int by_content = order(a->content, b->content);
    return by_content != 0 ? by_content : order(a->size, b->size);
}

static int compare(const void *left, const void *right)
{
    const candidate *a = left;
    const candidate *b = right;
    int by_size = compare_sizes(a->plan, b->plan);
    int by_hash = by_size != 0 ? by_size : order(a->hash, b->hash);
    return by_hash != 0 ? by_hash : order(a->index, b->index);
}

/* Bytes of a copy that are as its source has them. */
static size_t source_size(const clconst_plan *plan)
{
    return plan->size > 0 ? plan->size - 1 : 0;
}

static uint64_t hash_content(const clconst__hash_keys *keys,
                             const clconst_plan *plan)
{
    const clconst__scatter *scatter = plan->scatter;
    uint64_t hashes[2] = {0};
    switch (plan->content) {
    case CLCONST__CONTENT_PATTERN:
        return clconst__hash(
            keys, plan->pattern.bytes, sizeof(plan->pattern.bytes));
    case CLCONST__CONTENT_BYTES:
        return clconst__hash(keys, plan->source, source_size(plan));
    case CLCONST__CONTENT_PAIRS:
        hashes[0] = clconst__hash(
            keys, scatter->indices, scatter->count * sizeof(uint64_t));
        hashes[1] = clconst__hash(
            keys, scatter->units, scatter->count * scatter->unit_size);
        break;
    }
    return clconst__hash(keys, hashes, sizeof(hashes));
}

static bool are_equal(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

static bool have_same_pairs(const clconst__scatter *a,
                            const clconst__scatter *b)
{
    return a->count == b->count && a->unit_size == b->unit_size &&
           are_equal(a->indices, b->indices, a->count * sizeof(uint64_t)) &&
           are_equal(a->units, b->units, a->count * a->unit_size);
}

/* Whether two plans of one kind and size write the same bytes. */
static bool have_same_content(const clconst_plan *a, const clconst_plan *b)
{
    if (a->size > 0 && a->last_byte != b->last_byte) {
        return false;
    }
    switch (a->content) {
    case CLCONST__CONTENT_PATTERN:
        return are_equal(
            a->pattern.bytes, b->pattern.bytes, sizeof(a->pattern.bytes));
    case CLCONST__CONTENT_BYTES:
        return are_equal(a->source, b->source, source_size(a));
    case CLCONST__CONTENT_PAIRS:
        break;
    }
    return have_same_pairs(a->scatter, b->scatter);
}

/* The end of the candidates from begin on that have its size, and its hash. */
static size_t find_end(const candidate *candidates, size_t begin, size_t count)
{
    size_t end = begin + 1;
    while (end < count &&
           compare_sizes(candidates[begin].plan, candidates[end].plan) == 0 &&
           candidates[begin].hash == candidates[end].hash) {
        end++;
    }
    return end;
}

/* Of one hash, almost always all are the same as the first. */
static void
match(const candidate *candidates, size_t begin, size_t end, size_t *first)
{
    for (size_t i = begin; i < end; i++) {
        size_t same = begin;
        while (
            same < i &&
            (first[candidates[same].index] != candidates[same].index ||
             !have_same_content(candidates[same].plan, candidates[i].plan))) {
            same++;
        }
        first[candidates[i].index] = candidates[same].index;
    }
}

clconst_status clconst__duplicates_find(const clconst_plan *const *plans,
                                        size_t count,
                                        size_t *first,
                                        clconst_error *error)
{
    candidate *candidates;
    clconst_status status =
        clconst__alloc(count, sizeof(*candidates), &candidates, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__hash_keys keys = clconst__hash_keys_of(candidates);
    for (size_t i = 0; i < count; i++) {
        candidates[i] = (candidate){plans[i], i, 0};
    }
    qsort(candidates, count, sizeof(*candidates), compare);
    for (size_t begin = 0; begin < count;) {
        size_t end = find_end(candidates, begin, count);
        for (size_t i = begin; i < end && end - begin > 1; i++) {
            candidates[i].hash = hash_content(&keys, candidates[i].plan);
        }
        begin = end;
    }
    qsort(candidates, count, sizeof(*candidates), compare);
    for (size_t begin = 0; begin < count;) {
        size_t end = find_end(candidates, begin, count);
        match(candidates, begin, end, first);
        begin = end;
    }
    clconst__free(candidates);
    return CLCONST_OK;
}
