#include "onnx/fold/number.h"

#include <math.h>

/* X(dtype, C type, member, kind, lowest, highest) */
#define NUMBER_MAP(X)                                                          \
    X(BOOL, uint8_t, u, UNSIGNED, 0, 1)                                        \
    X(UINT8, uint8_t, u, UNSIGNED, 0, UINT8_MAX)                               \
    X(UINT16, uint16_t, u, UNSIGNED, 0, UINT16_MAX)                            \
    X(UINT32, uint32_t, u, UNSIGNED, 0, UINT32_MAX)                            \
    X(UINT64, uint64_t, u, UNSIGNED, 0, UINT64_MAX)                            \
    X(INT8, int8_t, i, SIGNED, INT8_MIN, INT8_MAX)                             \
    X(INT16, int16_t, i, SIGNED, INT16_MIN, INT16_MAX)                         \
    X(INT32, int32_t, i, SIGNED, INT32_MIN, INT32_MAX)                         \
    X(INT64, int64_t, i, SIGNED, INT64_MIN, INT64_MAX)                         \
    X(FLOAT, float, d, REAL, -INFINITY, INFINITY)                              \
    X(DOUBLE, double, d, REAL, -INFINITY, INFINITY)

clconst__number_kind clconst__number_kind_of(clconst_dtype dtype)
{
    switch ((int)dtype) {
#define NUMBER_X(name, type, member, kind, lowest, highest)                    \
    case CLCONST_##name:                                                       \
        return CLCONST__##kind;
        NUMBER_MAP(NUMBER_X)
#undef NUMBER_X
    default:
        return CLCONST__NO_NUMBER;
    }
}

clconst__number clconst__number_of(clconst__number_kind kind, int64_t value)
{
    if (kind == CLCONST__REAL) {
        return (clconst__number){.d = (double)value};
    }
    return (clconst__number){.i = value};
}

clconst__number clconst__number_load(clconst_dtype dtype, const uint8_t *bytes)
{
    clconst__number number = {0};
    switch ((int)dtype) {
#define NUMBER_X(name, type, member, kind, lowest, highest)                    \
    case CLCONST_##name: {                                                     \
        type value;                                                            \
        memcpy(&value, bytes, sizeof(value));                                  \
        number.member = value;                                                 \
        break;                                                                 \
    }
        NUMBER_MAP(NUMBER_X)
#undef NUMBER_X
    default:
        break;
    }
    if (dtype == CLCONST_BOOL) {
        number.u = number.u != 0;
    }
    return number;
}

clconst__number clconst__number_round(clconst_dtype dtype,
                                      clconst__number number)
{
    if (dtype == CLCONST_FLOAT) {
        number.d = (double)(float)number.d;
    }
    return number;
}

clconst__number clconst__number_lowest(clconst_dtype dtype)
{
    switch ((int)dtype) {
#define NUMBER_X(name, type, member, kind, lowest, highest)                    \
    case CLCONST_##name:                                                       \
        return (clconst__number){.member = lowest};
        NUMBER_MAP(NUMBER_X)
#undef NUMBER_X
    default:
        return (clconst__number){0};
    }
}

clconst__number clconst__number_highest(clconst_dtype dtype)
{
    switch ((int)dtype) {
#define NUMBER_X(name, type, member, kind, lowest, highest)                    \
    case CLCONST_##name:                                                       \
        return (clconst__number){.member = highest};
        NUMBER_MAP(NUMBER_X)
#undef NUMBER_X
    default:
        return (clconst__number){0};
    }
}

static bool is_in_range(clconst_dtype dtype, clconst__number number)
{
    clconst__number lowest = clconst__number_lowest(dtype);
    clconst__number highest = clconst__number_highest(dtype);
    switch (clconst__number_kind_of(dtype)) {
    case CLCONST__SIGNED:
        return number.i >= lowest.i && number.i <= highest.i;
    case CLCONST__UNSIGNED:
        return number.u <= highest.u;
    default:
        return true;
    }
}

bool clconst__number_store(clconst_dtype dtype,
                           clconst__number number,
                           uint8_t *bytes)
{
    if (!is_in_range(dtype, number)) {
        return false;
    }
    switch ((int)dtype) {
#define NUMBER_X(name, type, member, kind, lowest, highest)                    \
    case CLCONST_##name: {                                                     \
        type value = (type)number.member;                                      \
        memcpy(bytes, &value, sizeof(value));                                  \
        return true;                                                           \
    }
        NUMBER_MAP(NUMBER_X)
#undef NUMBER_X
    default:
        return false;
    }
}

clconst_status clconst__number_check(clconst_dtype dtype, clconst_error *error)
{
    if (clconst__number_kind_of(dtype) != CLCONST__NO_NUMBER) {
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_UNSUPPORTED,
                         "arithmetic with dtype %s",
                         clconst_dtype_name(dtype));
}

clconst__element clconst__element_load(const clconst__fact *fact, size_t index)
{
    return (clconst__element){
        clconst__number_load(fact->dtype,
                             fact->data + index * fact->element_size),
        clconst__fact_cause(fact, index)};
}

clconst_status clconst__element_store(clconst__fact *fact,
                                      size_t index,
                                      clconst__element element,
                                      clconst_error *error)
{
    if (element.cause == CLCONST__KNOWN &&
        !clconst__number_store(fact->dtype,
                               element.number,
                               fact->own_data + index * fact->element_size)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "element %zu overflows; %s must hold it",
                             index,
                             clconst_dtype_name(fact->dtype));
    }
    return clconst__fact_set_cause(fact, index, element.cause, error);
}

clconst_status clconst__element_derive(clconst__folding *folding,
                                       clconst__cause from,
                                       clconst__element *element,
                                       clconst_error *error)
{
    element->number = (clconst__number){0};
    /* Running out of causes would end the evaluation of everything else. */
    if (folding->causes->count > CLCONST__CAUSES_MAX / 2) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "more unknown elements than are kept apart");
    }
    return clconst__cause_derive(folding->causes, from, &element->cause, error);
}
