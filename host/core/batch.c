#include "core/batch.h"

#include "base/alloc.h"
#include "base/options.h"
#include "core/arena.h"
#include "core/duplicates.h"

enum {
    DEFAULT_ALIGNMENT = 64,
    /* A row of the fill table takes 80 bytes: about as many. */
    DEFAULT_EXPAND_SIZE = 128,
};

static clconst_status read_options(const clconst_batch_options *options,
                                   clconst_batch_options *own,
                                   clconst_error *error)
{
    clconst_status status =
        clconst__options_read(own, sizeof(*own), options, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (own->alignment == 0) {
        own->alignment = DEFAULT_ALIGNMENT;
    }
    if ((own->alignment & (own->alignment - 1)) != 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "alignment is %zu; it must be a power of two",
                             own->alignment);
    }
    if (own->expand_size == 0) {
        own->expand_size = DEFAULT_EXPAND_SIZE;
    }
    if (own->max_arena_size == 0) {
        own->max_arena_size = SIZE_MAX;
    }
    return CLCONST_OK;
}

static clconst_status check_plan(const clconst_plan *plan,
                                 size_t index,
                                 size_t max_arena_size,
                                 clconst_error *error)
{
    if (plan == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "plan %zu is NULL; each plan is required",
                             index);
    }
    if (plan->kind == CLCONST_PLAN_STRINGS) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "plan %zu has dtype string; strings stay on the "
                             "host and have no place in an arena",
                             index);
    }
    if (plan->size > max_arena_size) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "plan %zu takes %zu bytes; an arena takes at most "
                             "%zu",
                             index,
                             plan->size,
                             max_arena_size);
    }
    return CLCONST_OK;
}

/* Where a plan goes, before its offset is known. A plan that shares the place
 * of an earlier one has no arena of its own. */
typedef struct assignment {
    size_t arena;
    clconst__writer writer;
} assignment;

/* What the steps of a creation share. */
typedef struct creation {
    const clconst_plan *const *plans;
    size_t count;
    clconst_batch_options options;
    assignment *assignments;
    size_t *first; /* the plan whose place a plan has; itself at most */
    clconst__arena_sizes *sizes; /* by arena */
} creation;

static clconst_status check_plans(const creation *work, clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < work->count && status == CLCONST_OK; i++) {
        status =
            check_plan(work->plans[i], i, work->options.max_arena_size, error);
    }
    return status;
}

/* Decides which plans share a place. */
static clconst_status find_first(creation *work, clconst_error *error)
{
    if (work->options.deduplicate) {
        return clconst__duplicates_find(
            work->plans, work->count, work->first, error);
    }
    for (size_t i = 0; i < work->count; i++) {
        work->first[i] = i;
    }
    return CLCONST_OK;
}

/* Puts each plan into the last arena, or a new one where it does not fit.
 * Returns the number of arenas. */
static size_t assign(creation *work)
{
    const clconst__arena_sizes empty = {.alignment = work->options.alignment};
    size_t max_size = work->options.max_arena_size;
    size_t used = 0;
    for (size_t i = 0; i < work->count; i++) {
        const clconst_plan *plan = work->plans[i];
        if (work->first[i] != i) {
            continue;
        }
        clconst__writer writer =
            clconst__arena_writer(plan, work->options.expand_size);
        clconst__arena_sizes grown = used > 0 ? work->sizes[used - 1] : empty;
        if (used == 0 || !clconst__arena_add(&grown, plan, writer, max_size)) {
            grown = empty;
            clconst__arena_add(&grown, plan, writer, max_size);
            used++;
        }
        work->sizes[used - 1] = grown;
        work->assignments[i] = (assignment){used - 1, writer};
    }
    return used;
}

/* Sorts the plans by arena and writer, in their order otherwise. */
static void sort(clconst_batch *batch, const creation *work)
{
    size_t begin = 0;
    for (size_t i = 0; i < batch->arena_count; i++) {
        clconst__arena *arena = &batch->arenas[i];
        const size_t *counts = work->sizes[i].counts;
        arena->filled = (clconst__range){begin, counts[CLCONST__WRITER_FILL]};
        arena->direct = (clconst__range){begin + counts[CLCONST__WRITER_FILL] +
                                             counts[CLCONST__WRITER_IMAGE],
                                         counts[CLCONST__WRITER_DIRECT]};
        arena->all.first = begin;
        arena->all.count = arena->direct.first + arena->direct.count - begin;
        begin += arena->all.count;
    }
    size_t arena = SIZE_MAX;
    size_t next[CLCONST__WRITER_COUNT] = {0};
    for (size_t i = 0; i < work->count; i++) {
        const assignment *to = &work->assignments[i];
        if (work->first[i] != i) {
            batch->order[i] = batch->order[work->first[i]];
            continue;
        }
        if (to->arena != arena) {
            arena = to->arena;
            const clconst__arena *target = &batch->arenas[arena];
            next[CLCONST__WRITER_FILL] = target->filled.first;
            next[CLCONST__WRITER_DIRECT] = target->direct.first;
            next[CLCONST__WRITER_IMAGE] =
                target->filled.first + target->filled.count;
        }
        size_t position = next[to->writer]++;
        batch->order[i] = position;
        batch->placed[position].plan = clconst__plan_retain(work->plans[i]);
        batch->placed_count++;
    }
    batch->count = work->count;
}

static clconst_status
fill_batch(clconst_batch *batch, creation *work, clconst_error *error)
{
    clconst_status status = check_plans(work, error);
    if (status == CLCONST_OK) {
        status = find_first(work, error);
    }
    size_t arena_count = status == CLCONST_OK ? assign(work) : 0;
    if (status == CLCONST_OK) {
        status = clconst__alloc(
            arena_count, sizeof(*batch->arenas), &batch->arenas, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    batch->arena_count = arena_count;
    sort(batch, work);
    for (size_t i = 0; i < batch->arena_count && status == CLCONST_OK; i++) {
        status = clconst__arena_lay_out(
            &batch->arenas[i], batch->placed, &work->sizes[i], error);
    }
    return status;
}

clconst_status clconst_batch_create(const clconst_plan *const *plans,
                                    size_t count,
                                    const clconst_batch_options *options,
                                    clconst_batch **batch,
                                    clconst_error *error)
{
    if (batch == NULL || (plans == NULL && count > 0)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "plans or batch is NULL; both are required");
    }
    creation work = {.plans = plans, .count = count};
    clconst_batch *created = NULL;
    clconst_status status = read_options(options, &work.options, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(1, sizeof(*created), &created, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    const struct {
        void *array;
        size_t size;
    } arrays[] = {
        {&created->placed, sizeof(*created->placed)},
        {&created->order, sizeof(*created->order)},
        {&work.assignments, sizeof(*work.assignments)},
        {&work.first, sizeof(*work.first)},
        {&work.sizes, sizeof(*work.sizes)},
    };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        if (status == CLCONST_OK) {
            status =
                clconst__alloc(count, arrays[i].size, arrays[i].array, error);
        }
    }
    if (status == CLCONST_OK) {
        status = fill_batch(created, &work, error);
    }
    clconst__free(work.assignments);
    clconst__free(work.first);
    clconst__free(work.sizes);
    if (status != CLCONST_OK) {
        clconst_batch_destroy(created);
        return status;
    }
    *batch = created;
    return CLCONST_OK;
}

size_t clconst_batch_get_arena_count(const clconst_batch *batch)
{
    return batch->arena_count;
}

size_t clconst_batch_get_arena_size(const clconst_batch *batch, size_t arena)
{
    return arena < batch->arena_count ? batch->arenas[arena].size : 0;
}

/* The arena of a placed plan. Each arena has plans, and they lie in order. */
static size_t find_arena(const clconst_batch *batch, size_t position)
{
    size_t begin = 0;
    size_t end = batch->arena_count;
    while (end - begin > 1) {
        size_t middle = begin + (end - begin) / 2;
        if (batch->arenas[middle].all.first <= position) {
            begin = middle;
        } else {
            end = middle;
        }
    }
    return begin;
}

clconst_status clconst_batch_get_place(const clconst_batch *batch,
                                       size_t index,
                                       clconst_place *place,
                                       clconst_error *error)
{
    if (batch == NULL || place == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "batch or place is NULL; both are required");
    }
    if (index >= batch->count) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "index is %zu; the batch has %zu plans",
                             index,
                             batch->count);
    }
    size_t position = batch->order[index];
    size_t arena = find_arena(batch, position);
    clconst_place own = {sizeof(own),
                         arena,
                         batch->placed[position].offset,
                         batch->placed[position].plan->size};
    clconst__output_write(place, &own, sizeof(own));
    return CLCONST_OK;
}

void clconst_batch_destroy(clconst_batch *batch)
{
    if (batch == NULL) {
        return;
    }
    for (size_t i = 0; i < batch->placed_count; i++) {
        clconst_plan_destroy((clconst_plan *)batch->placed[i].plan);
    }
    for (size_t i = 0; i < batch->arena_count; i++) {
        clconst__free(batch->arenas[i].image);
    }
    clconst__free(batch->placed);
    clconst__free(batch->order);
    clconst__free(batch->arenas);
    clconst__free(batch);
}
