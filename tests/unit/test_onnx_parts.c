/* The parts of the reader that have no bytes of a model to show: quoted names
 * and the names that are visible. */
#include <stdio.h>

#include "harness/harness.h"
#include "onnx/names.h"
#include "onnx/quote.h"
#include "unit/onnx_suites.h"

typedef struct quote_row {
    const char *name;
    size_t size;
    const char *quoted;
} quote_row;

static const quote_row quote_rows[] = {
    {"", 0, "\"\""},
    {"a b", 3, "\"a b\""},
    {"a\"\\", 3, "\"a\\\"\\\\\""},
    {"\0\x1f\x7f\xff~", 5, "\"\\x00\\x1f\\x7f\\xff~\""},
};

START_TEST(names_are_quoted_in_printable_ascii)
{
    const quote_row *row = &quote_rows[_i];
    clconst__span name = {(const uint8_t *)row->name, row->size};
    ck_assert_str_eq(clconst__quote(name).text, row->quoted);
    clconst__quoted bare = clconst__escape(name);
    size_t size = strlen(row->quoted) - 2;
    ck_assert_uint_eq(strlen(bare.text), size);
    ck_assert_mem_eq(bare.text, row->quoted + 1, size);
}
END_TEST

START_TEST(long_names_are_cut)
{
    uint8_t bytes[1000];
    memset(bytes, 0xff, sizeof(bytes));
    for (size_t size = 0; size <= sizeof(bytes); size++) {
        clconst__quoted quoted = clconst__quote((clconst__span){bytes, size});
        size_t length = strlen(quoted.text);
        ck_assert_uint_lt(length, sizeof(quoted.text));
        bool is_cut = strstr(quoted.text, "...\"") != NULL;
        ck_assert_msg(is_cut == (length != 2 + 4 * size), "%zu bytes", size);
    }
}
END_TEST

static clconst__span span_of(char *text, size_t size, size_t i)
{
    snprintf(text, size, "%zu", i);
    return clconst__span_of(text);
}

/* Names enough to grow the table several times, defined in two layers. */
START_TEST(inner_names_hide_outer_ones_until_they_are_left)
{
    enum { COUNT = 5000 };
    static char texts[2][COUNT][8];
    clconst__names names;
    clconst__names_init(&names);
    ck_assert_uint_eq(clconst__names_find(&names, clconst__span_of("0")),
                      CLCONST__NONE);
    for (size_t i = 0; i < COUNT; i++) {
        clconst__span name = span_of(texts[0][i], 8, i);
        ck_assert_ok(clconst__names_define(&names, name, i, error));
    }
    size_t mark = clconst__names_mark(&names);
    for (size_t i = COUNT / 2; i < COUNT + COUNT / 2; i++) {
        clconst__span name = span_of(texts[1][i - COUNT / 2], 8, i);
        ck_assert_ok(clconst__names_define(&names, name, COUNT + i, error));
    }
    for (size_t i = 0; i < COUNT + COUNT / 2; i++) {
        char text[8];
        size_t value = clconst__names_find(&names, span_of(text, 8, i));
        ck_assert_uint_eq(value, i < COUNT / 2 ? i : COUNT + i);
    }
    clconst__names_rewind(&names, mark);
    for (size_t i = 0; i < COUNT + COUNT / 2; i++) {
        char text[8];
        size_t value = clconst__names_find(&names, span_of(text, 8, i));
        ck_assert_uint_eq(value, i < COUNT ? i : CLCONST__NONE);
    }
    clconst__names_free(&names);
}
END_TEST

START_TEST(a_name_may_be_defined_again_and_again)
{
    clconst__names names;
    clconst__names_init(&names);
    clconst__span name = clconst__span_of("a name longer than eight bytes");
    for (size_t i = 0; i < 10; i++) {
        ck_assert_uint_eq(clconst__names_mark(&names), i);
        ck_assert_ok(clconst__names_define(&names, name, i, error));
    }
    for (size_t i = 10; i-- > 0;) {
        ck_assert_uint_eq(clconst__names_find(&names, name), i);
        clconst__names_rewind(&names, i);
    }
    ck_assert_uint_eq(clconst__names_find(&names, name), CLCONST__NONE);
    clconst__names_free(&names);
}
END_TEST

/* Prefixes, embedded NULs and the empty name are names of their own. */
START_TEST(names_are_compared_whole)
{
    static const clconst__span spans[] = {
        {(const uint8_t *)"", 0},
        {(const uint8_t *)"\0", 1},
        {(const uint8_t *)"\0\0", 2},
        {(const uint8_t *)"a", 1},
        {(const uint8_t *)"a\0", 2},
        {(const uint8_t *)"aaaaaaaa", 8},
        {(const uint8_t *)"aaaaaaaaa", 9},
    };
    clconst__names names;
    clconst__names_init(&names);
    for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
        ck_assert_ok(clconst__names_define(&names, spans[i], i, error));
    }
    for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
        ck_assert_uint_eq(clconst__names_find(&names, spans[i]), i);
    }
    clconst__names_free(&names);
}
END_TEST

Suite *onnx_parts_suite(void)
{
    Suite *suite = suite_create("onnx parts");
    TCase *tcase = tcase_create("parts");
    tcase_add_loop_test(tcase,
                        names_are_quoted_in_printable_ascii,
                        0,
                        sizeof(quote_rows) / sizeof(quote_rows[0]));
    tcase_add_test(tcase, long_names_are_cut);
    tcase_add_test(tcase, inner_names_hide_outer_ones_until_they_are_left);
    tcase_add_test(tcase, a_name_may_be_defined_again_and_again);
    tcase_add_test(tcase, names_are_compared_whole);
    suite_add_tcase(suite, tcase);
    return suite;
}
