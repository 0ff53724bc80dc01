#include <string.h>

#include "core/pattern.h"
#include "harness/harness.h"
#include "harness/oracle.h"
#include "unit/suites.h"

/* An element of 16 bytes without a period, so that a wrong rotation shows. */
static void make_element(uint8_t element[16])
{
    uint64_t state = 0x1c0ffee;
    for (size_t i = 0; i < 16; i++) {
        element[i] = (uint8_t)(harness_random(&state) >> 24);
    }
}

START_TEST(pattern_repeats_each_dtype_as_the_oracle_does)
{
    uint8_t element[16];
    make_element(element);
#define CLCONST_X(name, number, bits, text)                                    \
    if (number != CLCONST_STRING) {                                            \
        clconst__pattern pattern;                                              \
        uint8_t expected[CLCONST__PATTERN_SIZE];                               \
        clconst__pattern_widen(&pattern, element, bits);                       \
        oracle_fill(expected,                                                  \
                    number,                                                    \
                    element,                                                   \
                    CLCONST__PATTERN_SIZE * 8 / oracle_bits(number));          \
        harness_assert_bytes(pattern.bytes, expected, sizeof(expected), text); \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
}
END_TEST

typedef struct period_row {
    const char *name;
    unsigned bits;
    uint8_t element[16];
    size_t period;
} period_row;

static const period_row period_rows[] = {
    {"all zero", 128, {0}, 1},
    {"one byte", 8, {0x7f}, 1},
    {"two bits", 2, {0x01}, 1},
    {"two bytes", 16, {0x12, 0x34}, 2},
    {"four equal bytes", 32, {0x55, 0x55, 0x55, 0x55}, 1},
    {"four bytes", 32, {1, 2, 3, 4}, 4},
    {"two equal halves", 64, {1, 2, 3, 4, 1, 2, 3, 4}, 4},
    {"eight bytes", 64, {1, 2, 3, 4, 5, 6, 7, 8}, 8},
    {"sixteen bytes", 128, {0, 0, 0, 0, 0, 0, 0, 0, 1}, 16},
    {"six bits", 6, {0x21}, 3},
    {"six equal bits", 6, {0x3f}, 1},
};

START_TEST(pattern_period_is_the_smallest)
{
    const period_row *row = &period_rows[_i];
    clconst__pattern pattern;
    clconst__pattern_widen(&pattern, row->element, row->bits);
    ck_assert_msg(clconst__pattern_period(&pattern) == row->period,
                  "%s: period %zu; expected %zu",
                  row->name,
                  clconst__pattern_period(&pattern),
                  row->period);
}
END_TEST

START_TEST(pattern_rotation_starts_at_any_byte)
{
    clconst__pattern pattern;
    for (size_t i = 0; i < CLCONST__PATTERN_SIZE; i++) {
        pattern.bytes[i] = (uint8_t)(i * 5 + 1);
    }
    for (size_t offset = 0; offset < 2 * CLCONST__PATTERN_SIZE; offset++) {
        clconst__pattern rotated;
        clconst__pattern_rotate(&rotated, &pattern, offset);
        for (size_t i = 0; i < CLCONST__PATTERN_SIZE; i++) {
            size_t source = (i + offset) % CLCONST__PATTERN_SIZE;
            ck_assert_uint_eq(rotated.bytes[i], source * 5 + 1);
        }
    }
}
END_TEST

Suite *pattern_suite(void)
{
    Suite *suite = suite_create("pattern");
    TCase *tcase = tcase_create("pattern");
    tcase_add_test(tcase, pattern_repeats_each_dtype_as_the_oracle_does);
    tcase_add_loop_test(tcase,
                        pattern_period_is_the_smallest,
                        0,
                        sizeof(period_rows) / sizeof(period_rows[0]));
    tcase_add_test(tcase, pattern_rotation_starts_at_any_byte);
    suite_add_tcase(suite, tcase);
    return suite;
}
