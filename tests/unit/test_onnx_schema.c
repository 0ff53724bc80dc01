/*
 * The versions of both operators against lists of their own, taken from the
 * operator specification: which opset binds which, and which dtypes and
 * attributes each has.
 */
#include <stdbool.h>
#include <stdio.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "onnx/schema.h"
#include "unit/onnx_suites.h"

#define BIT(name) (1U << CLCONST_##name)

/* dtypes and attributes are those that came with the version. */
typedef struct version_row {
    const char *op_type;
    int64_t version;
    int64_t last_opset; /* that binds the version */
    unsigned dtypes;
    const char *attributes; /* separated by spaces */
} version_row;

static const version_row version_rows[] = {
    {"Constant", 1, 8, BIT(FLOAT16) | BIT(FLOAT) | BIT(DOUBLE), "value"},
    {"Constant",
     9,
     10,
     BIT(UINT8) | BIT(UINT16) | BIT(UINT32) | BIT(UINT64) | BIT(INT8) |
         BIT(INT16) | BIT(INT32) | BIT(INT64) | BIT(BOOL) | BIT(STRING) |
         BIT(COMPLEX64) | BIT(COMPLEX128),
     ""},
    {"Constant", 11, 11, 0, "sparse_value"},
    {"Constant",
     12,
     12,
     0,
     "value_int value_ints value_float value_floats value_string "
     "value_strings"},
    {"Constant", 13, 18, BIT(BFLOAT16), ""},
    {"Constant",
     19,
     20,
     BIT(FLOAT8E4M3FN) | BIT(FLOAT8E4M3FNUZ) | BIT(FLOAT8E5M2) |
         BIT(FLOAT8E5M2FNUZ),
     ""},
    {"Constant", 21, 22, BIT(UINT4) | BIT(INT4), ""},
    {"Constant", 23, 23, BIT(FLOAT4E2M1), ""},
    {"Constant", 24, 24, BIT(FLOAT8E8M0), ""},
    {"Constant", 25, 30, BIT(UINT2) | BIT(INT2), ""},
    {"ConstantOfShape",
     9,
     19,
     BIT(FLOAT16) | BIT(FLOAT) | BIT(DOUBLE) | BIT(INT8) | BIT(INT16) |
         BIT(INT32) | BIT(INT64) | BIT(UINT8) | BIT(UINT16) | BIT(UINT32) |
         BIT(UINT64) | BIT(BOOL),
     "value"},
    {"ConstantOfShape",
     20,
     20,
     BIT(BFLOAT16) | BIT(FLOAT8E4M3FN) | BIT(FLOAT8E4M3FNUZ) | BIT(FLOAT8E5M2) |
         BIT(FLOAT8E5M2FNUZ),
     ""},
    {"ConstantOfShape", 21, 22, BIT(UINT4) | BIT(INT4), ""},
    {"ConstantOfShape", 23, 23, BIT(FLOAT4E2M1), ""},
    {"ConstantOfShape", 24, 24, BIT(FLOAT8E8M0), ""},
    {"ConstantOfShape", 25, 30, BIT(UINT2) | BIT(INT2), ""},
};

enum { VERSION_COUNT = sizeof(version_rows) / sizeof(version_rows[0]) };

START_TEST(the_table_has_these_versions_and_no_other)
{
    ck_assert_uint_eq(clconst__schema_count, VERSION_COUNT);
    for (size_t i = 0; i < VERSION_COUNT; i++) {
        ck_assert_str_eq(clconst__schemas[i].op_type, version_rows[i].op_type);
        ck_assert_int_eq(clconst__schemas[i].since_version,
                         version_rows[i].version);
    }
}
END_TEST

static bool is_first(size_t row)
{
    return row == 0 || strcmp(version_rows[row].op_type,
                              version_rows[row - 1].op_type) != 0;
}

static clconst_status decode(const char *op_type,
                             int64_t opset,
                             const char *attribute,
                             clconst_strictness strictness,
                             clconst_error *error)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer,
                 "4:'%s' 2:'y' %s %s",
                 op_type,
                 strcmp(op_type, "Constant") == 0 ? "" : "1:'s'",
                 attribute);
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = opset;
    options.strictness = strictness;
    clconst_op *op = NULL;
    clconst_status status =
        clconst_op_decode(buffer.bytes, buffer.size, &options, &op, error);
    clconst_op_destroy(op);
    proto_free(&buffer);
    return status;
}

/* An attribute that no version has makes the message name the version. */
START_TEST(each_opset_binds_the_largest_version_not_above_it)
{
    const version_row *row = &version_rows[_i];
    for (int64_t opset = row->version; opset <= row->last_opset; opset++) {
        char expected[128];
        snprintf(expected,
                 sizeof(expected),
                 "attribute \"foo\" is not one of %s %d",
                 row->op_type,
                 (int)row->version);
        ck_assert_fails(decode(row->op_type,
                               opset,
                               "5:{1:'foo' 20:2}",
                               CLCONST_DEFAULT,
                               error),
                        CLCONST_INVALID_MODEL,
                        expected);
    }
}
END_TEST

/* The dtypes of a version are those of the versions before, and its own. */
static unsigned dtypes_of(size_t row)
{
    unsigned dtypes = version_rows[row].dtypes;
    while (!is_first(row)) {
        dtypes |= version_rows[--row].dtypes;
    }
    return dtypes;
}

START_TEST(strict_accepts_the_dtypes_of_the_version_only)
{
    const version_row *row = &version_rows[_i];
    unsigned listed = dtypes_of((size_t)_i);
#define CLCONST_X(name, number, bits, text)                                    \
    {                                                                          \
        char value[128];                                                       \
        snprintf(value,                                                        \
                 sizeof(value),                                                \
                 "5:{1:'value' 20:4 5:{2:%d %s}}",                             \
                 number,                                                       \
                 number == CLCONST_STRING ? "6:'a'"                            \
                 : bits == 128 ? "9:x00000000000000000000000000000000"         \
                 : bits == 64  ? "9:x0000000000000000"                         \
                 : bits == 32  ? "9:x00000000"                                 \
                 : bits == 16  ? "9:x0000"                                     \
                               : "9:x00");                                      \
        clconst_status status =                                                \
            decode(row->op_type, row->version, value, CLCONST_STRICT, NULL);   \
        bool is_listed = (listed >> number & 1U) != 0;                         \
        ck_assert_msg(status ==                                                \
                          (is_listed ? CLCONST_OK : CLCONST_INVALID_MODEL),    \
                      "%s %d: %s",                                             \
                      row->op_type,                                            \
                      (int)row->version,                                       \
                      text);                                                   \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
}
END_TEST

/* Whether a list of names has a name. */
static bool has_name(const char *names, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at += size) {
        if ((at == names || at[-1] == ' ') &&
            (at[size] == '\0' || at[size] == ' ')) {
            return true;
        }
    }
    return false;
}

static bool has_attribute(size_t row, const char *name)
{
    bool found = has_name(version_rows[row].attributes, name);
    while (!found && !is_first(row)) {
        found = has_name(version_rows[--row].attributes, name);
    }
    return found;
}

/* An attribute of the version is judged by its type, any other by its name. */
START_TEST(each_version_has_its_attributes)
{
    static const char *const names[] = {"value",
                                        "sparse_value",
                                        "value_int",
                                        "value_ints",
                                        "value_float",
                                        "value_floats",
                                        "value_string",
                                        "value_strings"};
    const version_row *row = &version_rows[_i];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char attribute[64];
        snprintf(attribute, sizeof(attribute), "5:{1:'%s'}", names[i]);
        clconst_error error = {0, 0, ""};
        ck_assert_int_eq(
            decode(
                row->op_type, row->version, attribute, CLCONST_DEFAULT, &error),
            CLCONST_INVALID_MODEL);
        bool is_known = strstr(error.message, "has type 0") != NULL;
        ck_assert_msg(is_known == has_attribute((size_t)_i, names[i]),
                      "%s %d: %s",
                      row->op_type,
                      (int)row->version,
                      error.message);
    }
}
END_TEST

Suite *onnx_schema_suite(void)
{
    Suite *suite = suite_create("onnx schema");
    TCase *tcase = tcase_create("schema");
    tcase_add_test(tcase, the_table_has_these_versions_and_no_other);
    tcase_add_loop_test(tcase,
                        each_opset_binds_the_largest_version_not_above_it,
                        0,
                        VERSION_COUNT);
    tcase_add_loop_test(
        tcase, strict_accepts_the_dtypes_of_the_version_only, 0, VERSION_COUNT);
    tcase_add_loop_test(
        tcase, each_version_has_its_attributes, 0, VERSION_COUNT);
    suite_add_tcase(suite, tcase);
    return suite;
}
