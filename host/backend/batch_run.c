/*
 * Batches on engines: arena by arena, what the engine fills or has in an image
 * at once, and the large copies in pieces, of which a few are on their way at
 * a time.
 */
#include <inttypes.h>

#include "backend/tensor.h"
#include "base/alloc.h"
#include "base/checked.h"
#include "base/options.h"
#include "core/arena.h"

enum {
    /* Pieces in flight: as many as keep a device busy while one of them waits
     * for the host. */
    PIECE_COUNT = 4,
};

#define DEFAULT_IN_FLIGHT_SIZE ((size_t)32 << 20)

/* A part of an arena on its way. slice is the plan of one that is cut out of a
 * larger one. */
typedef struct piece {
    void *work; /* NULL: none */
    clconst__range range;
    const clconst__placed *placed;
    clconst_plan slice;
    clconst__placed slice_placed;
    size_t size;
} piece;

/* What the steps of a run share. body is what is not copied in pieces. */
typedef struct batch_run {
    clconst_engine *engine;
    const clconst_batch *batch;
    clconst_batch_run_options options;
    size_t piece_size;
    uint64_t done_size;
    uint64_t total_size;
    clconst_tensor *tensor; /* of the present arena */
    piece body;
    piece pieces[PIECE_COUNT]; /* a ring */
    size_t piece_count;        /* started in this arena */
} batch_run;

static clconst_status report(batch_run *run, clconst_error *error)
{
    const clconst_batch_run_options *options = &run->options;
    if (options->progress == NULL ||
        options->progress(
            options->progress_context, run->done_size, run->total_size) == 0) {
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_CANCELLED,
                         "run is cancelled; %" PRIu64 " of %" PRIu64
                         " bytes are written",
                         run->done_size,
                         run->total_size);
}

/* Sources that were mapped need no memory once they are copied. */
static void give_back(const piece *done)
{
    for (size_t i = 0; i < done->range.count; i++) {
        const clconst_plan *plan = done->placed[done->range.first + i].plan;
        if (plan->content == CLCONST__CONTENT_BYTES) {
            clconst__storage_give_back(
                plan->op->storage, plan->source, plan->size);
        }
    }
}

static clconst_status start(batch_run *run,
                            piece *part,
                            const clconst__arena *arena,
                            clconst_error *error)
{
    part->range = arena->all;
    part->size = clconst__placed_size(part->placed + part->range.first,
                                      part->range.count);
    return run->engine->backend->start(run->engine,
                                       arena,
                                       part->placed,
                                       run->tensor->memory,
                                       &part->work,
                                       error);
}

/* What was started is complete on return. */
static clconst_status finish(batch_run *run, piece *part, clconst_error *error)
{
    void *work = part->work;
    part->work = NULL;
    clconst_status status =
        work != NULL ? run->engine->backend->finish(run->engine, work, error)
                     : CLCONST_OK;
    if (status != CLCONST_OK || part->size == 0) {
        return status;
    }
    give_back(part);
    run->done_size += part->size;
    part->size = 0;
    return report(run, error);
}

/* The next slot of the ring, when what it held is complete. */
static clconst_status
take_slot(batch_run *run, piece **slot, clconst_error *error)
{
    *slot = &run->pieces[run->piece_count % PIECE_COUNT];
    run->piece_count++;
    return finish(run, *slot, error);
}

static clconst_status copy_range(batch_run *run,
                                 const clconst__placed *placed,
                                 clconst__range range,
                                 clconst_error *error)
{
    piece *slot;
    clconst_status status = take_slot(run, &slot, error);
    if (status != CLCONST_OK) {
        return status;
    }
    slot->placed = placed;
    clconst__arena arena = clconst__arena_of_direct(range);
    return start(run, slot, &arena, error);
}

static clconst_status copy_slice(batch_run *run,
                                 const clconst__placed *output,
                                 size_t begin,
                                 size_t end,
                                 clconst_error *error)
{
    piece *slot;
    clconst_status status = take_slot(run, &slot, error);
    if (status != CLCONST_OK) {
        return status;
    }
    slot->slice = clconst__plan_slice(output->plan, begin, end);
    slot->slice_placed =
        (clconst__placed){&slot->slice, output->offset + begin};
    slot->placed = &slot->slice_placed;
    clconst__arena arena = clconst__arena_of_direct((clconst__range){0, 1});
    return start(run, slot, &arena, error);
}

static clconst_status
copy_large(batch_run *run, const clconst__placed *output, clconst_error *error)
{
    size_t size = output->plan->size;
    clconst_status status = CLCONST_OK;
    for (size_t begin = 0; begin < size && status == CLCONST_OK;) {
        size_t left = size - begin;
        size_t end = begin + (left < run->piece_size ? left : run->piece_size);
        status = copy_slice(run, output, begin, end, error);
        begin = end;
    }
    return status;
}

/* Outputs that share a piece; at least one. */
static clconst__range
next_range(const batch_run *run, clconst__range all, size_t begin)
{
    const clconst__placed *placed = run->batch->placed;
    size_t end = begin;
    size_t size = 0;
    while (end < all.first + all.count &&
           placed[end].plan->size <= run->piece_size - size) {
        size += placed[end].plan->size;
        end++;
    }
    return (clconst__range){begin, end - begin};
}

static clconst_status
copy_all(batch_run *run, clconst__range direct, clconst_error *error)
{
    const clconst__placed *placed = run->batch->placed;
    clconst_status status = CLCONST_OK;
    for (size_t i = direct.first;
         i < direct.first + direct.count && status == CLCONST_OK;) {
        clconst__range range = next_range(run, direct, i);
        if (range.count == 0) {
            status = copy_large(run, &placed[i], error);
            i++;
        } else {
            status = copy_range(run, placed, range, error);
            i += range.count;
        }
    }
    return status;
}

/* Few bytes of copies go with the rest, so that no command is added. */
static bool is_in_pieces(const batch_run *run, const clconst__arena *arena)
{
    return clconst__placed_size(run->batch->placed + arena->direct.first,
                                arena->direct.count) > run->piece_size;
}

/* Starts all of an arena, and finishes most of it. */
static clconst_status
start_arena(batch_run *run, const clconst__arena *arena, clconst_error *error)
{
    clconst__arena body = *arena;
    if (is_in_pieces(run, arena)) {
        body.all.count -= body.direct.count;
        body.direct.count = 0;
    }
    run->body.placed = run->batch->placed;
    clconst_status status =
        body.all.count > 0 ? start(run, &run->body, &body, error) : CLCONST_OK;
    if (status == CLCONST_OK && body.direct.count < arena->direct.count) {
        status = copy_all(run, arena->direct, error);
    }
    return status;
}

/* Finishes what is on its way; a failure that came before stays. */
static clconst_status
finish_arena(batch_run *run, clconst_status status, clconst_error *error)
{
    for (size_t i = 0; i <= PIECE_COUNT; i++) {
        piece *part = i < PIECE_COUNT
                          ? &run->pieces[(run->piece_count + i) % PIECE_COUNT]
                          : &run->body;
        if (status == CLCONST_OK) {
            status = finish(run, part, error);
        } else if (part->work != NULL) {
            run->engine->backend->finish(run->engine, part->work, NULL);
            part->work = NULL;
        }
    }
    return status;
}

static clconst_status run_arena(batch_run *run,
                                size_t index,
                                clconst_tensor **tensor,
                                clconst_error *error)
{
    const clconst__arena *arena = &run->batch->arenas[index];
    clconst_status status = clconst__tensor_allocate(
        run->engine,
        arena->size,
        clconst__placed_size(run->batch->placed + arena->direct.first,
                             arena->direct.count),
        &run->tensor,
        error);
    if (status != CLCONST_OK) {
        return status;
    }
    run->piece_count = 0;
    status = start_arena(run, arena, error);
    status = finish_arena(run, status, error);
    if (status != CLCONST_OK) {
        clconst_tensor_destroy(run->tensor);
        return status;
    }
    *tensor = run->tensor;
    return CLCONST_OK;
}

static clconst_status init(batch_run *run,
                           const clconst_batch_run_options *options,
                           clconst_error *error)
{
    clconst_status status = clconst__options_read(
        &run->options, sizeof(run->options), options, error);
    size_t in_flight_size = run->options.in_flight_size > 0
                                ? run->options.in_flight_size
                                : DEFAULT_IN_FLIGHT_SIZE;
    run->piece_size =
        in_flight_size > PIECE_COUNT ? in_flight_size / PIECE_COUNT : 1;
    run->total_size =
        clconst__placed_size(run->batch->placed, run->batch->placed_count);
    return status == CLCONST_OK ? report(run, error) : status;
}

/* All arenas, before anything is created. */
static clconst_status check_arenas(clconst_engine *engine,
                                   const clconst_batch *batch,
                                   clconst_error *error)
{
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    engine->backend->get_info(engine, &info);
    size_t total = 0;
    for (size_t i = 0; i < batch->arena_count; i++) {
        size_t size = batch->arenas[i].size;
        if (size > info.max_allocation_size) {
            return clconst__fail(error,
                                 CLCONST_TOO_LARGE,
                                 "arena %zu takes %zu bytes; %.200s allocates "
                                 "at most %" PRIu64,
                                 i,
                                 size,
                                 info.name,
                                 info.max_allocation_size);
        }
        if (!clconst__add_size(total, size, &total)) {
            total = SIZE_MAX;
        }
    }
    if (total > info.global_memory_size) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "%zu arenas take %zu bytes; %.200s has %" PRIu64,
                             batch->arena_count,
                             total,
                             info.name,
                             info.global_memory_size);
    }
    return CLCONST_OK;
}

clconst_status clconst_batch_run(clconst_engine *engine,
                                 const clconst_batch *batch,
                                 const clconst_batch_run_options *options,
                                 clconst_tensor **tensors,
                                 clconst_error *error)
{
    if (engine == NULL || batch == NULL ||
        (tensors == NULL && batch->arena_count > 0)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "engine, batch or tensors is NULL; all are "
                             "required");
    }
    batch_run run = {.engine = engine, .batch = batch};
    clconst_tensor **created;
    clconst_status status = check_arenas(engine, batch, error);
    if (status == CLCONST_OK) {
        status = clconst__alloc(
            batch->arena_count, sizeof(*created), &created, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    status = init(&run, options, error);
    for (size_t i = 0; i < batch->arena_count && status == CLCONST_OK; i++) {
        status = run_arena(&run, i, &created[i], error);
    }
    for (size_t i = 0; i < batch->arena_count; i++) {
        if (status == CLCONST_OK) {
            tensors[i] = created[i];
        } else {
            clconst_tensor_destroy(created[i]);
        }
    }
    clconst__free(created);
    return status;
}
