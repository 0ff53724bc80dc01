#include "core/plan.h"

#include <string.h>

#include "base/alloc.h"
#include "base/options.h"
#include "core/shape.h"

/* By kind of operator: the content, and the public name of a plan with it. */
static const struct {
    clconst__content content;
    clconst_plan_kind kind;
} contents[] = {
    [CLCONST_OP_CONSTANT_OF_SHAPE] = {CLCONST__CONTENT_PATTERN,
                                      CLCONST_PLAN_FILL},
    [CLCONST_OP_CONSTANT] = {CLCONST__CONTENT_BYTES, CLCONST_PLAN_COPY},
    [CLCONST_OP_SPARSE_CONSTANT] = {CLCONST__CONTENT_PAIRS,
                                    CLCONST_PLAN_SCATTER},
};

/* The shape of an operator that has one of its own. */
static const clconst_shape *own_shape(const clconst_op *op)
{
    return op->kind == CLCONST_OP_SPARSE_CONSTANT ? &op->dense_shape
                                                  : &op->value.shape;
}

static void set_last_byte(clconst_plan *plan, uint64_t element_count)
{
    plan->is_last_byte_plain = true;
    if (plan->size == 0 || plan->content == CLCONST__CONTENT_PAIRS) {
        return;
    }
    size_t last = plan->size - 1;
    uint8_t byte = plan->content == CLCONST__CONTENT_PATTERN
                       ? plan->pattern.bytes[last % CLCONST__PATTERN_SIZE]
                       : plan->source[last];
    plan->last_byte =
        byte & clconst__dtype_last_mask(plan->dtype, element_count);
    plan->is_last_byte_plain = plan->last_byte == byte;
}

/* What a plan's content needs beyond its size. */
static void set_content(clconst_plan *plan, uint64_t element_count)
{
    const clconst_view *value = &plan->op->value;
    plan->content = contents[plan->op->kind].content;
    plan->kind = plan->dtype == CLCONST_STRING ? CLCONST_PLAN_STRINGS
                                               : contents[plan->op->kind].kind;
    switch (plan->content) {
    case CLCONST__CONTENT_PATTERN:
        clconst__pattern_widen(
            &plan->pattern, value->data, clconst_dtype_bits(value->dtype));
        break;
    case CLCONST__CONTENT_BYTES:
        plan->source = value->data;
        break;
    case CLCONST__CONTENT_PAIRS:
        plan->scatter = &plan->op->scatter;
        plan->scatter_row = clconst__scatter_row_of(
            plan->scatter, 0, sizeof(clconst__scatter_row), 0);
        break;
    }
    plan->period = clconst__pattern_period(&plan->pattern);
    set_last_byte(plan, element_count);
}

static clconst_status check_shape_argument(const clconst_op *op,
                                           const clconst_shape *shape,
                                           clconst_error *error)
{
    if (op->kind == CLCONST_OP_CONSTANT_OF_SHAPE && shape == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "shape is NULL; ConstantOfShape needs a shape");
    }
    if (op->kind != CLCONST_OP_CONSTANT_OF_SHAPE && shape != NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "shape is given; Constant has a shape of its own");
    }
    return CLCONST_OK;
}

clconst_status clconst_plan_create(const clconst_op *op,
                                   const clconst_shape *shape,
                                   clconst_plan **plan,
                                   clconst_error *error)
{
    if (op == NULL || plan == NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "op or plan is NULL; both are required");
    }
    clconst_status status = check_shape_argument(op, shape, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (shape == NULL) {
        shape = own_shape(op);
    }
    uint64_t count;
    size_t size;
    status =
        clconst__shape_measure(op->value.dtype, shape, &count, &size, error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst_plan *created;
    status = clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = clconst__shape_copy_dims(shape, &created->dims, error);
    if (status != CLCONST_OK) {
        clconst__free(created);
        return status;
    }
    clconst__refs_init(&created->refs);
    created->op = clconst__op_retain(op);
    created->dtype = op->value.dtype;
    created->rank = shape->rank;
    created->size = size;
    set_content(created, count);
    *plan = created;
    return CLCONST_OK;
}

clconst_plan_kind clconst_plan_get_kind(const clconst_plan *plan)
{
    return plan->kind;
}

void clconst_plan_get_output(const clconst_plan *plan, clconst_output *output)
{
    clconst_output own = {
        sizeof(own), plan->dtype, {plan->dims, plan->rank}, plan->size};
    clconst__output_write(output, &own, sizeof(own));
}

clconst_plan *clconst__plan_retain(const clconst_plan *plan)
{
    /* The count is the one thing of a plan that changes. */
    clconst_plan *held = (clconst_plan *)plan;
    clconst__refs_retain(&held->refs);
    return held;
}

void clconst__plan_expand(const clconst_plan *plan, uint8_t *dst)
{
    if (plan->size == 0) {
        return;
    }
    switch (plan->content) {
    case CLCONST__CONTENT_PATTERN:
        clconst__pattern_repeat(&plan->pattern, dst, plan->size);
        break;
    case CLCONST__CONTENT_BYTES:
        memcpy(dst, plan->source, plan->size);
        break;
    case CLCONST__CONTENT_PAIRS:
        memset(dst, 0, plan->size);
        clconst__scatter_apply(plan->scatter, dst);
        return;
    }
    dst[plan->size - 1] = plan->last_byte;
}

clconst_plan
clconst__plan_slice(const clconst_plan *copy, size_t begin, size_t end)
{
    bool is_last = end == copy->size;
    return (clconst_plan){
        .kind = CLCONST_PLAN_COPY,
        .op = copy->op,
        .size = end - begin,
        .last_byte = is_last ? copy->last_byte : copy->source[end - 1],
        .is_last_byte_plain = !is_last || copy->is_last_byte_plain,
        .content = CLCONST__CONTENT_BYTES,
        .source = copy->source + begin,
    };
}

size_t clconst__placed_size(const clconst__placed *placed, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size += placed[i].plan->size;
    }
    return size;
}

void clconst_plan_destroy(clconst_plan *plan)
{
    if (plan == NULL || !clconst__refs_release(&plan->refs)) {
        return;
    }
    clconst_op_destroy(plan->op);
    clconst__free(plan->dims);
    clconst__free(plan);
}
