#include "onnx/fold/number.h"

#include <math.h>

/* bits are those of an element that count, 0 of dtypes without numbers. */
typedef struct description {
    unsigned bits;
    clconst__number_kind kind;
    clconst__number lowest;
    clconst__number highest;
} description;

#define UNSIGNED(bits, last)                                                   \
    {                                                                          \
        bits, CLCONST__UNSIGNED, {.u = 0},                                     \
        {                                                                      \
            .u = last                                                          \
        }                                                                      \
    }
#define SIGNED(bits, first, last)                                              \
    {                                                                          \
        bits, CLCONST__SIGNED, {.i = first},                                   \
        {                                                                      \
            .i = last                                                          \
        }                                                                      \
    }
#define REAL(bits)                                                             \
    {                                                                          \
        bits, CLCONST__REAL, {.d = -INFINITY},                                 \
        {                                                                      \
            .d = INFINITY                                                      \
        }                                                                      \
    }

static const description *describe(clconst_dtype dtype)
{
    static const description none;
    static const description descriptions[] = {
        [CLCONST_BOOL] = UNSIGNED(8, 1),
        [CLCONST_UINT2] = UNSIGNED(2, 3),
        [CLCONST_UINT4] = UNSIGNED(4, 15),
        [CLCONST_UINT8] = UNSIGNED(8, UINT8_MAX),
        [CLCONST_UINT16] = UNSIGNED(16, UINT16_MAX),
        [CLCONST_UINT32] = UNSIGNED(32, UINT32_MAX),
        [CLCONST_UINT64] = UNSIGNED(64, UINT64_MAX),
        [CLCONST_INT2] = SIGNED(2, -2, 1),
        [CLCONST_INT4] = SIGNED(4, -8, 7),
        [CLCONST_INT8] = SIGNED(8, INT8_MIN, INT8_MAX),
        [CLCONST_INT16] = SIGNED(16, INT16_MIN, INT16_MAX),
        [CLCONST_INT32] = SIGNED(32, INT32_MIN, INT32_MAX),
        [CLCONST_INT64] = SIGNED(64, INT64_MIN, INT64_MAX),
        [CLCONST_FLOAT] = REAL(32),
        [CLCONST_DOUBLE] = REAL(64),
    };
    size_t count = sizeof(descriptions) / sizeof(descriptions[0]);
    return (size_t)dtype < count ? &descriptions[dtype] : &none;
}

/* Bytes of an element, of which a narrow one fills the lowest bits. */
static size_t size_of(const description *own)
{
    return (own->bits + 7) / 8;
}

clconst__number_kind clconst__number_kind_of(clconst_dtype dtype)
{
    const description *own = describe(dtype);
    return own->bits > 0 ? own->kind : CLCONST__NO_NUMBER;
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
    const description *own = describe(dtype);
    clconst__number number = {.u = 0};
    if (dtype == CLCONST_FLOAT) {
        float value;
        memcpy(&value, bytes, sizeof(value));
        number.d = (double)value;
        return number;
    }
    memcpy(&number, bytes, size_of(own));
    if (own->kind == CLCONST__SIGNED && own->bits > 0) {
        uint64_t sign = UINT64_C(1) << (own->bits - 1);
        number.u = (number.u ^ sign) - sign;
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
    return describe(dtype)->lowest;
}

clconst__number clconst__number_highest(clconst_dtype dtype)
{
    return describe(dtype)->highest;
}

static bool is_in_range(const description *own, clconst__number number)
{
    switch (own->kind) {
    case CLCONST__SIGNED:
        return number.i >= own->lowest.i && number.i <= own->highest.i;
    case CLCONST__UNSIGNED:
        return number.u <= own->highest.u;
    default:
        return true;
    }
}

bool clconst__number_store(clconst_dtype dtype,
                           clconst__number number,
                           uint8_t *bytes)
{
    const description *own = describe(dtype);
    if (own->bits == 0 || !is_in_range(own, number)) {
        return false;
    }
    if (dtype == CLCONST_FLOAT) {
        float value = (float)number.d;
        memcpy(bytes, &value, sizeof(value));
        return true;
    }
    number.u &= UINT64_MAX >> (64 - own->bits);
    memcpy(bytes, &number, size_of(own));
    return true;
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
