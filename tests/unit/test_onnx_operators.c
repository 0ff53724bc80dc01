/* What the README says of the operators that are folded, beside their table. */
#include <stdio.h>
#include <string.h>

#include "harness/harness.h"
#include "onnx/fold/operators.h"
#include "unit/onnx_suites.h"

/* The README as one line. */
static const char *read_readme(void)
{
    static char text[256 << 10];
    FILE *file = fopen(CLCONST_README, "r");
    ck_assert_msg(file != NULL, "%s cannot be read", CLCONST_README);
    size_t size = fread(text, 1, sizeof(text) - 1, file);
    ck_assert_uint_lt(size, sizeof(text) - 1);
    fclose(file);
    for (char *c = text; *c != '\0'; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    return text;
}

START_TEST(readme_counts_the_operators)
{
    size_t counts[2] = {0, 0}; /* dims alone, and values */
    for (size_t i = 0; clconst__operator_families[i] != NULL; i++) {
        const clconst__operator *row = clconst__operator_families[i];
        for (; row->op_type != NULL; row++) {
            counts[row->compute != NULL]++;
        }
    }
    char expected[2][80];
    snprintf(
        expected[0], sizeof(expected[0]), "and %zu more have dims", counts[0]);
    snprintf(expected[1],
             sizeof(expected[1]),
             " %zu operators compute values",
             counts[1]);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_msg(strstr(read_readme(), expected[i]) != NULL,
                      "the README does not say \"%s\"",
                      expected[i]);
    }
}
END_TEST

Suite *onnx_operators_suite(void)
{
    Suite *suite = suite_create("onnx operators");
    TCase *tcase = tcase_create("onnx operators");
    tcase_add_test(tcase, readme_counts_the_operators);
    suite_add_tcase(suite, tcase);
    return suite;
}
