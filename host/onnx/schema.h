/*
 * The versions of Constant and ConstantOfShape, as the ONNX operator
 * specification lists them: one table.
 */
#ifndef CLCONST_ONNX_SCHEMA_H
#define CLCONST_ONNX_SCHEMA_H

#include <stdbool.h>

#include <clconst/clconst.h>

#include "onnx/span.h"

/* The newest release that this library knows is onnx 1.23. */
#define CLCONST__OPSET_NEWEST      28
#define CLCONST__IR_VERSION_NEWEST 14

/* The attributes of both operators, as bits of clconst__schema. */
typedef enum clconst__form {
    CLCONST__VALUE = 1 << 0,
    CLCONST__SPARSE_VALUE = 1 << 1,
    CLCONST__VALUE_INT = 1 << 2,
    CLCONST__VALUE_INTS = 1 << 3,
    CLCONST__VALUE_FLOAT = 1 << 4,
    CLCONST__VALUE_FLOATS = 1 << 5,
    CLCONST__VALUE_STRING = 1 << 6,
    CLCONST__VALUE_STRINGS = 1 << 7,
} clconst__form;

/* forms is a set of clconst__form; dtypes has bit N for dtype number N. */
typedef struct clconst__schema {
    const char *op_type;
    clconst_op_kind kind;
    int64_t since_version;
    unsigned forms;
    uint32_t dtypes;
} clconst__schema;

/* In the order of since_version, Constant first. */
extern const clconst__schema clconst__schemas[];
extern const size_t clconst__schema_count;

/* Any version of the operator of this op_type, or NULL. */
const clconst__schema *clconst__schema_find_operator(clconst__span op_type);

/*
 * The version of an operator that an opset binds: the largest that is not
 * above it. NULL when the opset has no such operator.
 */
const clconst__schema *clconst__schema_bind(clconst_op_kind kind,
                                            int64_t opset);

static inline bool clconst__schema_lists(const clconst__schema *schema,
                                         clconst_dtype dtype)
{
    return (schema->dtypes >> dtype & 1U) != 0;
}

#endif
