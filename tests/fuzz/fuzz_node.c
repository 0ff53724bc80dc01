/*
 * clconst_op_decode. Before the node, three bytes: the opset, the options, and
 * the shape that a plan asks for.
 */
#include <clconst/clconst_model.h>

#include "fuzz/invariants.h"
#include "fuzz/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Shapes that a caller may ask for, the refused ones among them. */
static const struct {
    int64_t dims[3];
    size_t rank;
} shapes[] = {
    {{0}, 0},
    {{0}, 1},
    {{1}, 1},
    {{7}, 1},
    {{3, 5, 7}, 3},
    {{0, (int64_t)1 << 40}, 2},
    {{-1, 4}, 2},
    {{(int64_t)1 << 32, (int64_t)1 << 32}, 2},
    {{(int64_t)1 << 40}, 1},
    {{INT64_MAX}, 1},
    {{INT64_MIN}, 1},
};

static void make_plan(const clconst_op *op, const clconst_shape *shape)
{
    clconst_plan *plan = NULL;
    clconst_error error = fuzz_error();
    clconst_status status = clconst_plan_create(op, shape, &plan, &error);
    if (fuzz_succeeded(status,
                       &error,
                       1 << CLCONST_INVALID_ARGUMENT |
                           1 << CLCONST_TOO_LARGE)) {
        fuzz_free(fuzz_write_plan(plan));
    } else {
        fuzz_require(plan == NULL);
    }
    clconst_plan_destroy(plan);
}

static void
decode(const fuzz_subject *node, uint8_t opset, uint8_t mode, uint8_t choice)
{
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = opset % 32;
    options.strictness = (clconst_strictness)(mode % 3);
    if ((mode & 4) != 0) {
        options.reader = fuzz_reader();
    }
    clconst_op *op = NULL;
    clconst_error error = fuzz_error();
    clconst_status status =
        clconst_op_decode(node->bytes, node->size, &options, &op, &error);
    unsigned allowed = FUZZ_BYTES_FAIL | 1 << CLCONST_IO_ERROR;
    if (options.opset == 0) {
        allowed |= 1 << CLCONST_INVALID_ARGUMENT;
    }
    if (!fuzz_succeeded(status, &error, allowed)) {
        fuzz_require(op == NULL);
        return;
    }
    fuzz_check_op(op);
    choice %= sizeof(shapes) / sizeof(shapes[0]);
    clconst_shape shape = {shapes[choice].dims, shapes[choice].rank};
    bool is_fill = clconst_op_get_kind(op) == CLCONST_OP_CONSTANT_OF_SHAPE;
    make_plan(op, is_fill ? &shape : NULL);
    clconst_op_destroy(op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    uint8_t opset = fuzz_take(&input);
    uint8_t mode = fuzz_take(&input);
    uint8_t choice = fuzz_take(&input);
    fuzz_subject node = fuzz_subject_create(input, 0);
    decode(&node, opset, mode, choice);
    fuzz_reader_check();
    fuzz_subject_destroy(&node);
    return 0;
}
