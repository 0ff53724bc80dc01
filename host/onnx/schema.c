#include "onnx/schema.h"

#define BIT(dtype) (UINT32_C(1) << CLCONST_##dtype)

/* What the versions of the specification list, each set on the one before. */
#define FLOATS (BIT(FLOAT16) | BIT(FLOAT) | BIT(DOUBLE))
#define INTEGERS                                                               \
    (BIT(UINT8) | BIT(UINT16) | BIT(UINT32) | BIT(UINT64) | BIT(INT8) |        \
     BIT(INT16) | BIT(INT32) | BIT(INT64))
#define NUMBERS_9  (FLOATS | INTEGERS | BIT(BOOL))
#define NUMBERS_13 (NUMBERS_9 | BIT(BFLOAT16))
#define NUMBERS_19                                                             \
    (NUMBERS_13 | BIT(FLOAT8E4M3FN) | BIT(FLOAT8E4M3FNUZ) | BIT(FLOAT8E5M2) |  \
     BIT(FLOAT8E5M2FNUZ))
#define NUMBERS_21 (NUMBERS_19 | BIT(UINT4) | BIT(INT4))
#define NUMBERS_23 (NUMBERS_21 | BIT(FLOAT4E2M1))
#define NUMBERS_24 (NUMBERS_23 | BIT(FLOAT8E8M0))
#define NUMBERS_25 (NUMBERS_24 | BIT(UINT2) | BIT(INT2))
#define OTHERS     (BIT(STRING) | BIT(COMPLEX64) | BIT(COMPLEX128))

#define FORMS_11 (CLCONST__VALUE | CLCONST__SPARSE_VALUE)
#define FORMS_12                                                               \
    (FORMS_11 | CLCONST__VALUE_INT | CLCONST__VALUE_INTS |                     \
     CLCONST__VALUE_FLOAT | CLCONST__VALUE_FLOATS | CLCONST__VALUE_STRING |    \
     CLCONST__VALUE_STRINGS)

#define CONSTANT(version, forms, dtypes)                                       \
    {                                                                          \
        "Constant", CLCONST_OP_CONSTANT, version, forms, dtypes                \
    }
#define CONSTANT_OF_SHAPE(version, dtypes)                                     \
    {                                                                          \
        "ConstantOfShape", CLCONST_OP_CONSTANT_OF_SHAPE, version,              \
            CLCONST__VALUE, dtypes                                             \
    }

const clconst__schema clconst__schemas[] = {
    CONSTANT(1, CLCONST__VALUE, FLOATS),
    CONSTANT(9, CLCONST__VALUE, NUMBERS_9 | OTHERS),
    CONSTANT(11, FORMS_11, NUMBERS_9 | OTHERS),
    CONSTANT(12, FORMS_12, NUMBERS_9 | OTHERS),
    CONSTANT(13, FORMS_12, NUMBERS_13 | OTHERS),
    CONSTANT(19, FORMS_12, NUMBERS_19 | OTHERS),
    CONSTANT(21, FORMS_12, NUMBERS_21 | OTHERS),
    CONSTANT(23, FORMS_12, NUMBERS_23 | OTHERS),
    CONSTANT(24, FORMS_12, NUMBERS_24 | OTHERS),
    CONSTANT(25, FORMS_12, NUMBERS_25 | OTHERS),
    CONSTANT_OF_SHAPE(9, NUMBERS_9),
    CONSTANT_OF_SHAPE(20, NUMBERS_19),
    CONSTANT_OF_SHAPE(21, NUMBERS_21),
    CONSTANT_OF_SHAPE(23, NUMBERS_23),
    CONSTANT_OF_SHAPE(24, NUMBERS_24),
    CONSTANT_OF_SHAPE(25, NUMBERS_25),
};

const size_t clconst__schema_count =
    sizeof(clconst__schemas) / sizeof(clconst__schemas[0]);

const clconst__schema *clconst__schema_find_operator(clconst__span op_type)
{
    for (size_t i = 0; i < clconst__schema_count; i++) {
        const clconst__schema *schema = &clconst__schemas[i];
        if (clconst__span_equals(op_type, clconst__span_of(schema->op_type))) {
            return schema;
        }
    }
    return NULL;
}

const clconst__schema *clconst__schema_bind(clconst_op_kind kind, int64_t opset)
{
    const clconst__schema *bound = NULL;
    for (size_t i = 0; i < clconst__schema_count; i++) {
        const clconst__schema *schema = &clconst__schemas[i];
        if (schema->kind == kind && schema->since_version <= opset) {
            bound = schema;
        }
    }
    return bound;
}
