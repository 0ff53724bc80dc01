#include "onnx/fold/source.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/op.h"
#include "core/shape.h"
#include "onnx/quote.h"

/* The text of a dim of an input, for messages. */
static void describe_dim(const clconst__declaration *declaration,
                         size_t axis,
                         char *text,
                         size_t size)
{
    clconst__span symbol = {
        (const uint8_t *)declaration->dims[axis].symbol.data,
        declaration->dims[axis].symbol.size};
    clconst__quoted name = clconst__quote(declaration->name);
    if (symbol.size > 0) {
        snprintf(text,
                 size,
                 "dim %zu (%s) of %s",
                 axis,
                 clconst__quote(symbol).text,
                 name.text);
    } else {
        snprintf(text, size, "dim %zu of %s", axis, name.text);
    }
}

/* The cause of a dim that has a symbol: one for all dims of that symbol. */
static clconst_status find_symbol(clconst__fold *fold,
                                  const clconst__declaration *declaration,
                                  size_t axis,
                                  clconst__cause from,
                                  clconst__cause *cause,
                                  clconst_error *error)
{
    const clconst_dim *dim = &declaration->dims[axis];
    clconst__span symbol = {(const uint8_t *)dim->symbol.data,
                            dim->symbol.size};
    size_t found = symbol.size > 0 ? clconst__names_find(&fold->symbols, symbol)
                                   : CLCONST__NONE;
    if (found != CLCONST__NONE) {
        *cause = (clconst__cause)found;
        return CLCONST_OK;
    }
    char text[sizeof(error->message)];
    describe_dim(declaration, axis, text, sizeof(text));
    clconst_status status =
        from != CLCONST__KNOWN
            ? clconst__cause_derive(&fold->causes, from, cause, error)
            : clconst__cause_add(
                  &fold->causes, CLCONST_UNSUPPORTED, cause, error, "%s", text);
    if (status != CLCONST_OK || symbol.size == 0) {
        return status;
    }
    fold->causes.items[*cause].symbol = symbol;
    return clconst__names_define(&fold->symbols, symbol, *cause, error);
}

/* A dim of the fact that is not known becomes what is declared. */
static clconst_status declare_dim(clconst__fold *fold,
                                  const clconst__declaration *declaration,
                                  size_t axis,
                                  clconst__fact *fact,
                                  bool is_computed,
                                  clconst_error *error)
{
    clconst__cell *cell = &fact->dims[axis];
    if (cell->cause == CLCONST__KNOWN ||
        fold->causes.items[cell->cause].symbol.size > 0) {
        return CLCONST_OK;
    }
    int64_t value;
    if (clconst__symbols_know(
            &fold->bindings->symbols, &declaration->dims[axis], &value)) {
        *cell = (clconst__cell){value, CLCONST__KNOWN};
        return CLCONST_OK;
    }
    return find_symbol(fold,
                       declaration,
                       axis,
                       is_computed ? cell->cause : CLCONST__KNOWN,
                       &cell->cause,
                       error);
}

static clconst_status declare(clconst__fold *fold,
                              const clconst__declaration *declaration,
                              clconst__fact *fact,
                              bool is_computed,
                              clconst_error *error)
{
    if (fact->dtype == CLCONST_UNDEFINED &&
        clconst_dtype_name((clconst_dtype)declaration->elem_type) != NULL) {
        fact->dtype = (clconst_dtype)declaration->elem_type;
    }
    if (!declaration->has_rank ||
        (fact->dims != NULL && fact->rank != declaration->rank)) {
        return CLCONST_OK;
    }
    clconst_status status = CLCONST_OK;
    if (fact->dims == NULL) {
        status = clconst__fact_set_rank(fact, declaration->rank, error);
    }
    for (size_t i = 0; i < fact->rank && status == CLCONST_OK; i++) {
        status = declare_dim(fold, declaration, i, fact, is_computed, error);
    }
    return status;
}

clconst_status clconst__source_declare(clconst__fold *fold,
                                       const clconst__declaration *declaration,
                                       clconst__fact *fact,
                                       clconst_error *error)
{
    return declare(fold, declaration, fact, true, error);
}

/* The count of elements up to which a value is unpacked. */
static size_t find_limit(clconst__fold *fold, const clconst_op *op)
{
    bool is_sparse = op->kind == CLCONST_OP_SPARSE_CONSTANT;
    const clconst_shape *shape =
        is_sparse ? &op->dense_shape : &op->value.shape;
    size_t size = clconst__fact_element_size(op->value.dtype);
    unsigned bits = clconst_dtype_bits(op->value.dtype);
    uint64_t count;
    if (bits == 0 || (bits >= 8 && !is_sparse)) {
        return CLCONST__ELEMENTS_MAX;
    }
    /* Twice, since there is a packed copy for a moment. */
    return clconst__shape_count(shape, &count, NULL) == CLCONST_OK &&
                   count <= CLCONST__ELEMENTS_MAX &&
                   clconst__budget_allows(&fold->budget, count, 2 * size) &&
                   clconst__fold_spend(fold, count)
               ? CLCONST__ELEMENTS_MAX
               : 0;
}

clconst_status clconst__source_constant(clconst__fold *fold,
                                        const clconst_op *op,
                                        clconst__fact **fact,
                                        clconst_error *error)
{
    clconst__cause cause;
    clconst_status status =
        clconst__cause_add(&fold->causes,
                           CLCONST_UNSUPPORTED,
                           &cause,
                           error,
                           "the value of a constant of dtype %s with more than "
                           "%zu elements, or of "
                           "strings",
                           clconst_dtype_name(op->value.dtype),
                           CLCONST__ELEMENTS_MAX);
    return status == CLCONST_OK
               ? clconst__fact_of_op(
                     op, find_limit(fold, op), cause, fact, error)
               : status;
}

static clconst_status set_dims(clconst__fact *fact,
                               const int64_t *dims,
                               size_t rank,
                               clconst_error *error)
{
    clconst_status status = clconst__fact_set_rank(fact, rank, error);
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        if (dims[i] >= 0) {
            fact->dims[i] = (clconst__cell){dims[i], CLCONST__KNOWN};
        }
    }
    return status;
}

/* A constant of the listing that is no ConstantOfShape. */
static clconst_status make_constant(clconst__fold *fold,
                                    const clconst__value *value,
                                    size_t index,
                                    clconst__fact **fact,
                                    clconst_error *error)
{
    const clconst__constant *constant = &fold->model->constants[index];
    if (constant->status == CLCONST_OK) {
        return clconst__source_constant(
            fold, constant->content.op, fact, error);
    }
    clconst__fact *made;
    clconst_status status =
        clconst__fold_unknown(fold,
                              constant->status,
                              &made,
                              error,
                              "constant %s, which has no value: %s",
                              clconst__quote(value->name).text,
                              constant->reason);
    if (status != CLCONST_OK) {
        return status;
    }
    fold->causes.items[made->cause].native_code = constant->native_code;
    const clconst__content *content = &constant->content;
    made->dtype = content->dtype;
    if (content->has_dims && content->dims.count <= CLCONST__RANK_MAX) {
        status =
            set_dims(made, content->dims.items, content->dims.count, error);
    }
    if (status == CLCONST_OK) {
        *fact = made;
    } else {
        clconst__fact_release(made);
    }
    return status;
}

/* An unknown fact, with what is declared. value_cause may be CLCONST__KNOWN. */
static clconst_status make_declared(clconst__fold *fold,
                                    const clconst__declaration *declaration,
                                    bool is_computed,
                                    const char *text,
                                    clconst__cause value_cause,
                                    clconst__fact **fact,
                                    clconst_error *error)
{
    clconst__fact *made;
    clconst_status status = clconst__fold_unknown(
        fold, CLCONST_UNSUPPORTED, &made, error, "%s", text);
    if (status != CLCONST_OK) {
        return status;
    }
    made->value_cause = value_cause;
    status = declare(fold, declaration, made, is_computed, error);
    if (status == CLCONST_OK) {
        status = clconst__fact_itemize(made, &fold->causes, error);
    }
    if (status != CLCONST_OK) {
        clconst__fact_release(made);
        return status;
    }
    *fact = made;
    return CLCONST_OK;
}

/* What is known of an input of the main graph beside its value. */
static clconst__declaration declaration_of(const clconst__fold *fold,
                                           size_t input)
{
    const clconst__binding *binding = &fold->bindings->items[input];
    return (clconst__declaration){.name = fold->model->inputs[input].name,
                                  .elem_type = binding->elem_type,
                                  .has_rank = binding->has_rank,
                                  .dims = binding->dims,
                                  .rank = binding->rank};
}

clconst_status clconst__source_symbols(clconst__fold *fold,
                                       clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < fold->model->input_count; i++) {
        clconst__declaration declaration = declaration_of(fold, i);
        for (size_t j = 0; j < declaration.rank && declaration.has_rank &&
                           status == CLCONST_OK;
             j++) {
            clconst__cause cause;
            if (declaration.dims[j].value < 0 &&
                declaration.dims[j].symbol.size > 0) {
                status = find_symbol(
                    fold, &declaration, j, CLCONST__KNOWN, &cause, error);
            }
        }
    }
    return status;
}

/* An input of the main graph that has no value. */
static clconst_status make_free_input(clconst__fold *fold,
                                      const clconst__value *value,
                                      clconst__fact **fact,
                                      clconst_error *error)
{
    const clconst__declaration declaration = declaration_of(fold, value->index);
    clconst__quoted name = clconst__quote(value->name);
    clconst_dtype dtype = (clconst_dtype)declaration.elem_type;
    if (declaration.elem_type != 0 && clconst_dtype_name(dtype) == NULL) {
        return clconst__fold_unknown(fold,
                                     CLCONST_INVALID_MODEL,
                                     fact,
                                     error,
                                     "%s is declared with elem_type %" PRId32
                                     ", which is no dtype",
                                     name.text,
                                     declaration.elem_type);
    }
    clconst__cause cause;
    clconst_status status = clconst__cause_add(&fold->causes,
                                               CLCONST_UNSUPPORTED,
                                               &cause,
                                               error,
                                               "the value of %s",
                                               name.text);
    char text[sizeof(name) + 16];
    snprintf(text, sizeof(text), "the shape of %s", name.text);
    return status == CLCONST_OK
               ? make_declared(
                     fold, &declaration, false, text, cause, fact, error)
               : status;
}

/* An input of the main graph, bound, with a default, or declared. */
static clconst_status make_input(clconst__fold *fold,
                                 const clconst__value *value,
                                 clconst__fact **fact,
                                 clconst_error *error)
{
    clconst__binding *binding = &fold->bindings->items[value->index];
    if (binding->op != NULL) {
        clconst_status status = clconst__binding_copy(binding, error);
        return status == CLCONST_OK
                   ? clconst__source_constant(fold, binding->op, fact, error)
                   : status;
    }
    return value->default_constant != CLCONST__NONE
               ? make_constant(
                     fold, value, value->default_constant, fact, error)
               : make_free_input(fold, value, fact, error);
}

static clconst_status make_body_input(clconst__fold *fold,
                                      const clconst__value *value,
                                      clconst__fact **fact,
                                      clconst_error *error)
{
    char text[sizeof(clconst__quoted) + 32];
    snprintf(text,
             sizeof(text),
             "%s, an input of a subgraph",
             clconst__quote(value->name).text);
    return make_declared(fold,
                         &fold->model->inputs[value->index],
                         true,
                         text,
                         CLCONST__KNOWN,
                         fact,
                         error);
}

clconst_status clconst__source_fact(clconst__fold *fold,
                                    size_t value,
                                    clconst__fact **fact,
                                    clconst_error *error)
{
    const clconst__value *found = &fold->model->values[value];
    clconst__quoted name = clconst__quote(found->name);
    if (found->is_duplicate) {
        return clconst__fold_unknown(fold,
                                     CLCONST_INVALID_MODEL,
                                     fact,
                                     error,
                                     "%s is defined twice; names are unique",
                                     name.text);
    }
    switch (found->kind) {
    case CLCONST__INPUT:
        return found->index < fold->model->input_count
                   ? make_input(fold, found, fact, error)
                   : make_body_input(fold, found, fact, error);
    case CLCONST__FUNCTION_INPUT:
        return clconst__fold_unknown(fold,
                                     CLCONST_UNSUPPORTED,
                                     fact,
                                     error,
                                     "%s, an input of a function",
                                     name.text);
    case CLCONST__CONSTANT:
        return make_constant(fold, found, found->index, fact, error);
    case CLCONST__NODE_OUTPUT:
    case CLCONST__NOWHERE:
        break;
    }
    return clconst__fold_unknown(fold,
                                 CLCONST_INVALID_MODEL,
                                 fact,
                                 error,
                                 "%s is defined nowhere",
                                 name.text);
}
