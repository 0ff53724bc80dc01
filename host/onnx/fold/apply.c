#include "onnx/fold/apply.h"

#include <stdio.h>

#include "base/alloc.h"
#include "core/shape.h"
#include "onnx/fold/calls.h"
#include "onnx/fold/operators.h"
#include "onnx/quote.h"

/* A node of an operator, in hand. */
typedef struct operator_node {
    clconst__fold *fold;
    const clconst__node *node;
    const clconst__operator *operator;
    bool is_open; /* the call of its function gives an attribute */
    clconst__folding folding;
} operator_node;

/* A node without a name is known by what it defines. */
static clconst_status add_cause(const operator_node *own,
                                clconst_status status,
                                const char *text,
                                clconst__cause *cause,
                                clconst_error *error)
{
    const clconst__node *node = own->node;
    bool has_name = node->name.size > 0;
    clconst__span output = {NULL, 0};
    for (size_t i = 0; i < node->output.count && output.size == 0; i++) {
        output = node->output.items[i];
    }
    return clconst__cause_add(
        &own->fold->causes,
        status,
        cause,
        error,
        "node %s%s (%s)%s",
        has_name ? "" : "of ",
        clconst__quote(has_name ? node->name : output).text,
        clconst__escape(node->op_type).text,
        text);
}

/* Why the operator told no more about shapes: for what it does not know of its
 * inputs, or because it has no rule. */
static clconst_status find_reason(const operator_node *own,
                                  clconst__cause *cause,
                                  clconst_error *error)
{
    const clconst__folding *folding = &own->folding;
    *cause = CLCONST__KNOWN;
    for (int pass = 0; pass < 2 && own->operator!= NULL; pass++) {
        for (size_t i = 0; i < folding->input_count && *cause == CLCONST__KNOWN;
             i++) {
            if (folding->inputs[i] != NULL) {
                *cause =
                    clconst__fact_find_unknown(folding->inputs[i], pass == 1);
            }
        }
    }
    return *cause != CLCONST__KNOWN
               ? CLCONST_OK
               : add_cause(own,
                           CLCONST_UNSUPPORTED,
                           own->is_open ? ", of which each call decides an "
                                          "attribute"
                                        : ", for which there is no rule",
                           cause,
                           error);
}

/* Gives a cause to everything that infer left open. */
static clconst_status settle_dims(operator_node *own, clconst_error *error)
{
    clconst__cause reason = CLCONST__KNOWN;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < own->folding.output_count && status == CLCONST_OK;
         i++) {
        clconst__fact *fact = own->folding.outputs[i];
        bool is_open = fact->dims == NULL;
        for (size_t j = 0; j < fact->rank && !is_open; j++) {
            is_open = fact->dims[j].cause == CLCONST__UNTOLD;
        }
        if (is_open && reason == CLCONST__KNOWN) {
            status = find_reason(own, &reason, error);
        }
        fact->cause = reason;
        for (size_t j = 0;
             fact->dims != NULL && j < fact->rank && status == CLCONST_OK;
             j++) {
            if (fact->dims[j].cause == CLCONST__UNTOLD) {
                status = clconst__cause_derive(
                    &own->fold->causes, reason, &fact->dims[j].cause, error);
            }
        }
    }
    return status;
}

/* Makes what an operator complains about the cause of its outputs; with dims,
 * these stay as they are. */
static clconst_status refuse(operator_node *own,
                             const clconst_error *complaint,
                             bool with_dims,
                             clconst_error *error)
{
    char text[sizeof(complaint->message) + 2];
    snprintf(text, sizeof(text), ": %s", complaint->message);
    clconst__cause cause;
    clconst_status status =
        add_cause(own, (clconst_status)complaint->status, text, &cause, error);
    for (size_t i = 0; i < own->folding.output_count && status == CLCONST_OK;
         i++) {
        clconst__fact *fact = own->folding.outputs[i];
        fact->cause = cause;
        clconst__fact_clear_value(fact);
        if (!with_dims) {
            clconst__fact_clear_rank(fact);
        }
    }
    return status;
}

/* Whether an output is small enough to be computed. */
static bool allows_value(const clconst__folding *folding,
                         const clconst__fact *fact,
                         size_t size,
                         uint64_t *count)
{
    return size > 0 && clconst__fact_count(fact, count) &&
           *count <= CLCONST__ELEMENTS_MAX &&
           clconst__budget_allows(folding->budget, *count, size);
}

/* What is unknown of the inputs whose values are asked for. */
static clconst__cause find_missing_input(const operator_node *own)
{
    const clconst__folding *folding = &own->folding;
    clconst__cause cause = CLCONST__KNOWN;
    for (size_t i = 0; i < folding->input_count && cause == CLCONST__KNOWN;
         i++) {
        const clconst__fact *fact = folding->inputs[i];
        bool is_asked = own->operator->values>>(i < 31 ? i : 31) & 1U;
        if (fact != NULL && is_asked &&
            (fact->data == NULL || !own->operator->takes_unknown)) {
            cause = clconst__fact_find_unknown(fact, true);
        }
    }
    return cause;
}

/* What is missing for the outputs' values: *cause is CLCONST__KNOWN when
 * nothing is. */
static clconst_status
find_obstacle(operator_node *own, clconst__cause *cause, clconst_error *error)
{
    const clconst__folding *folding = &own->folding;
    *cause = CLCONST__KNOWN;
    if (own->operator->compute == NULL) {
        return add_cause(
            own, CLCONST_UNSUPPORTED, ", which is not computed", cause, error);
    }
    uint64_t work = 0;
    *cause = find_missing_input(own);
    if (*cause != CLCONST__KNOWN) {
        return CLCONST_OK;
    }
    for (size_t i = 0; i < folding->output_count; i++) {
        const clconst__fact *fact = folding->outputs[i];
        size_t size = clconst__fact_element_size(fact->dtype);
        uint64_t count;
        *cause = clconst__fact_find_unknown(fact, false);
        if (*cause != CLCONST__KNOWN) {
            return CLCONST_OK;
        }
        if (!allows_value(folding, fact, size, &count)) {
            return add_cause(own,
                             CLCONST_UNSUPPORTED,
                             size == 0 ? ", whose dtype is not computed"
                                       : ", whose result is too large",
                             cause,
                             error);
        }
        work += count * ((size + 7) / 8);
    }
    if (!clconst__fold_spend(own->fold, work)) {
        return add_cause(own,
                         CLCONST_UNSUPPORTED,
                         ": more work than an evaluation may do",
                         cause,
                         error);
    }
    return CLCONST_OK;
}

static clconst_status compute(operator_node *own, clconst_error *error)
{
    clconst__folding *folding = &own->folding;
    clconst__cause obstacle;
    clconst_status status = find_obstacle(own, &obstacle, error);
    for (size_t i = 0; i < folding->output_count && status == CLCONST_OK; i++) {
        if (obstacle != CLCONST__KNOWN) {
            folding->outputs[i]->cause = obstacle;
            status = clconst__fact_itemize(
                folding->outputs[i], folding->causes, error);
        } else {
            status = clconst__fact_set_value(folding->outputs[i], error);
        }
    }
    if (status != CLCONST_OK || obstacle != CLCONST__KNOWN) {
        return status;
    }
    clconst_error complaint;
    status = own->operator->compute(folding, &complaint);
    if (clconst__fold_is_verdict(status)) {
        return refuse(own, &complaint, true, error);
    }
    return status == CLCONST_OK ? status : clconst__fail_as(error, &complaint);
}

static clconst_status check_inputs(const operator_node *own,
                                   clconst_error *error)
{
    for (size_t i = 0; i < own->operator->input_min; i++) {
        if (clconst__folding_input(&own->folding, i) == NULL) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "input %zu is left out; it is required",
                                 i);
        }
    }
    return CLCONST_OK;
}

static clconst_status check_dims(const operator_node *own, clconst_error *error)
{
    for (size_t i = 0; i < own->folding.output_count; i++) {
        const clconst__fact *fact = own->folding.outputs[i];
        if (fact->rank > CLCONST__RANK_MAX) {
            return clconst__fail(error,
                                 CLCONST_UNSUPPORTED,
                                 "output %zu has rank %zu; at most %d is read",
                                 i,
                                 fact->rank,
                                 CLCONST__RANK_MAX);
        }
        for (size_t j = 0; j < fact->rank; j++) {
            if (fact->dims[j].cause == CLCONST__KNOWN &&
                fact->dims[j].value < 0) {
                return clconst__fail(error,
                                     CLCONST_INVALID_MODEL,
                                     "dim %zu of output %zu is negative",
                                     j,
                                     i);
            }
        }
    }
    return CLCONST_OK;
}

/* Lets the operator's functions tell about the outputs. */
static clconst_status infer_and_compute(operator_node *own,
                                        clconst_error *error)
{
    clconst_status status = CLCONST_OK;
    clconst_error complaint;
    if (own->operator!= NULL) {
        status = clconst__folding_check_lifetimes(
            &own->folding, own->node->op_type, &complaint);
        if (status == CLCONST_OK) {
            status = check_inputs(own, &complaint);
        }
        if (status == CLCONST_OK) {
            status = own->operator->infer(&own->folding, &complaint);
        }
        /* What is shared was made by another node. */
        if (status == CLCONST_OK && !own->folding.is_shared) {
            status = check_dims(own, &complaint);
        }
    }
    if (clconst__fold_is_verdict(status)) {
        return refuse(own, &complaint, false, error);
    }
    if (status != CLCONST_OK) {
        return clconst__fail_as(error, &complaint);
    }
    if (own->folding.is_shared) {
        return CLCONST_OK;
    }
    status = settle_dims(own, error);
    if (status == CLCONST_OK && own->operator!= NULL) {
        status = compute(own, error);
    }
    return status;
}

clconst_status clconst__apply(clconst__fold *fold,
                              clconst__frame *frame,
                              size_t index,
                              const clconst__node *node,
                              const clconst__fact *const *inputs,
                              clconst_error *error)
{
    operator_node own = {
        .fold = fold,
        .node = node,
        .operator= clconst__is_default_domain(node->domain)
            ? clconst__operator_find(node->op_type)
            : NULL,
        .folding = {.opset = clconst__calls_function(fold, frame)->opset,
                    .inputs = inputs,
                    .input_count = node->input.count,
                    .output_count = node->output.count,
                    .causes = &fold->causes,
                    .budget = &fold->budget},
    };
    clconst__folding *folding = &own.folding;
    clconst__argument *attributes = NULL;
    size_t made = 0;
    clconst_status status = clconst__calls_attributes(fold,
                                                      frame,
                                                      node,
                                                      &attributes,
                                                      &folding->attribute_count,
                                                      &own.is_open,
                                                      error);
    if (own.is_open) {
        own.operator= NULL;
    }
    folding->attributes = attributes;
    if (status == CLCONST_OK) {
        status = clconst__alloc(folding->output_count,
                                sizeof(*folding->outputs),
                                &folding->outputs,
                                error);
    }
    while (made < folding->output_count && status == CLCONST_OK) {
        status = clconst__fact_create(
            CLCONST__UNTOLD, &folding->outputs[made], error);
        if (status == CLCONST_OK) {
            clconst__fact_charge(folding->outputs[made++], &fold->budget);
        }
    }
    if (status == CLCONST_OK) {
        status = infer_and_compute(&own, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__fold_finish(fold, frame, index, folding->outputs, error);
    } else {
        for (size_t i = 0; i < made; i++) {
            clconst__fact_release(folding->outputs[i]);
        }
    }
    clconst__folding_free_scratch(folding);
    clconst__free(folding->outputs);
    clconst__free(attributes);
    return status;
}
