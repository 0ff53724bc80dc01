/*
 * Sparse tensors: what they expand to, and which are refused. The rules are
 * numbered as in the facts about ONNX. The fields: of SparseTensorProto 1
 * values, 2 indices, 3 dims; of TensorProto 1 dims, 2 data_type, 4 float_data,
 * 5 int32_data, 6 string_data, 7 int64_data, 9 raw_data.
 */
#include <stdlib.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_notes.h"
#include "unit/onnx_suites.h"

#define VALUES(tensor)         "1:{" tensor "} "
#define INDICES(dims, indices) "2:{" dims " 2:7 7:[" indices "]} "

/* A sparse tensor and its dense bytes, or the message that refuses it. */
typedef struct sparse_row {
    const char *rule;
    const char *sparse;
    const char *bytes;
    clconst_status status;
    const char *message;
} sparse_row;

#define LEGAL(rule, sparse, bytes)                                             \
    {                                                                          \
        rule, sparse, bytes, CLCONST_OK, NULL                                  \
    }
#define REFUSED(rule, sparse, message)                                         \
    {                                                                          \
        rule, sparse, NULL, CLCONST_INVALID_MODEL, message                     \
    }
#define FAILS(rule, sparse, status, message)                                   \
    {                                                                          \
        rule, sparse, NULL, CLCONST_##status, message                          \
    }

static const sparse_row rows[] = {
    LEGAL("linear indices",
          VALUES("1:2 2:3 5:[1 -2]") INDICES("1:2", "1 4") "3:[2 3]",
          "0001 0000 fe00"),
    LEGAL("coordinates",
          VALUES("1:2 2:3 5:[1 -2]") INDICES("1:[2 2]", "0 1 1 1") "3:2 3:3",
          "0001 0000 fe00"),
    LEGAL("raw values and raw indices",
          VALUES("1:1 2:1 9:x0000c07f") "2:{1:1 2:7 9:x0200000000000000} 3:3",
          "00000000 00000000 0000c07f"),
    LEGAL("values of 128 bits",
          VALUES("1:1 2:15 10:[]  9:x0102030405060708090a0b0c0d0e0f10")
              INDICES("1:1", "1") "3:2",
          "00000000000000000000000000000000 "
          "0102030405060708090a0b0c0d0e0f10"),
    LEGAL("8.24: neighbours of 4 bits share a byte",
          VALUES("1:3 2:22 5:[33 3]") INDICES("1:3", "0 1 4") "3:5",
          "21 00 03"),
    LEGAL("8.24: neighbours of 2 bits share a byte",
          VALUES("1:3 2:25 5:[57]") INDICES("1:3", "1 3 4") "3:5",
          "84 03"),
    LEGAL("8.24: 6 bits cross a byte",
          VALUES("1:1 2:27 5:[63]") INDICES("1:1", "1") "3:4",
          "c0 0f 00"),
    LEGAL("8.21: no values and no indices", VALUES("1:0 2:2") "3:3", "000000"),
    LEGAL("8.21: no values and linear indices",
          VALUES("1:0 2:2") "2:{1:0 2:7} 3:3",
          "000000"),
    LEGAL("8.21: no values and coordinates",
          VALUES("1:0 2:2") "2:{1:[0 2] 2:7} 3:[3 1]",
          "000000"),
    LEGAL("zeros that are listed",
          VALUES("1:2 2:2 5:[0 7]") INDICES("1:2", "0 1") "3:2",
          "0007"),
    REFUSED("8.21: coordinates of another rank",
            VALUES("1:0 2:2") "2:{1:[0 3] 2:7} 3:[3 1]",
            "indices have 3 columns; the dense rank is 2"),
    REFUSED("8.19: a duplicate",
            VALUES("1:2 2:2 5:[5 7]") INDICES("1:2", "1 1") "3:2",
            "index 1 is element 1 after element 1; indices must ascend "
            "without repetition"),
    REFUSED("8.19: unsorted",
            VALUES("1:2 2:2 5:[5 7]") INDICES("1:[2 2]", "1 0 0 1") "3:[2 2]",
            "index 1 is element 1 after element 2; indices must ascend "
            "without repetition"),
    REFUSED("8.20: a zero dim",
            VALUES("1:0 2:2") "3:[2 0]",
            "dim 1 is 0; dims of a sparse tensor must be > 0"),
    REFUSED("8.20: rank 0",
            VALUES("1:0 2:2"),
            "dense shape has rank 0; a sparse tensor needs rank 1 or more"),
    REFUSED("a negative dim",
            VALUES("1:0 2:2") "3:[2 -1]",
            "dim 1 is -1; dims must be >= 0"),
    FAILS("a product that overflows, beside coordinates that fit",
          VALUES("1:1 2:2 5:[5]")
              INDICES("1:[1 2]", "0 0") "3:[4294967296 4294967296]",
          TOO_LARGE,
          "dim 1 is 4294967296; the product of the dims must be below 2^63"),
    REFUSED("8.22: indices of int32",
            VALUES("1:1 2:2 5:[5]") "2:{1:1 2:6 5:[0]} 3:2",
            "indices have dtype int32; they must be int64"),
    REFUSED("an index past the end",
            VALUES("1:1 2:2 5:[5]") INDICES("1:1", "2") "3:2",
            "index 0 is 2; it must be >= 0 and below 2"),
    REFUSED("a negative index",
            VALUES("1:1 2:2 5:[5]") INDICES("1:1", "-1") "3:2",
            "index 0 is -1; it must be >= 0 and below 2"),
    REFUSED("a coordinate past the end",
            VALUES("1:1 2:2 5:[5]") INDICES("1:[1 2]", "0 2") "3:[2 2]",
            "index 0 has coordinate 2 in dim 1; it must be >= 0 and below 2"),
    REFUSED("fewer indices than values",
            VALUES("1:2 2:2 5:[5 7]") INDICES("1:1", "1") "3:2",
            "indices have 1 entries; there are 2 values"),
    REFUSED("indices of rank 0",
            VALUES("1:1 2:2 5:[5]") INDICES("", "1") "3:2",
            "indices have rank 0; it must be 1 or 2"),
    REFUSED("values of rank 2",
            VALUES("1:[1 1] 2:2 5:[5]") INDICES("1:1", "1") "3:2",
            "values have rank 2; it must be 1"),
    REFUSED("no indices",
            VALUES("1:1 2:2 5:[5]") "3:2",
            "indices are missing; 1 values need them"),
    REFUSED("no values",
            "3:2",
            "values are missing; a sparse tensor must have them"),
    REFUSED("values of no dtype",
            VALUES("1:1 2:99") "3:2",
            "values: data_type is 99; it must be a TensorProto.DataType"),
    REFUSED("values that are too few",
            VALUES("1:2 2:2 5:[5]") INDICES("1:2", "0 1") "3:2",
            "values: int32_data has 1 entries; 2 elements of uint8 take 2"),
    REFUSED("values that do not fit",
            VALUES("1:1 2:2 5:[300]") INDICES("1:1", "0") "3:2",
            "values: int32_data entry 0 is 300; entries of uint8 must be -128 "
            "to 255"),
    REFUSED("indices that are too few",
            VALUES("1:2 2:2 5:[5 7]") INDICES("1:2", "0") "3:2",
            "indices: int64_data has 1 entries; 2 elements of int64 take 2"),
    FAILS("8.42",
          VALUES("1:0 2:2") VALUES("1:0 2:2") "3:2",
          MALFORMED,
          "SparseTensorProto.values is there twice; it must not be repeated"),
    FAILS("8.42",
          VALUES("1:0 2:2") "2:{} 2:{} 3:2",
          MALFORMED,
          "SparseTensorProto.indices is there twice; it must not be repeated"),
};

/* Decodes a Constant of this sparse tensor, at the newest opset. */
static clconst_status decode(const char *sparse,
                             onnx_notes *notes,
                             clconst_op **op,
                             clconst_error *error)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer,
                 "4:'Constant' 2:'y' 5:{1:'sparse_value' 20:11 22:{%s}}",
                 sparse);
    /* Bytes are borrowed; a block of the exact size shows reads past it. */
    static uint8_t *kept;
    free(kept);
    kept = malloc(buffer.size);
    ck_assert_ptr_nonnull(kept);
    memcpy(kept, buffer.bytes, buffer.size);
    size_t size = buffer.size;
    proto_free(&buffer);
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = 28;
    options.note = onnx_notes_take;
    options.note_context = notes;
    return clconst_op_decode(kept, size, &options, op, error);
}

/* The bytes of the operator's output, between guards. */
static void check_output(const clconst_op *op, const sparse_row *row)
{
    proto_buffer expected = {NULL, 0, 0};
    char digits[256] = "";
    for (const char *from = row->bytes; *from != '\0'; from++) {
        if (*from != ' ') {
            strncat(digits, from, 1);
        }
    }
    proto_append(&expected, "!%s", digits);
    clconst_plan *plan;
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    ck_assert_int_eq(clconst_plan_get_kind(plan), CLCONST_PLAN_SCATTER);
    uint8_t bytes[128];
    ck_assert_uint_le(expected.size + 2, sizeof(bytes));
    memset(bytes, 0xa5, sizeof(bytes));
    ck_assert_ok(clconst_write(NULL, plan, bytes + 1, expected.size, error));
    harness_assert_bytes(bytes + 1, expected.bytes, expected.size, row->rule);
    ck_assert_msg(bytes[0] == 0xa5 && bytes[expected.size + 1] == 0xa5,
                  "%s: a guard byte changed",
                  row->rule);
    clconst_plan_destroy(plan);
    proto_free(&expected);
}

START_TEST(sparse_values_become_dense)
{
    const sparse_row *row = &rows[_i];
    onnx_notes notes = {0, CLCONST_NOTE_FALLBACK, ""};
    clconst_op *op = NULL;
    if (row->status != CLCONST_OK) {
        ck_assert_fails(
            decode(row->sparse, &notes, &op, error), row->status, row->message);
        ck_assert_ptr_null(op);
        return;
    }
    ck_assert_ok(decode(row->sparse, &notes, &op, error));
    ck_assert_int_eq(clconst_op_get_kind(op), CLCONST_OP_SPARSE_CONSTANT);
    check_output(op, row);
    clconst_op_destroy(op);
}
END_TEST

/* 8.23 */
START_TEST(the_default_of_float8e8m0_is_noted)
{
    static const sparse_row row = LEGAL(
        "8.23", VALUES("1:1 2:24 5:[127]") INDICES("1:1", "1") "3:2", "007f");
    onnx_notes notes = {0, CLCONST_NOTE_FALLBACK, ""};
    clconst_op *op;
    ck_assert_ok(decode(row.sparse, &notes, &op, error));
    check_output(op, &row);
    clconst_op_destroy(op);
    ck_assert_int_eq(notes.count, 1);
    ck_assert_int_eq(notes.code, CLCONST_NOTE_CHOICE);
    ck_assert_str_eq(notes.text,
                     "float8e8m0 has no zero; elements that are not listed "
                     "get the bits 0x00, which are 2^-127");
}
END_TEST

/* 8.23 */
START_TEST(the_default_of_strings_is_empty)
{
    onnx_notes notes = {0, CLCONST_NOTE_FALLBACK, ""};
    clconst_op *op;
    clconst_plan *plan;
    clconst_engine *engine;
    clconst_tensor *tensor;
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    ck_assert_ok(decode(
        "1:{1:1 2:8 6:x610062} 2:{1:1 2:7 7:[2]} 3:4", &notes, &op, error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    clconst_view view;
    clconst_tensor_get_view(tensor, &view);
    ck_assert_uint_eq(view.size, 4 * sizeof(clconst_string));
    const clconst_string *strings = view.data;
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(strings[i].size, i == 2 ? 3 : 0);
    }
    ck_assert_mem_eq(strings[2].data, "a\0b", 3);
    clconst_tensor_destroy(tensor);
    clconst_engine_destroy(engine);
    clconst_plan_destroy(plan);
    clconst_op_destroy(op);
}
END_TEST

/* A dtype that the version does not list is noted, as of a dense value. */
START_TEST(the_list_of_dtypes_holds_for_sparse_values)
{
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer,
                 "4:'Constant' 2:'y' 5:{1:'sparse_value' 20:11 "
                 "22:{1:{1:0 2:16} 3:2}}");
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = 11;
    options.strictness = CLCONST_STRICT;
    clconst_op *op;
    ck_assert_fails(
        clconst_op_decode(buffer.bytes, buffer.size, &options, &op, error),
        CLCONST_INVALID_MODEL,
        "dtype bfloat16 is not in the list of Constant 11");
    proto_free(&buffer);
}
END_TEST

Suite *onnx_sparse_suite(void)
{
    Suite *suite = suite_create("onnx sparse");
    TCase *tcase = tcase_create("sparse");
    tcase_add_loop_test(
        tcase, sparse_values_become_dense, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tcase, the_default_of_float8e8m0_is_noted);
    tcase_add_test(tcase, the_default_of_strings_is_empty);
    tcase_add_test(tcase, the_list_of_dtypes_holds_for_sparse_values);
    suite_add_tcase(suite, tcase);
    return suite;
}
