/*
 * The context in which bytes are read: how strictly, for whom, and what keeps
 * them alive.
 */
#ifndef CLCONST_ONNX_CONTEXT_H
#define CLCONST_ONNX_CONTEXT_H

#include <stdbool.h>

#include <clconst/clconst_model.h>

#include "base/storage.h"

/*
 * subject, which may be NULL, begins each note. opset is of the default
 * domain, 0 when the graph does not import it. storage owns the input; NULL
 * means that the caller does. external is where data outside the input come
 * from. arguments, of the call of a function, are NULL when no call is known.
 */
typedef struct clconst__context {
    clconst_strictness strictness;
    clconst_note_function note;
    void *note_context;
    const char *subject;
    int64_t opset;
    bool is_in_function;
    clconst__storage *storage;
    struct clconst__external *external;
    const struct clconst__arguments *arguments;
} clconst__context;

/* INVALID_ARGUMENT for a number that is no strictness. */
clconst_status clconst__strictness_check(clconst_strictness strictness,
                                         clconst_error *error);

/*
 * What real writers do wrong: LENIENT notes it and goes on with CLCONST_OK;
 * otherwise INVALID_MODEL. The text is the same.
 */
__attribute__((format(printf, 3, 4))) clconst_status
clconst__fault(const clconst__context *context,
               clconst_error *error,
               const char *format,
               ...);

/*
 * What changes no bits: STRICT refuses it with INVALID_MODEL; otherwise it is
 * noted under this code. The text is the same.
 */
__attribute__((format(printf, 4, 5))) clconst_status
clconst__novelty(const clconst__context *context,
                 clconst_note_code code,
                 clconst_error *error,
                 const char *format,
                 ...);

/* What is worth knowing in every mode. */
__attribute__((format(printf, 3, 4))) void
clconst__remark(const clconst__context *context,
                clconst_note_code code,
                const char *format,
                ...);

/*
 * The core blames the argument; of bytes from a file that is the model.
 * Returns status, INVALID_ARGUMENT as INVALID_MODEL, there and in error.
 */
clconst_status clconst__blame_model(clconst_status status,
                                    clconst_error *error);

#endif
