#include "backend/opencl/commands.h"

#include "backend/opencl/fill.h"
#include "backend/opencl/native.h"
#include "backend/opencl/tables.h"

/* Whether one launch writes all fills, or a command each. */
static bool uses_fill_table(const clconst__submission *submission,
                            const clconst__arena *arena)
{
    const clconst__opencl *cl = submission->cl;
    bool is_preferred =
        cl->fill_path == CLCONST_PATH_KERNEL ||
        (cl->fill_path == CLCONST_PATH_AUTO && cl->tuning->has_fast_tables);
    return is_preferred && arena->fills.row_count > 0 &&
           !submission->is_read_only;
}

/* The tables end the image; where nothing reads them they stay on the host. */
static size_t written_image_size(const clconst__submission *submission,
                                 const clconst__arena *arena)
{
    bool reads_tables =
        uses_fill_table(submission, arena) || arena->scatters.row_count > 0;
    return reads_tables ? arena->image_size : arena->outputs_size;
}

static clconst_status check_read_only(const clconst__submission *submission,
                                      const clconst__placed *placed,
                                      size_t offset,
                                      clconst_error *error)
{
    const clconst_plan *plan = placed->plan;
    if (plan->size == 0) {
        return CLCONST_OK;
    }
    if (plan->content == CLCONST__CONTENT_PAIRS && plan->scatter->count > 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "buffer is CL_MEM_READ_ONLY; a sparse constant "
                             "needs a kernel, which may not write it");
    }
    clconst__fill fill = clconst__fill_of(plan);
    return clconst__fill_check(
        submission, &fill, offset + placed->offset, error);
}

clconst_status clconst__commands_check(const clconst__submission *submission,
                                       cl_mem_flags flags,
                                       const clconst__arena *arena,
                                       const clconst__placed *placed,
                                       size_t offset,
                                       clconst_error *error)
{
    bool bars_host =
        (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0;
    size_t host_size =
        written_image_size(submission, arena) +
        clconst__placed_size(placed + arena->direct.first, arena->direct.count);
    if (bars_host && host_size > 0 && !clconst__native_serves(submission)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "buffer bars writes from the host; %zu bytes come "
                             "from there",
                             host_size);
    }
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; submission->is_read_only && i < arena->filled.count &&
                       status == CLCONST_OK;
         i++) {
        status = check_read_only(
            submission, &placed[arena->filled.first + i], offset, error);
    }
    return status;
}

/*
 * The plan holds a last byte of its own where the source's has other bits. The
 * two ranges do not meet, so that their order does not matter.
 */
static clconst_status copy(clconst__submission *submission,
                           const clconst_plan *plan,
                           size_t offset,
                           clconst_error *error)
{
    size_t size = plan->is_last_byte_plain ? plan->size : plan->size - 1;
    clconst_status status = CLCONST_OK;
    if (size > 0) {
        status = clconst__submission_write(
            submission, plan->source, offset, size, error);
    }
    if (status == CLCONST_OK && !plan->is_last_byte_plain) {
        status = clconst__submission_write(
            submission, &plan->last_byte, offset + size, 1, error);
    }
    return status;
}

static clconst_status fill_each(clconst__submission *submission,
                                const clconst__arena *arena,
                                const clconst__placed *placed,
                                size_t offset,
                                clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < arena->filled.count && status == CLCONST_OK; i++) {
        const clconst__placed *output = &placed[arena->filled.first + i];
        if (output->plan->size > 0) {
            clconst__fill fill = clconst__fill_of(output->plan);
            status = clconst__fill_enqueue(
                submission, &fill, offset + output->offset, error);
        }
    }
    return status;
}

static clconst_status write_image(clconst__submission *submission,
                                  const clconst__arena *arena,
                                  size_t offset,
                                  clconst_error *error)
{
    size_t size = written_image_size(submission, arena);
    return size == 0 ? CLCONST_OK
                     : clconst__submission_write(submission,
                                                 arena->image,
                                                 offset + arena->image_offset,
                                                 size,
                                                 error);
}

static clconst_status fill_all(clconst__submission *submission,
                               const clconst__arena *arena,
                               const clconst__placed *placed,
                               size_t offset,
                               clconst_error *error)
{
    return uses_fill_table(submission, arena)
               ? clconst__tables_fill(submission, arena, offset, error)
               : fill_each(submission, arena, placed, offset, error);
}

/* A scatter that is an arena's only filled output, and so in no table. */
static const clconst__placed *find_lone_scatter(const clconst__arena *arena,
                                                const clconst__placed *placed)
{
    const clconst__placed *output = &placed[arena->filled.first];
    return arena->filled.count == 1 &&
                   output->plan->content == CLCONST__CONTENT_PAIRS
               ? output
               : NULL;
}

static clconst_status scatter(clconst__submission *submission,
                              const clconst__arena *arena,
                              const clconst__placed *placed,
                              size_t offset,
                              clconst_error *error)
{
    if (arena->scatters.row_count > 0) {
        return clconst__tables_scatter(submission, arena, offset, error);
    }
    const clconst__placed *lone = find_lone_scatter(arena, placed);
    return lone != NULL
               ? clconst__tables_scatter_one(
                     submission, lone->plan, offset + lone->offset, error)
               : CLCONST_OK;
}

static clconst_status copy_each(clconst__submission *submission,
                                const clconst__arena *arena,
                                const clconst__placed *placed,
                                size_t offset,
                                clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < arena->direct.count && status == CLCONST_OK; i++) {
        const clconst__placed *output = &placed[arena->direct.first + i];
        if (output->plan->size > 0) {
            status =
                copy(submission, output->plan, offset + output->offset, error);
        }
    }
    return status;
}

static clconst_status enqueue_parts(clconst__submission *submission,
                                    const clconst__arena *arena,
                                    const clconst__placed *placed,
                                    size_t offset,
                                    clconst_error *error)
{
    const clconst__placed *lone = find_lone_scatter(arena, placed);
    clconst_status status =
        lone != NULL ? clconst__tables_check_one(submission, lone->plan, error)
                     : CLCONST_OK;
    /* Kernels read tables from the image, and scatters follow their zeros. */
    submission->is_ordered = uses_fill_table(submission, arena) ||
                             arena->scatters.row_count > 0 || lone != NULL;
    if (status == CLCONST_OK) {
        status = write_image(submission, arena, offset, error);
    }
    if (status == CLCONST_OK) {
        status = fill_all(submission, arena, placed, offset, error);
    }
    if (status == CLCONST_OK) {
        status = scatter(submission, arena, placed, offset, error);
    }
    if (status == CLCONST_OK) {
        status = copy_each(submission, arena, placed, offset, error);
    }
    return status;
}

/* A fill that is all an arena has. */
static const clconst__placed *find_lone_fill(const clconst__arena *arena,
                                             const clconst__placed *placed)
{
    const clconst__placed *output = &placed[arena->filled.first];
    return arena->all.count == 1 && arena->filled.count == 1 &&
                   output->plan->content == CLCONST__CONTENT_PATTERN
               ? output
               : NULL;
}

static clconst_status enqueue_lone_fill(clconst__submission *submission,
                                        const clconst__placed *output,
                                        size_t offset,
                                        clconst_error *error)
{
    clconst__fill fill = clconst__fill_of(output->plan);
    size_t begin = offset + output->offset;
    /* The arguments of a native kernel cost the host more than the driver's
     * fill does, and the device writes few bytes in no time. */
    bool is_native =
        clconst__native_serves(submission) &&
        (submission->cl->fill_path == CLCONST_PATH_NATIVE ||
         !clconst__fill_is_driver_command(submission, &fill, begin));
    return is_native
               ? clconst__native_enqueue(submission, output, 1, offset, error)
               : clconst__fill_enqueue(submission, &fill, begin, error);
}

clconst_status clconst__commands_enqueue(clconst__submission *submission,
                                         const clconst__arena *arena,
                                         const clconst__placed *placed,
                                         size_t offset,
                                         clconst_error *error)
{
    const clconst__placed *outputs = placed + arena->all.first;
    size_t size = clconst__placed_size(outputs, arena->all.count);
    const clconst__placed *lone = find_lone_fill(arena, placed);
    clconst_status status = CLCONST_OK;
    if (size > 0 && lone != NULL) {
        status = enqueue_lone_fill(submission, lone, offset, error);
    } else if (size > 0 && clconst__native_serves(submission)) {
        status = clconst__native_enqueue(
            submission, outputs, arena->all.count, offset, error);
    } else if (size > 0) {
        status = enqueue_parts(submission, arena, placed, offset, error);
    }
    return clconst__submission_finish(submission, status, size, error);
}
