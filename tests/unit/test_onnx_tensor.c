/*
 * TensorProto: each typed encoding against bytes written out by hand, and what
 * is borrowed.
 */
#include <stdbool.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/oracle.h"
#include "harness/proto.h"
#include "unit/onnx_suites.h"

typedef struct typed_row {
    int dtype;
    const char *tensor;
    const char *bytes; /* dense, in hex */
} typed_row;

/* The fields: 1 dims, 2 data_type, 4 float_data, 5 int32_data, 6 string_data,
 * 7 int64_data, 8 name, 9 raw_data, 10 double_data, 11 uint64_data. */
static const typed_row typed_rows[] = {
    {CLCONST_FLOAT, "1:2 2:1 4:x0000803f000000c0", "0000803f000000c0"},
    {CLCONST_FLOAT, "1:2 2:1 4:f1 4:f-2", "0000803f000000c0"},
    {CLCONST_FLOAT, "4:x0000803f 1:2 4:f-2 2:1", "0000803f000000c0"},
    {CLCONST_FLOAT, "1:1 2:1 4:x0100a07f", "0100a07f"},
    {CLCONST_UINT8, "1:3 2:2 5:[0 200 255]", "00c8ff"},
    {CLCONST_INT8, "1:4 2:3 5:[-128 127 128 255]", "807f80ff"},
    {CLCONST_INT8, "1:2 2:3 5:-1 5:1", "ff01"},
    {CLCONST_UINT16, "1:2 2:4 5:[65535 258]", "ffff0201"},
    {CLCONST_INT16, "1:3 2:5 5:[4 -5 -32768]", "0400fbff0080"},
    {CLCONST_INT32, "1:2 2:6 5:[-2 2147483647]", "feffffffffffff7f"},
    {CLCONST_INT32, "1:1 2:6 5:[4294967294]", "feffffff"},
    {CLCONST_INT64,
     "1:2 2:7 7:[-1 1099511627776]",
     "ffffffffffffffff0000000000010000"},
    {CLCONST_INT64, "1:2 2:7 7:-1 7:2", "ffffffffffffffff0200000000000000"},
    {CLCONST_BOOL, "1:3 2:9 5:[1 0 1]", "010001"},
    {CLCONST_FLOAT16, "1:2 2:10 5:[15360 65535]", "003cffff"},
    {CLCONST_DOUBLE, "1:1 2:11 10:x000000000000f83f", "000000000000f83f"},
    {CLCONST_DOUBLE,
     "1:2 2:11 10:d1.5 10:d-2",
     "000000000000f83f00000000000000c0"},
    {CLCONST_UINT32, "1:2 2:12 11:[1 4294967295]", "01000000ffffffff"},
    {CLCONST_UINT64, "1:1 2:13 11:9223372036854775808", "0000000000000080"},
    {CLCONST_COMPLEX64, "1:1 2:14 4:x0000803f000000c0", "0000803f000000c0"},
    {CLCONST_COMPLEX128,
     "1:1 2:15 10:d1.5 10:d-2",
     "000000000000f83f00000000000000c0"},
    {CLCONST_BFLOAT16, "1:2 2:16 5:[16256 -1]", "803fffff"},
    {CLCONST_FLOAT8E4M3FN, "1:2 2:17 5:[127 128]", "7f80"},
    {CLCONST_FLOAT8E4M3FNUZ, "1:2 2:18 5:[127 -128]", "7f80"},
    {CLCONST_FLOAT8E5M2, "1:1 2:19 5:[124]", "7c"},
    {CLCONST_FLOAT8E5M2FNUZ, "1:1 2:20 5:[255]", "ff"},
    /* Sub-byte types have one packed byte per entry: 8.15, 8.16, 8.18. */
    {CLCONST_UINT4, "1:3 2:21 5:[33 3]", "2103"},
    {CLCONST_INT4, "1:5 2:22 5:[16 199 8]", "10c708"},
    {CLCONST_INT4, "1:3 2:22 5:[-57 -8]", "c7f8"},
    {CLCONST_FLOAT4E2M1, "1:2 2:23 5:[114]", "72"},
    {CLCONST_FLOAT8E8M0, "1:2 2:24 5:[0 255]", "00ff"},
    {CLCONST_UINT2, "1:3 1:4 2:25 5:[228 64 165]", "e440a5"},
    {CLCONST_INT2, "1:3 2:26 5:[-63]", "c1"},
    /* 6-bit types have one element per entry; 1 as 8, -0 as 32, 7.5 as 31. */
    {CLCONST_FLOAT6E2M3, "1:5 2:27 5:[8 32 31 63 1]", "08f8fd01"},
    {CLCONST_FLOAT6E3M2, "1:5 2:28 5:[8 -32 31 -1 1]", "08f8fd01"},
};

static clconst_op *decode(const char *text, proto_buffer *buffer)
{
    clconst_op *op = NULL;
    proto_append(buffer, "%s", text);
    ck_assert_ok(clconst_op_decode_tensor(
        buffer->bytes, buffer->size, NULL, &op, error));
    return op;
}

START_TEST(typed_fields_become_the_golden_bytes)
{
    const typed_row *row = &typed_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    proto_buffer expected = {NULL, 0, 0};
    clconst_op *op = decode(row->tensor, &buffer);
    proto_append(&expected, "!%s", row->bytes);
    clconst_view value;
    clconst_op_get_value(op, &value);
    ck_assert_int_eq(clconst_op_get_kind(op), CLCONST_OP_CONSTANT);
    ck_assert_int_eq(value.dtype, row->dtype);
    ck_assert_uint_eq(value.size, expected.size);
    harness_assert_bytes(
        value.data, expected.bytes, expected.size, row->tensor);
    clconst_op_destroy(op);
    proto_free(&expected);
    proto_free(&buffer);
}
END_TEST

START_TEST(each_dtype_has_a_typed_row)
{
#define CLCONST_X(name, number, bits, text)                                    \
    if (number != CLCONST_STRING) {                                            \
        size_t i = 0;                                                          \
        while (i < sizeof(typed_rows) / sizeof(typed_rows[0]) &&               \
               typed_rows[i].dtype != number) {                                \
            i++;                                                               \
        }                                                                      \
        ck_assert_msg(i < sizeof(typed_rows) / sizeof(typed_rows[0]), text);   \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
}
END_TEST

/* Whether the view's data lie in the buffer. */
static bool is_borrowed(const clconst_view *value, const proto_buffer *buffer)
{
    const uint8_t *data = value->data;
    return data >= buffer->bytes && data < buffer->bytes + buffer->size;
}

START_TEST(raw_data_of_each_dtype_are_borrowed_unchanged)
{
    uint8_t bytes[128];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * 37 + 11);
    }
#define CLCONST_X(name, number, bits, text)                                    \
    if (number != CLCONST_STRING && number != CLCONST_BOOL) {                  \
        proto_buffer buffer = {NULL, 0, 0};                                    \
        size_t size = oracle_size(number, 7);                                  \
        proto_append_bytes(&buffer, 9, bytes, size);                           \
        clconst_op *op = decode("1:7 2:" #number, &buffer);                    \
        clconst_view value;                                                    \
        clconst_op_get_value(op, &value);                                      \
        ck_assert_int_eq(value.dtype, number);                                 \
        ck_assert_uint_eq(value.size, size);                                   \
        ck_assert_msg(is_borrowed(&value, &buffer), text);                     \
        harness_assert_bytes(value.data, bytes, size, text);                   \
        clconst_op_destroy(op);                                                \
        proto_free(&buffer);                                                   \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
}
END_TEST

typedef struct borrow_row {
    const char *tensor;
    bool is_borrowed;
} borrow_row;

static const borrow_row borrow_rows[] = {
    {"1:2 2:1 4:x0000803f000000c0", true},
    {"1:1 2:1 4:f1", true},
    {"1:2 2:1 4:f1 4:f2", false},
    {"1:1 2:11 10:d1.5", true},
    {"1:2 2:9 9:x0001", true},
    {"1:1 2:6 5:[1]", false},
};

START_TEST(values_are_borrowed_where_the_wire_form_is_dense)
{
    const borrow_row *row = &borrow_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    clconst_op *op = decode(row->tensor, &buffer);
    clconst_view value;
    clconst_op_get_value(op, &value);
    ck_assert_msg(
        is_borrowed(&value, &buffer) == row->is_borrowed, "%s", row->tensor);
    clconst_op_destroy(op);
    proto_free(&buffer);
}
END_TEST

/* 8.13: strings are bytes with a length, whatever is in them. */
START_TEST(strings_keep_their_bytes)
{
    proto_buffer buffer = {NULL, 0, 0};
    clconst_op *op = decode("1:3 2:8 6:'a' 6:'' 6:x00ff80", &buffer);
    clconst_view value;
    clconst_op_get_value(op, &value);
    const clconst_string *strings = value.data;
    ck_assert_int_eq(value.dtype, CLCONST_STRING);
    ck_assert_uint_eq(value.size, 3 * sizeof(*strings));
    ck_assert_uint_eq(strings[0].size, 1);
    ck_assert_mem_eq(strings[0].data, "a", 1);
    ck_assert_uint_eq(strings[1].size, 0);
    ck_assert_uint_eq(strings[2].size, 3);
    ck_assert_mem_eq(strings[2].data, "\x00\xff\x80", 3);
    clconst_op_destroy(op);
    proto_free(&buffer);
}
END_TEST

/* R86 */
START_TEST(decoding_leaves_its_input_alone)
{
    proto_buffer buffer = {NULL, 0, 0};
    clconst_op_destroy(decode("1:3 2:22 5:[-57 -8] 8:'n'", &buffer));
    uint8_t copy[64];
    ck_assert_uint_le(buffer.size, sizeof(copy));
    memcpy(copy, buffer.bytes, buffer.size);
    clconst_op *op;
    ck_assert_ok(
        clconst_op_decode_tensor(buffer.bytes, buffer.size, NULL, &op, error));
    harness_assert_bytes(buffer.bytes, copy, buffer.size, "second time");
    clconst_op_destroy(op);
    proto_free(&buffer);
}
END_TEST

/* 8.8 */
START_TEST(a_rank_above_1024_is_too_large)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "2:2 9:x01");
    uint8_t ones[1025];
    memset(ones, 1, sizeof(ones));
    proto_append_bytes(&buffer, 1, ones, 1024);
    clconst_op *op;
    ck_assert_ok(
        clconst_op_decode_tensor(buffer.bytes, buffer.size, NULL, &op, error));
    clconst_op_destroy(op);
    proto_append_bytes(&buffer, 1, ones, 1);
    ck_assert_fails(
        clconst_op_decode_tensor(buffer.bytes, buffer.size, NULL, &op, error),
        CLCONST_TOO_LARGE,
        "rank is 1025; it must be at most 1024");
    proto_free(&buffer);
}
END_TEST

START_TEST(arguments_are_checked)
{
    clconst_op *op;
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    ck_assert_fails(clconst_op_decode_tensor(NULL, 1, NULL, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    "tensor or op is NULL; both are required");
    ck_assert_fails(clconst_op_decode_tensor("", 0, NULL, NULL, error),
                    CLCONST_INVALID_ARGUMENT,
                    "tensor or op is NULL; both are required");
    ck_assert_fails(clconst_op_decode_tensor(NULL, 0, NULL, &op, error),
                    CLCONST_INVALID_MODEL,
                    "data_type is 0; it must be a TensorProto.DataType");
    options.strictness = (clconst_strictness)3;
    ck_assert_fails(clconst_op_decode_tensor("", 0, &options, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    "strictness is 3; it must be 0, 1 or 2");
    options.struct_size = 0;
    ck_assert_fails(clconst_op_decode_tensor("", 0, &options, &op, error),
                    CLCONST_INVALID_ARGUMENT,
                    "struct_size is 0; it must be set to the size of the "
                    "struct");
}
END_TEST

/* A second process may change a mapped file between the count and the copy;
 * here a note does. The bytes must not be written behind the block. */
static void lengthen(void *context, clconst_note_code code, const char *text)
{
    (void)code;
    (void)text;
    uint8_t *bytes = context;
    /* The unknown field 15 becomes a second run of int32_data. */
    ck_assert_uint_eq(bytes[0], 15 << 3 | 2);
    bytes[0] = 5 << 3 | 2;
}

START_TEST(a_list_that_grows_while_it_is_read_is_malformed)
{
    proto_buffer buffer = {NULL, 0, 0};
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.strictness = CLCONST_LENIENT;
    options.note = lengthen;
    proto_append(&buffer, "1:1 2:2 5:[300]");
    options.note_context = (void *)buffer.size;
    proto_append(&buffer, "15:[1 2 3]");
    options.note_context = buffer.bytes + (size_t)options.note_context;
    clconst_op *op;
    ck_assert_fails(clconst_op_decode_tensor(
                        buffer.bytes, buffer.size, &options, &op, error),
                    CLCONST_MALFORMED,
                    "int32_data changed while it was read");
    proto_free(&buffer);
}
END_TEST

#define COUNT_OF(rows) (sizeof(rows) / sizeof((rows)[0]))

Suite *onnx_tensor_suite(void)
{
    Suite *suite = suite_create("onnx tensor");
    TCase *tcase = tcase_create("tensor");
    tcase_add_loop_test(
        tcase, typed_fields_become_the_golden_bytes, 0, COUNT_OF(typed_rows));
    tcase_add_test(tcase, each_dtype_has_a_typed_row);
    tcase_add_test(tcase, raw_data_of_each_dtype_are_borrowed_unchanged);
    tcase_add_loop_test(tcase,
                        values_are_borrowed_where_the_wire_form_is_dense,
                        0,
                        COUNT_OF(borrow_rows));
    tcase_add_test(tcase, strings_keep_their_bytes);
    tcase_add_test(tcase, decoding_leaves_its_input_alone);
    tcase_add_test(tcase, a_rank_above_1024_is_too_large);
    tcase_add_test(tcase, arguments_are_checked);
    tcase_add_test(tcase, a_list_that_grows_while_it_is_read_is_malformed);
    suite_add_tcase(suite, tcase);
    return suite;
}
