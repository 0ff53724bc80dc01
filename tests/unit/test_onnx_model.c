/*
 * Models: which constants are listed, in which order and scope. The rules are
 * numbered as in the facts about ONNX. The fields: of a graph 1 node, 5
 * initializer, 11 input, 12 output, 15 sparse_initializer; of a model 1
 * ir_version, 7 graph, 8 opset_import, 20 training_info, 25 functions; of a
 * function 1 name, 4 input, 7 node, 9 opset_import, 10 domain, 13 overload.
 */
#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"
#include "unit/onnx_suites.h"

#define INT(name) "1:{4:'Constant' 2:'" name "' 5:{1:'value_int' 20:2 3:7}} "
#define INTS(name, ints)                                                       \
    "1:{4:'Constant' 2:'" name "' 5:{1:'value_ints' 20:7 8:[" ints "]}} "
#define FILL(shape, name)      "1:{4:'ConstantOfShape' 1:'" shape "' 2:'" name "'} "
#define INITIALIZER(name)      "5:{1:1 2:2 9:x05 8:'" name "'} "
#define BODY(attribute, graph) "5:{1:'" attribute "' 20:5 6:{" graph "}} "
#define INT_REFERENCE(name)                                                    \
    "7:{4:'Constant' 2:'" name "' 5:{1:'value_int' 20:2 21:'a'}} "

typedef struct listing_row {
    const char *fact;
    const char *graph;
    const char *rest; /* of the model */
    const char *expected;
} listing_row;

static const listing_row listing_rows[] = {
    {"an empty graph has nothing", "", "", ""},
    {"initializers come before nodes, wherever they are in the file",
     INT("c") FILL("s", "f")
         INITIALIZER("w") "15:{1:{1:1 2:1 4:f1 8:'z'} "
                          "2:{1:1 2:7 7:3} 3:5} "
                          "5:{1:2 2:1 4:x0000000000000000 8:'v'} ",
     "",
     "|w|initializer|raw|uint8|+[1]|\n"
     "|v|initializer|typed|float|+[2]|\n"
     "|z|sparse_initializer|sparse|float|+[5]|\n"
     "|c|Constant|attribute|int64|+[]|\n"
     "|f|ConstantOfShape|fill|float|!|shape of \"f\" is wrong: \"s\" is "
     "defined nowhere\n"},
    {"8.31: only the default domain counts",
     "1:{4:'Constant' 2:'a' 7:'ai.onnx' 5:{1:'value_int' 20:2}} "
     "1:{4:'Constant' 2:'b' 7:'other' 5:{1:'value_int' 20:2}} "
     "1:{4:'Relu' 1:'a' 2:'r'} ",
     "",
     "|a|Constant|attribute|int64|+[]|\n"},
    {"bodies come behind their graph, in the order of their nodes",
     "1:{4:'If' 3:'outer' " BODY(
         "then", INT("t") "1:{4:'Loop' " BODY("body", INT("deep")) "} ")
         BODY("else", INITIALIZER("e")) "} " INT(
             "m") "1:{4:'Scan' 3:'later' " BODY("body", INT("l")) "} ",
     "",
     "|m|Constant|attribute|int64|+[]|\n"
     "outer.then|t|Constant|attribute|int64|+[]|\n"
     "outer.then/Loop_1.body|deep|Constant|attribute|int64|+[]|\n"
     "outer.else|e|initializer|raw|uint8|+[1]|\n"
     "later.body|l|Constant|attribute|int64|+[]|\n"},
    {"graphs of a list are told apart",
     "1:{4:'Op' 5:{1:'bodies' 20:10 11:{" INT("a") "} 11:{} 11:{" INT(
         "b") "}}} ",
     "",
     "Op_0.bodies[0]|a|Constant|attribute|int64|+[]|\n"
     "Op_0.bodies[2]|b|Constant|attribute|int64|+[]|\n"},
    {"functions come last, each with its bodies",
     INT("m"),
     "25:{1:'F' 10:'own' 9:{2:13} 7:{4:'If' 3:'i' " BODY(
         "then",
         INT("t")) "} 7:{4:'Constant' 2:'c' 5:{1:'value_int' 20:2}}} "
                   "25:{1:'G' 10:'own' 13:'v2' 9:{2:13} 7:{4:'Constant' 2:'c' "
                   "5:{1:'value_int' 20:2}}} ",
     "|m|Constant|attribute|int64|+[]|\n"
     "own.F|c|Constant|attribute|int64|+[]|\n"
     "own.F/i.then|t|Constant|attribute|int64|+[]|\n"
     "own.G.v2|c|Constant|attribute|int64|+[]|\n"},
    {"8.33: a function's nodes may refer to its attributes",
     "1:{4:'Constant' 2:'m' 5:{1:'value_int' 20:2 21:'a'}} ",
     "25:{1:'F' 10:'own' 9:{2:13} " INT_REFERENCE(
         "i") "7:{4:'Constant' 2:'v' 5:{1:'value' 20:4 21:'b'}} "
              "7:{4:'ConstantOfShape' 1:'i' 2:'f' 5:{1:'value' 20:4 21:'b'}} "
              "7:{4:'ConstantOfShape' 1:'i' 2:'g'}} ",
     "|m|Constant|||!|attribute \"value_int\" refers to \"a\"; only the nodes "
     "of a function may refer to its attributes\n"
     "own.F|i|Constant|attribute|int64|?[]|value is attribute \"a\" of the "
     "function's call\n"
     "own.F|v|Constant|attribute||?|value is attribute \"b\" of the "
     "function's call\n"
     "own.F|f|ConstantOfShape|fill||?|value is attribute \"b\" of the "
     "function's call\n"
     "own.F|g|ConstantOfShape|fill|float|!|shape of \"g\" has rank 0; it "
     "must be 1\n"},
    {"references to numbers and strings are scalars",
     "",
     "25:{1:'F' 10:'own' 9:{2:13} 7:{4:'Constant' 2:'s' 5:{1:'value_string' "
     "20:3 21:'a'}} 7:{4:'Constant' 2:'f' 5:{1:'value_float' 20:1 21:'a'}} "
     "7:{4:'Constant' 2:'l' 5:{1:'value_floats' 20:6 21:'a'}}} ",
     "own.F|s|Constant|attribute|string|?[]|value is attribute \"a\" of the "
     "function's call\n"
     "own.F|f|Constant|attribute|float|?[]|value is attribute \"a\" of the "
     "function's call\n"
     "own.F|l|Constant|attribute|float|?|value is attribute \"a\" of the "
     "function's call\n"},
    {"several references may stand for one value",
     "",
     "25:{1:'F' 10:'own' 9:{2:13} 7:{4:'Constant' 2:'c' 5:{1:'value_int' 20:2 "
     "21:'a'} 5:{1:'value_ints' 20:7 21:'b'}}} ",
     "own.F|c|Constant|attribute|int64|?|value is attribute \"b\" of the "
     "function's call\n"},
    {"8.37: functions import their own opset",
     FILL("s", "m") INTS("s", "2"),
     "25:{1:'F' 10:'own' 9:{2:8} 7:{4:'ConstantOfShape' 1:'s' 2:'f'}} "
     "25:{1:'G' 10:'own' 9:{1:'own' 2:8} 7:{4:'ConstantOfShape' 1:'s' 2:'g'}} "
     "25:{1:'H' 10:'own' 9:{1:'ai.onnx' 2:9} 4:'s' "
     "7:{4:'ConstantOfShape' 1:'s' 2:'h'}} ",
     "|m|ConstantOfShape|fill|float|+[2]|\n"
     "|s|Constant|attribute|int64|+[1]|\n"
     "own.F|f|ConstantOfShape|||!|opset is 8; ConstantOfShape needs 9\n"
     "own.G|g|ConstantOfShape|||!|there is no import of the default domain\n"
     "own.H|h|ConstantOfShape|fill|float|?|shape of \"h\" needs \"s\", an "
     "input of a function\n"},
    {"8.41: graphs for training are not listed",
     "",
     "20:{1:{" INT("c") "}} ",
     ""},
    {"what is invalid is listed with its reason",
     "5:{1:2 2:1 4:f1 8:'w'} 5:{1:1 2:2 9:x00} "
     "1:{4:'Constant' 2:'c' 1:'x' 5:{1:'value_int' 20:2}} "
     "1:{4:'Constant'} "
     "5:{1:1 2:1 14:1 8:'e'} 15:{1:{2:99 8:'z'}} 15:{1:{2:1}} ",
     "",
     "|w|initializer|||!|float_data has 1 entries; 2 elements of float take "
     "2\n"
     "||initializer|||!|name is empty; an initializer must have one\n"
     "|e|initializer|||!|external_data has no location; it must have one\n"
     "|z|sparse_initializer|||!|values: data_type is 99; it must be a "
     "TensorProto.DataType\n"
     "||sparse_initializer|||!|name is empty; an initializer must have one\n"
     "|c|Constant|||!|Constant has 1 inputs; it must have none\n"
     "||Constant|||!|node has 0 outputs; it must have one\n"},
    {"names that are defined twice are told from none",
     INITIALIZER("w") INITIALIZER("w") INT("c") INT("c") INITIALIZER(
         "x") "1:{4:'Relu' 2:'x'} 1:{4:'Relu' 2:'r' 2:'r'} " INT("ok"),
     "",
     "|w|initializer|||!|name is defined twice in its graph; it must be "
     "unique\n"
     "|w|initializer|||!|name is defined twice in its graph; it must be "
     "unique\n"
     "|x|initializer|||!|name is defined twice in its graph; it must be "
     "unique\n"
     "|c|Constant|||!|name is defined twice in its graph; it must be unique\n"
     "|c|Constant|||!|name is defined twice in its graph; it must be unique\n"
     "|ok|Constant|attribute|int64|+[]|\n"},
    {"an inner graph may use a name again",
     INT("c") "1:{4:'If' 3:'i' " BODY("then", INT("c"))
         BODY("else", INT("c")) "} ",
     "",
     "|c|Constant|attribute|int64|+[]|\n"
     "i.then|c|Constant|attribute|int64|+[]|\n"
     "i.else|c|Constant|attribute|int64|+[]|\n"},
};

START_TEST(constants_are_listed)
{
    const listing_row *row = &listing_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, row->graph, row->rest);
    static listing_text list;
    listing_make(&list, &buffer, NULL);
    ck_assert_str_eq(list.text, row->expected);
    proto_free(&buffer);
}
END_TEST

START_TEST(indexes_and_arguments_are_checked)
{
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer,
                 "11:{1:'x'} 11:{1:'y'} 12:{1:'y'} 1:{4:'Relu'} "
                 "1:{4:'If' " BODY("then", "1:{4:'Relu'}") "} " INT("c"),
                 "");
    clconst_model *model;
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    clconst_model_info info = CLCONST_MODEL_INFO_INIT;
    clconst_model_get_info(model, &info);
    ck_assert_uint_eq(info.constant_count, 1);
    ck_assert_uint_eq(info.input_count, 2);
    ck_assert_uint_eq(info.output_count, 1);
    ck_assert_uint_eq(info.foreign_node_count, 2);
    clconst_string name;
    clconst_constant constant = CLCONST_CONSTANT_INIT;
    ck_assert_ok(clconst_model_get_input(model, 1, &name, error));
    ck_assert_uint_eq(name.size, 1);
    ck_assert_mem_eq(name.data, "y", 1);
    ck_assert_fails(clconst_model_get_input(model, 2, &name, error),
                    CLCONST_INVALID_ARGUMENT,
                    "index is 2; the model has 2 inputs");
    ck_assert_fails(clconst_model_get_output(model, 1, &name, error),
                    CLCONST_INVALID_ARGUMENT,
                    "index is 1; the model has 1 outputs");
    ck_assert_fails(clconst_model_get_constant(model, 1, &constant, error),
                    CLCONST_INVALID_ARGUMENT,
                    "index is 1; the model has 1 constants");
    const struct {
        const clconst_model *model;
        clconst_string *name;
        clconst_constant *constant;
    } missing[] = {{NULL, &name, &constant}, {model, NULL, NULL}};
    for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
        ck_assert_fails(clconst_model_get_input(
                            missing[i].model, 0, missing[i].name, error),
                        CLCONST_INVALID_ARGUMENT,
                        "model or name is NULL; both are required");
        ck_assert_fails(clconst_model_get_output(
                            missing[i].model, 0, missing[i].name, error),
                        CLCONST_INVALID_ARGUMENT,
                        "model or name is NULL; both are required");
        ck_assert_fails(clconst_model_get_constant(
                            missing[i].model, 0, missing[i].constant, error),
                        CLCONST_INVALID_ARGUMENT,
                        "model or constant is NULL; both are required");
    }
    clconst_model_destroy(model);
    clconst_model_destroy(NULL);
    ck_assert_fails(clconst_model_parse(NULL, 1, NULL, &model, error),
                    CLCONST_INVALID_ARGUMENT,
                    "bytes or model is NULL; both are required");
    ck_assert_fails(clconst_model_parse("", 0, NULL, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "bytes or model is NULL; both are required");
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    options.strictness = (clconst_strictness)-1;
    ck_assert_fails(clconst_model_parse("", 0, &options, &model, error),
                    CLCONST_INVALID_ARGUMENT,
                    "strictness is -1; it must be 0, 1 or 2");
    proto_free(&buffer);
}
END_TEST

/* A caller that was built against a shorter struct keeps its bytes. */
START_TEST(shorter_structs_are_filled_as_far_as_they_go)
{
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, INT("c"), "");
    clconst_model *model;
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    clconst_constant constant = CLCONST_CONSTANT_INIT;
    constant.struct_size = offsetof(clconst_constant, storage);
    ck_assert_ok(clconst_model_get_constant(model, 0, &constant, error));
    ck_assert_str_eq(constant.op_type, "Constant");
    ck_assert_ptr_null(constant.storage);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

Suite *onnx_model_suite(void)
{
    Suite *suite = suite_create("onnx model");
    TCase *tcase = tcase_create("model");
    tcase_add_loop_test(tcase,
                        constants_are_listed,
                        0,
                        sizeof(listing_rows) / sizeof(listing_rows[0]));
    tcase_add_test(tcase, indexes_and_arguments_are_checked);
    tcase_add_test(tcase, shorter_structs_are_filled_as_far_as_they_go);
    suite_add_tcase(suite, tcase);
    return suite;
}
