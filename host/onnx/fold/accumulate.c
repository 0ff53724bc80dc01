/*
 * Operators that accumulate the elements of a tensor: reductions with values,
 * and running sums.
 */
#include "onnx/fold/copy.h"
#include "onnx/fold/operation.h"
#include "onnx/fold/operators.h"
#include "onnx/fold/reduce.h"
#include "onnx/fold/walk.h"

/*
 * A reduction in progress. Each of the results has an element, which counts
 * when it is started; an extreme starts with the first element that it meets,
 * and a sum or product, as NumPy's, with first.
 */
typedef struct accumulation {
    const clconst__operation *operation;
    clconst_dtype dtype;
    bool is_extreme;
    clconst__number first;
    clconst__element *results;
    bool *is_started;
} accumulation;

static clconst_status accumulate(clconst__folding *folding,
                                 accumulation *sum,
                                 size_t result,
                                 clconst__element element,
                                 clconst_error *error)
{
    clconst__element *to = &sum->results[result];
    if (!sum->is_started[result]) {
        sum->is_started[result] = true;
        to->number = sum->first;
        if (sum->is_extreme) {
            *to = element;
            return CLCONST_OK;
        }
    }
    clconst_status status = clconst__elements_combine(
        folding, sum->operation, sum->dtype, *to, element, result, to, error);
    to->number = clconst__number_round(sum->dtype, to->number);
    return status;
}

enum { LANES = 8, BLOCK = 128 };

static double add_rounded(clconst_dtype dtype, double a, double b)
{
    return clconst__number_round(dtype, (clconst__number){.d = a + b}).d;
}

/* The sum of up to BLOCK reals in the order of NumPy: in LANES lanes. */
static double sum_block(const clconst__fact *fact, size_t first, size_t count)
{
    double lanes[LANES] = {0};
    size_t done = 0;
    double sum = -0.0;
    if (count >= LANES) {
        for (; done < count - count % LANES; done++) {
            double x = clconst__element_load(fact, first + done).number.d;
            double *lane = &lanes[done % LANES];
            *lane = done < LANES ? x : add_rounded(fact->dtype, *lane, x);
        }
        for (size_t step = 1; step < LANES; step *= 2) {
            for (size_t i = 0; i < LANES; i += 2 * step) {
                lanes[i] = add_rounded(fact->dtype, lanes[i], lanes[i + step]);
            }
        }
        sum = lanes[0];
    }
    for (; done < count; done++) {
        double x = clconst__element_load(fact, first + done).number.d;
        sum = add_rounded(fact->dtype, sum, x);
    }
    return sum;
}

/* A part of a run that waits for the sum of the part before it. */
typedef struct waiting {
    size_t count;
    bool has_left;
    double left;
} waiting;

/*
 * The sum of a run of reals in the order of NumPy, so that the result is the
 * same bit for bit: a run is halved, at a multiple of LANES, down to blocks.
 */
static double sum_run(const clconst__fact *fact, size_t first, size_t count)
{
    waiting stack[64]; /* a size_t is not halved more often */
    size_t depth = 0;
    for (;;) {
        while (count > BLOCK) {
            size_t left = count / 2 - count / 2 % LANES;
            stack[depth++] = (waiting){count - left, false, 0};
            count = left;
        }
        double sum = sum_block(fact, first, count);
        first += count;
        while (depth > 0 && stack[depth - 1].has_left) {
            sum = add_rounded(fact->dtype, stack[--depth].left, sum);
        }
        if (depth == 0) {
            return sum;
        }
        stack[depth - 1].has_left = true;
        stack[depth - 1].left = sum;
        count = stack[depth - 1].count;
    }
}

/*
 * How many elements one after another go to the same result: those of the last
 * axes, when they are reduced. Axes of length 1 do not count.
 */
static size_t find_run(const clconst__fact *input,
                       const clconst__reduction *reduction)
{
    size_t run = 1;
    for (size_t i = input->rank; i-- > 0;) {
        if (input->dims[i].value != 1) {
            if (!reduction->is_reduced[i]) {
                break;
            }
            run *= (size_t)input->dims[i].value;
        }
    }
    return run;
}

static bool is_known(const clconst__fact *fact, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        if (clconst__fact_cause(fact, i) != CLCONST__KNOWN) {
            return false;
        }
    }
    return true;
}

/* A walk over the input with the place of each element's result. */
static clconst_status start_walk(clconst__folding *folding,
                                 const clconst__reduction *reduction,
                                 clconst__walk *walk,
                                 clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    size_t *strides;
    clconst_status status = clconst__folding_scratch(
        folding, input->rank, sizeof(*strides), &strides, error);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t stride = 1;
    for (size_t i = input->rank; i-- > 0;) {
        strides[i] = reduction->is_reduced[i] ? 0 : stride;
        if (!reduction->is_reduced[i]) {
            stride *= (size_t)input->dims[i].value;
        }
    }
    status =
        clconst__walk_create(folding, input->dims, input->rank, walk, error);
    if (status == CLCONST_OK) {
        status = clconst__walk_add(folding, walk, strides, error);
    }
    return status;
}

static clconst_status accumulate_all(clconst__folding *folding,
                                     const clconst__reduction *reduction,
                                     accumulation *sum,
                                     clconst_error *error)
{
    const clconst__fact *input = folding->inputs[0];
    size_t run = 1;
    if (sum->operation == &clconst__add &&
        clconst__number_kind_of(input->dtype) == CLCONST__REAL) {
        run = find_run(input, reduction);
    }
    clconst__walk walk;
    clconst_status status = start_walk(folding, reduction, &walk, error);
    for (size_t i = 0; i < input->count && status == CLCONST_OK; i += run) {
        size_t result = walk.positions[0];
        if (run > 1 && is_known(input, i, run)) {
            clconst__element part = {{.d = sum_run(input, i, run)},
                                     CLCONST__KNOWN};
            status = accumulate(folding, sum, result, part, error);
        } else {
            for (size_t j = 0; j < run && status == CLCONST_OK; j++) {
                status = accumulate(folding,
                                    sum,
                                    result,
                                    clconst__element_load(input, i + j),
                                    error);
            }
        }
        for (size_t j = 0; j < run; j++) {
            clconst__walk_step(&walk);
        }
    }
    return status;
}

/* What a result is that no element goes to. */
static clconst__element empty_result(const accumulation *sum)
{
    return (clconst__element){sum->first, CLCONST__KNOWN};
}

static clconst_status reduce(clconst__folding *folding,
                             accumulation *sum,
                             int64_t axes_since,
                             clconst_error *error)
{
    clconst__fact *output = folding->outputs[0];
    clconst__reduction reduction;
    clconst_status status = clconst__number_check(sum->dtype, error);
    if (status == CLCONST_OK) {
        status =
            clconst__reduction_read(folding, axes_since, &reduction, error);
    }
    if (status == CLCONST_OK && reduction.is_reduced == NULL) {
        /* All dims are 1, or those of the output would not be known. */
        return clconst__copy_input(folding, error);
    }
    if (status == CLCONST_OK) {
        status =
            clconst__folding_work(folding, folding->inputs[0]->count, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(folding,
                                          output->count,
                                          sizeof(*sum->results),
                                          &sum->results,
                                          error);
    }
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(folding,
                                          output->count,
                                          sizeof(*sum->is_started),
                                          &sum->is_started,
                                          error);
    }
    if (status == CLCONST_OK) {
        status = accumulate_all(folding, &reduction, sum, error);
    }
    for (size_t i = 0; i < output->count && status == CLCONST_OK; i++) {
        clconst__element element =
            sum->is_started[i] ? sum->results[i] : empty_result(sum);
        status = clconst__element_store(output, i, element, error);
    }
    return status;
}

static clconst_status reduce_extreme(clconst__folding *folding,
                                     const clconst__operation *operation,
                                     clconst__number of_nothing,
                                     clconst_error *error)
{
    accumulation extreme = {.operation = operation,
                            .dtype = folding->inputs[0]->dtype,
                            .is_extreme = true,
                            .first = of_nothing};
    return reduce(folding, &extreme, 18, error);
}

static clconst_status compute_min(clconst__folding *folding,
                                  clconst_error *error)
{
    return reduce_extreme(folding,
                          &clconst__minimum,
                          clconst__number_highest(folding->inputs[0]->dtype),
                          error);
}

static clconst_status compute_max(clconst__folding *folding,
                                  clconst_error *error)
{
    return reduce_extreme(folding,
                          &clconst__maximum,
                          clconst__number_lowest(folding->inputs[0]->dtype),
                          error);
}

/* first is the sum, or the product, of nothing. */
static clconst_status reduce_from(clconst__folding *folding,
                                  const clconst__operation *operation,
                                  int64_t first,
                                  int64_t axes_since,
                                  clconst_error *error)
{
    clconst_dtype dtype = folding->inputs[0]->dtype;
    accumulation sum = {
        .operation = operation,
        .dtype = dtype,
        .first = clconst__number_of(clconst__number_kind_of(dtype), first)};
    return reduce(folding, &sum, axes_since, error);
}

static clconst_status compute_sum(clconst__folding *folding,
                                  clconst_error *error)
{
    return reduce_from(folding, &clconst__add, 0, 13, error);
}

static clconst_status compute_prod(clconst__folding *folding,
                                   clconst_error *error)
{
    return reduce_from(folding, &clconst__multiply, 1, 18, error);
}

const clconst__operator clconst__accumulate_operators[] = {
    {"ReduceMax",
     1,
     CLCONST__ALL_VALUES,
     true,
     clconst__infer_reduce_18,
     compute_max},
    {"ReduceMin",
     1,
     CLCONST__ALL_VALUES,
     true,
     clconst__infer_reduce_18,
     compute_min},
    {"ReduceProd",
     1,
     CLCONST__ALL_VALUES,
     true,
     clconst__infer_reduce_18,
     compute_prod},
    {"ReduceSum",
     1,
     CLCONST__ALL_VALUES,
     true,
     clconst__infer_reduce_13,
     compute_sum},
    {NULL, 0, 0, false, NULL, NULL},
};
