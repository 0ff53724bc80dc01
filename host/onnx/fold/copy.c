#include "onnx/fold/copy.h"

clconst_status clconst__copy_run(clconst__folding *folding,
                                 size_t output,
                                 size_t to,
                                 const clconst__fact *from,
                                 size_t first,
                                 size_t count,
                                 clconst_error *error)
{
    clconst__fact *fact = folding->outputs[output];
    size_t size = fact->element_size;
    if (count == 0) {
        return CLCONST_OK;
    }
    memcpy(fact->own_data + to * size, from->data + first * size, count * size);
    if (from->causes == NULL && fact->causes == NULL) {
        return CLCONST_OK;
    }
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status = clconst__fact_set_cause(
            fact, to + i, clconst__fact_cause(from, first + i), error);
    }
    return status;
}

clconst_status clconst__copy_input(clconst__folding *folding,
                                   clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    return clconst__copy_run(folding, 0, 0, input, 0, input->count, error);
}

clconst_status clconst__copy_walk(clconst__folding *folding,
                                  clconst__walk *walk,
                                  const clconst__fact *from,
                                  clconst_error *error)
{
    size_t count = folding->outputs[0]->count;
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        status = clconst__element_move(
            folding, 0, i, from, walk->positions[0], error);
        clconst__walk_step(walk);
    }
    return status;
}

clconst_status clconst__copy_unknown(clconst__folding *folding,
                                     size_t output,
                                     size_t to,
                                     size_t count,
                                     clconst__cause cause,
                                     clconst_error *error)
{
    /* Running out of causes would end the evaluation of everything else. */
    if (count > CLCONST__CAUSES_MAX / 2 ||
        folding->causes->count > CLCONST__CAUSES_MAX / 2) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "more unknown elements than are kept apart");
    }
    clconst_status status = CLCONST_OK;
    for (size_t i = 0; i < count && status == CLCONST_OK; i++) {
        clconst__cause derived;
        status = clconst__cause_derive(folding->causes, cause, &derived, error);
        if (status == CLCONST_OK) {
            status = clconst__fact_set_cause(
                folding->outputs[output], to + i, derived, error);
        }
    }
    return status;
}

clconst_status clconst__copy_dtype(const clconst__folding *folding,
                                   const size_t *inputs,
                                   size_t count,
                                   clconst_dtype *dtype,
                                   clconst_error *error)
{
    *dtype = CLCONST_UNDEFINED;
    for (size_t i = 0; i < count; i++) {
        const clconst__fact *input = clconst__folding_input(folding, inputs[i]);
        if (input == NULL || input->dtype == CLCONST_UNDEFINED) {
            continue;
        }
        if (*dtype != CLCONST_UNDEFINED && *dtype != input->dtype) {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "input %zu has dtype %s; it must be %s as of "
                                 "the others",
                                 inputs[i],
                                 clconst_dtype_name(input->dtype),
                                 clconst_dtype_name(*dtype));
        }
        *dtype = input->dtype;
    }
    return CLCONST_OK;
}
