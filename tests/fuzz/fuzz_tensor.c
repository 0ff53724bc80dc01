/*
 * clconst_op_decode_tensor, and back: what a tensor says is written as a
 * TensorProto that says the same. Before the tensor, a byte of options.
 */
#include <string.h>

#include <clconst/clconst_model.h>

#include "fuzz/invariants.h"
#include "fuzz/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What has been written; of a tensor of this size it never is more. */
typedef struct text_sink {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
} text_sink;

static int take(void *context, const void *bytes, size_t size)
{
    text_sink *sink = context;
    fuzz_require(size <= sink->capacity - sink->size);
    if (size > 0) {
        memcpy(sink->bytes + sink->size, bytes, size);
    }
    sink->size += size;
    return 0;
}

static clconst_plan *plan_of(const clconst_op *op)
{
    clconst_plan *plan = NULL;
    clconst_error error = fuzz_error();
    fuzz_require(clconst_plan_create(op, NULL, &plan, &error) == CLCONST_OK);
    return plan;
}

static void compare_strings(const clconst_view *a, const clconst_view *b)
{
    const clconst_string *left = a->data;
    const clconst_string *right = b->data;
    for (size_t i = 0; i < a->size / sizeof(*left); i++) {
        fuzz_require(left[i].size == right[i].size);
        fuzz_require(left[i].size == 0 ||
                     memcmp(left[i].data, right[i].data, left[i].size) == 0);
    }
}

static void compare(const clconst_op *op, const clconst_op *again)
{
    clconst_view a;
    clconst_view b;
    clconst_op_get_value(op, &a);
    clconst_op_get_value(again, &b);
    fuzz_require(a.dtype == b.dtype && a.size == b.size);
    fuzz_require(a.shape.rank == b.shape.rank);
    for (size_t i = 0; i < a.shape.rank; i++) {
        fuzz_require(a.shape.dims[i] == b.shape.dims[i]);
    }
    if (a.dtype == CLCONST_STRING) {
        compare_strings(&a, &b);
        return;
    }
    clconst_plan *plans[] = {plan_of(op), plan_of(again)};
    uint8_t *bytes[] = {fuzz_write_plan(plans[0]), fuzz_write_plan(plans[1])};
    if (bytes[0] != NULL) {
        fuzz_require(a.size == 0 || memcmp(bytes[0], bytes[1], a.size) == 0);
    }
    for (size_t i = 0; i < 2; i++) {
        fuzz_free(bytes[i]);
        clconst_plan_destroy(plans[i]);
    }
}

/* Entries of one byte become elements of up to 16, and dims of one byte up to
 * ten, besides the tags; of what a reader maps there is up to FUZZ_WRITE_MAX.
 */
static void write_and_decode(const clconst_op *op, size_t size)
{
    text_sink sink = {NULL, 0, 1024 + 32 * size + FUZZ_WRITE_MAX};
    sink.bytes = fuzz_alloc(sink.capacity);
    clconst_view value;
    clconst_op_get_value(op, &value);
    clconst_error error = fuzz_error();
    fuzz_require(clconst_tensor_proto_write(
                     &value, NULL, take, &sink, &error) == CLCONST_OK);
    clconst_op *again = NULL;
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.strictness = CLCONST_STRICT;
    fuzz_require(clconst_op_decode_tensor(
                     sink.bytes, sink.size, &options, &again, &error) ==
                 CLCONST_OK);
    compare(op, again);
    clconst_op_destroy(again);
    fuzz_free(sink.bytes);
}

static void decode(const fuzz_subject *tensor, uint8_t mode)
{
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.strictness = (clconst_strictness)(mode % 3);
    if ((mode & 4) != 0) {
        options.reader = fuzz_reader();
    }
    clconst_op *op = NULL;
    clconst_error error = fuzz_error();
    clconst_status status = clconst_op_decode_tensor(
        tensor->bytes, tensor->size, &options, &op, &error);
    if (!fuzz_succeeded(
            status, &error, FUZZ_BYTES_FAIL | 1 << CLCONST_IO_ERROR)) {
        fuzz_require(op == NULL);
        return;
    }
    fuzz_check_op(op);
    write_and_decode(op, tensor->size);
    clconst_op_destroy(op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    uint8_t mode = fuzz_take(&input);
    fuzz_subject tensor = fuzz_subject_create(input, 0);
    decode(&tensor, mode);
    fuzz_reader_check();
    fuzz_subject_destroy(&tensor);
    return 0;
}
