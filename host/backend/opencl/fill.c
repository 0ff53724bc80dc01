#include "backend/opencl/fill.h"

#include <string.h>

#include "backend/opencl/launch.h"
#include "backend/opencl/status.h"

enum {
    /* The widest pattern of clEnqueueFillBuffer (OpenCL 1.2, 5.2.2). */
    DRIVER_PATTERN_SIZE_MAX = 128,
    /* NVIDIA's driver hangs or breaks its context on fills of 2^31 bytes and
     * more (inducer/pyopencl issue 395). */
    DRIVER_PIECE_SIZE_MAX = 1 << 30,
    /* Below this, one command with a narrow pattern beats three commands of
     * which one has a wide pattern. */
    DRIVER_SPLIT_SIZE_MIN = 4096,

    WORD_SIZE = 16,
    /* llvmpipe silently ends loops after 65,535 iterations. */
    LOOP_COUNT_MAX = 65535,
    /* Chunks are multiples of a loop's 12 words. */
    CHUNK_STEP_SIZE = 12 * WORD_SIZE,
    CHUNK_SIZE_MAX = 8 << 20,
    /* Work-items of the coalesced kernel: a multiple of 3 groups, and so more
     * than the 16 that write single bytes. */
    COALESCED_GROUP_SIZE = 64,
    COALESCED_ITEM_COUNT_MAX = 1 << 20,
};

_Static_assert(CHUNK_SIZE_MAX / CHUNK_STEP_SIZE <= LOOP_COUNT_MAX,
               "a chunk is one loop");

clconst__fill clconst__fill_of(const clconst_plan *plan)
{
    return (clconst__fill){
        &plan->pattern,
        plan->period,
        plan->size,
        plan->last_byte,
        plan->is_last_byte_plain,
    };
}

/* Bytes that repeat the pattern: all but a last byte of its own. */
static size_t body_size(const clconst__fill *fill)
{
    return fill->is_last_byte_plain ? fill->size : fill->size - 1;
}

/* By masks, since a small enqueue would wait for each division. */
static bool is_multiple(size_t size, size_t power_of_two)
{
    return (size & (power_of_two - 1)) == 0;
}

/* Whether the driver's fill is able to write the bytes. */
static bool fits_driver(const clconst__submission *submission,
                        const clconst__fill *fill,
                        size_t offset)
{
    size_t period = fill->period;
    return atomic_load(&submission->cl->has_driver_fill) &&
           is_multiple(period, period) &&
           is_multiple(clconst__submission_position(submission, offset),
                       period) &&
           is_multiple(body_size(fill), period);
}

clconst_status clconst__fill_check(const clconst__submission *submission,
                                   const clconst__fill *fill,
                                   size_t offset,
                                   clconst_error *error)
{
    if (submission->is_read_only && !fits_driver(submission, fill, offset)) {
        return clconst__fail(
            error,
            CLCONST_INVALID_ARGUMENT,
            "buffer is CL_MEM_READ_ONLY; a fill of %zu bytes at "
            "offset %zu needs a kernel, which may not write it",
            fill->size,
            offset);
    }
    return CLCONST_OK;
}

/* The pattern of the driver's commands: narrow for a head and a tail, and as
 * wide as is fastest for the body. */
typedef struct driver_pattern {
    const uint8_t *bytes;
    size_t period;
    size_t width;
    uint8_t wide_bytes[DRIVER_PATTERN_SIZE_MAX];
} driver_pattern;

static size_t fastest_width(const clconst__tuning *tuning, size_t period)
{
    size_t index = 0;
    while (period >> index > 1) {
        index++;
    }
    return tuning->pattern_sizes[index];
}

/* The pattern of a body of size bytes that begins at position. */
static void make_driver_pattern(driver_pattern *pattern,
                                const clconst__tuning *tuning,
                                const clconst__fill *fill,
                                size_t position,
                                size_t size)
{
    pattern->bytes = fill->pattern->bytes;
    pattern->period = fill->period;
    pattern->width = fastest_width(tuning, fill->period);
    if (size < DRIVER_SPLIT_SIZE_MIN) {
        while (!is_multiple(position | size, pattern->width)) {
            pattern->width /= 2;
        }
    }
    if (pattern->width > CLCONST__PATTERN_SIZE) {
        clconst__pattern_repeat(
            fill->pattern, pattern->wide_bytes, pattern->width);
        pattern->bytes = pattern->wide_bytes;
    }
}

static clconst_status driver_fill(clconst__submission *submission,
                                  const driver_pattern *pattern,
                                  size_t width,
                                  size_t offset,
                                  size_t size,
                                  clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    while (size > 0 && status == CLCONST_OK) {
        size_t piece =
            size < DRIVER_PIECE_SIZE_MAX ? size : DRIVER_PIECE_SIZE_MAX;
        status = clconst__submission_fill(
            submission, pattern->bytes, width, offset, piece, error);
        offset += piece;
        size -= piece;
    }
    return status;
}

/*
 * A head of narrow patterns up to a multiple of the wide one, a body, a tail,
 * and a last byte of its own. Their ranges do not meet, so that their order
 * does not matter.
 */
static clconst_status fill_by_driver(clconst__submission *submission,
                                     const clconst__fill *fill,
                                     size_t offset,
                                     clconst_error *error)
{
    driver_pattern pattern;
    size_t position = clconst__submission_position(submission, offset);
    size_t size = body_size(fill);
    make_driver_pattern(&pattern, submission->cl->tuning, fill, position, size);
    size_t mask = pattern.width - 1;
    size_t head = (pattern.width - (position & mask)) & mask;
    size_t tail = (position + size) & mask;
    size_t body = size - head - tail;
    clconst_status status =
        driver_fill(submission, &pattern, pattern.period, offset, head, error);
    if (status == CLCONST_OK) {
        status = driver_fill(
            submission, &pattern, pattern.width, offset + head, body, error);
    }
    if (status == CLCONST_OK) {
        status = driver_fill(submission,
                             &pattern,
                             pattern.period,
                             offset + head + body,
                             tail,
                             error);
    }
    if (status == CLCONST_OK && !fill->is_last_byte_plain) {
        status = clconst__submission_fill(
            submission, &fill->last_byte, 1, offset + size, 1, error);
    }
    return status;
}

/* chunk_count is in words; the number of work-items follows from it. */
static cl_ulong choose_chunk_count(size_t size)
{
    return clconst__chunk_size(size, CHUNK_SIZE_MAX, CHUNK_STEP_SIZE) /
           WORD_SIZE;
}

static size_t choose_coalesced_count(size_t size)
{
    size_t words = clconst__divide_up(size, WORD_SIZE);
    size_t items = words;
    if (items > COALESCED_ITEM_COUNT_MAX) {
        items = COALESCED_ITEM_COUNT_MAX;
    }
    if (items < clconst__divide_up(words, LOOP_COUNT_MAX)) {
        items = clconst__divide_up(words, LOOP_COUNT_MAX);
    }
    size_t step = (size_t)3 * COALESCED_GROUP_SIZE;
    return clconst__divide_up(items, step) * step;
}

static clconst_status fill_by_kernel(clconst__submission *submission,
                                     const clconst__fill *fill,
                                     size_t offset,
                                     clconst_error *error)
{
    bool is_chunked = submission->cl->tuning->access == CLCONST__ACCESS_CHUNKED;
    cl_ulong first = offset;
    cl_ulong size = fill->size;
    cl_uint last = fill->last_byte;
    cl_ulong chunk_count = choose_chunk_count(fill->size);
    cl_ulong2 words[3];
    memcpy(words, fill->pattern->bytes, sizeof(words));
    const clconst__argument arguments[] = {
        CLCONST__ARGUMENT(first),
        CLCONST__ARGUMENT(size),
        CLCONST__ARGUMENT(words[0]),
        CLCONST__ARGUMENT(words[1]),
        CLCONST__ARGUMENT(words[2]),
        CLCONST__ARGUMENT(last),
        CLCONST__ARGUMENT(chunk_count),
    };
    cl_uint count = sizeof(arguments) / sizeof(arguments[0]);
    clconst__launch launch = {
        .kernel = CLCONST__KERNEL_FILL_CHUNKED,
        .arguments = arguments,
        .argument_count = count,
        .global_size =
            clconst__divide_up(fill->size, (size_t)chunk_count * WORD_SIZE),
        .group_size = 1,
    };
    if (!is_chunked) {
        launch.kernel = CLCONST__KERNEL_FILL_COALESCED;
        launch.argument_count = count - 1;
        launch.global_size = choose_coalesced_count(fill->size);
        launch.group_size = COALESCED_GROUP_SIZE;
    }
    return clconst__launch_enqueue(submission, &launch, error);
}

bool clconst__fill_is_driver_command(const clconst__submission *submission,
                                     const clconst__fill *fill,
                                     size_t offset)
{
    return fill->size < DRIVER_SPLIT_SIZE_MIN && fill->is_last_byte_plain &&
           fits_driver(submission, fill, offset);
}

bool clconst__fill_prefers_driver(const clconst__submission *submission,
                                  const clconst__fill *fill,
                                  size_t offset)
{
    const clconst__opencl *cl = submission->cl;
    bool is_wanted = submission->is_read_only ||
                     cl->fill_path == CLCONST_PATH_DRIVER ||
                     (cl->fill_path == CLCONST_PATH_AUTO &&
                      fill->size <= cl->tuning->driver_size_max);
    return is_wanted && fits_driver(submission, fill, offset);
}

clconst_status clconst__fill_enqueue(clconst__submission *submission,
                                     const clconst__fill *fill,
                                     size_t offset,
                                     clconst_error *error)
{
    if (!clconst__fill_prefers_driver(submission, fill, offset)) {
        return fill_by_kernel(submission, fill, offset, error);
    }
    clconst_error refusal;
    clconst_status status = fill_by_driver(submission, fill, offset, &refusal);
    if (status == CLCONST_OK) {
        return CLCONST_OK;
    }
    /* A device that claims 1.2 may have no fill (KhronosGroup/OpenCL-Registry
     * issue 73). The kernel writes the same bytes again where the driver has
     * begun. */
    if (refusal.native_code == CL_INVALID_OPERATION) {
        atomic_store(&submission->cl->has_driver_fill, false);
        status = clconst__fill_check(submission, fill, offset, error);
        return status == CLCONST_OK
                   ? fill_by_kernel(submission, fill, offset, error)
                   : status;
    }
    return clconst__fail_native(
        error, status, refusal.native_code, "%s", refusal.message);
}
