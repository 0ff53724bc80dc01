/*
 * Resolutions: where the shape of a fill comes from, which names it may mean,
 * and why there is none. The rules are numbered as in the facts about ONNX.
 * The fields: of a graph 1 node, 5 initializer, 11 input, 12 output; of a
 * ValueInfoProto 1 name, 2 type, in it 1 tensor_type, in it 1 elem_type and
 * 2 shape, in it 1 dim, in it 1 dim_value and 2 dim_param.
 */
#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"
#include "unit/onnx_suites.h"

#define INTS(name, ints)                                                       \
    "1:{4:'Constant' 2:'" name "' 5:{1:'value_ints' 20:7 8:[" ints "]}} "
#define FILL(shape, name) "1:{4:'ConstantOfShape' 1:'" shape "' 2:'" name "'} "
#define INITIALIZER(name, dims, ints)                                          \
    "5:{1:[" dims "] 2:7 7:[" ints "] 8:'" name "'} "
#define INPUT(name, type)  "11:{1:'" name "' 2:{1:{" type "}}} "
#define OUTPUT(name, type) "12:{1:'" name "' 2:{1:{" type "}}} "
#define DIM(dim)           "1:7 2:{1:{" dim "}}"

typedef struct resolution_row {
    const char *fact;
    const char *graph;
    const char *rest;
    const char *expected;
    const char *bound; /* an input with this value of int64, or NULL */
    int64_t dims[3];
    size_t count;
} resolution_row;

#define ROW(fact, graph, expected)                                             \
    {                                                                          \
        fact, graph, "", expected, NULL, {0}, 0                                \
    }

/* The line of a fill named f, and that of an int64 constant before it. */
#define F(state, reason) "|f|ConstantOfShape|fill|float|" state "|" reason "\n"
#define S(op_type, storage, dims)                                              \
    "|s|" op_type "|" storage "|int64|+" dims "|\n"

static const resolution_row resolution_rows[] = {
    ROW("an initializer",
        INITIALIZER("s", "2", "4 3") FILL("s", "f"),
        S("initializer", "typed", "[2]") F("+[4,3]", "")),
    ROW("R26, 8.34: an initializer that is an input, too",
        INPUT("s", DIM("1:1")) INITIALIZER("s", "1", "3") FILL("s", "f"),
        S("initializer", "typed", "[1]") F("+[3]", "")),
    ROW("a Constant, in any order",
        FILL("s", "f") INTS("s", "4 3 2"),
        F("+[4,3,2]", "") S("Constant", "attribute", "[3]")),
    ROW("a Constant of a tensor",
        "1:{4:'Constant' 2:'s' 5:{1:'value' 20:4 5:{1:2 2:7 "
        "9:x05000000000000000600000000000000}}} " FILL("s", "f"),
        S("Constant", "raw", "[2]") F("+[5,6]", "")),
    ROW("8.4: rank 0",
        "1:{4:'Constant' 2:'s' 5:{1:'value_int' 20:2 3:3}} " FILL("s", "f"),
        S("Constant", "attribute", "[]")
            F("!", "shape of \"f\" has rank 0; it must be 1")),
    ROW("8.4: rank 2",
        INITIALIZER("s", "1 2", "3 4") FILL("s", "f"),
        S("initializer", "typed", "[1,2]")
            F("!", "shape of \"f\" has rank 2; it must be 1")),
    ROW("8.35, R2: int32 is not taken for int64",
        "5:{1:2 2:6 9:x0400000003000000 8:'s'} " FILL("s", "f"),
        "|s|initializer|raw|int32|+[2]|\n" F(
            "!", "shape of \"f\" has dtype int32; it must be int64")),
    ROW("8.6, R10: an empty shape is a scalar's",
        INTS("s", "") FILL("s", "f"),
        S("Constant", "attribute", "[0]") F("+[]", "")),
    ROW("R15: dims of 0",
        INTS("s", "2 0") FILL("s", "f"),
        S("Constant", "attribute", "[2]") F("+[2,0]", "")),
    ROW("R5: a negative dim",
        INTS("s", "-1 3 224") FILL("s", "f"),
        S("Constant", "attribute", "[3]")
            F("!", "dim 0 is -1; dims must be >= 0")),
    ROW("8.5: beside a 0",
        INTS("s", "0 -1") FILL("s", "f"),
        S("Constant", "attribute", "[2]")
            F("!", "dim 1 is -1; dims must be >= 0")),
    ROW("R33: a product that wraps to 0",
        INTS("s", "4294967296 4294967296") FILL("s", "f"),
        S("Constant", "attribute", "[2]")
            F("!",
              "dim 1 is 4294967296; the product of the dims must be below "
              "2^63")),
    ROW("R33: but not beside a 0",
        INTS("s", "0 1099511627776") FILL("s", "f"),
        S("Constant", "attribute", "[2]") F("+[0,1099511627776]", "")),
    ROW("a shape that is invalid itself",
        "5:{1:2 2:7 7:1 8:'s'} " FILL("s", "f"),
        "|s|initializer|||!|int64_data has 1 entries; 2 elements of int64 take "
        "2\n" F("!",
                "shape of \"f\" is wrong: constant \"s\", which has no value: "
                "int64_data has 1 "
                "entries; 2 elements of int64 take 2")),
    ROW("a shape in external data",
        "5:{1:2 2:7 14:1 13:{1:'location' 2:'w'} 8:'s'} " FILL("s", "f"),
        "|s|initializer|external|int64|?[2]|data are external; without "
        "the path of a model they need a reader\n" F(
            "?[?,?]",
            "shape of \"f\" needs constant \"s\", which has no value: data are "
            "external; "
            "without the path of a model they need a reader")),
    ROW("an input that an external initializer defaults tells the rank",
        INPUT("s", DIM("1:2")) "5:{1:2 2:7 14:1 13:{1:'location' 2:'w'} "
                               "8:'s'} " FILL("s", "f"),
        "|s|initializer|external|int64|?[2]|data are external; without "
        "the path of a model they need a reader\n" F(
            "?[?,?]",
            "shape of \"f\" needs constant \"s\", which has no value: data are "
            "external; "
            "without the path of a model they need a reader")),
    /* Inputs. */
    ROW("an input",
        INPUT("s", "") FILL("s", "f"),
        F("?", "shape of \"f\" needs the value of \"s\"")),
    ROW("R8: the declared length is the rank",
        INPUT("s", DIM("1:4")) FILL("s", "f"),
        F("?[?,?,?,?]", "shape of \"f\" needs the value of \"s\"")),
    ROW("a declared length of 0 leaves nothing open",
        INPUT("s", DIM("1:0")) FILL("s", "f"),
        F("+[]", "")),
    ROW("a symbolic length tells nothing",
        INPUT("s", DIM("2:'n'")) FILL("s", "f"),
        F("?", "shape of \"f\" needs the value of \"s\"")),
    ROW("nor does a negative one",
        INPUT("s", DIM("1:-1")) FILL("s", "f"),
        F("?", "shape of \"f\" needs the value of \"s\"")),
    ROW("one above 1024 is wrong",
        INPUT("s", DIM("1:1025")) FILL("s", "f"),
        F("!", "rank is 1025; it must be at most 1024")),
    ROW("8.4: declared rank 0",
        INPUT("s", "1:7 2:{}") FILL("s", "f"),
        F("!", "shape of \"f\" has rank 0; it must be 1")),
    ROW("8.4: declared rank 2",
        INPUT("s", "1:7 2:{1:{1:1} 1:{1:2}}") FILL("s", "f"),
        F("!", "shape of \"f\" has rank 2; it must be 1")),
    ROW("8.35: declared int32",
        INPUT("s", "1:6 2:{1:{1:1}}") FILL("s", "f"),
        F("!", "shape of \"f\" has dtype int32; it must be int64")),
    ROW("declared as what is no dtype",
        INPUT("s", "1:77 2:{1:{1:1}}") FILL("s", "f"),
        F("!",
          "shape of \"f\" is wrong: \"s\" is declared with elem_type 77, which "
          "is no dtype")),
    {"a bound input",
     INPUT("s", DIM("1:2")) FILL("s", "f"),
     "",
     F("+[5,7]", ""),
     "s",
     {5, 7},
     2},
    {"a bound input with a default",
     INPUT("s", DIM("1:1")) INITIALIZER("s", "1", "3") FILL("s", "f"),
     "",
     S("initializer", "typed", "[1]") F("+[8]", ""),
     "s",
     {8},
     1},
    {"a bound negative dim",
     INPUT("s", "") FILL("s", "f"),
     "",
     F("!", "dim 1 is -2; dims must be >= 0"),
     "s",
     {8, -2},
     2},
    {"a bound empty shape",
     INPUT("s", "") FILL("s", "f"),
     "",
     F("+[]", ""),
     "s",
     {0},
     0},
    /* Other nodes. */
    ROW("a node",
        "1:{4:'Own' 3:'n' 2:'s'} " FILL("s", "f"),
        F("?",
          "shape of \"f\" needs node \"n\" (Own), for which there is no "
          "rule")),
    ROW("a fill",
        INTS("t", "2") FILL("t", "s") FILL("s", "f"),
        "|t|Constant|attribute|int64|+[1]|\n"
        "|s|ConstantOfShape|fill|float|+[2]|\n" F(
            "!", "shape of \"f\" has dtype float; it must be int64")),
    ROW("itself",
        FILL("f", "f"),
        F("!", "shape of \"f\" has dtype float; it must be int64")),
    ROW("nothing",
        FILL("s", "f"),
        F("!", "shape of \"f\" is wrong: \"s\" is defined nowhere")),
    ROW("two nodes",
        "1:{4:'Concat' 2:'s'} 1:{4:'Concat' 2:'s'} " FILL("s", "f"),
        F("!",
          "shape of \"f\" is wrong: \"s\" is defined twice; names are unique")),
    ROW("a sparse initializer",
        "15:{1:{1:1 2:7 7:4 8:'s'} 2:{1:1 2:7 7:0} 3:1} " FILL("s", "f"),
        "|s|sparse_initializer|sparse|int64|+[1]|\n" F("+[4]", "")),
    ROW("a sparse shape with dims that are not listed",
        "15:{1:{1:1 2:7 7:4 8:'s'} 2:{1:1 2:7 7:1} 3:3} " FILL("s", "f"),
        "|s|sparse_initializer|sparse|int64|+[3]|\n" F("+[0,4,0]", "")),
    ROW("8.8: a sparse shape that is too long",
        "15:{1:{1:0 2:7 8:'s'} 3:1099511627776} " FILL("s", "f"),
        "|s|sparse_initializer|sparse|int64|+[1099511627776]|\n" F(
            "!", "rank is 1099511627776; it must be at most 1024")),
    ROW("8.35: a sparse shape of int32",
        "15:{1:{1:0 2:6 8:'s'} 3:1} " FILL("s", "f"),
        "|s|sparse_initializer|sparse|int32|+[1]|\n" F(
            "!", "shape of \"f\" has dtype int32; it must be int64")),
    ROW("8.4: a sparse shape of rank 2",
        "15:{1:{1:0 2:7 8:'s'} 3:[1 1]} " FILL("s", "f"),
        "|s|sparse_initializer|sparse|int64|+[1,1]|\n" F(
            "!", "shape of \"f\" has rank 2; it must be 1")),
};

static void check_row(const resolution_row *row)
{
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, row->graph, row->rest);
    int64_t count = (int64_t)row->count;
    clconst_input_value value = {row->bound,
                                 {CLCONST_INT64,
                                  {&count, 1},
                                  row->dims,
                                  row->count * sizeof(row->dims[0])}};
    clconst_bindings bindings = CLCONST_BINDINGS_INIT;
    bindings.values = &value;
    bindings.value_count = row->bound != NULL ? 1 : 0;
    static listing_text list;
    listing_make(&list, &buffer, &bindings);
    ck_assert_str_eq(list.text, row->expected);
    proto_free(&buffer);
}

START_TEST(shapes_come_from_what_is_known)
{
    check_row(&resolution_rows[_i]);
}
END_TEST

#define IF(graph) "1:{4:'If' 3:'i' 5:{1:'then' 20:5 6:{" graph "}}} "

static const resolution_row scope_rows[] = {
    ROW("a body sees the graphs around it",
        IF(IF(FILL("s", "f"))) INTS("s", "6"),
        "|s|Constant|attribute|int64|+[1]|\n"
        "i.then/i.then|f|ConstantOfShape|fill|float|+[6]|\n"),
    ROW("a body's own node hides them",
        INTS("s", "6") IF(FILL("s", "f") INTS("s", "7")) FILL("s", "g"),
        "|s|Constant|attribute|int64|+[1]|\n"
        "|g|ConstantOfShape|fill|float|+[6]|\n"
        "i.then|f|ConstantOfShape|fill|float|+[7]|\n"
        "i.then|s|Constant|attribute|int64|+[1]|\n"),
    ROW("a body's own input hides them, too",
        INTS("s", "6") IF(INPUT("s", DIM("1:2")) FILL("s", "f")),
        "|s|Constant|attribute|int64|+[1]|\n"
        "i.then|f|ConstantOfShape|fill|float|?[?,?]|shape of \"f\" needs "
        "\"s\", "
        "an input of a subgraph\n"),
    ROW("a default does not decide a body's input",
        IF(INPUT("s", "") INITIALIZER("s", "1", "3") FILL("s", "f")),
        "i.then|s|initializer|typed|int64|+[1]|\n"
        "i.then|f|ConstantOfShape|fill|float|?|shape of \"f\" needs \"s\", an "
        "input of a subgraph\n"),
    ROW("a graph does not see into its bodies",
        IF(INTS("s", "6")) FILL("s", "f"),
        "|f|ConstantOfShape|fill|float|!|shape of \"f\" is wrong: \"s\" is "
        "defined nowhere\n"
        "i.then|s|Constant|attribute|int64|+[1]|\n"),
    ROW("nor does a body into its sibling",
        IF(INTS("s", "6")) IF(FILL("s", "f")),
        "i.then|s|Constant|attribute|int64|+[1]|\n"
        "i.then|f|ConstantOfShape|fill|float|!|shape of \"f\" is wrong: \"s\" "
        "is defined nowhere\n"),
    {"a function does not see the graph that calls it",
     INTS("s", "6"),
     "25:{1:'F' 10:'own' 9:{2:13} 7:{4:'ConstantOfShape' 1:'s' 2:'f'}} ",
     "|s|Constant|attribute|int64|+[1]|\n"
     "own.F|f|ConstantOfShape|fill|float|!|shape of \"f\" is wrong: \"s\" is "
     "defined nowhere\n",
     NULL,
     {0},
     0},
    {"a function's body sees the function",
     "",
     "25:{1:'F' 10:'own' 9:{2:13} 4:'x' 7:{4:'If' 3:'i' 5:{1:'then' 6:{" FILL(
         "s", "f") FILL("x", "g") "}}} 7:{4:'Constant' 2:'s' 5:{1:'value_ints' "
                                  "20:7 8:9}}} ",
     "own.F|s|Constant|attribute|int64|+[1]|\n"
     "own.F/i.then|f|ConstantOfShape|fill|float|+[9]|\n"
     "own.F/i.then|g|ConstantOfShape|fill|float|?|shape of \"g\" needs \"x\", "
     "an input of a function\n",
     NULL,
     {0},
     0},
    {"a bound input is seen from a body",
     INPUT("s", "") IF(FILL("s", "f")),
     "",
     "i.then|f|ConstantOfShape|fill|float|+[3]|\n",
     "s",
     {3},
     1},
};

START_TEST(names_mean_the_innermost_definition)
{
    check_row(&scope_rows[_i]);
}
END_TEST

static const resolution_row output_rows[] = {
    ROW("a constant",
        INTS("s", "2 3") FILL("s", "f") OUTPUT("f", "") OUTPUT("s", ""),
        "|s|Constant|attribute|int64|+[2]|\n" F(
            "+[2,3]", "") "output|f|+[2,3]|\noutput|s|+[2]|\n"),
    ROW("an initializer, the default of an input",
        INPUT("s", "") INITIALIZER("s", "1", "3") OUTPUT("s", ""),
        S("initializer", "typed", "[1]") "output|s|+[1]|\n"),
    ROW("an invalid constant",
        "1:{4:'Constant' 2:'c'} " OUTPUT("c", ""),
        "|c|Constant|||!|Constant has 0 values; it must have exactly one\n"
        "output|c|!|Constant has 0 values; it must have exactly one\n"),
    ROW("what a node computes has its declared dims",
        "1:{4:'Own' 3:'r' 2:'y'} " OUTPUT(
            "y", "1:1 2:{1:{1:2} 1:{2:'n'} 1:{} 1:{1:-1 2:'m'}}"),
        "output|y|?[2,n,?,m]|output \"y\" needs node \"r\" (Own), for which "
        "there is no rule\n"),
    ROW("without a declaration the rank is unknown",
        "1:{4:'Own' 3:'r' 2:'y'} 12:{1:'y'} ",
        "output|y|?|output \"y\" needs node \"r\" (Own), for which there is "
        "no rule\n"),
    ROW("an input",
        INPUT("x", "") OUTPUT("x", "1:1 2:{}"),
        "output|x|?[]|output \"x\" needs the value of \"x\"\n"),
    ROW("nothing",
        OUTPUT("y", ""),
        "output|y|!|output \"y\" is wrong: \"y\" is defined nowhere\n"),
    ROW("what is defined twice",
        INTS("y", "1") INTS("y", "1") OUTPUT("y", ""),
        "|y|Constant|||!|name is defined twice in its graph; it must be "
        "unique\n"
        "|y|Constant|||!|name is defined twice in its graph; it must be "
        "unique\n"
        "output|y|!|output \"y\" is wrong: \"y\" is defined twice; names are "
        "unique\n"),
    {"a bound input",
     INPUT("x", "") OUTPUT("x", ""),
     "",
     "output|x|+[3]|\n",
     "x",
     {4, 5, 6},
     3},
    {"a bound input with a default",
     INPUT("x", "") INITIALIZER("x", "1", "3") OUTPUT("x", ""),
     "",
     "|x|initializer|typed|int64|+[1]|\noutput|x|+[2]|\n",
     "x",
     {4, 5},
     2},
};

START_TEST(outputs_are_constants_or_bound_inputs)
{
    check_row(&output_rows[_i]);
}
END_TEST

#define COUNT_OF(rows) (sizeof(rows) / sizeof((rows)[0]))

Suite *onnx_resolution_suite(void)
{
    Suite *suite = suite_create("onnx resolution");
    TCase *tcase = tcase_create("resolution");
    tcase_add_loop_test(
        tcase, shapes_come_from_what_is_known, 0, COUNT_OF(resolution_rows));
    tcase_add_loop_test(
        tcase, names_mean_the_innermost_definition, 0, COUNT_OF(scope_rows));
    tcase_add_loop_test(
        tcase, outputs_are_constants_or_bound_inputs, 0, COUNT_OF(output_rows));
    suite_add_tcase(suite, tcase);
    return suite;
}
