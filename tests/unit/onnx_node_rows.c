#include "unit/onnx_node_rows.h"

#include <stdbool.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_notes.h"

static void check_value(const node_row *row, const clconst_op *op)
{
    clconst_view value;
    clconst_op_get_value(op, &value);
    proto_buffer expected = {NULL, 0, 0};
    proto_append(&expected, "!%s", row->bytes);
    ck_assert_msg(value.dtype == row->dtype && value.shape.rank == row->rank &&
                      value.size == expected.size,
                  "%s: %s, rank %zu, %zu bytes",
                  row->rule,
                  clconst_dtype_name(value.dtype),
                  value.shape.rank,
                  value.size);
    if (row->rank > 0) {
        ck_assert_int_eq(value.shape.dims[0], row->dim);
    }
    harness_assert_bytes(value.data, expected.bytes, expected.size, row->rule);
    proto_free(&expected);
}

static bool is_accepted(const node_row *row, clconst_strictness mode)
{
    if (row->note == 0) {
        return row->status == CLCONST_OK;
    }
    return row->status == CLCONST_OK ? mode != CLCONST_STRICT
                                     : mode == CLCONST_LENIENT;
}

void check_node_row(const node_row *row)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "%s", row->node);
    for (int i = CLCONST_DEFAULT; i <= CLCONST_LENIENT; i++) {
        clconst_strictness mode = (clconst_strictness)i;
        onnx_notes notes = {0, CLCONST_NOTE_FALLBACK, ""};
        clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
        options.opset = row->opset;
        options.strictness = mode;
        options.note = onnx_notes_take;
        options.note_context = &notes;
        clconst_op *op = NULL;
        if (!is_accepted(row, mode)) {
            clconst_status status =
                row->status != CLCONST_OK ? row->status : CLCONST_INVALID_MODEL;
            ck_assert_fails(
                clconst_op_decode(
                    buffer.bytes, buffer.size, &options, &op, error),
                status,
                row->message);
            ck_assert_ptr_null(op);
            continue;
        }
        ck_assert_ok(
            clconst_op_decode(buffer.bytes, buffer.size, &options, &op, error));
        check_value(row, op);
        clconst_op_destroy(op);
        ck_assert_msg(notes.count == (row->note != 0), "%s", row->rule);
        if (row->note != 0) {
            ck_assert_int_eq(notes.code, row->note);
            ck_assert_str_eq(notes.text, row->message);
        }
    }
    proto_free(&buffer);
}
