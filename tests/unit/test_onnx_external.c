/*
 * External data: where in a model they are read. The rules are numbered as in
 * the facts about ONNX. The fields: of TensorProto 13 external_data, 14
 * data_location.
 */
#include <string.h>
#include <unistd.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "unit/onnx_folder.h"
#include "unit/onnx_suites.h"

/* A graph in external data, and its listing. The plan of its first constant
 * has the bytes, when they are given. */
typedef struct graph_row {
    const char *fact;
    const char *path;
    const char *graph;
    const char *expected;
    const char *bytes;
    size_t size;
} graph_row;

static const graph_row graph_rows[] = {
    {"bytes from an odd offset",
     "model/m.onnx",
     "5:{1:2 2:6 14:1 8:'t' " OFFSET("3") "}",
     "|t|initializer|external|int32|+[2]|\n",
     "\3\4\5\6\7\x8\x9\xa",
     8},
    {"values and indices of a sparse initializer, both at odd offsets",
     "model/m.onnx",
     "15:{1:{1:1 2:4 14:1 8:'t' " OFFSET("5") "} "
                                              "2:{1:1 2:7 7:1} 3:2}",
     "|t|sparse_initializer|sparse|uint16|+[2]|\n",
     "\0\0\5\6",
     4},
    {"a model in the present folder finds its files there",
     "m.onnx",
     "5:{1:1 2:2 14:1 8:'t' " AT("outside.bin") "}",
     "|t|initializer|external|uint8|+[1]|\n",
     "\0",
     1},
    {"a folder that is a link is the folder that it leads to",
     "linked/m.onnx",
     "5:{1:1 2:2 14:1 8:'t' " AT("sub/w.bin") "}",
     "|t|initializer|external|uint8|+[1]|\n",
     "\0",
     1},
    {"value of Constant, and two tensors of one file",
     "model/m.onnx",
     "1:{4:'Constant' 2:'a' 5:{1:'value' 20:4 5:{1:2 2:2 14:1 " OFFSET(
         "1") "}}} 1:{4:'Constant' 2:'b' 5:{1:'value' 20:4 5:{1:2 2:2 "
              "14:1 " OFFSET("2") "}}} ",
     "|a|Constant|external|uint8|+[2]|\n|b|Constant|external|uint8|+[2]|\n",
     "\1\2",
     2},
    {"8.39: value of ConstantOfShape",
     "model/m.onnx",
     "1:{4:'ConstantOfShape' 1:'s' 2:'f' 5:{1:'value' 20:4 "
     "5:{1:1 2:2 14:1 " OFFSET(
         "9") "}}} "
              "1:{4:'Constant' 2:'s' 5:{1:'value_ints' 20:7 8:3}}",
     "|f|ConstantOfShape|fill|uint8|+[3]|\n"
     "|s|Constant|attribute|int64|+[1]|\n",
     "\x9\x9\x9",
     3},
    {"no elements in a file that is too short",
     "model/m.onnx",
     "5:{1:0 2:1 14:1 8:'t' " AT("empty.bin") "}",
     "|t|initializer|external|float|+[0]|\n",
     "",
     0},
    {"no elements in a file that is missing",
     "model/m.onnx",
     "5:{1:0 2:1 14:1 8:'t' " AT("none.bin") "}",
     "|t|initializer|||!|location \"none.bin\" cannot be opened: No such file "
     "or directory\n",
     NULL,
     0},
    {"no elements behind the end",
     "model/m.onnx",
     "5:{1:0 2:1 14:1 8:'t' " OFFSET("17") "}",
     "|t|initializer|||!|location \"w.bin\" has 16 bytes; 0 from offset 17 on "
     "end behind them\n",
     NULL,
     0},
    {"strings are never external",
     "model/m.onnx",
     "5:{1:1 2:8 14:1 8:'t' " AT("w.bin") "}",
     "|t|initializer|||!|data are external; string takes string_data\n",
     NULL,
     0},
    {"8.17: bytes of bool",
     "model/m.onnx",
     "5:{1:4 2:9 14:1 8:'t' " AT("w.bin") "}",
     "|t|initializer|||!|external data byte 2 is 2; bytes of bool must be 0 "
     "or 1\n",
     NULL,
     0},
    {"bytes of bool that are right",
     "model/m.onnx",
     "5:{1:2 2:9 14:1 8:'t' " AT("w.bin") "}",
     "|t|initializer|external|bool|+[2]|\n",
     "\0\1",
     2},
    {"values of a sparse initializer in a missing file",
     "model/m.onnx",
     "15:{1:{1:1 2:2 14:1 8:'t' " AT("none.bin") "} 2:{1:1 2:7 7:1} 3:2}",
     "|t|sparse_initializer|||!|values: location \"none.bin\" cannot be "
     "opened: No such file or directory\n",
     NULL,
     0},
    {"indices of a sparse initializer through a link",
     "model/m.onnx",
     "15:{1:{1:1 2:2 9:x07 8:'t'} 2:{1:1 2:7 14:1 " AT("parent/w.bin") "} 3:2}",
     "|t|sparse_initializer|||!|indices: location \"parent/w.bin\"" PASSES "\n",
     NULL,
     0},
    {"a shape input",
     "model/m.onnx",
     "5:{1:1 2:7 14:1 8:'t' " AT(
         "sub/w.bin") "} "
                      "1:{4:'ConstantOfShape' 1:'t' 2:'f'}",
     "|t|initializer|external|int64|+[1]|\n"
     "|f|ConstantOfShape|fill|float|+[506097522914230528]|\n",
     "\0\1\2\3\4\5\6\7",
     8},
    {"a shape input in a missing file",
     "model/m.onnx",
     "5:{1:1 2:7 14:1 8:'t' " AT(
         "none.bin") "} "
                     "1:{4:'ConstantOfShape' 1:'t' 2:'f'}",
     "|t|initializer|||!|location \"none.bin\" cannot be opened: No such file "
     "or directory\n"
     "|f|ConstantOfShape|fill|float|!|shape of \"f\" is wrong: constant \"t\", "
     "which has no value: location \"none.bin\" cannot be opened: No such file "
     "or "
     "directory\n",
     NULL,
     0},
};

static void check_bytes(const clconst_model *model, const graph_row *row)
{
    clconst_resolution *resolution;
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    uint8_t bytes[18];
    memset(bytes, 0xa5, sizeof(bytes));
    ck_assert_ok(clconst_resolution_create(model, NULL, &resolution, error));
    ck_assert_ok(
        clconst_resolution_get_constant(resolution, 0, &resolved, error));
    ck_assert_ok(
        clconst_write(NULL, resolved.plan, bytes + 1, row->size, error));
    harness_assert_bytes(bytes + 1, row->bytes, row->size, row->fact);
    ck_assert(bytes[0] == 0xa5 && bytes[row->size + 1] == 0xa5);
    clconst_resolution_destroy(resolution);
}

START_TEST(external_tensors_are_read_wherever_tensors_are)
{
    const graph_row *row = &graph_rows[_i];
    listing_text list;
    folder_enter();
    folder_list(row->path, row->graph, false, &list);
    ck_assert_str_eq(list.text, row->expected);
    if (row->bytes != NULL) {
        clconst_model *model;
        folder_write_model(row->path, row->graph);
        ck_assert_ok(clconst_model_open(row->path, NULL, &model, error));
        ck_assert_int_eq(unlink(row->path), 0);
        check_bytes(model, row);
        clconst_model_destroy(model);
    }
    folder_leave();
}
END_TEST

/* 8.25: the base is the folder of the path as given. */
START_TEST(a_model_that_is_a_link_has_the_folder_of_the_link)
{
    clconst_model *model;
    listing_text list;
    folder_enter();
    folder_write_model("m.onnx", "5:{1:1 2:2 14:1 8:'t' " AT("w.bin") "}");
    ck_assert_int_eq(symlink("../m.onnx", "model/link.onnx"), 0);
    ck_assert_ok(clconst_model_open("model/link.onnx", NULL, &model, error));
    listing_make_of(&list, model, NULL);
    ck_assert_str_eq(list.text, "|t|initializer|external|uint8|+[1]|\n");
    clconst_model_destroy(model);
    folder_leave();
}
END_TEST

Suite *onnx_external_suite(void)
{
    Suite *suite = suite_create("onnx external");
    TCase *tcase = tcase_create("external");
    tcase_add_loop_test(tcase,
                        external_tensors_are_read_wherever_tensors_are,
                        0,
                        sizeof(graph_rows) / sizeof(graph_rows[0]));
    tcase_add_test(tcase, a_model_that_is_a_link_has_the_folder_of_the_link);
    suite_add_tcase(suite, tcase);
    return suite;
}
