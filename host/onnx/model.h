/*
 * The model: an index of what the file's bytes define. Everything is built
 * once, by index.c, and never changes.
 */
#ifndef CLCONST_ONNX_MODEL_H
#define CLCONST_ONNX_MODEL_H

#include "base/refs.h"
#include "base/storage.h"
#include "onnx/content.h"
#include "onnx/declaration.h"
#include "onnx/functions.h"

/*
 * A node, and what it is wired to. Its values, in the model's links, are its
 * inputs and then its outputs; one without a name is CLCONST__NONE. function is
 * the one that it calls, 0 for none. first_body is a graph in its
 * attributes, the last of them.
 */
typedef struct clconst__model_node {
    clconst__span bytes;
    size_t graph;
    size_t function;
    size_t first_link;
    size_t input_count;
    size_t output_count;
    size_t body_count;
    size_t first_body;
} clconst__model_node;

/*
 * A graph: the main one, a body of a node, a function, or the instance of one
 * of those for a call. node, which has the body in its attribute, is an index
 * into the model's nodes, position is the body's place in a list of graphs, and
 * next_body the one before it in the same node. source is the graph that an
 * instance repeats, with its values and nodes, for the call that chain leads
 * to. They are CLCONST__NONE where they do not apply. first_node is the index
 * of the graph's own first node. The inputs are links from first_input on, the
 * outputs from first_link on.
 */
typedef struct clconst__graph {
    size_t parent;
    size_t node;
    clconst__span attribute;
    size_t position;
    size_t next_body;
    size_t source;
    size_t chain;
    size_t function;
    size_t first_node;
    size_t first_input;
    size_t input_count;
    size_t first_link;
    size_t output_count;
    bool has_scope;
    clconst__span scope; /* on the heap */
} clconst__graph;

/*
 * A call of a function from the node of a graph that is itself in the function
 * of another call, or in the main graph, where caller is CLCONST__NONE.
 */
typedef struct clconst__chain {
    size_t caller;
    size_t graph;
    size_t node;
} clconst__chain;

typedef enum clconst__value_kind {
    CLCONST__INPUT,          /* index of a graph input's declaration */
    CLCONST__FUNCTION_INPUT, /* index among the function's inputs */
    CLCONST__CONSTANT,       /* index of a constant */
    CLCONST__NODE_OUTPUT,    /* index of a node */
    CLCONST__NOWHERE,        /* a name that is used, but defined by nothing */
} clconst__value_kind;

/*
 * What a name of a graph stands for. default_constant is an input's
 * initializer.
 * information is the graph's ValueInfoProto of that name, if there is one.
 * depends_on_call says that each call of the function it is in decides it.
 */
typedef struct clconst__value {
    clconst__span name;
    clconst__value_kind kind;
    bool is_duplicate;
    bool depends_on_call;
    size_t graph;
    size_t index;
    size_t default_constant;
    clconst__span information;
} clconst__value;

/*
 * A constant of the listing. status is CLCONST_OK when content has an
 * operator; else native_code goes with it, as in clconst_error, and reason, on
 * the heap, says why. shape is the value of a
 * ConstantOfShape's input. function is the one that it is in, 0 for none;
 * depends_on_call says that each call of that has its own value or shape.
 */
typedef struct clconst__constant {
    clconst__span name;
    size_t graph;
    size_t node;
    const char *op_type;
    clconst__content content;
    clconst_status status;
    int32_t native_code;
    char *reason;
    size_t shape;
    size_t function;
    bool depends_on_call;
} clconst__constant;

/* An output of the main graph. */
typedef struct clconst__model_output {
    clconst__declaration declaration;
    size_t value;
} clconst__model_output;

struct clconst_model {
    clconst__refs refs;
    clconst__storage *storage; /* NULL when the caller owns the bytes */
    int64_t ir_version;
    int64_t opset;
    clconst_strictness strictness;
    uint64_t steps_max; /* of each resolution */
    clconst__model_node *nodes;
    size_t node_count;
    size_t node_capacity;
    size_t *links; /* values of nodes and graphs */
    size_t link_count;
    size_t link_capacity;
    clconst__functions functions;
    clconst__chain *chains;
    size_t chain_count;
    size_t chain_capacity;
    clconst__graph *graphs;
    size_t graph_count;
    size_t graph_capacity;
    clconst__value *values;
    size_t value_count;
    size_t value_capacity;
    /* Behind the listing's are unlisted ones, which instances stand for. */
    clconst__constant *constants;
    size_t constant_count;
    size_t unlisted_count;
    size_t constant_capacity;
    /* Of all graphs; those of the main graph are the first input_count. */
    clconst__declaration *inputs;
    size_t all_input_count;
    size_t input_capacity;
    size_t input_count;
    clconst__model_output *outputs;
    size_t output_count;
    size_t output_capacity;
    size_t foreign_node_count;
};

/* The main graph's index; it is the first that is visited. */
enum { CLCONST__MAIN_GRAPH = 0 };

/* INVALID_ARGUMENT, with their names, where one of the two is NULL. */
clconst_status clconst__both_check(const void *object,
                                   const void *output,
                                   const char *names,
                                   clconst_error *error);

/* INVALID_ARGUMENT for an index that is not below the model's count of what. */
clconst_status clconst__index_check(size_t index,
                                    size_t count,
                                    const char *what,
                                    clconst_error *error);

/* One more reference, given back with clconst_model_destroy. */
clconst_model *clconst__model_retain(const clconst_model *model);

#endif
