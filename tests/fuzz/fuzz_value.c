/*
 * What the command line takes as a dtype, a value and a shape. The input: a
 * byte that chooses the dtype, or says that its name is text; then the text.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/shape.h"
#include "cli/value.h"
#include "fuzz/invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const clconst_dtype dtypes[] = {
#define CLCONST_X(name, number, bits, text) CLCONST_##name,
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
};
enum { DTYPE_COUNT = sizeof(dtypes) / sizeof(dtypes[0]) };

static bool is_done(cli_outcome outcome, const clconst_error *error)
{
    fuzz_require(outcome == CLI_DONE || outcome == CLI_UNMET ||
                 outcome == CLI_WRONG_USAGE);
    if (outcome != CLI_DONE) {
        fuzz_require(error->status != CLCONST_OK && error->message[0] != '\0');
    }
    return outcome == CLI_DONE;
}

/* True of an unsigned decimal number, which strtod takes for the same. */
static bool is_decimal(const char *text)
{
    return text[strspn(text, "+-.0123456789eE")] == '\0';
}

/* The C library rounds to nearest even as well, and shares no line of code. */
static void
compare(const char *text, clconst_dtype dtype, const uint8_t *element)
{
    if (dtype == CLCONST_DOUBLE) {
        double number = strtod(text, NULL);
        fuzz_require(memcmp(&number, element, sizeof(number)) == 0);
    } else if (dtype == CLCONST_FLOAT) {
        float number = strtof(text, NULL);
        fuzz_require(memcmp(&number, element, sizeof(number)) == 0);
    } else if (dtype == CLCONST_INT64) {
        long long number = strtoll(text, NULL, 10);
        fuzz_require(memcmp(&number, element, sizeof(number)) == 0);
    } else if (dtype == CLCONST_UINT64) {
        unsigned long long number = strtoull(text, NULL, 10);
        fuzz_require(memcmp(&number, element, sizeof(number)) == 0);
    }
}

static void parse_value(const char *text, clconst_dtype dtype)
{
    clconst_error error = {0, 0, ""};
    /* A guard byte on each side of the element. */
    uint8_t bytes[CLI_ELEMENT_SIZE_MAX + 2];
    memset(bytes, 0xa5, sizeof(bytes));
    uint8_t *element = bytes + 1;
    bool done = is_done(cli_value_parse(text, dtype, element, &error), &error);
    fuzz_require(bytes[0] == 0xa5 && bytes[sizeof(bytes) - 1] == 0xa5);
    if (!done) {
        return;
    }
    for (size_t bit = clconst_dtype_bits(dtype); bit < CLI_ELEMENT_SIZE_MAX * 8;
         bit++) {
        fuzz_require((element[bit / 8] >> bit % 8 & 1) == 0);
    }
    if (is_decimal(text)) {
        compare(text, dtype, element);
    }
}

static void parse_shape(const char *text)
{
    clconst_error error = {0, 0, ""};
    int64_t *dims = NULL;
    size_t rank = 0;
    if (is_done(cli_shape_parse(text, "dim", &dims, &rank, &error), &error)) {
        char line[32];
        clconst_shape shape = {dims, rank};
        cli_shape_print(&shape, line, sizeof(line));
        fuzz_require(memchr(line, 0, sizeof(line)) != NULL);
        free(dims);
    }
}

static void parse_dtype(const char *text)
{
    clconst_error error = {0, 0, ""};
    clconst_dtype dtype = CLCONST_UNDEFINED;
    if (is_done(cli_dtype_parse(text, &dtype, &error), &error)) {
        fuzz_require(clconst_dtype_name(dtype) != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    uint8_t choice = fuzz_take(&input);
    fuzz_subject subject = fuzz_subject_create(input, 0);
    char *text = fuzz_alloc(input.size + 1);
    if (input.size > 0) {
        memcpy(text, subject.bytes, input.size);
    }
    text[input.size] = '\0';
    /* The text may end sooner; a block of its own size shows reads behind. */
    char *exact = fuzz_alloc(strlen(text) + 1);
    memcpy(exact, text, strlen(text) + 1);
    if (choice < DTYPE_COUNT) {
        parse_value(exact, dtypes[choice]);
    } else if (choice % 2 == 0) {
        parse_shape(exact);
    } else {
        parse_dtype(exact);
    }
    fuzz_free(exact);
    fuzz_free(text);
    fuzz_subject_destroy(&subject);
    return 0;
}
