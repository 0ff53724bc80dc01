/*
 * The function that fills a box inside a caller's buffer.
 */
#include <string.h>

#include "backend/opencl/caller.h"
#include "backend/opencl/fill.h"
#include "backend/opencl/launch.h"
#include "backend/opencl/native.h"
#include "core/box.h"
#include "core/table.h"

/* Up to here rows are cheaper as commands of the driver than as a launch. */
enum { ROW_COMMAND_COUNT_MAX = 4 };

/* A box on its way to a buffer, and the fill that each of its rows is. */
typedef struct placed_box {
    clconst__box box;
    clconst__fill row;
    size_t offset;
} placed_box;

static size_t row_offset(const placed_box *placed, size_t row)
{
    return placed->offset + clconst__box_row_offset(&placed->box, row);
}

/* Whether a command of the driver writes each row. */
static bool prefers_driver(const clconst__submission *submission,
                           const placed_box *placed)
{
    size_t count = placed->box.row_count;
    bool is_preferred = count <= ROW_COMMAND_COUNT_MAX;
    for (size_t row = 0; row < count && is_preferred; row++) {
        is_preferred = clconst__fill_prefers_driver(
            submission, &placed->row, row_offset(placed, row));
    }
    return is_preferred;
}

static clconst_status fill_rows(clconst__submission *submission,
                                const placed_box *placed,
                                clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t row = 0; row < placed->box.row_count && status == CLCONST_OK;
         row++) {
        status = clconst__fill_enqueue(
            submission, &placed->row, row_offset(placed, row), error);
    }
    return status;
}

/* The unused dims of the vectors are never reached, and divide by no zero. */
static void
set_dims(const clconst__box *box, cl_ulong8 *counts, cl_ulong8 *steps)
{
    for (size_t i = 0; i < CLCONST__BOX_RANK_MAX; i++) {
        counts->s[i] = i < box->rank ? box->counts[i] : 1;
        steps->s[i] = i < box->rank ? box->strides[i] : 0;
    }
}

static clconst_status launch(clconst__submission *submission,
                             const placed_box *placed,
                             clconst_error *error)
{
    const clconst__box *box = &placed->box;
    cl_ulong offset = placed->offset;
    cl_ulong row_size = box->row_size;
    cl_ulong row_count = box->row_count;
    cl_ulong8 counts;
    cl_ulong8 strides;
    cl_ulong2 words[3];
    cl_uint last = placed->row.last_byte;
    cl_ulong chunk_size;
    set_dims(box, &counts, &strides);
    memcpy(words, placed->row.pattern->bytes, sizeof(words));
    const clconst__argument arguments[] = {
        CLCONST__ARGUMENT(offset),
        CLCONST__ARGUMENT(row_size),
        CLCONST__ARGUMENT(row_count),
        CLCONST__ARGUMENT(counts),
        CLCONST__ARGUMENT(strides),
        CLCONST__ARGUMENT(words[0]),
        CLCONST__ARGUMENT(words[1]),
        CLCONST__ARGUMENT(words[2]),
        CLCONST__ARGUMENT(last),
        CLCONST__ARGUMENT(chunk_size),
    };
    clconst__launch launch = {
        .kernel = CLCONST__KERNEL_FILL_REGION,
        .arguments = arguments,
        .argument_count = sizeof(arguments) / sizeof(arguments[0]),
    };
    cl_ulong flat_row_size =
        clconst__divide_up(box->row_size, CLCONST__FLAT_STEP) *
        CLCONST__FLAT_STEP;
    chunk_size = clconst__launch_share(
        &launch, submission->cl->tuning, flat_row_size * row_count);
    return clconst__launch_enqueue(submission, &launch, error);
}

static clconst_status enqueue_rows(clconst__submission *submission,
                                   const placed_box *placed,
                                   clconst_error *error)
{
    if (submission->is_read_only && !prefers_driver(submission, placed)) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "buffer is CL_MEM_READ_ONLY; a region of %zu rows "
                             "needs a kernel, which may not write it",
                             placed->box.row_count);
    }
    clconst_status status;
    if (clconst__native_serves(submission)) {
        status = clconst__native_enqueue_box(submission,
                                             &placed->box,
                                             placed->row.pattern,
                                             placed->offset,
                                             error);
    } else if (prefers_driver(submission, placed)) {
        status = fill_rows(submission, placed, error);
    } else {
        status = launch(submission, placed, error);
    }
    return clconst__submission_finish(submission,
                                      status,
                                      placed->box.row_size *
                                          placed->box.row_count,
                                      error);
}

clconst_status clconst_enqueue_region(clconst_engine *engine,
                                      const clconst_plan *plan,
                                      cl_command_queue queue,
                                      cl_mem buffer,
                                      size_t offset,
                                      const size_t *strides,
                                      cl_uint num_wait,
                                      const cl_event *wait_list,
                                      cl_event *event,
                                      clconst_error *error)
{
    placed_box placed = {.offset = offset};
    clconst__box *box = &placed.box;
    clconst_status status = clconst__caller_check_plan(engine, plan, error);
    if (status == CLCONST_OK) {
        status = clconst__box_create(plan, strides, box, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (box->row_count <= 1) {
        /* Without gaps it is what clconst_enqueue writes. */
        return clconst_enqueue(engine,
                               plan,
                               queue,
                               buffer,
                               offset,
                               num_wait,
                               wait_list,
                               event,
                               error);
    }
    clconst__submission submission =
        clconst__submission_begin(queue, buffer, num_wait, wait_list, event);
    clconst__buffer_facts facts;
    status = clconst__caller_open(&submission, engine, error);
    if (status == CLCONST_OK) {
        status = clconst__caller_check_output(
            &submission, offset, box->extent, &facts, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    size_t last = box->row_size - 1;
    placed.row = (clconst__fill){
        &plan->pattern,
        plan->period,
        box->row_size,
        plan->pattern.bytes[last % CLCONST__PATTERN_SIZE],
        true,
    };
    return enqueue_rows(&submission, &placed, error);
}
