/*
 * NodeProto: the forms of Constant, and their attributes. The fields: 1 input,
 * 2 output, 4 op_type, 5 attribute, 7 domain; of an attribute: 1 name, 2 f,
 * 3 i, 4 s, 5 t, 7 floats, 8 ints, 9 strings, 20 type, 21 ref_attr_name,
 * 22 sparse_tensor.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_node_rows.h"
#include "unit/onnx_suites.h"

static const node_row node_rows[] = {
    /* The forms of Constant. */
    LEGAL("value", 1, CONSTANT(FLOAT_ONE), FLOAT, 1, 1, "0000803f"),
    LEGAL("value", 25, CONSTANT(FLOAT_ONE), FLOAT, 1, 1, "0000803f"),
    LEGAL("R55", 12, CONSTANT(INT_SEVEN), INT64, 0, 0, "0700000000000000"),
    LEGAL("R68",
          13,
          CONSTANT("5:{1:'value_ints' 20:7 8:1099511627776 8:-1}"),
          INT64,
          1,
          2,
          "0000000000010000ffffffffffffffff"),
    LEGAL("packed ints",
          13,
          CONSTANT("5:{1:'value_ints' 20:7 8:[1 -1]}"),
          INT64,
          1,
          2,
          "0100000000000000ffffffffffffffff"),
    LEGAL("value_float",
          13,
          CONSTANT("5:{1:'value_float' 20:1 2:f1.5}"),
          FLOAT,
          0,
          0,
          "0000c03f"),
    LEGAL("value_floats",
          13,
          CONSTANT("5:{1:'value_floats' 20:6 7:f1.5 7:f-2}"),
          FLOAT,
          1,
          2,
          "0000c03f000000c0"),
    LEGAL("packed floats",
          13,
          CONSTANT("5:{1:'value_floats' 20:6 7:x0100a07f000000c0}"),
          FLOAT,
          1,
          2,
          "0100a07f000000c0"),
    /* Forms in other versions, and other names. */
    REFUSED("value_int came with 12",
            11,
            CONSTANT(INT_SEVEN),
            "attribute \"value_int\" is not one of Constant 11"),
    REFUSED("sparse_value came with 11",
            10,
            CONSTANT("5:{1:'sparse_value' 20:11 22:{}}"),
            "attribute \"sparse_value\" is not one of Constant 9"),
    REFUSED("8.32",
            25,
            CONSTANT(FLOAT_ONE "5:{1:'foo' 20:2 3:1}"),
            "attribute \"foo\" is not one of Constant 25"),
    REFUSED("an attribute without a name",
            25,
            CONSTANT(FLOAT_ONE "5:{20:2 3:1}"),
            "attribute \"\" is not one of Constant 25"),
    REFUSED("ConstantOfShape has one attribute",
            25,
            FILL(INT_SEVEN),
            "attribute \"value_int\" is not one of ConstantOfShape 25"),
    LEGAL("8.38",
          25,
          CONSTANT("5:{1:'__x' 20:2 3:1} " INT_SEVEN "5:{1:'__x'}"),
          INT64,
          0,
          0,
          "0700000000000000"),
    REFUSED("8.38: one underscore is no mark",
            25,
            CONSTANT(INT_SEVEN "5:{1:'_x' 20:2 3:1}"),
            "attribute \"_x\" is not one of Constant 25"),
    REFUSED("8.38",
            25,
            CONSTANT(INT_SEVEN INT_SEVEN),
            "attribute \"value_int\" is there twice; names are unique"),
    REFUSED("8.10",
            25,
            CONSTANT(""),
            "Constant has 0 values; it must have exactly one"),
    REFUSED("8.10",
            9,
            CONSTANT(""),
            "Constant has 0 values; it must have exactly one"),
    REFUSED("8.10",
            25,
            CONSTANT(FLOAT_ONE INT_SEVEN),
            "Constant has 2 values; it must have exactly one"),
    /* Types of attributes. */
    REFUSED("R51",
            13,
            FILL("5:{1:'value' 20:1 2:f1}"),
            "attribute \"value\" has type 1 (FLOAT); it must be TENSOR"),
    REFUSED("R59",
            13,
            CONSTANT("5:{1:'value' 20:9 10:{}}"),
            "attribute \"value\" has type 9 (TENSORS); it must be TENSOR"),
    REFUSED("no type",
            13,
            CONSTANT("5:{1:'value_int' 3:7}"),
            "attribute \"value_int\" has type 0 (UNDEFINED); it must be INT"),
    REFUSED("a type from nowhere",
            13,
            CONSTANT("5:{1:'value_int' 3:7 20:15}"),
            "attribute \"value_int\" has type 15 (unknown); it must be INT"),
    REFUSED("a type from nowhere",
            13,
            CONSTANT("5:{1:'value_int' 3:7 20:-1}"),
            "attribute \"value_int\" has type -1 (unknown); it must be INT"),
    REFUSED("a field of another type",
            13,
            CONSTANT("5:{1:'value_int' 20:2 3:7 2:f1}"),
            "attribute \"value_int\" has field f; only the field of its type "
            "may be set"),
    REFUSED("a list of another type",
            13,
            CONSTANT("5:{1:'value_int' 20:2 3:7 9:''}"),
            "attribute \"value_int\" has field strings; only the field of its "
            "type may be set"),
    REFUSED("no tensor",
            13,
            CONSTANT("5:{1:'value' 20:4}"),
            "attribute \"value\" has no tensor"),
    REFUSED("no tensor",
            13,
            CONSTANT("5:{1:'sparse_value' 20:11}"),
            "attribute \"sparse_value\" has no tensor"),
    LEGAL("8.11",
          13,
          CONSTANT("5:{1:'value_int' 20:2}"),
          INT64,
          0,
          0,
          "0000000000000000"),
    LEGAL("8.11",
          13,
          CONSTANT("5:{1:'value_float' 20:1}"),
          FLOAT,
          0,
          0,
          "00000000"),
    LEGAL("8.12", 13, CONSTANT("5:{1:'value_ints' 20:7}"), INT64, 1, 0, ""),
    LEGAL("8.12", 13, CONSTANT("5:{1:'value_floats' 20:6}"), FLOAT, 1, 0, ""),
    LEGAL("8.12", 13, CONSTANT("5:{1:'value_strings' 20:8}"), STRING, 1, 0, ""),
};

START_TEST(each_form_makes_its_value)
{
    check_node_row(&node_rows[_i]);
}
END_TEST

/* The value fields of an attribute; one that is not of its type is refused. */
static const struct {
    const char *name;
    const char *field;
} value_fields[] = {
    {"f", "2:f1"},
    {"i", "3:1"},
    {"s", "4:''"},
    {"t", "5:{}"},
    {"g", "6:{}"},
    {"floats", "7:f1"},
    {"ints", "8:1"},
    {"strings", "9:''"},
    {"tensors", "10:{}"},
    {"graphs", "11:{}"},
    {"tp", "14:{}"},
    {"type_protos", "15:{}"},
    {"sparse_tensor", "22:{}"},
    {"sparse_tensors", "23:{}"},
};

START_TEST(only_the_field_of_the_type_may_be_set)
{
    const char *name = value_fields[_i].name;
    proto_buffer buffer = {NULL, 0, 0};
    bool is_int = strcmp(name, "i") == 0;
    proto_append(&buffer,
                 CONSTANT("5:{1:'%s' 20:%d %s}"),
                 is_int ? "value_float" : "value_int",
                 is_int ? 1 : 2,
                 value_fields[_i].field);
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = 13;
    char message[128];
    snprintf(message,
             sizeof(message),
             "attribute \"%s\" has field %s; only the field of its type may "
             "be set",
             is_int ? "value_float" : "value_int",
             name);
    clconst_op *op;
    ck_assert_fails(
        clconst_op_decode(buffer.bytes, buffer.size, &options, &op, error),
        CLCONST_INVALID_MODEL,
        message);
    proto_free(&buffer);
}
END_TEST

typedef struct string_row {
    const char *attribute;
    size_t rank;
    size_t count;
    const char *first;
    size_t first_size;
} string_row;

static const string_row string_rows[] = {
    {"1:'value_string' 20:3 4:'hello'", 0, 1, "hello", 5},
    /* 8.11 */
    {"1:'value_string' 20:3", 0, 1, "", 0},
    {"1:'value_string' 20:3 4:''", 0, 1, "", 0},
    /* 8.13 */
    {"1:'value_string' 20:3 4:x61ff0000", 0, 1, "a\xff\0\0", 4},
    {"1:'value_strings' 20:8 9:'bc' 9:'' 9:'d'", 1, 3, "bc", 2},
};

START_TEST(string_forms_keep_their_bytes)
{
    const string_row *row = &string_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "4:'Constant' 2:'y' 5:{%s}", row->attribute);
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = 12;
    clconst_op *op;
    ck_assert_ok(
        clconst_op_decode(buffer.bytes, buffer.size, &options, &op, error));
    clconst_view value;
    clconst_op_get_value(op, &value);
    const clconst_string *strings = value.data;
    ck_assert_int_eq(value.dtype, CLCONST_STRING);
    ck_assert_uint_eq(value.shape.rank, row->rank);
    ck_assert_uint_eq(value.size, row->count * sizeof(*strings));
    ck_assert_uint_eq(strings[0].size, row->first_size);
    ck_assert_mem_eq(strings[0].data, row->first, row->first_size);
    clconst_op_destroy(op);
    proto_free(&buffer);
}
END_TEST

START_TEST(arguments_are_checked)
{
    clconst_op *op;
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    ck_assert_fails(clconst_op_decode("", 0, NULL, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    "opset is 0; it must be >= 1");
    options.opset = -1;
    ck_assert_fails(clconst_op_decode("", 0, &options, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    "opset is -1; it must be >= 1");
    options.opset = 1;
    ck_assert_fails(clconst_op_decode(NULL, 1, &options, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    "node or op is NULL; both are required");
    ck_assert_fails(clconst_op_decode("", 0, &options, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "node or op is NULL; both are required");
}
END_TEST

#define COUNT_OF(rows) (sizeof(rows) / sizeof((rows)[0]))

Suite *onnx_node_suite(void)
{
    Suite *suite = suite_create("onnx node");
    TCase *tcase = tcase_create("node");
    tcase_add_loop_test(
        tcase, each_form_makes_its_value, 0, COUNT_OF(node_rows));
    tcase_add_loop_test(tcase,
                        only_the_field_of_the_type_may_be_set,
                        0,
                        COUNT_OF(value_fields));
    tcase_add_loop_test(
        tcase, string_forms_keep_their_bytes, 0, COUNT_OF(string_rows));
    tcase_add_test(tcase, arguments_are_checked);
    suite_add_tcase(suite, tcase);
    return suite;
}
