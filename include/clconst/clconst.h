/*
 * clconst: ONNX constants on OpenCL devices and on the CPU.
 *
 * This header needs the C library only. clconst_opencl.h adds the functions
 * that take OpenCL objects, clconst_model.h those that read ONNX models.
 *
 * Rules for every function
 *
 * - A function that can fail returns a clconst_status and takes an optional
 *   clconst_error last. The error is written only on failure. Outputs are
 *   written only on success.
 * - INVALID_ARGUMENT, UNSUPPORTED and OUT_OF_MEMORY can come from any call
 *   that returns a status. The comments name the others.
 * - An object that a function makes, as each *_create does, is the caller's,
 *   who gives it up with the *_destroy of its type. *_destroy accepts NULL.
 * - Objects never change after creation and count their users. They may be
 *   shared by threads and destroyed in any order, except while work on them
 *   is still queued on a device.
 * - A view borrows its dims and its data from the caller or from the object
 *   that returned it.
 * - Names that end in _size count bytes, names that end in _count count
 *   elements or entries.
 * - A struct that begins with struct_size must have it set to the size of the
 *   struct, as the *_INIT macros do. Members behind that size are taken as
 *   zero on input and are left alone on output.
 * - Functions that return nothing take no NULL, but for *_destroy.
 * - Empty tensors and rank 0 are ordinary. Rank 0 has no dims and one element.
 * - The library never prints, exits, aborts, reads the environment or keeps
 *   global state.
 */
#ifndef CLCONST_CLCONST_H
#define CLCONST_CLCONST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLCONST_VERSION_MAJOR 0
#define CLCONST_VERSION_MINOR 1
#define CLCONST_VERSION_PATCH 0

#if defined(__GNUC__)
#define CLCONST_API __attribute__((visibility("default")))
#else
#define CLCONST_API
#endif

/* X(NAME, number). The numbers are part of the ABI. */
#define CLCONST_STATUS_MAP(X)                                                  \
    X(OK, 0)                                                                   \
    X(INVALID_ARGUMENT, 1)                                                     \
    X(MALFORMED, 2)                                                            \
    X(INVALID_MODEL, 3)                                                        \
    X(UNSUPPORTED, 4)                                                          \
    X(TOO_LARGE, 5)                                                            \
    X(OUT_OF_MEMORY, 6)                                                        \
    X(NO_DEVICE, 7)                                                            \
    X(DEVICE_ERROR, 8)                                                         \
    X(IO_ERROR, 9)                                                             \
    X(CANCELLED, 10)

/* How a call ended: 0 when it did what it should. */
typedef enum clconst_status {
#define CLCONST_X(name, number) CLCONST_##name = number,
    CLCONST_STATUS_MAP(CLCONST_X)
#undef CLCONST_X
} clconst_status;

/*
 * X(NAME, number, bits, text). Numbers and texts are those of
 * TensorProto.DataType in onnx.proto, the texts in lower case. bits is the
 * width of one element; strings have none.
 */
#define CLCONST_DTYPE_MAP(X)                                                   \
    X(FLOAT, 1, 32, "float")                                                   \
    X(UINT8, 2, 8, "uint8")                                                    \
    X(INT8, 3, 8, "int8")                                                      \
    X(UINT16, 4, 16, "uint16")                                                 \
    X(INT16, 5, 16, "int16")                                                   \
    X(INT32, 6, 32, "int32")                                                   \
    X(INT64, 7, 64, "int64")                                                   \
    X(STRING, 8, 0, "string")                                                  \
    X(BOOL, 9, 8, "bool")                                                      \
    X(FLOAT16, 10, 16, "float16")                                              \
    X(DOUBLE, 11, 64, "double")                                                \
    X(UINT32, 12, 32, "uint32")                                                \
    X(UINT64, 13, 64, "uint64")                                                \
    X(COMPLEX64, 14, 64, "complex64")                                          \
    X(COMPLEX128, 15, 128, "complex128")                                       \
    X(BFLOAT16, 16, 16, "bfloat16")                                            \
    X(FLOAT8E4M3FN, 17, 8, "float8e4m3fn")                                     \
    X(FLOAT8E4M3FNUZ, 18, 8, "float8e4m3fnuz")                                 \
    X(FLOAT8E5M2, 19, 8, "float8e5m2")                                         \
    X(FLOAT8E5M2FNUZ, 20, 8, "float8e5m2fnuz")                                 \
    X(UINT4, 21, 4, "uint4")                                                   \
    X(INT4, 22, 4, "int4")                                                     \
    X(FLOAT4E2M1, 23, 4, "float4e2m1")                                         \
    X(FLOAT8E8M0, 24, 8, "float8e8m0")                                         \
    X(UINT2, 25, 2, "uint2")                                                   \
    X(INT2, 26, 2, "int2")                                                     \
    X(FLOAT6E2M3, 27, 6, "float6e2m3")                                         \
    X(FLOAT6E3M2, 28, 6, "float6e3m2")

/* An element type, numbered as TensorProto.DataType in onnx.proto. */
typedef enum clconst_dtype {
    CLCONST_UNDEFINED = 0,
#define CLCONST_X(name, number, bits, text) CLCONST_##name = number,
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
} clconst_dtype;

/*
 * Why a call failed. status is a clconst_status. native_code is the cl_int of
 * DEVICE_ERROR and of an OUT_OF_MEMORY that came from OpenCL, the errno of
 * IO_ERROR, and 0 otherwise. The message names the subject, its value and the
 * rule, and ends in a NUL.
 */
typedef struct clconst_error {
    int32_t status;
    int32_t native_code;
    char message[512];
} clconst_error;

/* Bytes with an explicit length, size of them at data. There is no NUL at the
 * end. */
typedef struct clconst_string {
    const char *data;
    size_t size;
} clconst_string;

/* dims may be NULL when rank is 0. */
typedef struct clconst_shape {
    const int64_t *dims;
    size_t rank;
} clconst_shape;

/*
 * A dense tensor in host memory: row-major, little-endian, elements packed
 * without gaps from the lowest bit up, as TensorProto.raw_data in onnx.proto.
 * Unused bits of the last byte are ignored on input and zero on output. Of
 * strings, data is an array of clconst_string. size is the size of data in
 * bytes and must be exactly what dtype and shape need.
 */
typedef struct clconst_view {
    clconst_dtype dtype;
    clconst_shape shape;
    const void *data;
    size_t size;
} clconst_view;

/* What to make: an operator with its value. */
typedef struct clconst_op clconst_op;
/* How much of it: an operator bound to its output's shape. */
typedef struct clconst_plan clconst_plan;
/*
 * Many plans, laid out in few pieces of memory, the arenas. Where a device
 * writes many fills with one launch, an arena takes at most three commands,
 * however many plans it has: one that writes small outputs, copies up to 32 KiB
 * among them, one for all fills, one for what sparse constants scatter. A
 * larger copy takes a command of its own, which reads it where it lies.
 */
typedef struct clconst_batch clconst_batch;
/* Where to make it: a device, or the CPU. */
typedef struct clconst_engine clconst_engine;
/* What was made, in memory of its engine. */
typedef struct clconst_tensor clconst_tensor;

/* The codes of notes: what is worth knowing and no error. */
typedef enum clconst_note_code {
    CLCONST_NOTE_FALLBACK = 1, /* the CPU engine serves, no device could */
    CLCONST_NOTE_DTYPE = 2,    /* a dtype outside the operator version's list */
    CLCONST_NOTE_VERSION = 3,  /* an opset or IR version from the future */
    CLCONST_NOTE_LENIENT = 4,  /* a fault that LENIENT accepts */
    CLCONST_NOTE_CACHE = 5,    /* cache_dir cannot be used */
    CLCONST_NOTE_CHOICE = 6,   /* how a point that ONNX leaves open was taken */
} clconst_note_code;

/* Called on the calling thread. text is valid during the call only. */
typedef void (*clconst_note_function)(void *context,
                                      clconst_note_code code,
                                      const char *text);

/* "MAJOR.MINOR.PATCH" of the library, a static string. */
CLCONST_API const char *clconst_version(void);

/* "INVALID_ARGUMENT" and so on; "UNKNOWN" for any other number. Static. */
CLCONST_API const char *clconst_status_name(clconst_status status);

/* ONNX's name in lower case; NULL for any number that is no dtype. Static. */
CLCONST_API const char *clconst_dtype_name(clconst_dtype dtype);

/* Bits of one element; 0 for strings and for any number that is no dtype. */
CLCONST_API unsigned clconst_dtype_bits(clconst_dtype dtype);

/*
 * Bytes of a dense tensor: the number of elements times the width of one,
 * rounded up to whole bytes. Of strings, the bytes of the clconst_string
 * array.
 *
 * The layout is that of raw_data (TensorProto in onnx.proto). Dims must be >= 0
 * and the rank <= 1024. The count of elements is 0 when any
 * dim is 0, whatever the others. Errors: INVALID_ARGUMENT for a negative dim
 * or an unknown dtype; TOO_LARGE for a higher rank and for a size or an
 * element count of 2^63 or more.
 */
CLCONST_API clconst_status clconst_byte_size(clconst_dtype dtype,
                                             const clconst_shape *shape,
                                             size_t *size,
                                             clconst_error *error);

/* ------------------------------------------------------------- operators */

/* ConstantOfShape, Constant, and Constant with sparse_value (ONNX operator
 * specification). */
typedef enum clconst_op_kind {
    CLCONST_OP_CONSTANT_OF_SHAPE = 1,
    CLCONST_OP_CONSTANT = 2,
    CLCONST_OP_SPARSE_CONSTANT = 3,
} clconst_op_kind;

/*
 * ConstantOfShape of the ONNX operator specification. value has exactly one
 * element, of any rank; it is copied. NULL means float 0. Strings have no
 * ConstantOfShape: UNSUPPORTED.
 */
CLCONST_API clconst_status clconst_op_create_constant_of_shape(
    const clconst_view *value, clconst_op **op, clconst_error *error);

/*
 * Constant of the ONNX operator specification, in the form that `value`
 * carries. The dims are copied. The data are borrowed: they must stay
 * unchanged until the operator and all plans, batches and tensors made from
 * it are gone. Errors: as clconst_byte_size; INVALID_ARGUMENT for a size that
 * is not what dtype and shape need.
 */
CLCONST_API clconst_status clconst_op_create_constant(const clconst_view *value,
                                                      clconst_op **op,
                                                      clconst_error *error);

/*
 * Constant in the form that `sparse_value` carries: zeros, or empty strings,
 * of the dense shape, with values at indices. values has shape [n]. indices
 * is int64, of shape [n] and linear in the row-major dense tensor, or of shape
 * [n, rank] and coordinates; they ascend without repetition. indices may be
 * NULL when n is 0. The dense shape has rank >= 1 and dims > 0
 * (SparseTensorProto in onnx.proto). Values and indices are borrowed as in
 * clconst_op_create_constant. Errors: as there; INVALID_ARGUMENT for indices
 * that are not as said.
 */
CLCONST_API clconst_status clconst_op_create_sparse(const clconst_view *values,
                                                    const clconst_view *indices,
                                                    const clconst_shape *shape,
                                                    clconst_op **op,
                                                    clconst_error *error);

/* Which of the three forms an operator has. */
CLCONST_API clconst_op_kind clconst_op_get_kind(const clconst_op *op);

/*
 * The fill value (one element), the constant, or the values of a sparse
 * constant, borrowed from the operator. Unused bits of a constant's last byte
 * are as its maker gave them.
 */
CLCONST_API void clconst_op_get_value(const clconst_op *op,
                                      clconst_view *value);

/* Gives up the caller's operator; plans made from it keep what they need. */
CLCONST_API void clconst_op_destroy(clconst_op *op);

/* ----------------------------------------------------------------- plans */

/* What writing a plan takes: one pattern over and over, dense bytes, zeros and
 * scattered elements, or strings, which stay on the host. */
typedef enum clconst_plan_kind {
    CLCONST_PLAN_FILL = 1,
    CLCONST_PLAN_COPY = 2,
    CLCONST_PLAN_SCATTER = 3,
    CLCONST_PLAN_STRINGS = 4,
} clconst_plan_kind;

/* What a plan produces: a tensor of a dtype and a shape, which is borrowed from
 * the plan; size is in bytes. */
typedef struct clconst_output {
    size_t struct_size;
    clconst_dtype dtype;
    clconst_shape shape;
    size_t size;
} clconst_output;
#define CLCONST_OUTPUT_INIT                                                    \
    {                                                                          \
        sizeof(clconst_output), CLCONST_UNDEFINED, {0, 0}, 0                   \
    }

/*
 * Binds an operator to its output's size. shape is the input of
 * ConstantOfShape, and NULL for Constant, which has a shape of its own. Errors:
 * as clconst_byte_size.
 */
CLCONST_API clconst_status clconst_plan_create(const clconst_op *op,
                                               const clconst_shape *shape,
                                               clconst_plan **plan,
                                               clconst_error *error);

/* FILL for ConstantOfShape, COPY for Constant and SCATTER for a sparse one, but
 * STRINGS for strings of any. */
CLCONST_API clconst_plan_kind clconst_plan_get_kind(const clconst_plan *plan);

/* Sets the members that output->struct_size covers. */
CLCONST_API void clconst_plan_get_output(const clconst_plan *plan,
                                         clconst_output *output);

/* Gives up the caller's plan; not while commands of it are queued. */
CLCONST_API void clconst_plan_destroy(clconst_plan *plan);

/* --------------------------------------------------------------- batches */

/*
 * All in bytes. alignment: of each tensor's offset in its arena, a power of
 * two; 0 means 64. max_arena_size: 0 means no limit. expand_size: outputs up to
 * this size are expanded on the host when the batch is created, and written by
 * one command; 0 means 128. clconst_engine_get_info tells what suits a device.
 * deduplicate: non-zero gives plans of the same content one place: fills of the
 * same size and pattern, copies of the same bytes, and sparse constants of the
 * same pairs, whatever their dtypes and shapes. Who then writes to one of these
 * tensors writes to all.
 */
typedef struct clconst_batch_options {
    size_t struct_size;
    size_t alignment;
    size_t max_arena_size;
    size_t expand_size;
    int deduplicate;
} clconst_batch_options;
#define CLCONST_BATCH_OPTIONS_INIT                                             \
    {                                                                          \
        sizeof(clconst_batch_options), 0, 0, 0, 0                              \
    }

/* Where a batch puts one tensor: size bytes at offset of the arena of this
 * index. */
typedef struct clconst_place {
    size_t struct_size;
    size_t arena;
    size_t offset;
    size_t size;
} clconst_place;
#define CLCONST_PLACE_INIT                                                     \
    {                                                                          \
        sizeof(clconst_place), 0, 0, 0                                         \
    }

/*
 * Lays count plans out in as few arenas as their order allows. Within an arena
 * they may lie in another order. The batch holds the plans; the caller may
 * destroy its own. options may be NULL. An arena may be larger than its
 * tensors: devices find there what they need to write it, and may leave other
 * bytes between and behind the tensors than they found. Plans of strings are
 * UNSUPPORTED. Errors: TOO_LARGE when one tensor exceeds max_arena_size.
 */
CLCONST_API clconst_status
clconst_batch_create(const clconst_plan *const *plans,
                     size_t count,
                     const clconst_batch_options *options,
                     clconst_batch **batch,
                     clconst_error *error);

/* Arenas; 0 for a batch of no plans. */
CLCONST_API size_t clconst_batch_get_arena_count(const clconst_batch *batch);

/* Bytes of one arena, 0 for an index past the last. */
CLCONST_API size_t clconst_batch_get_arena_size(const clconst_batch *batch,
                                                size_t arena);

/* Where the plan of this index lies. INVALID_ARGUMENT past the last. */
CLCONST_API clconst_status clconst_batch_get_place(const clconst_batch *batch,
                                                   size_t index,
                                                   clconst_place *place,
                                                   clconst_error *error);

/* Gives up the caller's batch; not while commands of it are queued. */
CLCONST_API void clconst_batch_destroy(clconst_batch *batch);

/* --------------------------------------------------------------- devices */

/*
 * A device that an engine can be made on, when is_usable is not 0, or cannot,
 * with the reason. platform, name and version are OpenCL's, and so are
 * global_memory_size and max_allocation_size. id is "cpu" for the CPU engine
 * and "opencl:P.D" for device D of platform P, counting from 0 in the order of
 * the OpenCL ICD loader. Sizes are in bytes. All strings are valid during the
 * visit only; reason is NULL for a usable device.
 */
typedef struct clconst_device {
    size_t struct_size;
    const char *id;
    const char *platform;
    const char *name;
    const char *type; /* "gpu", "accelerator", "cpu" or "host" */
    const char *version;
    uint64_t global_memory_size;
    uint64_t max_allocation_size;
    int is_usable;
    const char *reason;
} clconst_device;

/* Called once for each device, on the calling thread. */
typedef void (*clconst_device_visitor)(void *context,
                                       const clconst_device *device);

/*
 * Calls visit for each device, the CPU engine's last. A machine without
 * OpenCL is no error. Errors: none of its own.
 */
CLCONST_API clconst_status clconst_device_list(clconst_device_visitor visit,
                                               void *context,
                                               clconst_error *error);

/* --------------------------------------------------------------- engines */

/*
 * How an OpenCL engine fills; the bytes are the same. clEnqueueFillBuffer and
 * clEnqueueNativeKernel are those of the OpenCL 1.2 specification,
 * sections 5.2.3 and 5.8.
 */
typedef enum clconst_fill_path {
    CLCONST_PATH_AUTO = 0,   /* chosen by device and size */
    CLCONST_PATH_KERNEL = 1, /* always a kernel of this library */
    CLCONST_PATH_DRIVER = 2, /* clEnqueueFillBuffer wherever it can do it */
    CLCONST_PATH_NATIVE = 3, /* clEnqueueNativeKernel where the device has it */
} clconst_fill_path;

/* Work that a clconst_parallel_for shares out: one part of it. */
typedef void (*clconst_parallel_body)(void *body_context, size_t index);

/* Calls body once for each index below count, in any order and on any threads,
 * and returns when all calls have returned. */
typedef void (*clconst_parallel_for)(void *context,
                                     size_t count,
                                     clconst_parallel_body body,
                                     void *body_context);

/*
 * device: NULL or "auto" for the first usable GPU, then accelerator, then CPU
 * device, then the CPU engine; "cpu" for the CPU engine; "opencl" for auto
 * without the CPU engine; "opencl:P.D"; or a piece of the device's name, which
 * must fit one usable device only.
 * fill_path: AUTO unless a path is to be tested or measured.
 * note, note_context: what is called for what is no error, and its first
 * argument.
 * require_device: non-zero refuses the fallback of auto to the CPU engine.
 * cache_dir: a folder that keeps compiled programs from one process to the
 * next, at most 64 MiB of them; it is made where its parent is there. NULL
 * keeps none. Programs that a command has used are written when the engine is
 * destroyed; those that clconst_engine_prepare alone made are not.
 * thread_count: of the CPU engine and of native kernels, for large outputs
 * only; 0 means one per processor that the process may run on. Where there are
 * as many threads as processors, they begin on one each if the system lets
 * them; all may run wherever the caller may. They end before a call returns, or
 * a native kernel ends.
 * parallel_for: NULL, or what is called, with parallel_for_context, instead of
 * starting threads. Native kernels call it on a thread of the OpenCL driver.
 */
typedef struct clconst_engine_options {
    size_t struct_size;
    const char *device;
    int require_device;
    clconst_fill_path fill_path;
    const char *cache_dir;
    unsigned thread_count;
    clconst_parallel_for parallel_for;
    void *parallel_for_context;
    clconst_note_function note;
    void *note_context;
} clconst_engine_options;
#define CLCONST_ENGINE_OPTIONS_INIT                                            \
    {                                                                          \
        sizeof(clconst_engine_options), 0, 0, CLCONST_PATH_AUTO, 0, 0, 0, 0,   \
            0, 0                                                               \
    }

/* The CPU engine, or one on an OpenCL device. */
typedef enum clconst_engine_kind {
    CLCONST_ENGINE_CPU = 1,
    CLCONST_ENGINE_OPENCL = 2,
} clconst_engine_kind;

/* kind and name of an engine, global_memory_size and max_allocation_size of its
 * device. Sizes in bytes. name is borrowed from the engine. alignment, in bytes
 * too, is that of a sub-buffer's origin: CL_DEVICE_MEM_BASE_ADDR_ALIGN (OpenCL
 * 1.2 specification, sections 4.2 and 5.2.1), or a cache line of the CPU. */
typedef struct clconst_engine_info {
    size_t struct_size;
    clconst_engine_kind kind;
    const char *name;
    uint64_t global_memory_size;
    uint64_t max_allocation_size;
    size_t alignment;
    size_t expand_size; /* for clconst_batch_options */
} clconst_engine_info;
#define CLCONST_ENGINE_INFO_INIT                                               \
    {                                                                          \
        sizeof(clconst_engine_info), CLCONST_ENGINE_CPU, 0, 0, 0, 0, 0         \
    }

/* What an engine has done since its creation; programs_built counts those that
 * a compiler made. */
typedef struct clconst_engine_counters {
    size_t struct_size;
    uint64_t command_count; /* OpenCL commands enqueued; CPU: plans executed */
    uint64_t byte_size;     /* bytes of tensors asked for */
    uint64_t programs_built;
    uint64_t programs_loaded; /* from cache_dir */
} clconst_engine_counters;
#define CLCONST_ENGINE_COUNTERS_INIT                                           \
    {                                                                          \
        sizeof(clconst_engine_counters), 0, 0, 0, 0                            \
    }

/*
 * Makes an engine with an OpenCL context and queue of its own, or the CPU
 * engine. options may be NULL; what they point to is read during the call, but
 * for parallel_for and its context, which must serve until the engine is gone.
 * Errors: NO_DEVICE when no device fits or the one that fits is unusable;
 * DEVICE_ERROR.
 */
CLCONST_API clconst_status
clconst_engine_create(const clconst_engine_options *options,
                      clconst_engine **engine,
                      clconst_error *error);

/*
 * Builds or loads all programs now, so that no later call has to. Where native
 * kernels serve there is none to build, but a fill into a sub-buffer or to a
 * pointer, or one with a shape on the device, may still build one. Errors:
 * DEVICE_ERROR.
 */
CLCONST_API clconst_status clconst_engine_prepare(clconst_engine *engine,
                                                  clconst_error *error);

/* Sets the members that info->struct_size covers. */
CLCONST_API void clconst_engine_get_info(const clconst_engine *engine,
                                         clconst_engine_info *info);

/* Sets the members that counters->struct_size covers; any thread may ask. */
CLCONST_API void clconst_engine_get_counters(const clconst_engine *engine,
                                             clconst_engine_counters *counters);

/* Gives up the caller's engine; tensors made by it hold it. */
CLCONST_API void clconst_engine_destroy(clconst_engine *engine);

/* ---------------------------------------------------------------- running */

/*
 * Makes the plan's tensor in memory of the engine, complete on return. The
 * tensor holds the engine. Plans of strings run on the CPU engine only.
 * Errors: TOO_LARGE for more than the engine's largest allocation;
 * DEVICE_ERROR.
 */
CLCONST_API clconst_status clconst_run(clconst_engine *engine,
                                       const clconst_plan *plan,
                                       clconst_tensor **tensor,
                                       clconst_error *error);

/*
 * Told on the calling thread how many bytes of tensors are written: at first 0,
 * at last all. Returns 0 to go on; anything else cancels the run.
 */
typedef int (*clconst_progress_function)(void *context,
                                         uint64_t done_size,
                                         uint64_t total_size);

/*
 * progress: NULL or who is told, with progress_context. in_flight_size: large
 * copies go to the device in pieces, of which so many bytes at most are on
 * their way at a time, while the device fills; 0 means 32 MiB. Behind a piece,
 * the memory that the copied part of a mapped file takes is given back.
 */
typedef struct clconst_batch_run_options {
    size_t struct_size;
    clconst_progress_function progress;
    void *progress_context;
    size_t in_flight_size;
} clconst_batch_run_options;
#define CLCONST_BATCH_RUN_OPTIONS_INIT                                         \
    {                                                                          \
        sizeof(clconst_batch_run_options), 0, 0, 0                             \
    }

/*
 * Makes one tensor of uint8 per arena, complete on return. options may be NULL.
 * tensors has room for clconst_batch_get_arena_count entries; on failure none
 * is written. The tensors hold the engine, and not the batch. Errors: as
 * clconst_run; TOO_LARGE also when all arenas together exceed the engine's
 * memory; CANCELLED when progress says so, with nothing left running.
 */
CLCONST_API clconst_status
clconst_batch_run(clconst_engine *engine,
                  const clconst_batch *batch,
                  const clconst_batch_run_options *options,
                  clconst_tensor **tensors,
                  clconst_error *error);

/*
 * Writes the plan's bytes to the caller's host memory. engine is NULL, and the
 * calling thread does it, or a CPU engine, whose threads take part. size must
 * be the output's size; dst may be NULL when that is 0. Errors:
 * INVALID_ARGUMENT for another size and for an engine of a device; UNSUPPORTED
 * for plans of strings.
 */
CLCONST_API clconst_status clconst_write(const clconst_engine *engine,
                                         const clconst_plan *plan,
                                         void *dst,
                                         size_t size,
                                         clconst_error *error);

/*
 * The same for one arena of a batch. Bytes between the tensors are left alone.
 * INVALID_ARGUMENT also past the last arena.
 */
CLCONST_API clconst_status clconst_batch_write(const clconst_engine *engine,
                                               const clconst_batch *batch,
                                               size_t arena,
                                               void *dst,
                                               size_t size,
                                               clconst_error *error);

/*
 * Writes a plan's box inside a larger tensor that has size bytes at dst: see
 * clconst_enqueue_region in clconst_opencl.h for offset and strides. Errors:
 * those of the plan and the strides as there; INVALID_ARGUMENT for a range that
 * leaves the size bytes and for an engine of a device.
 */
CLCONST_API clconst_status clconst_write_region(const clconst_engine *engine,
                                                const clconst_plan *plan,
                                                void *dst,
                                                size_t size,
                                                size_t offset,
                                                const size_t *strides,
                                                clconst_error *error);

/*
 * dtype, shape and size of a tensor. data is NULL for a tensor in device
 * memory and for an empty one. Borrowed from the tensor.
 */
CLCONST_API void clconst_tensor_get_view(const clconst_tensor *tensor,
                                         clconst_view *view);

/*
 * Copies size bytes from byte offset on to dst, complete on return. Not for
 * strings. Errors: INVALID_ARGUMENT for a range past the end; DEVICE_ERROR.
 */
CLCONST_API clconst_status clconst_tensor_read(const clconst_tensor *tensor,
                                               size_t offset,
                                               void *dst,
                                               size_t size,
                                               clconst_error *error);

/* Gives up the tensor and its memory. */
CLCONST_API void clconst_tensor_destroy(clconst_tensor *tensor);

#ifdef __cplusplus
}
#endif

#endif
