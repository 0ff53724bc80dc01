/*
 * Counts of dims without sense: how much memory a model may make of them.
 */
#include <stdlib.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_suites.h"

/* Reads a model of the graph, which it takes over, and resolves it. */
static clconst_status resolve(proto_buffer *graph, clconst_error *error)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "1:8 8:{2:13}");
    proto_append_bytes(&buffer, 7, graph->bytes, graph->size);
    proto_free(graph);
    clconst_model *model;
    clconst_resolution *resolution = NULL;
    clconst_status status =
        clconst_model_parse(buffer.bytes, buffer.size, NULL, &model, error);
    if (status == CLCONST_OK) {
        status = clconst_resolution_create(model, NULL, &resolution, error);
        clconst_model_destroy(model);
    }
    clconst_resolution_destroy(resolution);
    proto_free(&buffer);
    return status;
}

/* A million dims, of a tensor, of a shape's value, and of a sparse tensor. */
START_TEST(ranks_have_an_end)
{
    enum { RANK = 1000000 };
    uint8_t *ones = malloc(RANK);
    ck_assert_ptr_nonnull(ones);
    memset(ones, 1, RANK);
    proto_buffer graph = {NULL, 0, 0};
    proto_buffer tensor = {NULL, 0, 0};
    proto_append_bytes(&tensor, 1, ones, RANK);
    proto_append(&tensor, "2:2 9:'x' 8:'t'");
    proto_append_bytes(&graph, 5, tensor.bytes, tensor.size);
    proto_buffer shape = {NULL, 0, 0};
    proto_append(&shape, "1:1000000 2:7 8:'s'");
    proto_append_bytes(&shape, 7, ones, RANK);
    proto_append_bytes(&graph, 5, shape.bytes, shape.size);
    proto_buffer sparse = {NULL, 0, 0};
    proto_append(&sparse, "1:{1:1 2:2 9:'x' 8:'p'} 2:{1:1 2:7 7:0}");
    proto_append_bytes(&sparse, 3, ones, RANK);
    proto_append_bytes(&graph, 15, sparse.bytes, sparse.size);
    proto_append(&graph, "1:{4:'ConstantOfShape' 1:'s' 2:'f'}");
    ck_assert_ok(resolve(&graph, error));
    proto_free(&tensor);
    proto_free(&shape);
    proto_free(&sparse);
    free(ones);
}
END_TEST

/* Fills of one element each, all of one shape of 1024 dims. */
static clconst_status resolve_fills(size_t count, clconst_error *error)
{
    uint8_t ones[1024];
    memset(ones, 1, sizeof(ones));
    proto_buffer shape = {NULL, 0, 0};
    proto_append(&shape, "1:1024 2:7 8:'s'");
    proto_append_bytes(&shape, 7, ones, sizeof(ones));
    proto_buffer graph = {NULL, 0, 0};
    proto_append_bytes(&graph, 5, shape.bytes, shape.size);
    for (size_t i = 0; i < count; i++) {
        proto_append(&graph, "1:{4:'ConstantOfShape' 1:'s' 2:'f%zu'}", i);
    }
    proto_free(&shape);
    return resolve(&graph, error);
}

START_TEST(shapes_have_2_to_the_22_dims_together)
{
    /* The shape itself has one. */
    ck_assert_ok(resolve_fills(4095, error));
    ck_assert_fails(resolve_fills(4096, error),
                    CLCONST_TOO_LARGE,
                    "shapes have more than 4194304 dims together; they must "
                    "not");
}
END_TEST

Suite *onnx_limits_suite(void)
{
    Suite *suite = suite_create("onnx limits");
    TCase *tcase = tcase_create("limits");
    tcase_add_test(tcase, ranks_have_an_end);
    tcase_add_test(tcase, shapes_have_2_to_the_22_dims_together);
    suite_add_tcase(suite, tcase);
    return suite;
}
