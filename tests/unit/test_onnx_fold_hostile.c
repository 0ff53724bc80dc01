/*
 * Models made to cost time, memory or stack when they are evaluated. Each is
 * resolved within the memory that is promised, and what is too much has a
 * reason. What a hang would be is for the timeout of the test to see.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/hostile_model.h"
#include "unit/onnx_suites.h"

#define SCALAR(name, value) "5:{2:7 7:" value " 8:'" name "'} "
#define YES(name)           "5:{2:9 5:1 8:'" name "'} "
#define LIST(name, dims, values)                                               \
    "5:{1:" dims " 2:7 7:[" values "] 8:'" name "'} "
#define AXIS_0 "5:{1:'axis' 20:2 3:0} "

static proto_buffer graph_of(const char *text)
{
    proto_buffer graph = {NULL, 0, 0};
    proto_append(&graph, "%s", text);
    return graph;
}

/* --------------------------- one model, one reason ------------------------ */

typedef struct hostile_row {
    const char *fact;
    const char *graph;
    const char *reason; /* NULL for a plan */
} hostile_row;

#define LOOP(trips, body) "1:{4:'Loop' 1:'" trips "' 1:'' " body "} "
#define BODY(nodes)                                                            \
    "5:{1:'body' 20:5 6:{11:{1:'i'} 11:{1:'c'} 11:{1:'v'} " nodes "}} "

static const hostile_row rows[] = {
    {"a fill of many elements",
     LIST("s", "2", "1048576 1048576") "1:{4:'ConstantOfShape' 1:'s' 2:'f'} "
                                       "1:{4:'Neg' 1:'f' 2:'y'} 12:{1:'y'}",
     "output \"y\" needs the value of a ConstantOfShape that is too large"},
    {"a fill whose count no integer holds",
     LIST("s", "3", "4294967296 4294967296 2") "1:{4:'ConstantOfShape' 1:'s' "
                                               "2:'f'} 1:{4:'Neg' 1:'f' "
                                               "2:'y'} 12:{1:'y'}",
     "output \"y\" needs the value of a ConstantOfShape that is too large"},
    {"Expand to many elements",
     SCALAR("x", "1")
         LIST("s", "2", "1048576 1048576") "1:{4:'Expand' 1:'x' 1:'s' 2:'y'} "
                                           "12:{1:'y'}",
     "output \"y\" needs node of \"y\" (Expand), whose result is too large"},
    {"Tile to many elements",
     LIST("x", "1", "1") LIST(
         "s", "1", "1099511627776") "1:{4:'Tile' 1:'x' 1:'s' 2:'y'} 12:{1:'y'}",
     "output \"y\" needs node of \"y\" (Tile), whose result is too large"},
    {"Range of many elements",
     SCALAR("a", "0") SCALAR("b", "1099511627776")
         SCALAR("d", "1") "1:{4:'Range' 1:'a' 1:'b' 1:'d' 2:'y'} 12:{1:'y'}",
     "output \"y\" needs node of \"y\" (Range), whose result is too large"},
    {"a condition of If that is a list",
     LIST("b", "2", "1 1") SCALAR(
         "x", "3") "1:{4:'If' 1:'b' 2:'y' 5:{1:'then_branch' 20:5 "
                   "6:{12:{1:'x'}}} 5:{1:'else_branch' 20:5 6:{12:{1:'b'}}}} "
                   "12:{1:'y'}",
     "output \"y\" is wrong: the condition of an If is one bool"},
    {"axes that are not known, of dims that are all 1",
     "11:{1:'a' 2:{1:{1:7 2:{1:{1:1}}}}} " LIST(
         "x", "1", "3") "1:{4:'ReduceProd' 1:'x' 1:'a' 2:'y'} 12:{1:'y'}",
     NULL},
    {"a fill of a shape that is known in part",
     "11:{1:'x' 2:{1:{1:1 2:{1:{2:'n'} 1:{1:3}}}}} 1:{4:'Shape' 1:'x' 2:'s'} "
     "1:{4:'ConstantOfShape' 1:'s' 2:'f'} 1:{4:'Identity' 1:'f' 2:'y'} "
     "12:{1:'y'}",
     "output \"y\" needs dim 0 (\"n\") of \"x\""},
    {"a value that its operator refuses, as a shape",
     LIST("x", "2", "9223372036854775807 1") LIST(
         "z", "1", "1") "1:{4:'Add' 1:'x' 1:'z' 2:'s'} 1:{4:'ConstantOfShape' "
                        "1:'s' 2:'f'} 1:{4:'Identity' 1:'f' 2:'y'} 12:{1:'y'}",
     "output \"y\" is wrong: node of \"s\" (Add): element 0 overflows"},
    {"a loop whose carried value doubles",
     SCALAR("t", "1000") LIST("x", "1", "1")
         LOOP("t",
              "1:'x' 2:'y' " BODY("1:{4:'Concat' 1:'v' 1:'v' 2:'w' " AXIS_0
                                  "} 12:{1:'c'} 12:{1:'w'}")) "12:{1:'y'}",
     "output \"y\" needs what the loop of \"y\" changes from turn to turn"},
    {"a loop that adds up to more than is held",
     SCALAR("t", "1000000") LIST("x", "1", "1") LOOP(
         "t",
         "1:'x' 2:'' 2:'y' " BODY("12:{1:'c'} 12:{1:'v'} 12:{1:'v'}")) "12:{1:"
                                                                       "'y'}",
     "output \"y\" needs "},
    {"loops in loops",
     SCALAR("t", "1000000") LIST("x", "1", "1")
         LOOP("t",
              "1:'x' 2:'y' " BODY(LOOP(
                  "t",
                  "1:'v' 2:'p' " BODY(
                      LOOP("t",
                           "1:'v' 2:'q' " BODY(
                               "1:{4:'Neg' 1:'v' 2:'w'} 12:{1:'c'} "
                               "12:{1:'w'}")) "12:{1:'c'} "
                                              "12:{1:'q'}")) "12:{1:"
                                                             "'c'} "
                                                             "12:{1:"
                                                             "'p'"
                                                             "}")) "12:{1:'y'}",
     "output \"y\" needs "},
    {"a loop's body that depends on the loop",
     SCALAR("t", "5") LIST("x", "1", "1") LOOP(
         "t",
         "1:'x' 2:'y' " BODY("1:{4:'Add' 1:'v' 1:'y' 2:'w'} 12:{1:'c'} "
                             "12:{1:'w'}")) "12:{1:'y'}",
     "output \"y\" is wrong: \"y\" depends on itself"},
    {"a value_info whose type ends too early",
     "11:{1:'x' 2:{1:{1:7 2:{1:{2:'n'}}}}} 1:{4:'Neg' 1:'x' 2:'p'} 13:{1:'p' "
     "2:x0a05} 1:{4:'Neg' 1:'p' 2:'y'} 12:{1:'y'}",
     "output \"y\" is wrong: "},
    {"an attribute whose list ends too early",
     LIST("x", "1", "1") "1:{4:'Transpose' 1:'x' 2:'y' 5:{1:'perm' 20:7 "
                         "8:x80}} 12:{1:'y'}",
     "output \"y\" is wrong: "},
    {"a Scan whose count of inputs has a list that ends too early",
     LIST("x",
          "1",
          "1") "1:{4:'Scan' 1:'x' 2:'y' 5:{1:'num_scan_inputs' 20:2 "
               "3:1 8:x80} 5:{1:'body' 20:5 6:{12:{1:'x'}}}} 12:{1:'y'}",
     "output \"y\" is wrong: "},
    {"a Scan in a loop",
     SCALAR("t", "1000000") LIST("x", "3", "1 2 3") LOOP(
         "t",
         "1:'x' 2:'y' " BODY("1:{4:'Scan' 1:'v' 1:'x' 2:'p' 2:'q' "
                             "5:{1:'num_scan_inputs' 20:2 "
                             "3:1} 5:{1:'body' 20:5 6:{11:{1:'a'} 11:{1:'b'} "
                             "1:{4:'Neg' "
                             "1:'a' 2:'z'} 12:{1:'z'} 12:{1:'b'}}}} 12:{1:'c'} "
                             "12:{1:'p'}")) "12:{1:'y'}",
     "output \"y\" needs "},
};

START_TEST(rows_are_judged)
{
    const hostile_row *row = &rows[_i];
    proto_buffer graph = graph_of(row->graph);
    hostile_check_output(&graph, NULL, row->reason);
}
END_TEST

/* ------------------------------ many of a thing --------------------------- */

START_TEST(calls_that_double_end)
{
    proto_buffer functions = {NULL, 0, 0};
    for (int i = 0; i < 40; i++) {
        proto_append(&functions,
                     "25:{1:'F%d' 10:'own' 9:{2:18} 9:{1:'own' 2:1} 4:'a' "
                     "5:'r' 7:{4:'F%d' 7:'own' 1:'a' 2:'p'} 7:{4:'F%d' 7:'own' "
                     "1:'p' 2:'q'} 7:{4:'Concat' 1:'p' 1:'q' 2:'r' " AXIS_0
                     "}}",
                     i,
                     i + 1,
                     i + 1);
    }
    proto_append(&functions,
                 "25:{1:'F40' 10:'own' 9:{2:18} 4:'a' 5:'r' 7:{4:'Neg' 1:'a' "
                 "2:'r'}}");
    proto_buffer graph = graph_of(
        LIST("x", "1", "1") "1:{4:'F0' 7:'own' 1:'x' 2:'y'} 12:{1:'y'}");
    hostile_check_output(&graph, &functions, "output \"y\" needs ");
}
END_TEST

/* A call in whose function a node lists the input many times. */
START_TEST(a_chain_of_calls_with_many_inputs_ends)
{
    proto_buffer functions = {NULL, 0, 0};
    proto_buffer node = {NULL, 0, 0};
    proto_append(&functions, "1:'F' 10:'own' 9:{2:18} 4:'a' 5:'r'");
    for (int i = 0; i < 10000; i++) {
        proto_append(&node, "1:'a'");
    }
    proto_append(&node, "4:'Sum' 2:'r'");
    proto_append_bytes(&functions, 7, node.bytes, node.size);
    proto_buffer whole = {NULL, 0, 0};
    proto_append_bytes(&whole, 25, functions.bytes, functions.size);
    proto_free(&functions);
    proto_free(&node);
    proto_buffer graph = graph_of("11:{1:'v0'} ");
    for (int i = 0; i < 20000; i++) {
        proto_append(&graph, "1:{4:'F' 7:'own' 1:'v%d' 2:'v%d'}", i, i + 1);
    }
    proto_append(&graph, "12:{1:'v20000'}");
    hostile_check_output(
        &graph, &whole, "more memory than an evaluation may use");
}
END_TEST

START_TEST(a_vector_that_doubles_ends)
{
    proto_buffer graph = graph_of(LIST("v0", "1", "1"));
    for (int i = 0; i < 60; i++) {
        proto_append(&graph,
                     "1:{4:'Concat' 1:'v%d' 1:'v%d' 2:'v%d' " AXIS_0 "}",
                     i,
                     i,
                     i + 1);
    }
    proto_append(&graph, "12:{1:'v60'}");
    hostile_check_output(&graph, NULL, "output \"v60\" needs ");
}
END_TEST

/* Puts an If around the graph in the block, in a graph that uses a name from
 * outside. */
static void surround(uint8_t *block, size_t *start, size_t size)
{
    proto_buffer body = {NULL, 0, 0};
    proto_append(&body, "20:5 1:'then_branch'");
    proto_append_header(&body, 6, size - *start);
    hostile_prepend(block, start, &body);
    proto_buffer node = {NULL, 0, 0};
    proto_append(&node,
                 "4:'If' 1:'b' 2:'z' 5:{1:'else_branch' 20:5 6:{12:{1:'x'}}}");
    proto_append_header(&node, 5, size - *start);
    hostile_prepend(block, start, &node);
    proto_buffer graph = {NULL, 0, 0};
    proto_append(&graph, "1:{4:'Add' 1:'z' 1:'x' 2:'y'} 12:{1:'y'}");
    proto_append_header(&graph, 1, size - *start);
    hostile_prepend(block, start, &graph);
}

/* Built from the inside out, so that the size and not its square is written. */
START_TEST(branches_of_any_depth_end)
{
    enum { DEPTH = 10000, LEVEL_SIZE = 160 };
    size_t size = (size_t)(DEPTH + 2) * LEVEL_SIZE;
    uint8_t *block = calloc(1, size);
    ck_assert_ptr_nonnull(block);
    size_t start = size;
    proto_buffer graph = graph_of("1:{4:'Neg' 1:'x' 2:'y'} 12:{1:'y'}");
    hostile_prepend(block, &start, &graph);
    for (size_t i = 0; i < DEPTH; i++) {
        surround(block, &start, size);
    }
    graph = graph_of(SCALAR("x", "1") YES("b"));
    hostile_prepend(block, &start, &graph);
    memmove(block, block + start, size - start);
    proto_buffer whole = {block, size - start, size};
    hostile_check_output(&whole, NULL, "output \"y\" needs ");
}
END_TEST

/* So many fills of what one long chain makes. */
START_TEST(many_fills_of_a_chain_share_it)
{
    proto_buffer graph = graph_of("11:{1:'v0' 2:{1:{1:7 2:{1:{1:2}}}}} ");
    for (int i = 0; i < 20000; i++) {
        proto_append(&graph,
                     "1:{4:'Neg' 1:'v%d' 2:'v%d'} 1:{4:'ConstantOfShape' "
                     "1:'v20000' 2:'f%d'}",
                     i,
                     i + 1,
                     i);
    }
    proto_append(&graph, "12:{1:'v20000'}");
    hostile_check_output(
        &graph, NULL, "output \"v20000\" needs the value of \"v0\"");
}
END_TEST

START_TEST(a_node_may_list_an_input_a_million_times)
{
    proto_buffer node = {NULL, 0, 0};
    for (int i = 0; i < 1000000; i++) {
        proto_append_bytes(&node, 1, "p", 1);
    }
    proto_append(&node, "4:'Max' 2:'y'");
    proto_buffer graph =
        graph_of(LIST("x", "1", "1") "1:{4:'Neg' 1:'x' 2:'p'} 12:{1:'y'}");
    proto_append_bytes(&graph, 1, node.bytes, node.size);
    proto_free(&node);
    hostile_check_output(
        &graph,
        NULL,
        "output \"y\" needs node of \"y\" (Max): more memory than "
        "an evaluation may use");
}
END_TEST

START_TEST(a_hundred_thousand_nodes_may_use_a_name)
{
    proto_buffer graph = graph_of("11:{1:'x' 2:{1:{1:7 2:{1:{2:'n'}}}}} ");
    for (int i = 0; i < 100000; i++) {
        proto_append(&graph, "1:{4:'Neg' 1:'x' 2:'v%d'} 12:{1:'v%d'}", i, i);
    }
    hostile_check_output(&graph, NULL, "output \"v0\" needs ");
}
END_TEST

/* Each part has as many dims as a rank may be. */
START_TEST(parts_of_many_dims_are_too_much)
{
    proto_buffer node = {NULL, 0, 0};
    proto_buffer dims = {NULL, 0, 0};
    for (int i = 0; i < 1024; i++) {
        proto_append(&dims, "1:{2:'n'}");
    }
    proto_append(&node,
                 "1:'x' 4:'Split' 2:'y' 5:{1:'num_outputs' 20:2 3:100001}");
    for (int i = 0; i < 100000; i++) {
        proto_append_bytes(&node, 2, NULL, 0);
    }
    proto_buffer tensor = {NULL, 0, 0};
    proto_buffer type = {NULL, 0, 0};
    proto_buffer input = {NULL, 0, 0};
    proto_append(&tensor, "1:1");
    proto_append_bytes(&tensor, 2, dims.bytes, dims.size);
    proto_append_bytes(&type, 1, tensor.bytes, tensor.size);
    proto_append(&input, "1:'x'");
    proto_append_bytes(&input, 2, type.bytes, type.size);
    proto_buffer graph = graph_of("12:{1:'y'} ");
    proto_append_bytes(&graph, 11, input.bytes, input.size);
    proto_append_bytes(&graph, 1, node.bytes, node.size);
    proto_free(&node);
    proto_free(&dims);
    proto_free(&tensor);
    proto_free(&type);
    proto_free(&input);
    hostile_check_output(
        &graph,
        NULL,
        "output \"y\" needs node of \"y\" (Split): more memory than "
        "an evaluation may use");
}
END_TEST

/* A large value that is an output time and again. */
START_TEST(outputs_share_a_value)
{
    proto_buffer graph = graph_of(
        LIST("s", "1", "4194304") "1:{4:'ConstantOfShape' 1:'s' 2:'f'} "
                                  "1:{4:'Neg' 1:'f' 2:'y'}");
    for (int i = 0; i < 1000; i++) {
        proto_append(&graph, "12:{1:'y'}");
    }
    hostile_check_output(&graph, NULL, NULL);
}
END_TEST

/* Of few bytes each, and many elements. */
START_TEST(sparse_constants_are_too_much)
{
    proto_buffer graph = {NULL, 0, 0};
    for (int i = 0; i < 100; i++) {
        proto_append(&graph,
                     "15:{1:{1:1 2:7 7:5 8:'c%d'} 2:{1:1 2:7 7:0} 3:4194304} "
                     "1:{4:'Neg' 1:'c%d' 2:'v%d'}",
                     99 - i,
                     99 - i,
                     99 - i);
    }
    for (int i = 0; i < 100; i++) {
        proto_append(&graph, "12:{1:'v%d'}", 99 - i);
    }
    hostile_check_output(&graph, NULL, NULL);
}
END_TEST

Suite *onnx_fold_hostile_suite(void)
{
    Suite *suite = suite_create("onnx fold hostile");
    TCase *tcase = tcase_create("hostile");
    tcase_add_loop_test(
        tcase, rows_are_judged, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tcase, calls_that_double_end);
    tcase_add_test(tcase, a_chain_of_calls_with_many_inputs_ends);
    tcase_add_test(tcase, a_vector_that_doubles_ends);
    tcase_add_test(tcase, branches_of_any_depth_end);
    tcase_add_test(tcase, many_fills_of_a_chain_share_it);
    tcase_add_test(tcase, a_node_may_list_an_input_a_million_times);
    tcase_add_test(tcase, a_hundred_thousand_nodes_may_use_a_name);
    tcase_add_test(tcase, parts_of_many_dims_are_too_much);
    tcase_add_test(tcase, outputs_share_a_value);
    tcase_add_test(tcase, sparse_constants_are_too_much);
    suite_add_tcase(suite, tcase);
    return suite;
}
