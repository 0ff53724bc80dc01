/*
 * Tables of nodes and of what each comes to in each mode.
 */
#ifndef CLCONST_TESTS_UNIT_ONNX_NODE_ROWS_H
#define CLCONST_TESTS_UNIT_ONNX_NODE_ROWS_H

#include <clconst/clconst_model.h>

/*
 * What a node comes to. bytes is the value's dense form, of this dtype and
 * shape. A node that is legal with a note of this code is refused by STRICT;
 * one that is refused with CLCONST_NOTE_LENIENT is accepted by LENIENT. The
 * message is the same either way.
 */
typedef struct node_row {
    const char *rule;
    int64_t opset;
    const char *node;
    clconst_status status;
    int note;
    const char *message;
    clconst_dtype dtype;
    size_t rank;
    int64_t dim;
    const char *bytes;
} node_row;

#define LEGAL(rule, opset, node, dtype, rank, dim, bytes)                      \
    {                                                                          \
        rule, opset, node, CLCONST_OK, 0, NULL, CLCONST_##dtype, rank, dim,    \
            bytes                                                              \
    }
#define NOTED(rule, opset, node, note, message, dtype, rank, dim, bytes)       \
    {                                                                          \
        rule, opset, node, CLCONST_OK, CLCONST_NOTE_##note, message,           \
            CLCONST_##dtype, rank, dim, bytes                                  \
    }
#define TOLERATED(rule, opset, node, message, dtype, rank, dim, bytes)         \
    {                                                                          \
        rule, opset, node, CLCONST_INVALID_MODEL, CLCONST_NOTE_LENIENT,        \
            message, CLCONST_##dtype, rank, dim, bytes                         \
    }
#define FAILS(rule, opset, node, status, message)                              \
    {                                                                          \
        rule, opset, node, CLCONST_##status, 0, message, CLCONST_UNDEFINED, 0, \
            0, NULL                                                            \
    }
#define REFUSED(rule, opset, node, message)                                    \
    FAILS(rule, opset, node, INVALID_MODEL, message)

#define CONSTANT(attributes) "4:'Constant' 2:'y' " attributes
#define FILL(attributes)     "4:'ConstantOfShape' 1:'s' 2:'y' " attributes
#define VALUE(tensor)        "5:{1:'value' 20:4 5:{" tensor "}} "
#define FLOAT_ONE            VALUE("1:1 2:1 4:f1")
#define INT_SEVEN            "5:{1:'value_int' 20:2 3:7} "

/* Decodes the row's node in each mode and fails where it comes to anything
 * else. */
void check_node_row(const node_row *row);

#endif
