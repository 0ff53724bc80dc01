#include "backend/opencl/tables.h"

#include <inttypes.h>

#include "backend/opencl/launch.h"
#include "backend/opencl/status.h"

enum { SCATTER_GROUP_SIZE = 64 };

clconst_status clconst__tables_fill(clconst__submission *submission,
                                    const clconst__arena *arena,
                                    size_t offset,
                                    clconst_error *error)
{
    cl_ulong arena_offset = offset;
    cl_ulong rows_offset = arena->fills.offset;
    cl_ulong row_count = arena->fills.row_count;
    cl_ulong flat_size = arena->fills.flat_size;
    cl_ulong chunk_size;
    const clconst__argument arguments[] = {
        CLCONST__ARGUMENT(arena_offset),
        CLCONST__ARGUMENT(rows_offset),
        CLCONST__ARGUMENT(row_count),
        CLCONST__ARGUMENT(flat_size),
        CLCONST__ARGUMENT(chunk_size),
    };
    clconst__launch launch = {
        .kernel = CLCONST__KERNEL_FILL_BATCH,
        .arguments = arguments,
        .argument_count = sizeof(arguments) / sizeof(arguments[0]),
    };
    chunk_size =
        clconst__launch_share(&launch, submission->cl->tuning, flat_size);
    return clconst__launch_enqueue(submission, &launch, error);
}

/* Where the kernel finds a table, and how much there is to do. */
typedef struct scatter_table {
    cl_mem buffer;
    cl_ulong offset;
    cl_ulong rows_offset;
    cl_ulong row_count;
    cl_ulong pair_count;
} scatter_table;

static clconst_status launch_scatter(clconst__submission *submission,
                                     const scatter_table *table,
                                     size_t offset,
                                     clconst_error *error)
{
    cl_ulong buffer_offset = offset;
    const clconst__argument arguments[] = {
        CLCONST__ARGUMENT(buffer_offset),
        CLCONST__ARGUMENT(table->buffer),
        CLCONST__ARGUMENT(table->offset),
        CLCONST__ARGUMENT(table->rows_offset),
        CLCONST__ARGUMENT(table->row_count),
        CLCONST__ARGUMENT(table->pair_count),
    };
    clconst__launch launch = {
        .kernel = CLCONST__KERNEL_SCATTER,
        .arguments = arguments,
        .argument_count = sizeof(arguments) / sizeof(arguments[0]),
        .global_size =
            clconst__divide_up((size_t)table->pair_count, SCATTER_GROUP_SIZE) *
            SCATTER_GROUP_SIZE,
        .group_size = SCATTER_GROUP_SIZE,
    };
    return clconst__launch_enqueue(submission, &launch, error);
}

clconst_status clconst__tables_scatter(clconst__submission *submission,
                                       const clconst__arena *arena,
                                       size_t offset,
                                       clconst_error *error)
{
    const scatter_table table = {
        .buffer = submission->target.buffer,
        .offset = offset,
        .rows_offset = arena->scatters.offset,
        .row_count = arena->scatters.row_count,
        .pair_count = arena->scatters.flat_size,
    };
    return launch_scatter(submission, &table, offset, error);
}

/* The row, the indices and the units, one behind the other. The plan holds
 * them until the commands have run. */
static clconst_status write_pairs(clconst__submission *submission,
                                  const clconst_plan *plan,
                                  clconst_error *error)
{
    const clconst__scatter_row *row = &plan->scatter_row;
    const struct {
        const void *bytes;
        size_t offset;
        size_t size;
    } parts[] = {
        {row, 0, sizeof(*row)},
        {plan->scatter->indices,
         (size_t)row->indices_offset,
         (size_t)(row->units_offset - row->indices_offset)},
        {plan->scatter->units,
         (size_t)row->units_offset,
         plan->scatter->count * plan->scatter->unit_size},
    };
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (status == CLCONST_OK) {
            status = clconst__submission_write(submission,
                                               parts[i].bytes,
                                               parts[i].offset,
                                               parts[i].size,
                                               error);
        }
    }
    return status;
}

/* Bytes of what write_pairs writes; they lie in host memory already. */
static size_t pairs_size(const clconst_plan *plan)
{
    return (size_t)plan->scatter_row.units_offset +
           plan->scatter->count * plan->scatter->unit_size;
}

clconst_status clconst__tables_check_one(const clconst__submission *submission,
                                         const clconst_plan *plan,
                                         clconst_error *error)
{
    size_t size = pairs_size(plan);
    const clconst__device *device = &submission->cl->device;
    if (plan->scatter->count > 0 && size > device->max_allocation_size) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "pairs take %zu bytes; %.200s allocates at most "
                             "%" PRIu64,
                             size,
                             device->name,
                             device->max_allocation_size);
    }
    return CLCONST_OK;
}

clconst_status clconst__tables_scatter_one(clconst__submission *submission,
                                           const clconst_plan *plan,
                                           size_t offset,
                                           clconst_error *error)
{
    if (plan->scatter->count == 0) {
        return CLCONST_OK;
    }
    clconst__target output = submission->target;
    cl_mem pairs;
    cl_int code;
    clconst_status status =
        CLCONST__CL_CREATE(pairs,
                           clCreateBuffer(submission->cl->context,
                                          CL_MEM_READ_WRITE,
                                          pairs_size(plan),
                                          NULL,
                                          &code),
                           error);
    if (status != CLCONST_OK) {
        return status;
    }
    submission->target = (clconst__target){.buffer = pairs};
    status = write_pairs(submission, plan, error);
    submission->target = output;
    if (status == CLCONST_OK) {
        const scatter_table table = {.buffer = pairs,
                                     .row_count = 1,
                                     .pair_count = plan->scatter->count};
        status = launch_scatter(submission, &table, offset, error);
    }
    /* Commands in the queue hold it until they have run. */
    clReleaseMemObject(pairs);
    return status;
}
