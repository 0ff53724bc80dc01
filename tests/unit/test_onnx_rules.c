/*
 * The rules of TensorProto, numbered as in the facts about ONNX, in each mode.
 * Each legal case has its nearest illegal one beside it.
 */
#include <stdbool.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_notes.h"
#include "unit/onnx_suites.h"

/*
 * What a tensor comes to in each mode. bytes is its dense form when it is
 * legal. lenient_bytes is that of LENIENT, which then notes the message; NULL
 * where LENIENT refuses as the others do.
 */
typedef struct rule_row {
    const char *rule;
    const char *tensor;
    const char *bytes;
    clconst_status status;
    const char *message;
    const char *lenient_bytes;
} rule_row;

#define LEGAL(rule, tensor, bytes)                                             \
    {                                                                          \
        rule, tensor, bytes, CLCONST_OK, NULL, NULL                            \
    }
#define REFUSED(rule, tensor, message)                                         \
    {                                                                          \
        rule, tensor, NULL, CLCONST_INVALID_MODEL, message, NULL               \
    }
#define TOLERATED(rule, tensor, message, bytes)                                \
    {                                                                          \
        rule, tensor, NULL, CLCONST_INVALID_MODEL, message, bytes              \
    }
#define MALFORMED(rule, tensor, message)                                       \
    {                                                                          \
        rule, tensor, NULL, CLCONST_MALFORMED, message, NULL                   \
    }

static const rule_row rule_rows[] = {
    /* Ranks and dims. */
    LEGAL("R97", "2:7 9:x0100000000000000", "0100000000000000"),
    TOLERATED("R97",
              "2:7 9:x01000000000000000000000000000000",
              "raw_data has 16 bytes; 1 elements of int64 take 8",
              "0100000000000000"),
    LEGAL("dims may be packed", "1:[2 1] 2:3 9:x0102", "0102"),
    LEGAL("dims in two runs", "1:[2] 1:1 2:3 9:x0102", "0102"),
    REFUSED("R101", "1:-1 1:4 2:1", "dim 0 is -1; dims must be >= 0"),
    REFUSED("R101", "1:0 1:-4 2:1", "dim 1 is -4; dims must be >= 0"),
    LEGAL("8.7", "1:0 1:4611686018427387904 2:1", ""),
    LEGAL("8.7", "1:4611686018427387904 1:4 1:0 2:1", ""),
    {"8.7",
     "1:4611686018427387904 1:4 2:1",
     NULL,
     CLCONST_TOO_LARGE,
     "dim 1 is 4; the product of the dims must be below 2^63",
     NULL},
    REFUSED("R73",
            "1:1099511627776 2:1 9:x00000000",
            "raw_data has 4 bytes; 1099511627776 elements of float take "
            "4398046511104"),
    /* Types. */
    REFUSED("no data_type",
            "1:0",
            "data_type is 0; it must be a TensorProto.DataType"),
    REFUSED("R48",
            "1:0 2:29",
            "data_type is 29; it must be a TensorProto.DataType"),
    REFUSED("R48",
            "1:0 2:255",
            "data_type is 255; it must be a TensorProto.DataType"),
    REFUSED("R48",
            "1:0 2:-1",
            "data_type is -1; it must be a TensorProto.DataType"),
    /* Counts. */
    LEGAL("empty without a field", "1:0 2:1", ""),
    LEGAL("empty with empty raw_data", "1:0 2:1 9:''", ""),
    LEGAL("empty with an empty list", "1:0 2:1 4:[]", ""),
    TOLERATED("empty with raw_data",
              "1:0 2:2 9:x01",
              "raw_data has 1 bytes; 0 elements of uint8 take 0",
              ""),
    REFUSED("R100",
            "1:3 2:1",
            "float_data has 0 entries; 3 elements of float take 3"),
    REFUSED("R100",
            "2:1 9:''",
            "float_data has 0 entries; 1 elements of "
            "float take 1"),
    REFUSED("R69",
            "1:4 2:1 9:x000000000000000000000000",
            "raw_data has 12 bytes; 4 elements of float take 16"),
    TOLERATED("R69, 8.14",
              "1:1 2:1 9:x0000803f00000040",
              "raw_data has 8 bytes; 1 elements of float take 4",
              "0000803f"),
    LEGAL("R85", "1:4 2:3 9:x01020304", "01020304"),
    TOLERATED("R85",
              "1:4 2:3 9:x01000000020000000300000004000000",
              "raw_data has 16 bytes; 4 elements of int8 take 4",
              "01000000"),
    REFUSED("8.14",
            "1:1 2:1 4:f1 4:f2",
            "float_data has 2 entries; 1 elements of float take 1"),
    REFUSED("R72",
            "1:2 2:1 4:f1",
            "float_data has 1 entries; 2 elements of float take 2"),
    REFUSED("R70",
            "1:3 2:3 5:[1 2]",
            "int32_data has 2 entries; 3 elements of int8 take 3"),
    REFUSED("R70",
            "1:3 2:3 5:[1 2 3 4]",
            "int32_data has 4 entries; 3 elements of int8 take 3"),
    REFUSED("complex takes pairs",
            "1:1 2:14 4:f1",
            "float_data has 1 entries; 1 elements of complex64 take 2"),
    REFUSED("8.15",
            "1:8 2:22 5:[1]",
            "int32_data has 1 entries; 8 elements of int4 take 4"),
    REFUSED("8.15",
            "1:9 2:25 5:[1 2]",
            "int32_data has 2 entries; 9 elements of uint2 take 3"),
    REFUSED("8.14",
            "1:1 2:22 5:[1 2]",
            "int32_data has 2 entries; 1 elements of int4 take 1"),
    REFUSED("6-bit types have one element per entry",
            "1:4 2:27 5:[1 2 3]",
            "int32_data has 3 entries; 4 elements of float6e2m3 take 4"),
    REFUSED("strings",
            "1:2 2:8 6:'a'",
            "string_data has 1 entries; 2 elements of string take 2"),
    /* Fields. */
    REFUSED("R84",
            "1:1 2:12 5:[1]",
            "int32_data holds values; uint32 takes uint64_data or raw_data"),
    REFUSED("strings are not raw",
            "1:1 2:8 9:'a'",
            "raw_data holds values; string takes string_data"),
    REFUSED("strings are not numbers",
            "1:1 2:8 5:[1]",
            "int32_data holds values; string takes string_data"),
    REFUSED("one field",
            "1:1 2:1 4:f1 9:x0000803f",
            "raw_data and float_data hold values; only one field may"),
    REFUSED("one field",
            "1:1 2:1 4:f1 7:1",
            "float_data and int64_data hold values; only one field may"),
    LEGAL("an empty field is no field", "1:1 2:1 4:f1 9:'' 7:[]", "0000803f"),
    REFUSED("8.29",
            "1:1 2:1 4:f1 14:1",
            "float_data holds values; the data are external"),
    REFUSED("8.29",
            "1:1 2:1 9:x00000000 14:1",
            "raw_data holds values; the data are external"),
    LEGAL("8.29", "1:1 2:1 4:f1 14:0", "0000803f"),
    LEGAL("data_location DEFAULT ignores external_data",
          "1:1 2:1 4:f1 13:{1:'location' 2:'/etc/passwd'}",
          "0000803f"),
    REFUSED("data_location",
            "1:1 2:1 4:f1 14:2",
            "data_location is 2; it must be DEFAULT or EXTERNAL"),
    {"external data",
     "1:1 2:1 14:1 13:{1:'location' 2:'w'}",
     NULL,
     CLCONST_UNSUPPORTED,
     "data are external; without the path of a model they need a reader",
     NULL},
    REFUSED("8.30",
            "1:1 2:1 4:f1 3:{1:0 2:1}",
            "segment is given; a tensor must not come in chunks"),
    REFUSED("8.30",
            "1:1 2:1 4:f1 3:{}",
            "segment is given; a tensor must not come in chunks"),
    /* Entries. */
    LEGAL("8.16", "1:1 2:22 9:xf1", "f1"),
    LEGAL("8.17", "1:2 2:9 9:x0100", "0100"),
    TOLERATED("8.17",
              "1:3 2:9 9:x010280",
              "raw_data byte 1 is 2; bytes of bool must be 0 or 1",
              "010101"),
    TOLERATED("8.17",
              "1:3 2:9 5:[0 2 256]",
              "int32_data entry 1 is 2; entries of bool must be 0 to 1",
              "000101"),
    TOLERATED("8.17",
              "1:1 2:9 5:-1",
              "int32_data entry 0 is -1; entries of bool must be 0 to 1",
              "01"),
    TOLERATED("8.18",
              "1:2 2:2 5:[300 301]",
              "int32_data entry 0 is 300; entries of uint8 must be -128 to 255",
              "2c2d"),
    LEGAL("8.18", "1:2 2:2 5:[255 -128]", "ff80"),
    TOLERATED("8.18",
              "1:2 2:3 5:[0 -129]",
              "int32_data entry 1 is -129; entries of int8 must be -128 to 255",
              "007f"),
    LEGAL("8.18", "1:1 2:4 5:-32768", "0080"),
    TOLERATED("8.18",
              "1:1 2:10 5:[65536]",
              "int32_data entry 0 is 65536; entries of float16 must be -32768 "
              "to 65535",
              "0000"),
    TOLERATED("8.18",
              "1:1 2:6 5:[4294967296]",
              "int32_data entry 0 is 4294967296; entries of int32 must be "
              "-2147483648 to 4294967295",
              "00000000"),
    TOLERATED("8.18",
              "1:1 2:22 5:[256]",
              "int32_data entry 0 is 256; entries of int4 must be -128 to 255",
              "00"),
    LEGAL("8.18", "1:1 2:28 5:[63]", "3f"),
    TOLERATED("8.18",
              "1:1 2:28 5:[64]",
              "int32_data entry 0 is 64; entries of float6e3m2 must be -32 to "
              "63",
              "00"),
    LEGAL("8.18", "1:1 2:28 5:-32", "20"),
    TOLERATED("8.18",
              "1:1 2:12 11:4294967296",
              "uint64_data entry 0 is 4294967296; entries of uint32 must be 0 "
              "to 4294967295",
              "00000000"),
    TOLERATED("8.18",
              "1:1 2:12 11:-1",
              "uint64_data entry 0 is 18446744073709551615; entries of uint32 "
              "must be 0 to 4294967295",
              "ffffffff"),
    /* Wire. */
    MALFORMED("8.42",
              "1:1 2:1 9:x0000803f 9:x0000803f",
              "TensorProto.raw_data is there twice; it must not be repeated"),
    MALFORMED("8.42",
              "1:1 2:1 4:f1 8:'a' 8:'a'",
              "TensorProto.name is there twice; it must not be repeated"),
    LEGAL("singular numbers: the last one wins", "1:1 2:7 2:3 9:x01", "01"),
    LEGAL("unknown fields are skipped",
          "99:7 1:1 98:'x' 2:3 97:f1 96:d1 9:x01 12:'doc' 16:{1:'k'}",
          "01"),
    MALFORMED("cut",
              "!08",
              "TensorProto is no protobuf near its byte 1: "
              "end-of-stream"),
    MALFORMED("a field number of 0",
              "!0001",
              "TensorProto is no protobuf near its byte 1: zero tag"),
    MALFORMED("a group",
              "!0b",
              "TensorProto is no protobuf near its byte 1: invalid wire_type"),
    MALFORMED("a length past the end",
              "!4a05",
              "TensorProto is no protobuf near its byte 2: "
              "parent stream too short"),
    MALFORMED("packed floats",
              "1:1 2:1 4:x000000",
              "TensorProto.float_data has 3 packed bytes; they must be a "
              "multiple of 4"),
    MALFORMED("packed doubles",
              "1:1 2:11 10:x00000000",
              "TensorProto.double_data has 4 packed bytes; they must be a "
              "multiple of 8"),
    MALFORMED("a packed varint that is cut",
              "1:1 2:6 5:x80",
              "TensorProto.int32_data is no protobuf: end-of-stream"),
    MALFORMED("a varint of more than 64 bits",
              "1:1 2:7 7:xffffffffffffffffff7f",
              "TensorProto.int64_data is no protobuf: varint overflow"),
    LEGAL("a varint of 64 bits",
          "1:1 2:7 7:xffffffffffffffffff01",
          "ffffffffffffffff"),
    MALFORMED("a name that is a number",
              "8:1",
              "TensorProto.name has the wrong wire type"),
    /* Four bytes that a varint, too, could have. */
    MALFORMED("floats as varints",
              "1:1 2:1 4:0x0fffffff",
              "TensorProto.float_data has the wrong wire type"),
    MALFORMED("varints as floats",
              "1:1 2:6 !2dffffff7f",
              "TensorProto.int32_data has the wrong wire type"),
    MALFORMED("doubles as floats",
              "1:1 2:1 4:d1",
              "TensorProto.float_data has the wrong wire type"),
};

static void check_bytes(const rule_row *row,
                        const proto_buffer *buffer,
                        const clconst_decode_options *options,
                        const char *bytes)
{
    clconst_op *op;
    ck_assert_ok(clconst_op_decode_tensor(
        buffer->bytes, buffer->size, options, &op, error));
    clconst_view value;
    clconst_op_get_value(op, &value);
    proto_buffer expected = {NULL, 0, 0};
    proto_append(&expected, "!%s", bytes);
    ck_assert_msg(value.size == expected.size, "%s", row->rule);
    harness_assert_bytes(value.data, expected.bytes, expected.size, row->rule);
    proto_free(&expected);
    clconst_op_destroy(op);
}

START_TEST(each_mode_follows_the_rules)
{
    const rule_row *row = &rule_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "%s", row->tensor);
    for (int mode = CLCONST_DEFAULT; mode <= CLCONST_LENIENT; mode++) {
        onnx_notes notes = {0, CLCONST_NOTE_DTYPE, ""};
        clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
        options.strictness = (clconst_strictness)mode;
        options.note = onnx_notes_take;
        options.note_context = &notes;
        bool is_tolerated =
            mode == CLCONST_LENIENT && row->lenient_bytes != NULL;
        if (row->status == CLCONST_OK) {
            check_bytes(row, &buffer, &options, row->bytes);
        } else if (is_tolerated) {
            check_bytes(row, &buffer, &options, row->lenient_bytes);
            ck_assert_str_eq(notes.text, row->message);
            ck_assert_int_eq(notes.code, CLCONST_NOTE_LENIENT);
        } else {
            clconst_op *op = NULL;
            ck_assert_fails(
                clconst_op_decode_tensor(
                    buffer.bytes, buffer.size, &options, &op, error),
                row->status,
                row->message);
            ck_assert_ptr_null(op);
        }
        ck_assert_msg(notes.count == (is_tolerated ? 1 : 0), "%s", row->rule);
    }
    proto_free(&buffer);
}
END_TEST

Suite *onnx_rules_suite(void)
{
    Suite *suite = suite_create("onnx rules");
    TCase *tcase = tcase_create("rules");
    tcase_add_loop_test(tcase,
                        each_mode_follows_the_rules,
                        0,
                        sizeof(rule_rows) / sizeof(rule_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
