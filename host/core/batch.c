#include "core/batch.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "base/options.h"

enum { DEFAULT_ALIGNMENT = 64 };

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

/* The arena that takes the next plan: the last one, or a new one. */
static clconst__arena *open_arena(clconst_batch *batch,
                                  size_t index,
                                  const clconst_batch_options *options,
                                  size_t *offset)
{
    size_t end;
    if (batch->arena_count > 0) {
        clconst__arena *last = &batch->arenas[batch->arena_count - 1];
        if (clconst__align_size(last->size, options->alignment, offset) &&
            clconst__add_size(*offset, batch->placed[index].plan->size, &end) &&
            end <= options->max_arena_size) {
            return last;
        }
    }
    *offset = 0;
    clconst__arena *arena = &batch->arenas[batch->arena_count++];
    arena->first = index;
    return arena;
}

static clconst_status place(clconst_batch *batch,
                            const clconst_plan *const *plans,
                            size_t count,
                            const clconst_batch_options *options,
                            clconst_error *error)
{
    for (size_t i = 0; i < count; i++) {
        clconst_status status =
            check_plan(plans[i], i, options->max_arena_size, error);
        if (status != CLCONST_OK) {
            return status;
        }
        batch->placed[i].plan = clconst__plan_retain(plans[i]);
        batch->count = i + 1;
        size_t offset;
        clconst__arena *arena = open_arena(batch, i, options, &offset);
        batch->placed[i].offset = offset;
        arena->count++;
        arena->size = offset + plans[i]->size;
    }
    return CLCONST_OK;
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
    clconst_batch_options own;
    clconst_status status = read_options(options, &own, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst_batch *created;
    status = clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = clconst__alloc(
        count, sizeof(*created->placed), &created->placed, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(
            count, sizeof(*created->arenas), &created->arenas, error);
    }
    if (status == CLCONST_OK) {
        status = place(created, plans, count, &own, error);
    }
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

clconst_status clconst_batch_get_place(const clconst_batch *batch,
                                       size_t index,
                                       clconst_place *place,
                                       clconst_error *error)
{
    if (index >= batch->count) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "index is %zu; the batch has %zu plans",
                             index,
                             batch->count);
    }
    size_t arena = 0;
    while (index >= batch->arenas[arena].first + batch->arenas[arena].count) {
        arena++;
    }
    clconst_place own = {sizeof(own),
                         arena,
                         batch->placed[index].offset,
                         batch->placed[index].plan->size};
    clconst__output_write(place, &own, sizeof(own));
    return CLCONST_OK;
}

void clconst_batch_destroy(clconst_batch *batch)
{
    if (batch == NULL) {
        return;
    }
    for (size_t i = 0; i < batch->count; i++) {
        clconst_plan_destroy((clconst_plan *)batch->placed[i].plan);
    }
    clconst__free(batch->placed);
    clconst__free(batch->arenas);
    clconst__free(batch);
}
