#include "cli/loader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "cli/verify.h"

/* What is in a branch that is not taken is left out. Of the rest the first
 * fault is the one line that is told. */
static cli_outcome note_unresolved(cli_loader *loader,
                                   const cli_constant *constant,
                                   clconst_error *error)
{
    bool is_taken = constant->resolved.state != CLCONST_NOT_TAKEN;
    json_t *row;
    cli_outcome outcome = cli_constant_describe(constant, 0, &row, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    json_t *list = is_taken ? loader->unresolved : loader->not_taken;
    if (json_array_append_new(list, row) != 0) {
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
    }
    bool is_invalid = constant->resolved.state == CLCONST_INVALID;
    bool is_wanted = loader->args->require_all && is_taken;
    if ((is_invalid || is_wanted) && loader->outcome == CLI_DONE) {
        cli_error_set(error,
                      constant->resolved.status,
                      constant->resolved.native_code,
                      "constant %zu \"%.*s\" is %s: %s",
                      constant->number,
                      cli_text_precision(constant->written.name.size),
                      constant->written.name.data,
                      is_invalid ? "invalid" : "unresolved",
                      constant->resolved.reason);
        loader->outcome = CLI_UNMET;
    }
    return CLI_DONE;
}

static size_t plan_size(const clconst_plan *plan)
{
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan, &output);
    return output.size;
}

/* A tensor that no device can hold is told by its name, not by its place in a
 * batch. */
static cli_outcome check_size(const cli_loader *loader,
                              const cli_constant *constant,
                              clconst_error *error)
{
    size_t size = plan_size(constant->resolved.plan);
    if (size > loader->engines.info.max_allocation_size) {
        return cli_fail(error,
                        CLCONST_TOO_LARGE,
                        "constant %zu \"%.*s\" has %zu bytes; the device's "
                        "largest allocation is %" PRIu64,
                        constant->number,
                        cli_text_precision(constant->written.name.size),
                        constant->written.name.data,
                        size,
                        loader->engines.info.max_allocation_size);
    }
    return CLI_DONE;
}

static bool is_strings(const clconst_plan *plan)
{
    return clconst_plan_get_kind(plan) == CLCONST_PLAN_STRINGS;
}

/* Sorts the constants: to the device, to the host, or nowhere. */
static cli_outcome collect(cli_loader *loader, clconst_error *error)
{
    size_t count = loader->model.info.constant_count;
    cli_outcome outcome =
        cli_alloc(count, sizeof(*loader->plans), &loader->plans, error);
    for (size_t i = 0; outcome == CLI_DONE && i < count; i++) {
        cli_constant constant;
        outcome = cli_model_get_constant(&loader->model, i, &constant, error);
        if (outcome != CLI_DONE) {
            break;
        }
        const clconst_plan *plan = constant.resolved.plan;
        if (plan == NULL) {
            outcome = note_unresolved(loader, &constant, error);
        } else if (!is_strings(plan)) {
            outcome = check_size(loader, &constant, error);
            loader->plan_size += plan_size(plan);
            loader->plans[loader->plan_count++] = plan;
        }
    }
    return outcome;
}

/* What arenas there are, for the report. */
static cli_outcome note_arenas(cli_loader *loader, clconst_error *error)
{
    for (size_t i = 0; i < clconst_batch_get_arena_count(loader->batch); i++) {
        size_t size = clconst_batch_get_arena_size(loader->batch, i);
        loader->device_size += size;
        if (json_array_append_new(loader->arena_sizes, cli_json_size(size)) !=
            0) {
            return cli_fail(
                error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
        }
    }
    return CLI_DONE;
}

static cli_outcome make_batch(cli_loader *loader, clconst_error *error)
{
    clconst_batch_options options = CLCONST_BATCH_OPTIONS_INIT;
    uint64_t limit = loader->engines.info.max_allocation_size;
    options.alignment = loader->engines.info.alignment;
    options.expand_size = loader->engines.info.expand_size;
    options.max_arena_size = limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
    options.deduplicate = loader->args->share;
    cli_outcome outcome = cli_outcome_of(clconst_batch_create(
        loader->plans, loader->plan_count, &options, &loader->batch, error));
    if (outcome == CLI_DONE) {
        outcome = note_arenas(loader, error);
    }
    return outcome == CLI_DONE
               ? cli_alloc(clconst_batch_get_arena_count(loader->batch),
                           sizeof(*loader->arenas),
                           &loader->arenas,
                           error)
               : outcome;
}

/* A clconst_progress_function. */
static int show_progress(void *context, uint64_t done_size, uint64_t total_size)
{
    cli_progress_update(context, done_size, total_size);
    return cli_interrupt_is_pending();
}

static double seconds_between(struct timespec begin, struct timespec end)
{
    return (double)(end.tv_sec - begin.tv_sec) +
           (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
}

/* Programs are built before the clock starts. */
static cli_outcome run_batch(cli_loader *loader, clconst_error *error)
{
    clconst_engine *engine = loader->engines.device;
    clconst_engine_counters before = CLCONST_ENGINE_COUNTERS_INIT;
    clconst_engine_counters after = CLCONST_ENGINE_COUNTERS_INIT;
    struct timespec begin;
    struct timespec end;
    clconst_status status = clconst_engine_prepare(engine, error);
    if (status != CLCONST_OK) {
        return cli_outcome_of(status);
    }
    clconst_engine_get_counters(engine, &before);
    cli_progress progress;
    cli_progress_begin(&progress, "loading");
    clconst_batch_run_options options = CLCONST_BATCH_RUN_OPTIONS_INIT;
    options.progress = show_progress;
    options.progress_context = &progress;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    status = clconst_batch_run(
        engine, loader->batch, &options, loader->arenas, error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    cli_progress_end(&progress);
    if (status != CLCONST_OK) {
        return cli_outcome_of(status);
    }
    clconst_engine_get_counters(engine, &after);
    loader->arena_count = clconst_batch_get_arena_count(loader->batch);
    loader->command_count = after.command_count - before.command_count;
    loader->written_size = after.byte_size - before.byte_size;
    loader->seconds = seconds_between(begin, end);
    return CLI_DONE;
}

/* The bytes of one tensor of the batch. */
static cli_content find_content(const cli_loader *loader,
                                const clconst_plan *plan,
                                const clconst_place *place)
{
    clconst_output output = CLCONST_OUTPUT_INIT;
    clconst_plan_get_output(plan, &output);
    cli_content content = cli_content_of(loader->arenas[place->arena]);
    content.offset = place->offset;
    content.view.dtype = output.dtype;
    content.view.shape = output.shape;
    content.view.size = place->size;
    if (content.view.data != NULL) {
        content.view.data = (const char *)content.view.data + place->offset;
    }
    return content;
}

static cli_outcome note_place(const cli_loader *loader,
                              const cli_constant *constant,
                              const clconst_place *place,
                              clconst_error *error)
{
    const clconst_constant *written = &constant->written;
    json_t *row =
        json_pack("{so so so so so so}",
                  "number",
                  cli_json_size(constant->number),
                  "name",
                  cli_text_json(written->name.data, written->name.size),
                  "scope",
                  cli_text_json(written->scope.data, written->scope.size),
                  "arena",
                  cli_json_size(place->arena),
                  "offset",
                  cli_json_size(place->offset),
                  "size",
                  cli_json_size(place->size));
    return json_array_append_new(loader->places, row) == 0
               ? CLI_DONE
               : cli_fail(
                     error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
}

/* Counts one loaded tensor and writes its file. */
static cli_outcome take_tensor(cli_loader *loader,
                               const cli_constant *constant,
                               const cli_content *content,
                               clconst_error *error)
{
    loader->tensor_count++;
    loader->size += cli_content_size(content);
    return cli_folder_add(&loader->folder,
                          constant->number,
                          constant->written.name,
                          constant->written.scope,
                          content,
                          error);
}

static cli_outcome take_from_host(cli_loader *loader,
                                  const cli_constant *constant,
                                  clconst_error *error)
{
    clconst_tensor *tensor;
    cli_outcome outcome = cli_engines_run(
        &loader->engines, constant->resolved.plan, &tensor, error);
    if (outcome == CLI_DONE) {
        cli_content content = cli_content_of(tensor);
        loader->host_tensor_count++;
        outcome = take_tensor(loader, constant, &content, error);
        clconst_tensor_destroy(tensor);
    }
    return outcome;
}

static cli_outcome take_from_device(cli_loader *loader,
                                    const cli_constant *constant,
                                    size_t index,
                                    clconst_error *error)
{
    clconst_place place = CLCONST_PLACE_INIT;
    cli_outcome outcome = cli_outcome_of(
        clconst_batch_get_place(loader->batch, index, &place, error));
    if (outcome != CLI_DONE) {
        return outcome;
    }
    cli_content content = find_content(loader, constant->resolved.plan, &place);
    if (loader->places != NULL) {
        outcome = note_place(loader, constant, &place, error);
    }
    if (outcome == CLI_DONE && loader->args->verify) {
        outcome = cli_verify(
            &content, constant->resolved.plan, loader->engines.host, error);
        cli_explain(outcome,
                    error,
                    "constant %zu \"%.*s\"",
                    constant->number,
                    cli_text_precision(constant->written.name.size),
                    constant->written.name.data);
    }
    if (outcome == CLI_DONE) {
        outcome = take_tensor(loader, constant, &content, error);
    }
    return outcome;
}

static cli_outcome take_all(cli_loader *loader, clconst_error *error)
{
    const cli_args *args = loader->args;
    cli_progress progress = {0};
    cli_outcome outcome = cli_folder_open(args->output, &loader->folder, error);
    if (args->output != NULL || args->verify) {
        cli_progress_begin(&progress,
                           args->output != NULL ? "writing" : "verifying");
    }
    size_t index = 0;
    for (size_t i = 0;
         outcome == CLI_DONE && i < loader->model.info.constant_count;
         i++) {
        cli_constant constant;
        outcome = cli_interrupt_check(error);
        if (outcome == CLI_DONE) {
            outcome =
                cli_model_get_constant(&loader->model, i, &constant, error);
        }
        if (outcome != CLI_DONE || constant.resolved.plan == NULL) {
            continue;
        }
        cli_progress_update(&progress, loader->size, loader->plan_size);
        outcome = is_strings(constant.resolved.plan)
                      ? take_from_host(loader, &constant, error)
                      : take_from_device(loader, &constant, index++, error);
    }
    cli_progress_end(&progress);
    return outcome == CLI_DONE ? cli_folder_finish(&loader->folder, error)
                               : outcome;
}

cli_outcome cli_loader_run(cli_loader *loader,
                           const cli_args *args,
                           cli_report *report,
                           clconst_error *error)
{
    loader->args = args;
    loader->unresolved = json_array();
    loader->not_taken = json_array();
    loader->arena_sizes = json_array();
    loader->places = args->json || args->all ? json_array() : NULL;
    cli_interrupt_catch();
    cli_outcome outcome =
        cli_model_open_operand(args, report, &loader->model, error);
    if (outcome == CLI_DONE) {
        outcome = cli_engines_open(args, report, &loader->engines, error);
    }
    if (outcome == CLI_DONE) {
        outcome = collect(loader, error);
    }
    if (outcome == CLI_DONE) {
        outcome = make_batch(loader, error);
    }
    if (outcome == CLI_DONE) {
        outcome = run_batch(loader, error);
    }
    if (outcome == CLI_DONE) {
        outcome = take_all(loader, error);
    }
    /* The library's message tells where it stopped, this one why. */
    return outcome == CLI_STOPPED ? cli_interrupt_check(error) : outcome;
}

void cli_loader_release(cli_loader *loader)
{
    for (size_t i = 0; i < loader->arena_count; i++) {
        clconst_tensor_destroy(loader->arenas[i]);
    }
    free(loader->arenas);
    clconst_batch_destroy(loader->batch);
    free(loader->plans);
    json_decref(loader->unresolved);
    json_decref(loader->not_taken);
    json_decref(loader->arena_sizes);
    json_decref(loader->places);
    cli_folder_release(&loader->folder);
    cli_engines_release(&loader->engines);
    cli_model_release(&loader->model);
}
