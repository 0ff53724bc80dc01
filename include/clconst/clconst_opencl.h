/*
 * clconst with OpenCL objects: engines on the caller's context, fills on the
 * caller's queue into the caller's buffer. The rules of clconst.h apply.
 */
#ifndef CLCONST_CLCONST_OPENCL_H
#define CLCONST_CLCONST_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <clconst/clconst.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes an engine on one device of the caller's context (OpenCL 1.2
 * specification, section 4.4). Both are retained until the engine is gone.
 * options are as in clconst_engine_create; its device and require_device must
 * be 0. Errors: NO_DEVICE when the device is not of the context or is unusable;
 * DEVICE_ERROR.
 */
CLCONST_API clconst_status
clconst_engine_create_opencl(cl_context context,
                             cl_device_id device,
                             const clconst_engine_options *options,
                             clconst_engine **engine,
                             clconst_error *error);

/*
 * Enqueues the commands that write the plan's bytes to buffer, from byte
 * offset on. Nothing is flushed or finished. queue and buffer belong to the
 * engine's context, queue to its device. In-order and out-of-order queues
 * work, and any number of threads may enqueue on one engine.
 *
 * wait_list has num_wait events, all of which must complete first. event, if
 * not NULL, receives an event that covers all commands of the call; the
 * caller releases it. An empty output accepts a NULL buffer, honours the wait
 * list and delivers the event. The caller keeps the plan until the event
 * completes, since commands read it when the device gets to them (OpenCL 1.2
 * specification, sections 5.2.2 and 5.11).
 *
 * A buffer should be made without CL_MEM_READ_ONLY, CL_MEM_HOST_READ_ONLY and
 * CL_MEM_HOST_NO_ACCESS: which commands the plan takes, kernels or writes from
 * the host, depends on the device and the fill path, and the flags forbid some.
 *
 * Errors, before any command: INVALID_ARGUMENT for a queue, buffer or event
 * of another context or device, for an object that is no buffer, for a flag of
 * the buffer that forbids a command, and for a range past the buffer's end;
 * TOO_LARGE for a SCATTER whose indices and elements together exceed the
 * device's largest allocation, where they travel through a buffer of their own;
 * DEVICE_ERROR with native code -14 for a wait event that has failed.
 * DEVICE_ERROR can come midway too: earlier commands are then queued, no event
 * is returned, the range is undefined, and the caller keeps the plan until the
 * queue is finished.
 */
CLCONST_API clconst_status clconst_enqueue(clconst_engine *engine,
                                           const clconst_plan *plan,
                                           cl_command_queue queue,
                                           cl_mem buffer,
                                           size_t offset,
                                           cl_uint num_wait,
                                           const cl_event *wait_list,
                                           cl_event *event,
                                           clconst_error *error);

/*
 * The same for one arena of a batch: buffer takes the arena's bytes from byte
 * offset on. The caller keeps the batch until the event completes.
 * INVALID_ARGUMENT also past the last arena.
 */
CLCONST_API clconst_status clconst_batch_enqueue(clconst_engine *engine,
                                                 const clconst_batch *batch,
                                                 size_t arena,
                                                 cl_command_queue queue,
                                                 cl_mem buffer,
                                                 size_t offset,
                                                 cl_uint num_wait,
                                                 const cl_event *wait_list,
                                                 cl_event *event,
                                                 clconst_error *error);

/*
 * The same as clconst_enqueue for memory that a pointer names: shared virtual
 * memory, coarse- or fine-grained, from clSVMAlloc on the engine's context
 * (OpenCL 2.0 specification, section 5.6), or memory of
 * cl_intel_unified_shared_memory, where the device has them. The plan's bytes
 * go to pointer on, of any alignment; size says how many bytes may. Until the
 * event completes the memory must be as for any command: coarse-grained memory
 * not mapped, and not freed. UNSUPPORTED: a device or a driver without such
 * memory. INVALID_ARGUMENT also for an output of more than size bytes.
 */
CLCONST_API clconst_status clconst_enqueue_svm(clconst_engine *engine,
                                               const clconst_plan *plan,
                                               cl_command_queue queue,
                                               void *pointer,
                                               size_t size,
                                               cl_uint num_wait,
                                               const cl_event *wait_list,
                                               cl_event *event,
                                               clconst_error *error);

/*
 * The same as clconst_enqueue for a region: a box inside a larger row-major
 * tensor, such as the padding of an image or the slots of a cache, which
 * OpenCL's own fill does not have (OpenCL 1.2 specification, section 5.2.3).
 * The plan's output is the box; its element [i, j, .., k] goes to byte offset +
 * i * strides[0] + j * strides[1] + .. of the buffer, and the elements of its
 * last dim lie packed from there on. So strides has one entry, in bytes, for
 * each dim but the last, and may be NULL up to rank 1. A gap between the
 * elements of the last dim is a stride of a dim before it, with a last dim
 * of 1.
 *
 * Each stride must be at least what it steps over, so that nothing overlaps;
 * that of a dim of 1 is ignored. All elements being equal, dims may come in
 * any order, the one with the largest stride first. Bytes outside the box are
 * left alone. However many its rows, a box takes one launch; the driver fills
 * up to four of them row by row. UNSUPPORTED: plans other
 * than FILL, last dims that do not fill whole bytes, and more than 8 dims with
 * gaps of their own. INVALID_ARGUMENT: as clconst_enqueue, for strides that
 * overlap too.
 */
CLCONST_API clconst_status clconst_enqueue_region(clconst_engine *engine,
                                                  const clconst_plan *plan,
                                                  cl_command_queue queue,
                                                  cl_mem buffer,
                                                  size_t offset,
                                                  const size_t *strides,
                                                  cl_uint num_wait,
                                                  const cl_event *wait_list,
                                                  cl_event *event,
                                                  clconst_error *error);

/*
 * What clconst_enqueue_dynamic writes to device memory. Its 16 bytes never
 * change, so that kernels may read them: two ints and a long.
 */
typedef struct clconst_dynamic_result {
    int32_t status;         /* a clconst_status: OK when the tensor is there */
    int32_t bad_dim;        /* index of the dim that status is about, or -1 */
    uint64_t element_count; /* of the shape; 0 when a dim is bad */
} clconst_dynamic_result;

/*
 * ConstantOfShape with a shape that an earlier command computes: rank dims of
 * int64 at byte shape_offset of shape. The device reads and judges them, writes
 * the tensor to buffer from byte offset on and a clconst_dynamic_result to byte
 * result_offset of result; nothing comes back to the host. The answers are
 * those of clconst_plan_create: INVALID_ARGUMENT for a negative dim, TOO_LARGE
 * for a product of 2^63 or more. It is TOO_LARGE, without a bad dim, too when
 * the tensor has more than capacity_size bytes. Unless the status is OK nothing
 * but the result is written. Bytes behind the tensor are left alone.
 *
 * Queue, wait list and event are as in clconst_enqueue, and order the commands
 * as there: the one that computes the shape must be among those waited for, or
 * before on an in-order queue (OpenCL 1.2 specification, section 5.11). Offsets
 * are of any alignment. shape may be NULL when rank is 0, buffer when
 * capacity_size is 0. Work is shared out for the capacity, so that one much too
 * large costs time. The caller may destroy op on return. The engine's byte_size
 * does not count the tensor.
 *
 * Errors, before any command: as clconst_enqueue, for each of the three ranges;
 * INVALID_ARGUMENT too when two of them overlap and for buffers that kernels
 * may not write, or may not read (section 5.2.1); UNSUPPORTED for another
 * operator; TOO_LARGE for a rank above 1024.
 */
CLCONST_API clconst_status clconst_enqueue_dynamic(clconst_engine *engine,
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
                                                   clconst_error *error);

/*
 * The tensor's cl_mem, which lives as long as the tensor unless the caller
 * retains it (OpenCL 1.2 specification, section 5.4.1). NULL for an empty
 * tensor and for one in host memory.
 */
CLCONST_API cl_mem clconst_tensor_get_buffer(const clconst_tensor *tensor);

#ifdef __cplusplus
}
#endif

#endif
