/*
 * Models made to cost time, memory or stack: each is read or refused, whatever
 * its depth and counts. What a crash or a hang would be is for sanitizers and
 * the timeout of the test to see.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/hostile_model.h"
#include "unit/onnx_suites.h"

/* Takes over the graph. */
static proto_buffer model_of(proto_buffer *graph)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "1:8 8:{2:13}");
    proto_append_bytes(&buffer, 7, graph->bytes, graph->size);
    proto_free(graph);
    return buffer;
}

/* A graph around a graph, and so on to this depth, each the body of a node.
 * leaf is the innermost one; the others have what beside says. Built from the
 * inside out, so that its size and not the square of it is written. */
static proto_buffer nest(const char *leaf, const char *beside, size_t depth)
{
    size_t size = 4096 + depth * (64 + strlen(beside));
    uint8_t *block = calloc(1, size);
    ck_assert_ptr_nonnull(block);
    size_t start = size;
    proto_buffer graph = {NULL, 0, 0};
    proto_append(&graph, "%s", leaf);
    hostile_prepend(block, &start, &graph);
    for (size_t i = 0; i < depth; i++) {
        proto_buffer attribute = {NULL, 0, 0};
        proto_append(&attribute, "1:'t'");
        proto_append_header(&attribute, 6, size - start);
        hostile_prepend(block, &start, &attribute);
        proto_buffer node = {NULL, 0, 0};
        proto_append(&node, "3:'i' 4:'If'");
        proto_append_header(&node, 5, size - start);
        hostile_prepend(block, &start, &node);
        proto_append(&graph, "%s", beside);
        proto_append_header(&graph, 1, size - start);
        hostile_prepend(block, &start, &graph);
    }
    size -= start;
    memmove(block, block + start, size);
    return (proto_buffer){block, size, size};
}

static const char constant[] = "1:{4:'Constant' 2:'c' 5:{1:'value_int' 20:2}}";
static const char fill[] = "1:{4:'ConstantOfShape' 1:'s' 2:'f'}";

/* Parses and resolves, and frees the buffer. */
static clconst_status
read_model(proto_buffer *buffer, size_t *count, clconst_error *error)
{
    clconst_model *model = NULL;
    clconst_resolution *resolution = NULL;
    clconst_status status =
        clconst_model_parse(buffer->bytes, buffer->size, NULL, &model, error);
    if (status == CLCONST_OK) {
        clconst_model_info info = CLCONST_MODEL_INFO_INIT;
        clconst_model_get_info(model, &info);
        *count = info.constant_count;
        status = clconst_resolution_create(model, NULL, &resolution, error);
    }
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
    proto_free(buffer);
    return status;
}

START_TEST(a_million_empty_nodes_have_no_constant)
{
    proto_buffer graph = {NULL, 0, 0};
    for (size_t i = 0; i < 1000000; i++) {
        proto_append_bytes(&graph, 1, NULL, 0);
    }
    proto_buffer buffer = model_of(&graph);
    size_t count = 1;
    ck_assert_ok(read_model(&buffer, &count, error));
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(empty_initializers_are_listed_as_invalid)
{
    proto_buffer graph = {NULL, 0, 0};
    for (size_t i = 0; i < 100000; i++) {
        proto_append_bytes(&graph, 5, NULL, 0);
    }
    proto_buffer buffer = model_of(&graph);
    size_t count = 0;
    ck_assert_ok(read_model(&buffer, &count, error));
    ck_assert_uint_eq(count, 100000);
}
END_TEST

/* One name, defined by each output of a hundred thousand nodes. */
START_TEST(a_name_may_be_repeated_without_end)
{
    proto_buffer graph = {NULL, 0, 0};
    for (size_t i = 0; i < 100000; i++) {
        proto_append(&graph, "1:{2:'s' 2:'s'} 11:{1:'s'}");
    }
    proto_append(&graph, "%s", fill);
    proto_buffer buffer = model_of(&graph);
    size_t count = 0;
    ck_assert_ok(read_model(&buffer, &count, error));
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(ten_thousand_levels_cost_no_stack)
{
    proto_buffer graph = nest(constant, "", 10000);
    proto_buffer buffer = model_of(&graph);
    clconst_model *model;
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    clconst_constant found = CLCONST_CONSTANT_INIT;
    ck_assert_ok(clconst_model_get_constant(model, 0, &found, error));
    /* 10,000 times i.t, with a slash between. */
    ck_assert_uint_eq(found.scope.size, 39999);
    ck_assert_mem_eq(found.scope.data, "i.t/i.t/", 8);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

/* The names of each level would be repeated in the scopes of all below. */
START_TEST(scopes_of_each_of_many_levels_are_too_large)
{
    proto_buffer graph = nest("", constant, 5000);
    proto_buffer buffer = model_of(&graph);
    size_t count;
    ck_assert_fails(read_model(&buffer, &count, error),
                    CLCONST_TOO_LARGE,
                    "scopes take more than 16777216 bytes; they must not");
}
END_TEST

START_TEST(scopes_below_a_long_name_are_too_large)
{
    proto_buffer node = {NULL, 0, 0};
    proto_buffer graph = {NULL, 0, 0};
    char *name = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(name);
    memset(name, 'n', 1 << 20);
    proto_append_bytes(&node, 3, name, 1 << 20);
    for (size_t i = 0; i < 100; i++) {
        proto_append(&node, "5:{1:'t' 6:{%s}}", constant);
    }
    proto_append_bytes(&graph, 1, node.bytes, node.size);
    proto_buffer buffer = model_of(&graph);
    size_t count;
    ck_assert_fails(read_model(&buffer, &count, error),
                    CLCONST_TOO_LARGE,
                    "scopes take more than 16777216 bytes; they must not");
    proto_free(&node);
    free(name);
}
END_TEST

/* A name of the outermost graph is found from each level. */
START_TEST(outer_names_are_found_from_any_depth)
{
    proto_buffer graph = nest(fill, fill, 2000);
    proto_append(&graph, "5:{1:1 2:7 7:3 8:'s'}");
    proto_buffer buffer = model_of(&graph);
    clconst_model *model;
    clconst_resolution *resolution;
    ck_assert_ok(
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error));
    ck_assert_ok(clconst_resolution_create(model, NULL, &resolution, error));
    for (size_t i = 0; i < 2001; i++) {
        clconst_resolved resolved = CLCONST_RESOLVED_INIT;
        ck_assert_ok(
            clconst_resolution_get_constant(resolution, i, &resolved, error));
        ck_assert_int_eq(resolved.state, CLCONST_RESOLVED);
    }
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

/* Each operator takes what the next one makes, and the last what the first
 * does; the fills' shapes are in the circle, too. */
START_TEST(circles_of_any_length_end)
{
    proto_buffer graph = {NULL, 0, 0};
    for (size_t i = 0; i < 100000; i++) {
        proto_append(
            &graph, "1:{4:'Identity' 1:'n%zu' 2:'n%zu'}", (i + 1) % 100000, i);
    }
    proto_append(&graph, "1:{4:'ConstantOfShape' 1:'n7' 2:'f'}");
    proto_append(&graph, "1:{4:'ConstantOfShape' 1:'g' 2:'g'}");
    proto_append(&graph, "1:{4:'ConstantOfShape' 1:'i' 2:'h'}");
    proto_append(&graph, "1:{4:'ConstantOfShape' 1:'h' 2:'i'}");
    proto_append(&graph, "12:{1:'n9'} 12:{1:'g'} 12:{1:'h'}");
    proto_buffer buffer = model_of(&graph);
    size_t count = 0;
    ck_assert_ok(read_model(&buffer, &count, error));
    ck_assert_uint_eq(count, 4);
}
END_TEST

/* A shape that is the work of a hundred thousand operators, and one that each
 * of as many makes from the one before, twice. */
START_TEST(chains_of_operators_cost_no_stack)
{
    proto_buffer graph = {NULL, 0, 0};
    proto_append(&graph, "5:{1:1 2:7 7:3 8:'n0'} 5:{1:1 2:7 7:3 8:'m0'}");
    for (size_t i = 0; i < 100000; i++) {
        proto_append(&graph, "1:{4:'Identity' 1:'n%zu' 2:'n%zu'}", i, i + 1);
        proto_append(&graph,
                     "1:{4:'Concat' 1:'m%zu' 1:'m%zu' 2:'m%zu' "
                     "5:{1:'axis' 20:2 3:0}}",
                     i,
                     i,
                     i + 1);
    }
    proto_append(&graph, "1:{4:'ConstantOfShape' 1:'n100000' 2:'f'}");
    proto_append(&graph, "1:{4:'ConstantOfShape' 1:'m100000' 2:'g'}");
    proto_append(&graph, "12:{1:'f'} 12:{1:'m100000'}");
    proto_buffer buffer = model_of(&graph);
    size_t count = 0;
    ck_assert_ok(read_model(&buffer, &count, error));
    ck_assert_uint_eq(count, 4);
}
END_TEST

/* The marks of groups, which a reader could follow into each other. */
START_TEST(groups_in_groups_are_no_protobuf)
{
    uint8_t *marks = malloc(1 << 20);
    ck_assert_ptr_nonnull(marks);
    memset(marks, 1 << 3 | 3, 1 << 20);
    clconst_model *model = NULL;
    ck_assert_int_eq(clconst_model_parse(marks, 1 << 20, NULL, &model, NULL),
                     CLCONST_MALFORMED);
    ck_assert_ptr_null(model);
    free(marks);
}
END_TEST

/* A model with something of everything that is read. */
static proto_buffer sample(void)
{
    proto_buffer graph = {NULL, 0, 0};
    proto_append(&graph,
                 "%s %s 5:{1:2 2:7 7:[4 3] 8:'s'} 5:{1:1 2:22 5:-8 8:'p'} "
                 "5:{1:2 2:8 6:'ab' 6:'' 8:'t'} 15:{1:{1:1 2:1 4:f1 8:'z'} "
                 "2:{1:1 2:7 7:0} 3:2} 11:{1:'x' 2:{1:{1:7 2:{1:{1:2} "
                 "1:{2:'n'}}}}} 12:{1:'f'} 12:{1:'y'}",
                 constant,
                 fill);
    proto_append(&graph,
                 "1:{1:'x' 2:'y' 3:'l' 4:'Loop' 5:{1:'body' 20:5 6:{%s "
                 "1:{4:'Constant' 2:'v' 5:{1:'value' 20:4 5:{1:2 2:1 4:f1 "
                 "4:f2}}} 11:{1:'i'}}}}",
                 fill);
    proto_buffer buffer = model_of(&graph);
    proto_append(&buffer,
                 "25:{1:'F' 10:'own' 9:{2:13} 4:'a' 7:{4:'Constant' 2:'c' "
                 "5:{1:'value_float' 20:1 21:'q'}} 7:{4:'ConstantOfShape' "
                 "1:'a' 2:'f'}}");
    return buffer;
}

/* Bytes in a block of their own size, so that a sanitizer sees each read
 * behind them. */
static void read_copy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        ck_abort_msg("no memory");
    }
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    clconst_model *model = NULL;
    clconst_resolution *resolution = NULL;
    clconst_error error;
    if (clconst_model_parse(copy, size, NULL, &model, &error) == CLCONST_OK) {
        clconst_status status =
            clconst_resolution_create(model, NULL, &resolution, &error);
        if (status != CLCONST_OK) {
            ck_abort_msg("a model that was read is not resolved");
        }
    } else if (error.status < CLCONST_MALFORMED ||
               error.status > CLCONST_TOO_LARGE) {
        ck_abort_msg("status %d is no verdict on bytes", (int)error.status);
    }
    clconst_resolution_destroy(resolution);
    clconst_model_destroy(model);
    free(copy);
}

START_TEST(a_model_may_end_anywhere)
{
    proto_buffer buffer = sample();
    size_t count = 0;
    for (size_t size = 0; size <= buffer.size; size++) {
        read_copy(buffer.bytes, size);
    }
    ck_assert_ok(read_model(&buffer, &count, error));
    ck_assert_uint_eq(count, 10);
}
END_TEST

START_TEST(any_bit_may_be_the_other)
{
    proto_buffer buffer = sample();
    for (size_t i = 0; i < buffer.size; i++) {
        uint8_t original = buffer.bytes[i];
        for (unsigned bit = 1; bit < 256; bit *= 2) {
            buffer.bytes[i] = (uint8_t)(original ^ bit);
            read_copy(buffer.bytes, buffer.size);
        }
        buffer.bytes[i] = original;
    }
    proto_free(&buffer);
}
END_TEST

Suite *onnx_hostile_suite(void)
{
    Suite *suite = suite_create("onnx hostile");
    TCase *tcase = tcase_create("hostile");
    tcase_add_test(tcase, a_million_empty_nodes_have_no_constant);
    tcase_add_test(tcase, empty_initializers_are_listed_as_invalid);
    tcase_add_test(tcase, a_name_may_be_repeated_without_end);
    tcase_add_test(tcase, ten_thousand_levels_cost_no_stack);
    tcase_add_test(tcase, scopes_of_each_of_many_levels_are_too_large);
    tcase_add_test(tcase, scopes_below_a_long_name_are_too_large);
    tcase_add_test(tcase, outer_names_are_found_from_any_depth);
    tcase_add_test(tcase, circles_of_any_length_end);
    tcase_add_test(tcase, chains_of_operators_cost_no_stack);
    tcase_add_test(tcase, groups_in_groups_are_no_protobuf);
    tcase_add_test(tcase, a_model_may_end_anywhere);
    tcase_add_test(tcase, any_bit_may_be_the_other);
    suite_add_tcase(suite, tcase);
    return suite;
}
