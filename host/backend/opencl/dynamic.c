/*
 * The function that fills a tensor whose shape only the device knows.
 */
#include <string.h>

#include "backend/opencl/caller.h"
#include "backend/opencl/launch.h"
#include "core/op.h"
#include "core/pattern.h"
#include "core/shape.h"

_Static_assert(sizeof(clconst_dynamic_result) == 16, "as measure.cl writes it");

/* One of the three pieces of memory that a call names. */
typedef struct piece {
    const char *name;
    cl_mem buffer;
    size_t offset;
    size_t size;
    cl_mem_flags barred; /* of flags that keep out the kernels */
    clconst__buffer_facts facts;
} piece;

enum { SHAPE, OUTPUT, RESULT, PIECE_COUNT };

static clconst_status
check_piece(const clconst__opencl *cl, piece *checked, clconst_error *error)
{
    clconst_status status = clconst__caller_check_buffer(cl,
                                                         checked->name,
                                                         checked->buffer,
                                                         checked->offset,
                                                         checked->size,
                                                         &checked->facts,
                                                         error);
    if (status != CLCONST_OK) {
        return status;
    }
    cl_mem_flags barred = checked->facts.flags & checked->barred;
    if (barred != 0 && checked->size > 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "%s is %s; kernels must be let in",
                             checked->name,
                             barred == CL_MEM_READ_ONLY ? "CL_MEM_READ_ONLY"
                                                        : "CL_MEM_WRITE_ONLY");
    }
    return CLCONST_OK;
}

/* Sub-buffers of one buffer may share bytes. */
static bool do_overlap(const piece *a, const piece *b)
{
    cl_mem a_root = a->facts.parent != NULL ? a->facts.parent : a->buffer;
    cl_mem b_root = b->facts.parent != NULL ? b->facts.parent : b->buffer;
    size_t a_begin = a->facts.origin + a->offset;
    size_t b_begin = b->facts.origin + b->offset;
    return a->size > 0 && b->size > 0 && a_root == b_root &&
           a_begin < b_begin + b->size && b_begin < a_begin + a->size;
}

static clconst_status
check_pieces(const clconst__opencl *cl, piece *pieces, clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < PIECE_COUNT && status == CLCONST_OK; i++) {
        status = check_piece(cl, &pieces[i], error);
    }
    for (size_t i = 0; i < PIECE_COUNT && status == CLCONST_OK; i++) {
        const piece *a = &pieces[i];
        const piece *b = &pieces[(i + 1) % PIECE_COUNT];
        if (do_overlap(a, b)) {
            status = clconst__fail(error,
                                   CLCONST_INVALID_ARGUMENT,
                                   "%s and %s overlap; they must not",
                                   a->name,
                                   b->name);
        }
    }
    return status;
}

static clconst_status measure(clconst__submission *submission,
                              const piece *pieces,
                              cl_uint rank,
                              cl_uint bits,
                              clconst_error *error)
{
    cl_ulong result_offset = pieces[RESULT].offset;
    cl_ulong shape_offset = pieces[SHAPE].offset;
    cl_ulong capacity_size = pieces[OUTPUT].size;
    const clconst__argument arguments[] = {
        CLCONST__ARGUMENT(result_offset),
        CLCONST__ARGUMENT(pieces[SHAPE].buffer),
        CLCONST__ARGUMENT(shape_offset),
        CLCONST__ARGUMENT(rank),
        CLCONST__ARGUMENT(bits),
        CLCONST__ARGUMENT(capacity_size),
    };
    const clconst__launch launch = {
        .kernel = CLCONST__KERNEL_MEASURE,
        .arguments = arguments,
        .argument_count = sizeof(arguments) / sizeof(arguments[0]),
        .global_size = 1,
        .group_size = 1,
    };
    submission->target.buffer = pieces[RESULT].buffer;
    return clconst__launch_enqueue(submission, &launch, error);
}

static clconst_status fill(clconst__submission *submission,
                           const piece *pieces,
                           const clconst__pattern *pattern,
                           cl_uint bits,
                           clconst_error *error)
{
    cl_ulong offset = pieces[OUTPUT].offset;
    cl_ulong result_offset = pieces[RESULT].offset;
    cl_ulong chunk_size;
    cl_ulong2 words[3];
    memcpy(words, pattern->bytes, sizeof(words));
    const clconst__argument arguments[] = {
        CLCONST__ARGUMENT(offset),
        CLCONST__ARGUMENT(pieces[RESULT].buffer),
        CLCONST__ARGUMENT(result_offset),
        CLCONST__ARGUMENT(bits),
        CLCONST__ARGUMENT(words[0]),
        CLCONST__ARGUMENT(words[1]),
        CLCONST__ARGUMENT(words[2]),
        CLCONST__ARGUMENT(chunk_size),
    };
    clconst__launch launch = {
        .kernel = CLCONST__KERNEL_FILL_MEASURED,
        .arguments = arguments,
        .argument_count = sizeof(arguments) / sizeof(arguments[0]),
    };
    chunk_size = clconst__launch_share(
        &launch, submission->cl->tuning, pieces[OUTPUT].size);
    submission->target.buffer = pieces[OUTPUT].buffer;
    return clconst__launch_enqueue(submission, &launch, error);
}

static clconst_status enqueue(clconst__submission *submission,
                              const clconst_op *op,
                              const piece *pieces,
                              size_t rank,
                              clconst_error *error)
{
    clconst__pattern pattern;
    unsigned bits = clconst_dtype_bits(op->value.dtype);
    clconst__pattern_widen(&pattern, op->value.data, bits);
    submission->is_ordered = true;
    clconst_status status =
        measure(submission, pieces, (cl_uint)rank, bits, error);
    if (status == CLCONST_OK && pieces[OUTPUT].size > 0) {
        status = fill(submission, pieces, &pattern, bits, error);
    }
    return clconst__submission_finish(submission, status, 0, error);
}

static clconst_status
check_op(const clconst_op *op, size_t rank, clconst_error *error)
{
    if (op->kind != CLCONST_OP_CONSTANT_OF_SHAPE) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "op is a Constant, which has a shape of its own; "
                             "it must be a ConstantOfShape");
    }
    if (rank > CLCONST__RANK_MAX) {
        return clconst__fail(error,
                             CLCONST_TOO_LARGE,
                             "rank is %zu; it must be at most %d",
                             rank,
                             CLCONST__RANK_MAX);
    }
    return CLCONST_OK;
}

clconst_status clconst_enqueue_dynamic(clconst_engine *engine,
                                       const clconst_op *op,
                                       cl_command_queue queue,
                                       cl_mem shape,
                                       size_t shape_offset,
                                       size_t rank,
                                       cl_mem buffer,
                                       size_t offset,
                                       size_t capacity_size,
                                       cl_mem result,
                                       size_t result_offset,
                                       cl_uint num_wait,
                                       const cl_event *wait_list,
                                       cl_event *event,
                                       clconst_error *error)
{
    if (engine == NULL || op == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "engine or op is NULL; both are required");
    }
    clconst_status status = check_op(op, rank, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__submission submission =
        clconst__submission_begin(queue, NULL, num_wait, wait_list, event);
    piece pieces[PIECE_COUNT] = {
        [SHAPE] = {"shape",
                   shape,
                   shape_offset,
                   rank * sizeof(int64_t),
                   CL_MEM_WRITE_ONLY,
                   {0}},
        [OUTPUT] =
            {"buffer", buffer, offset, capacity_size, CL_MEM_READ_ONLY, {0}},
        [RESULT] = {"result",
                    result,
                    result_offset,
                    sizeof(clconst_dynamic_result),
                    CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                    {0}},
    };
    status = clconst__caller_open(&submission, engine, error);
    if (status == CLCONST_OK) {
        status = check_pieces(submission.cl, pieces, error);
    }
    return status == CLCONST_OK ? enqueue(&submission, op, pieces, rank, error)
                                : status;
}
