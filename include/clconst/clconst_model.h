/*
 * clconst from ONNX bytes: NodeProto, TensorProto and ModelProto of onnx.proto.
 * The rules of clconst.h apply.
 *
 * All bytes are untrusted. They fail as MALFORMED (not protobuf, or a singular
 * message or bytes field twice in one message), INVALID_MODEL (protobuf, but
 * not legal ONNX), UNSUPPORTED, or TOO_LARGE.
 */
#ifndef CLCONST_CLCONST_MODEL_H
#define CLCONST_CLCONST_MODEL_H

#include <clconst/clconst.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A ModelProto as a list of constants. */
typedef struct clconst_model clconst_model;
/* A model with what is bound to it: for each constant a plan or a reason. */
typedef struct clconst_resolution clconst_resolution;

/*
 * DEFAULT refuses what would change bytes or sizes and accepts, with a note,
 * what changes none: a dtype newer than the opset, an opset or IR version from
 * the future. STRICT refuses those too. LENIENT accepts, with a note each,
 * what real writers do wrong.
 */
typedef enum clconst_strictness {
    CLCONST_DEFAULT = 0,
    CLCONST_STRICT = 1,
    CLCONST_LENIENT = 2,
} clconst_strictness;

/*
 * Storage of the caller's own, in place of files for external data.
 *
 * map: gives size bytes from offset on at a location, which is a relative path
 * without "..". Returns 0 on success and else an errno, also when there are
 * fewer bytes. *bytes may stay NULL when size is 0; else they must not change
 * until unmap.
 * unmap: gives back what map gave, once for each success and on any thread.
 * It may be NULL.
 * context and both functions must serve until the models and all that was made
 * from them are gone.
 */
typedef struct clconst_reader {
    void *context;
    int (*map)(void *context,
               const char *location,
               uint64_t offset,
               size_t size,
               const void **bytes);
    void (*unmap)(void *context, const void *bytes, size_t size);
} clconst_reader;

/* ------------------------------------------------------ single operators */

/*
 * opset: of the default domain, as the node's graph imports it; from 1 on.
 * strictness, note, note_context: as in clconst_model_options.
 * reader: serves external data, which are UNSUPPORTED without.
 */
typedef struct clconst_decode_options {
    size_t struct_size;
    int64_t opset;
    clconst_strictness strictness;
    clconst_note_function note;
    void *note_context;
    clconst_reader reader;
} clconst_decode_options;
#define CLCONST_DECODE_OPTIONS_INIT                                            \
    {                                                                          \
        sizeof(clconst_decode_options), 0, CLCONST_DEFAULT, 0, 0,              \
        {                                                                      \
            0, 0, 0                                                            \
        }                                                                      \
    }

/*
 * Makes the operator of one serialized NodeProto (onnx.proto): Constant or
 * ConstantOfShape of the default domain, in the version that the opset binds.
 * options are required. Tensor bytes are borrowed from node where their
 * encoding is the dense one, so node must stay unchanged until the operator
 * and all that was made from it are gone; the operator's data then need not be
 * aligned. External data without a reader are UNSUPPORTED.
 */
CLCONST_API clconst_status
clconst_op_decode(const void *node,
                  size_t size,
                  const clconst_decode_options *options,
                  clconst_op **op,
                  clconst_error *error);

/*
 * Makes a Constant of one serialized TensorProto (onnx.proto), as ONNX's test
 * data files hold it. options may be NULL; the opset is not used. Bytes are
 * borrowed as in clconst_op_decode. Errors: those of untrusted bytes, above.
 */
CLCONST_API clconst_status
clconst_op_decode_tensor(const void *tensor,
                         size_t size,
                         const clconst_decode_options *options,
                         clconst_op **op,
                         clconst_error *error);

/* Takes size bytes. Returns 0 when they are taken, else an errno. */
typedef int (*clconst_write_function)(void *context,
                                      const void *bytes,
                                      size_t size);

/*
 * Serializes a view as a TensorProto (onnx.proto) with raw_data, or string_data
 * for strings. name may be NULL; both are read during the call. Errors:
 * IO_ERROR with what write returned; TOO_LARGE from 2^31 bytes on, where
 * protobuf ends.
 */
CLCONST_API clconst_status
clconst_tensor_proto_write(const clconst_view *view,
                           const char *name,
                           clconst_write_function write,
                           void *context,
                           clconst_error *error);

/* ---------------------------------------------------------------- models */

/*
 * strictness: what is refused.
 * note, note_context: what is called for what is accepted with a note, and its
 * first argument.
 * reader: serves external data, in place of the files beside the model. A
 * model that is not opened by its path has external data only with one;
 * constants in external data are unresolved without.
 * follow_links: 0, or 1 to accept external data in files that have several
 * names or are found through symbolic links, wherever those lead, as in
 * download caches. Locations stay relative and without "..".
 * copy: 0, or 1 to read files to the heap instead of mapping them, each as a
 * whole; a file that becomes shorter meanwhile is an IO_ERROR.
 */
typedef struct clconst_model_options {
    size_t struct_size;
    clconst_strictness strictness;
    clconst_note_function note;
    void *note_context;
    clconst_reader reader;
    int follow_links;
    int copy;
} clconst_model_options;
#define CLCONST_MODEL_OPTIONS_INIT                                             \
    {                                                                          \
        sizeof(clconst_model_options), CLCONST_DEFAULT, 0, 0, {0, 0, 0}, 0, 0  \
    }

/*
 * Maps a file and reads it in place. The mapping lives as long as the model
 * and any operator made from it; the file must not change meanwhile, and above
 * all not become shorter: reading what is gone ends the process with SIGBUS.
 * Who cannot keep others from writing the file sets the option copy, and is
 * free of this when the call returns. The same holds for files of external
 * data, which are sought in the folder of path. A constant whose external data
 * cannot be read is invalid, with the reason. options may be NULL. Errors:
 * IO_ERROR.
 */
CLCONST_API clconst_status
clconst_model_open(const char *path,
                   const clconst_model_options *options,
                   clconst_model **model,
                   clconst_error *error);

/*
 * Reads a ModelProto (onnx.proto) from the caller's bytes, which must stay
 * unchanged until the model and all that was made from it are gone. Errors:
 * those of untrusted bytes, above.
 */
CLCONST_API clconst_status
clconst_model_parse(const void *bytes,
                    size_t size,
                    const clconst_model_options *options,
                    clconst_model **model,
                    clconst_error *error);

/*
 * ir_version: of the ModelProto. constant_count: of the model, input_count and
 * output_count: of the main graph, which bound the indices of the functions
 * below. opset: of the default domain in the main graph. foreign_node_count: of
 * the main graph's nodes, those whose operators are not this library's.
 */
typedef struct clconst_model_info {
    size_t struct_size;
    int64_t ir_version;
    int64_t opset;
    size_t constant_count;
    size_t input_count;
    size_t output_count;
    size_t foreign_node_count;
} clconst_model_info;
#define CLCONST_MODEL_INFO_INIT                                                \
    {                                                                          \
        sizeof(clconst_model_info), 0, 0, 0, 0, 0, 0                           \
    }
/* Sets the members that info->struct_size covers. */
CLCONST_API void clconst_model_get_info(const clconst_model *model,
                                        clconst_model_info *info);

/*
 * One constant as the model writes it. Strings are borrowed from the model.
 *
 * name: the value that the node or initializer defines, unique in its scope.
 * scope: the path of enclosing nodes or functions, empty in the main graph. A
 * constant of a function whose value or shape the call decides is listed once
 * per call, and its scope is CALLER/NODE:FUNCTION.
 * op_type: "Constant", "ConstantOfShape", "initializer" or
 * "sparse_initializer".
 * storage: "raw", "typed", "external", "attribute", "sparse" or "fill"; NULL
 * when the constant is invalid.
 * dtype: CLCONST_UNDEFINED when the constant is invalid, or when the call of a
 * function decides it.
 */
typedef struct clconst_constant {
    size_t struct_size;
    clconst_string name;
    clconst_string scope;
    const char *op_type;
    const char *storage;
    clconst_dtype dtype;
} clconst_constant;
#define CLCONST_CONSTANT_INIT                                                  \
    {                                                                          \
        sizeof(clconst_constant), {0, 0}, {0, 0}, 0, 0, CLCONST_UNDEFINED      \
    }

/*
 * The constant of this index: main graph first, then each subgraph, then the
 * functions, then what calls of functions decide. Sets the members that
 * constant->struct_size covers, borrowed from the model. INVALID_ARGUMENT past
 * the last.
 */
CLCONST_API clconst_status
clconst_model_get_constant(const clconst_model *model,
                           size_t index,
                           clconst_constant *constant,
                           clconst_error *error);

/*
 * Names of the main graph's inputs and outputs, in the file's order; inputs
 * that an initializer gives a default are among them. Borrowed from the model.
 * INVALID_ARGUMENT past the last.
 */
CLCONST_API clconst_status clconst_model_get_input(const clconst_model *model,
                                                   size_t index,
                                                   clconst_string *name,
                                                   clconst_error *error);
/* The same for outputs. */
CLCONST_API clconst_status clconst_model_get_output(const clconst_model *model,
                                                    size_t index,
                                                    clconst_string *name,
                                                    clconst_error *error);

/* Gives up the caller's model; what was made from it keeps the mapping. */
CLCONST_API void clconst_model_destroy(clconst_model *model);

/* ----------------------------------------------------------- resolutions */

/* The value of the input of the main graph that has this name. */
typedef struct clconst_input_value {
    const char *name;
    clconst_view value;
} clconst_input_value;

/* The value that a symbol, the name of a dim, has everywhere. */
typedef struct clconst_symbol_value {
    const char *name;
    int64_t value;
} clconst_symbol_value;

/* The shape of the input of the main graph that has this name. */
typedef struct clconst_input_shape {
    const char *name;
    clconst_shape shape;
} clconst_input_shape;

/*
 * What is known of a model's inputs beyond the model itself: value_count
 * entries of values, symbol_count of symbols, shape_count of shapes. A value
 * tells its shape, too. A shape, bound or of a bound value, binds the symbols
 * that the input declares in place of its dims.
 */
typedef struct clconst_bindings {
    size_t struct_size;
    const clconst_input_value *values;
    size_t value_count;
    const clconst_symbol_value *symbols;
    size_t symbol_count;
    const clconst_input_shape *shapes;
    size_t shape_count;
} clconst_bindings;
#define CLCONST_BINDINGS_INIT                                                  \
    {                                                                          \
        sizeof(clconst_bindings), 0, 0, 0, 0, 0, 0                             \
    }

/*
 * Computes the shapes and outputs of a model from its constants and from what
 * is bound: by evaluating the nodes that they depend on, in bounded work and
 * memory. bindings may be NULL; values are copied as far as they are needed.
 * The model is held. A constant that has no plan is no error: its reason says
 * why, and what input is needed. Errors: INVALID_ARGUMENT for a binding whose
 * name is no input of the main graph, or no symbol in the declared shape of an
 * input or output; for one that is bound twice; for a negative dim; and for a
 * dtype, rank or dim that contradicts the input's declaration or another
 * binding. TOO_LARGE for a rank above 1024, and when all shapes together have
 * more than 2^22 dims.
 */
CLCONST_API clconst_status
clconst_resolution_create(const clconst_model *model,
                          const clconst_bindings *bindings,
                          clconst_resolution **resolution,
                          clconst_error *error);

/* Whether a constant has a plan. */
typedef enum clconst_resolution_state {
    CLCONST_RESOLVED = 1,   /* there is a plan */
    CLCONST_UNRESOLVED = 2, /* inputs are missing, or a form is unsupported */
    CLCONST_INVALID = 3,    /* no input can make it right */
    CLCONST_NOT_TAKEN = 4,  /* it is in a branch that is not taken */
} clconst_resolution_state;

/* One dim: value >= 0, or -1 and the symbol that stands for it, or nothing. */
typedef struct clconst_dim {
    int64_t value;
    clconst_string symbol;
} clconst_dim;

/*
 * What became of one constant: its state. plan is NULL unless resolved; reason
 * is NULL when resolved. has_rank is 0 when the rank is unknown; dims then is
 * NULL. status and native_code go with the reason as in clconst_error:
 * UNSUPPORTED when unresolved or not taken; when invalid INVALID_MODEL,
 * TOO_LARGE, or IO_ERROR for external data that cannot be read. Everything is
 * borrowed from the resolution.
 */
typedef struct clconst_resolved {
    size_t struct_size;
    clconst_resolution_state state;
    const clconst_plan *plan;
    const char *reason;
    int has_rank;
    const clconst_dim *dims;
    size_t rank;
    clconst_status status;
    int32_t native_code;
} clconst_resolved;
#define CLCONST_RESOLVED_INIT                                                  \
    {                                                                          \
        sizeof(clconst_resolved), CLCONST_UNRESOLVED, 0, 0, 0, 0, 0,           \
            CLCONST_UNSUPPORTED, 0                                             \
    }

/* The constant of this index. INVALID_ARGUMENT past the last. */
CLCONST_API clconst_status
clconst_resolution_get_constant(const clconst_resolution *resolution,
                                size_t index,
                                clconst_resolved *resolved,
                                clconst_error *error);

/*
 * The same for an output of the main graph, by its index: resolved when the
 * output is a constant, a bound input, or computed from those by operators that
 * are folded.
 */
CLCONST_API clconst_status
clconst_resolution_get_output(const clconst_resolution *resolution,
                              size_t index,
                              clconst_resolved *resolved,
                              clconst_error *error);

/* Gives up the resolution and its plans; what was made of them holds them. */
CLCONST_API void clconst_resolution_destroy(clconst_resolution *resolution);

#ifdef __cplusplus
}
#endif

#endif
