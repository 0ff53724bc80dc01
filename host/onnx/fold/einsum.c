/*
 * Einsum, of which only dims are told: its equation names the axes of each
 * input, and which of them the result has.
 */
#include "onnx/fold/broadcast.h"
#include "onnx/fold/extent.h"
#include "onnx/fold/operators.h"

enum { LETTERS = 52 };

/*
 * What the terms tell so far. A letter's dim counts when its axes have been
 * seen; ellipsis has the dims that all three dots together stand for.
 */
typedef struct labels {
    size_t seen[LETTERS];
    clconst__cell dims[LETTERS];
    bool has_ellipsis;
    size_t ellipsis_rank;
    clconst__cell *ellipsis;
} labels;

/* A part of the equation without its spaces. */
typedef struct term {
    const uint8_t *text;
    size_t size;
} term;

/* The letter's number, or LETTERS. */
static size_t letter_of(uint8_t character)
{
    if (character >= 'a' && character <= 'z') {
        return (size_t)(character - 'a') + LETTERS / 2;
    }
    if (character >= 'A' && character <= 'Z') {
        return (size_t)(character - 'A');
    }
    return LETTERS;
}

static bool is_ellipsis(term part, size_t at)
{
    return part.size - at >= 3 && memcmp(part.text + at, "...", 3) == 0;
}

/* Counts the letters of a term, and finds its ellipsis. */
static clconst_status count_letters(term part,
                                    size_t *letter_count,
                                    bool *has_ellipsis,
                                    clconst_error *error)
{
    *letter_count = 0;
    *has_ellipsis = false;
    for (size_t i = 0; i < part.size; i++) {
        if (!*has_ellipsis && is_ellipsis(part, i)) {
            *has_ellipsis = true;
            i += 2;
        } else if (letter_of(part.text[i]) < LETTERS) {
            ++*letter_count;
        } else {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "equation has character %u; it takes letters, "
                                 "commas, one ellipsis in a term, and an arrow",
                                 part.text[i]);
        }
    }
    return CLCONST_OK;
}

/* Makes room for more dims of the ellipsis, which are 1 to start. */
static clconst_status grow_ellipsis(clconst__folding *folding,
                                    labels *known,
                                    size_t rank,
                                    clconst_error *error)
{
    known->has_ellipsis = true;
    if (rank <= known->ellipsis_rank && known->ellipsis != NULL) {
        return CLCONST_OK;
    }
    clconst__cell *dims;
    clconst_status status =
        clconst__folding_scratch(folding, rank, sizeof(*dims), &dims, error);
    size_t added = rank - known->ellipsis_rank;
    for (size_t i = 0; i < rank && status == CLCONST_OK; i++) {
        dims[i] = i < added ? (clconst__cell){1, CLCONST__KNOWN}
                            : known->ellipsis[i - added];
    }
    known->ellipsis = dims;
    known->ellipsis_rank = rank;
    return status;
}

static clconst_status read_letter(clconst__folding *folding,
                                  labels *known,
                                  size_t letter,
                                  clconst__cell dim,
                                  clconst_error *error)
{
    if (known->seen[letter]++ == 0) {
        known->dims[letter] = dim;
        return CLCONST_OK;
    }
    return clconst__dims_broadcast(
        folding, &dim, 1, &known->dims[letter], 1, error);
}

/* Learns from an input of known rank what its term names. */
static clconst_status read_term(clconst__folding *folding,
                                labels *known,
                                term part,
                                const clconst__fact *input,
                                clconst_error *error)
{
    size_t letter_count;
    bool has_ellipsis;
    clconst_status status =
        count_letters(part, &letter_count, &has_ellipsis, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (has_ellipsis ? letter_count > input->rank
                     : letter_count != input->rank) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "equation has %zu letters for an input of rank "
                             "%zu; they must fit",
                             letter_count,
                             input->rank);
    }
    size_t dots_rank = input->rank - letter_count;
    if (has_ellipsis) {
        status = grow_ellipsis(folding, known, dots_rank, error);
    }
    size_t axis = 0;
    for (size_t i = 0; i < part.size && status == CLCONST_OK; i++) {
        size_t letter = letter_of(part.text[i]);
        if (letter < LETTERS) {
            status =
                read_letter(folding, known, letter, input->dims[axis++], error);
            continue;
        }
        status = clconst__dims_broadcast(folding,
                                         input->dims + axis,
                                         dots_rank,
                                         known->ellipsis,
                                         known->ellipsis_rank,
                                         error);
        axis += dots_rank;
        i += 2;
    }
    return status;
}

/* The result of an equation without an arrow: the letters that are there once,
 * in alphabetical order, behind the ellipsis. */
static term imply_result(const labels *known, uint8_t *text)
{
    term result = {text, 0};
    for (int i = 0; known->has_ellipsis && i < 3; i++) {
        text[result.size++] = '.';
    }
    for (size_t i = 0; i < LETTERS; i++) {
        if (known->seen[i] == 1) {
            text[result.size++] =
                (uint8_t)(i < LETTERS / 2 ? 'A' + i : 'a' + i - LETTERS / 2);
        }
    }
    return result;
}

static clconst_status set_result(clconst__folding *folding,
                                 const labels *known,
                                 term part,
                                 clconst_error *error)
{
    size_t rank;
    bool has_ellipsis;
    clconst__cell *dims;
    clconst_status status = count_letters(part, &rank, &has_ellipsis, error);
    rank += has_ellipsis ? known->ellipsis_rank : 0;
    if (status == CLCONST_OK) {
        status = clconst__rank_limit(rank, error);
    }
    if (status == CLCONST_OK) {
        status = clconst__output_set_rank(
            folding, 0, folding->inputs[0]->dtype, rank, &dims, error);
    }
    size_t axis = 0;
    for (size_t i = 0; i < part.size && status == CLCONST_OK; i++) {
        size_t letter = letter_of(part.text[i]);
        if (letter == LETTERS) {
            for (size_t j = 0; j < known->ellipsis_rank; j++) {
                dims[axis++] = known->ellipsis[j];
            }
            i += 2;
        } else if (known->seen[letter] > 0) {
            dims[axis++] = known->dims[letter];
        } else {
            return clconst__fail(error,
                                 CLCONST_INVALID_MODEL,
                                 "equation has %c in the result alone; an "
                                 "input must have it",
                                 part.text[i]);
        }
    }
    return status;
}

/* Cuts the equation, without spaces, at the arrow. */
static clconst_status read_equation(clconst__folding *folding,
                                    term *inputs,
                                    term *result,
                                    clconst_error *error)
{
    clconst__span equation;
    uint8_t *text;
    clconst_status status =
        clconst__folding_string(folding, "equation", "", &equation, error);
    if (status == CLCONST_OK) {
        status = clconst__folding_scratch(
            folding, equation.size, sizeof(*text), &text, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    *inputs = (term){text, 0};
    *result = (term){NULL, 0};
    size_t size = 0;
    for (size_t i = 0; i < equation.size; i++) {
        if (equation.data[i] != ' ') {
            text[size++] = equation.data[i];
        }
    }
    inputs->size = size;
    for (size_t i = 0; i + 1 < size && result->text == NULL; i++) {
        if (text[i] == '-' && text[i + 1] == '>') {
            inputs->size = i;
            *result = (term){text + i + 2, size - i - 2};
        }
    }
    return CLCONST_OK;
}

/* Takes the next term of the inputs from the rest of them. */
static term next_term(term *rest)
{
    term part = {rest->text, 0};
    while (part.size < rest->size && rest->text[part.size] != ',') {
        part.size++;
    }
    size_t taken = part.size < rest->size ? part.size + 1 : part.size;
    rest->text += taken;
    rest->size -= taken;
    return part;
}

static clconst_status
check_term_count(term inputs, size_t input_count, clconst_error *error)
{
    size_t count = 1;
    for (size_t i = 0; i < inputs.size; i++) {
        count += inputs.text[i] == ',';
    }
    if (count == input_count) {
        return CLCONST_OK;
    }
    return clconst__fail(error,
                         CLCONST_INVALID_MODEL,
                         "equation has %zu terms; the node has %zu inputs",
                         count,
                         input_count);
}

static clconst_status infer_einsum(clconst__folding *folding,
                                   clconst_error *error)
{
    labels known = {.has_ellipsis = false};
    term rest;
    term result;
    uint8_t implied[LETTERS + 3];
    clconst_dtype dtype;
    clconst_status status = clconst__inputs_share_dtype(
        folding, folding->input_count, UINT32_MAX, &dtype, error);
    clconst__output_set_dtype(folding, 0, dtype);
    if (status == CLCONST_OK) {
        status = read_equation(folding, &rest, &result, error);
    }
    if (status == CLCONST_OK) {
        status = check_term_count(rest, folding->input_count, error);
    }
    for (size_t i = 0; i < folding->input_count && status == CLCONST_OK; i++) {
        if (folding->inputs[i]->dims == NULL) {
            return CLCONST_OK;
        }
        status = read_term(
            folding, &known, next_term(&rest), folding->inputs[i], error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    if (result.text == NULL) {
        result = imply_result(&known, implied);
    }
    return set_result(folding, &known, result, error);
}

const clconst__operator clconst__einsum_operators[] = {
    {"Einsum", 1, CLCONST__NO_VALUES, false, infer_einsum, NULL},
    {NULL, 0, 0, false, NULL, NULL},
};
