/*
 * Functions: constants whose value or shape each call decides. The fields: of
 * FunctionProto 1 name, 7 node, 9 opset_import, 10 domain, 11 attribute_proto,
 * 13 overload; of AttributeProto 21 ref_attr_name; of NodeProto 8 overload.
 */
#include <stdio.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "unit/onnx_listing.h"
#include "unit/onnx_suites.h"

#define INT(name, value)        "5:{1:'" name "' 20:2 3:" value "} "
#define INTS(name, values)      "5:{1:'" name "' 20:7 8:[" values "]} "
#define REF(name, type, outer)  "5:{1:'" name "' 20:" type " 21:'" outer "'} "
#define CALL(name, attributes)  "1:{4:'F' 7:'own' 3:'" name "' " attributes "} "
#define INNER(name, attributes) "7:{4:'" name "' 7:'own' " attributes "} "
#define CONSTANT(attributes)    "7:{4:'Constant' 2:'c' " attributes "} "
#define FUNCTION(name, body)    "25:{1:'" name "' 10:'own' 9:{2:13} " body "} "
#define TAKES_A                 CONSTANT(REF("value_int", "2", "a"))
#define LINE(scope, rest)       scope "|c|Constant|" rest "\n"
#define GOOD(scope)             LINE(scope, "attribute|int64|+[]|")
#define BAD(scope, reason)      LINE(scope, "||!|" reason)

typedef struct function_row {
    const char *fact;
    const char *graph;
    const char *functions;
    const char *expected;
} function_row;

static const function_row rows[] = {
    {"each call has its own",
     CALL("x", INT("a", "5")) CALL("y", INT("a", "6")),
     FUNCTION("F", TAKES_A),
     GOOD("x:own.F") GOOD("y:own.F")},
    {"a node without a name has its place",
     "1:{4:'Relu'} 1:{4:'F' 7:'own' 5:{1:'a' 20:2 3:1}} ",
     FUNCTION("F", TAKES_A),
     GOOD("F_1:own.F")},
    {"a function that is not called is listed as it is",
     "",
     FUNCTION("F", TAKES_A),
     "own.F|c|Constant|attribute|int64|?[]|value is attribute \"a\" of the "
     "function's call\n"},
    {"what does not depend on the call is listed once, under the function",
     CALL("x", "") CALL("y", ""),
     FUNCTION("F", CONSTANT(INT("value_int", "3"))),
     GOOD("own.F")},
    {"a default serves calls that give nothing",
     CALL("x", "") CALL("y", INT("a", "6")),
     FUNCTION("F", TAKES_A "11:{1:'a' 20:2 3:4} "),
     GOOD("x:own.F") GOOD("y:own.F")},
    {"neither given nor by default",
     CALL("x", INT("b", "1")),
     FUNCTION("F", TAKES_A),
     BAD("x:own.F", "Constant has 0 values; it must have exactly one")},
    {"one of several is bound",
     CALL("x", INTS("b", "7 8")),
     FUNCTION("F",
              CONSTANT(REF("value_int", "2", "a") REF("value_ints", "7", "b"))),
     LINE("x:own.F", "attribute|int64|+[2]|")},
    {"two of several are bound",
     CALL("x", INT("a", "1") INTS("b", "7 8")),
     FUNCTION("F",
              CONSTANT(REF("value_int", "2", "a") REF("value_ints", "7", "b"))),
     BAD("x:own.F", "Constant has 2 values; it must have exactly one")},
    {"none of several is bound",
     CALL("x", ""),
     FUNCTION("F",
              CONSTANT(REF("value_int", "2", "a") REF("value_ints", "7", "b"))),
     BAD("x:own.F", "Constant has 0 values; it must have exactly one")},
    {"an attribute of the wrong type",
     CALL("x", INTS("a", "1")) CALL("y", INT("a", "1")),
     FUNCTION("F", TAKES_A),
     BAD("x:own.F", "attribute \"a\" has type 7 (INTS); it must be INT")
         GOOD("y:own.F")},
    {"an attribute twice in the call",
     CALL("x", INT("a", "1") INT("a", "1")),
     FUNCTION("F", TAKES_A),
     BAD("x:own.F",
         "attribute \"a\" of the call is there twice; names are unique")},
    {"8.33: a reference in a call of the main graph",
     CALL("x", REF("a", "2", "b")),
     FUNCTION("F", TAKES_A),
     BAD("x:own.F",
         "attribute \"a\" refers to \"b\"; only the nodes of a function may "
         "refer to its attributes")},
    {"calls in functions pass attributes on, by value and by reference",
     CALL("x", INT("a", "1")) CALL("y", INT("a", "2")),
     FUNCTION("F",
              INNER("G", "3:'g' " REF("b", "2", "a"))
                  INNER("G", "3:'h' " INT("b", "3")))
         FUNCTION("G", CONSTANT(REF("value_int", "2", "b"))),
     GOOD("x:own.F/g:own.G") GOOD("x:own.F/h:own.G") GOOD("y:own.F/g:own.G")
         GOOD("y:own.F/h:own.G")},
    {"defaults are passed on, and what is absent is not",
     CALL("x", ""),
     FUNCTION("F",
              INNER("G", "3:'g' " REF("b", "2", "a")) INNER(
                  "G", "3:'h' " REF("b", "2", "z")) "11:{1:'a' 20:2 3:4} ")
         FUNCTION("G", CONSTANT(REF("value_int", "2", "b"))),
     GOOD("x:own.F/g:own.G") BAD(
         "x:own.F/h:own.G", "Constant has 0 values; it must have exactly one")},
    {"what is given twice stays so when it is passed on",
     CALL("x", INT("a", "1") INT("a", "1")),
     FUNCTION("F", INNER("G", "3:'g' " REF("b", "2", "a")))
         FUNCTION("G", CONSTANT(REF("value_int", "2", "b"))),
     BAD("x:own.F/g:own.G",
         "attribute \"b\" of the call is there twice; names are unique")},
    {"bodies of calling and called graphs are in the scope",
     "1:{4:'If' 3:'i' 5:{1:'then' 20:5 6:{" CALL("x", INT("a", "5")) "}}} ",
     FUNCTION("F",
              "7:{4:'If' 3:'j' 5:{1:'else' 20:5 6:{1:{4:'Constant' 2:'c' " REF(
                  "value_int", "2", "a") "}}}} "),
     GOOD("i.then/x:own.F/j.else")},
    {"a shape that depends on the call",
     CALL("x", INTS("a", "2 3")) CALL("y", INTS("a", "4")),
     FUNCTION("F",
              "7:{4:'ConstantOfShape' 1:'c' 2:'f' 5:{1:'value' 20:4 5:{1:1 2:2 "
              "9:x07}}} " CONSTANT(REF("value_ints", "7", "a"))),
     "x:own.F|f|ConstantOfShape|fill|uint8|+[2,3]|\n" LINE(
         "x:own.F",
         "attribute|int64|+[2]|") "y:own.F|f|ConstantOfShape|fill|uint8|+[4]|"
                                  "\n" LINE("y:own.F",
                                            "attribute|int64|+[1]|")},
    {"a value that depends on the call, of a shape that does not",
     CALL("x", "5:{1:'a' 20:4 5:{1:1 2:2 9:x07}} ") CALL("y", ""),
     FUNCTION("F",
              "7:{4:'ConstantOfShape' 1:'c' 2:'f' " REF(
                  "value", "4", "a") "} " CONSTANT(INTS("value_ints", "3"))),
     LINE(
         "own.F",
         "attribute|int64|+[1]|") "x:own.F|f|ConstantOfShape|fill|uint8|+[3]|\n"
                                  "y:own.F|f|ConstantOfShape|fill|float|+[3]|"
                                  "\n"},
    {"calls are matched by domain and overload, too",
     "1:{4:'F' 3:'x' " INT("a", "1") "} 1:{4:'F' 7:'own' 8:'v2' 3:'y' " INT(
         "a", "1") "} ",
     FUNCTION("F", TAKES_A) "25:{1:'F' 10:'own' 13:'v2' 9:{2:13} " TAKES_A "} ",
     "own.F|c|Constant|attribute|int64|?[]|value is attribute \"a\" of the "
     "function's call\n" GOOD("y:own.F.v2")},
    {"8.37: the opset is the function's own",
     CALL("x", INT("a", "1")),
     "25:{1:'F' 10:'own' 9:{2:12} " TAKES_A "} ",
     GOOD("x:own.F")},
};

static void append_row(proto_buffer *buffer, const function_row *row)
{
    model_append(buffer, row->graph, row->functions);
}

START_TEST(constants_of_functions_are_listed_per_call)
{
    proto_buffer buffer = {NULL, 0, 0};
    listing_text list;
    append_row(&buffer, &rows[_i]);
    listing_make(&list, &buffer, NULL);
    ck_assert_str_eq(list.text, rows[_i].expected);
    proto_free(&buffer);
}
END_TEST

/* The values themselves, of the call and of the default. */
START_TEST(each_call_has_the_bytes_that_it_gives)
{
    static const function_row row = {
        "",
        CALL("x", "") CALL("y", INT("a", "6")),
        FUNCTION("F", TAKES_A "11:{1:'a' 20:2 3:4} "),
        ""};
    proto_buffer buffer = {NULL, 0, 0};
    clconst_model *model;
    clconst_resolution *resolution;
    append_row(&buffer, &row);
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    ck_assert_ok(clconst_resolution_create(model, NULL, &resolution, error));
    for (size_t i = 0; i < 2; i++) {
        clconst_resolved resolved = CLCONST_RESOLVED_INIT;
        int64_t value = -1;
        ck_assert_ok(
            clconst_resolution_get_constant(resolution, i, &resolved, error));
        ck_assert_ok(
            clconst_write(NULL, resolved.plan, &value, sizeof(value), error));
        ck_assert_int_eq(value, i == 0 ? 4 : 6);
    }
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

/* Function number i calls the next twice, but for the last, which has body. */
static void append_doubling(proto_buffer *buffer, int count, const char *body)
{
    model_append(buffer, "1:{4:'F0' 7:'own' 5:{1:'a' 20:2 3:1}} ", "");
    for (int i = 0; i + 1 < count; i++) {
        proto_append(buffer,
                     "25:{1:'F%d' 10:'own' 9:{2:13} "
                     "7:{4:'F%d' 7:'own' 5:{1:'a' 20:2 21:'a'}} "
                     "7:{4:'F%d' 7:'own' 5:{1:'a' 20:2 21:'a'}}} ",
                     i,
                     i + 1,
                     i + 1);
    }
    proto_append(buffer, "25:{1:'F%d' 10:'own' 9:{2:13} %s} ", count - 1, body);
}

static clconst_status
parse(const proto_buffer *buffer, size_t *count, clconst_error *error)
{
    clconst_model *model;
    clconst_status status =
        clconst_model_parse(buffer->bytes, buffer->size, NULL, &model, error);
    if (status == CLCONST_OK) {
        clconst_model_info info = CLCONST_MODEL_INFO_INIT;
        clconst_model_get_info(model, &info);
        *count = info.constant_count;
        clconst_model_destroy(model);
    }
    return status;
}

START_TEST(calls_that_double_end_at_the_limit)
{
    proto_buffer buffer = {NULL, 0, 0};
    size_t count = 0;
    append_doubling(&buffer, 41, TAKES_A);
    ck_assert_fails(parse(&buffer, &count, error),
                    CLCONST_TOO_LARGE,
                    "scopes take more than 16777216 bytes; they must not");
    proto_free(&buffer);
    append_doubling(&buffer, 17, TAKES_A);
    ck_assert_fails(parse(&buffer, &count, error),
                    CLCONST_TOO_LARGE,
                    "calls of functions make more than 65536 instances; they "
                    "must not");
    proto_free(&buffer);
    append_doubling(&buffer, 11, TAKES_A);
    ck_assert_ok(parse(&buffer, &count, error));
    ck_assert_uint_eq(count, 1024);
    proto_free(&buffer);
}
END_TEST

START_TEST(calls_that_decide_nothing_are_not_followed)
{
    proto_buffer buffer = {NULL, 0, 0};
    size_t count = 0;
    append_doubling(&buffer, 41, CONSTANT(INT("value_int", "3")));
    ck_assert_ok(parse(&buffer, &count, error));
    ck_assert_uint_eq(count, 1);
    proto_free(&buffer);
}
END_TEST

START_TEST(functions_that_cannot_be_told_or_ended_are_refused)
{
    static const function_row refused[] = {
        {"itself",
         "",
         FUNCTION("F", INNER("F", "")),
         "function \"F\" calls itself; functions must not be recursive"},
        {"in a circle, from a body",
         CALL("x", ""),
         FUNCTION("F", INNER("G", "")) FUNCTION(
             "G", "7:{4:'If' 5:{1:'then' 20:5 6:{" CALL("", "") "}}} "),
         "function \"F\" calls itself; functions must not be recursive"},
        {"twice",
         "",
         FUNCTION("F", "") FUNCTION("F", ""),
         "function \"F\" is there twice; domain, name and overload are "
         "unique"},
    };
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        proto_buffer buffer = {NULL, 0, 0};
        size_t count;
        append_row(&buffer, &refused[i]);
        ck_assert_fails(parse(&buffer, &count, error),
                        CLCONST_INVALID_MODEL,
                        refused[i].expected);
        proto_free(&buffer);
    }
}
END_TEST

Suite *onnx_functions_suite(void)
{
    Suite *suite = suite_create("onnx functions");
    TCase *tcase = tcase_create("functions");
    tcase_add_loop_test(tcase,
                        constants_of_functions_are_listed_per_call,
                        0,
                        sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tcase, each_call_has_the_bytes_that_it_gives);
    tcase_add_test(tcase, calls_that_double_end_at_the_limit);
    tcase_add_test(tcase, calls_that_decide_nothing_are_not_followed);
    tcase_add_test(tcase, functions_that_cannot_be_told_or_ended_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
