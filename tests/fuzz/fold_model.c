#include "fuzz/fold_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/fold_value.h"
#include "onnx/fold/operators.h"

enum { NAMES_MAX = 128, DEPTH_MAX = 3, FUNCTIONS_MAX = 3 };

typedef char value_name[16];

/* The names that are visible where the next node goes. */
typedef struct maker {
    fuzz_input *input;
    value_name names[NAMES_MAX];
    size_t count;
    unsigned next;
    unsigned depth;
    unsigned first_callee; /* functions from here on may be called */
    unsigned function_count;
} maker;

static const char *define(maker *own)
{
    size_t index = own->count < NAMES_MAX ? own->count++ : NAMES_MAX - 1;
    snprintf(own->names[index], sizeof(value_name), "v%u", own->next++);
    return own->names[index];
}

/* A name, of the later ones above all; seldom none, or one of nothing. */
static const char *pick(maker *own)
{
    uint8_t choice = fuzz_take(own->input);
    if (choice >= 252 || own->count == 0) {
        return choice == 252 ? "nowhere" : "";
    }
    return own->names[own->count - 1 - choice % own->count];
}

static void put_constant(maker *own, proto_buffer *graph)
{
    proto_buffer tensor = {NULL, 0, 0};
    proto_buffer attribute = {NULL, 0, 0};
    proto_buffer node = {NULL, 0, 0};
    fold_put_tensor(own->input, &tensor);
    proto_append(&attribute, "1:'value' 20:4");
    proto_append_bytes(&attribute, 5, tensor.bytes, tensor.size);
    proto_append(&node, "4:'Constant' 2:'%s'", define(own));
    proto_append_bytes(&node, 5, attribute.bytes, attribute.size);
    proto_append_bytes(graph, 1, node.bytes, node.size);
    proto_free(&tensor);
    proto_free(&attribute);
    proto_free(&node);
}

/* An operator with its inputs, or a ConstantOfShape or Identity. */
static void put_operator(maker *own, proto_buffer *graph)
{
    size_t family = 0;
    size_t count = 0;
    while (clconst__operator_families[family] != NULL) {
        family++;
    }
    const clconst__operator *found =
        clconst__operator_families[fuzz_take(own->input) % family];
    while (found[count].op_type != NULL) {
        count++;
    }
    found += fuzz_take(own->input) % count;
    uint8_t shape = fuzz_take(own->input);
    unsigned input_count = found->input_min + shape % 4U;
    unsigned output_count = shape >= 224 ? 3 : shape >= 192 ? 2 : 1;
    proto_buffer node = {NULL, 0, 0};
    proto_append(&node, "4:'%s'", found->op_type);
    for (unsigned i = 0; i < input_count; i++) {
        proto_append(&node, "1:'%s'", pick(own));
    }
    for (unsigned i = 0; i < output_count; i++) {
        proto_append(&node, "2:'%s'", define(own));
    }
    for (unsigned i = shape / 4U % 4U; i > 0; i--) {
        fold_put_attribute(own->input, &node);
    }
    proto_append_bytes(graph, 1, node.bytes, node.size);
    proto_free(&node);
}

static void put_fill(maker *own, proto_buffer *graph)
{
    const char *shape = pick(own);
    proto_append(
        graph, "1:{4:'ConstantOfShape' 1:'%s' 2:'%s'}", shape, define(own));
}

static void put_call(maker *own, proto_buffer *graph)
{
    unsigned count = own->function_count - own->first_callee;
    if (own->first_callee >= own->function_count) {
        put_fill(own, graph);
        return;
    }
    unsigned callee = own->first_callee + fuzz_take(own->input) % count;
    const char *inputs[2] = {pick(own), pick(own)};
    proto_append(graph,
                 "1:{7:'f' 4:'F%u' 1:'%s' 1:'%s' 2:'v%u' 2:'%s' "
                 "5:{1:'k' 20:2 3:%" PRId64 "}}",
                 callee,
                 inputs[0],
                 inputs[1],
                 own->next + 1000000,
                 define(own),
                 fold_take_number(own->input));
}

static void put_nodes(maker *own, proto_buffer *graph, unsigned count);

/* Appends a body to a node. first: its inputs, which see nothing else. */
static void put_body(maker *own,
                     proto_buffer *node,
                     const char *attribute,
                     unsigned input_count,
                     unsigned output_count)
{
    size_t outer = own->count;
    proto_buffer body = {NULL, 0, 0};
    proto_buffer wrapped = {NULL, 0, 0};
    for (unsigned i = 0; i < input_count; i++) {
        proto_append(&body, "11:{1:'%s'}", define(own));
    }
    own->depth++;
    put_nodes(own, &body, 1 + fuzz_take(own->input) % 4U);
    own->depth--;
    for (unsigned i = 0; i < output_count; i++) {
        proto_append(&body, "12:{1:'%s'}", pick(own));
    }
    proto_append(&wrapped, "1:'%s' 20:5", attribute);
    proto_append_bytes(&wrapped, 6, body.bytes, body.size);
    proto_append_bytes(node, 5, wrapped.bytes, wrapped.size);
    proto_free(&wrapped);
    proto_free(&body);
    own->count = outer;
}

static void put_if(maker *own, proto_buffer *graph)
{
    proto_buffer node = {NULL, 0, 0};
    unsigned count = 1 + fuzz_take(own->input) % 2U;
    proto_append(&node, "4:'If' 1:'%s'", pick(own));
    put_body(own, &node, "then_branch", 0, count);
    put_body(own, &node, "else_branch", 0, count);
    for (unsigned i = 0; i < count; i++) {
        proto_append(&node, "2:'%s'", define(own));
    }
    proto_append_bytes(graph, 1, node.bytes, node.size);
    proto_free(&node);
}

/* A Loop, or a Scan, which has its sequences last and no condition. */
static void put_loop(maker *own, proto_buffer *graph, bool is_scan)
{
    proto_buffer node = {NULL, 0, 0};
    uint8_t shape = fuzz_take(own->input);
    unsigned carried = shape % 3U;
    unsigned sums = shape / 4U % 2U;
    unsigned inputs = carried + (is_scan ? 1 : 2);
    proto_append(&node, is_scan ? "4:'Scan'" : "4:'Loop'");
    for (unsigned i = 0; i < inputs; i++) {
        proto_append(&node, "1:'%s'", pick(own));
    }
    put_body(own, &node, "body", inputs, (is_scan ? 0U : 1U) + carried + sums);
    if (is_scan) {
        proto_append(&node, "5:{1:'num_scan_inputs' 20:2 3:1}");
    }
    for (unsigned i = 0; i < carried + sums; i++) {
        proto_append(&node, "2:'%s'", define(own));
    }
    proto_append_bytes(graph, 1, node.bytes, node.size);
    proto_free(&node);
}

static void put_nodes(maker *own, proto_buffer *graph, unsigned count)
{
    for (unsigned i = 0; i < count && own->input->size > 0; i++) {
        uint8_t kind = fuzz_take(own->input);
        bool may_nest = own->depth < DEPTH_MAX;
        if (kind < 64) {
            put_constant(own, graph);
        } else if (kind < 80) {
            put_fill(own, graph);
        } else if (kind < 96) {
            put_call(own, graph);
        } else if (kind < 112 && may_nest) {
            put_if(own, graph);
        } else if (kind < 136 && may_nest) {
            put_loop(own, graph, kind >= 128);
        } else {
            put_operator(own, graph);
        }
    }
}

/* A function of two inputs, two outputs and an attribute, which calls only
 * those behind it. */
static void put_function(maker *own, proto_buffer *model, unsigned index)
{
    proto_buffer graph = {NULL, 0, 0};
    proto_buffer function = {NULL, 0, 0};
    own->count = 0;
    own->first_callee = index + 1;
    const char *inputs[2] = {define(own), define(own)};
    proto_append(&function,
                 "1:'F%u' 10:'f' 6:'k' 9:{2:18} 9:{1:'f' 2:1} 4:'%s' 4:'%s'",
                 index,
                 inputs[0],
                 inputs[1]);
    proto_append(&function,
                 "7:{4:'Constant' 2:'%s' 5:{1:'value_int' 20:2 21:'k'}}",
                 define(own));
    put_nodes(own, &graph, 1 + fuzz_take(own->input) % 6U);
    /* The nodes of a graph have the number 1, those of a function 7. */
    for (size_t i = 0; i < graph.size;) {
        graph.bytes[i] = 7 << 3 | 2;
        size_t size = 0;
        unsigned shift = 0;
        do {
            i++;
            size |= (size_t)(graph.bytes[i] & 0x7f) << shift;
            shift += 7;
        } while ((graph.bytes[i] & 0x80) != 0);
        i += 1 + size;
    }
    proto_append(&function, "5:'%s' 5:'%s'", pick(own), pick(own));
    if (graph.size > 0) {
        size_t total = function.size + graph.size;
        uint8_t *bytes = fuzz_alloc(total);
        memcpy(bytes, function.bytes, function.size);
        memcpy(bytes + function.size, graph.bytes, graph.size);
        proto_append_bytes(model, 25, bytes, total);
        fuzz_free(bytes);
    } else {
        proto_append_bytes(model, 25, function.bytes, function.size);
    }
    proto_free(&graph);
    proto_free(&function);
}

static void put_main(maker *own, proto_buffer *model)
{
    static const char *const dims[FOLD_INPUTS] = {
        "1:{2:'m'}", "1:{2:'n'} 1:{2:'m'}", "", "1:{1:2}"};
    proto_buffer graph = {NULL, 0, 0};
    own->count = 0;
    own->first_callee = 0;
    for (unsigned i = 0; i < FOLD_INPUTS; i++) {
        snprintf(own->names[own->count++], sizeof(value_name), "x%u", i);
        proto_append(&graph, "11:{1:'x%u' 2:{1:{1:7 2:{%s}}}}", i, dims[i]);
    }
    put_nodes(own, &graph, 64);
    for (size_t i = FOLD_INPUTS; i < own->count; i++) {
        proto_append(&graph, "12:{1:'%s'}", own->names[i]);
    }
    proto_append_bytes(model, 7, graph.bytes, graph.size);
    proto_free(&graph);
}

/* What the inputs are bound to. */
static void bind(fuzz_input *input, fold_model *model)
{
    static const char *const names[FOLD_INPUTS] = {"x0", "x1", "x2", "x3"};
    uint8_t dims = fuzz_take(input);
    model->bound = fuzz_take(input) % (1U << FOLD_INPUTS);
    model->dims[0] = dims % 4;
    model->dims[1] = dims / 4 % 4;
    const clconst_shape shapes[FOLD_INPUTS] = {
        {model->shapes[0], 1},
        {model->shapes[1], 2},
        {model->shapes[2], 0},
        {model->shapes[3], 1},
    };
    model->shapes[0][0] = model->dims[0];
    model->shapes[1][0] = model->dims[1];
    model->shapes[1][1] = model->dims[0];
    model->shapes[3][0] = 2;
    for (size_t i = 0; i < FOLD_INPUTS; i++) {
        size_t count = 1;
        for (size_t j = 0; j < shapes[i].rank; j++) {
            count *= (size_t)shapes[i].dims[j];
        }
        for (size_t j = 0; j < count; j++) {
            model->data[i][j] = (int8_t)(dims >> j % 5U) % 8;
        }
        model->values[i] =
            (clconst_input_value){names[i],
                                  {CLCONST_INT64,
                                   shapes[i],
                                   model->data[i],
                                   count * sizeof(model->data[i][0])}};
    }
}

void fold_model_create(fuzz_input *input, fold_model *model)
{
    memset(model, 0, sizeof(*model));
    uint8_t head = fuzz_take(input);
    bind(input, model);
    maker own = {.input = input};
    own.function_count = head % (FUNCTIONS_MAX + 1U);
    proto_append(
        &model->bytes, "1:8 8:{2:%u} 8:{1:'f' 2:1}", 7 + head / 4U % 17U);
    for (unsigned i = 0; i < own.function_count; i++) {
        put_function(&own, &model->bytes, i);
    }
    put_main(&own, &model->bytes);
}

void fold_model_destroy(fold_model *model)
{
    proto_free(&model->bytes);
}
