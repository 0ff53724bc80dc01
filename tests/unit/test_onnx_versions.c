/*
 * How a model's versions and bytes are judged in each mode. The rules are
 * numbered as in the facts about ONNX.
 */
#include <stdbool.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"
#include "unit/onnx_notes.h"
#include "unit/onnx_suites.h"

/* As in the tables of single operators: what is noted is refused by STRICT,
 * and what is refused with NOTE_LENIENT is accepted by LENIENT. */
typedef struct version_row {
    const char *fact;
    const char *model;
    clconst_status status;
    int note;
    const char *message;
    int64_t ir_version;
    int64_t opset;
} version_row;

static const version_row version_rows[] = {
    {"", "1:8 7:{} 8:{2:13}", CLCONST_OK, 0, NULL, 8, 13},
    {"8.31", "1:8 7:{} 8:{1:'ai.onnx' 2:13}", CLCONST_OK, 0, NULL, 8, 13},
    {"other domains",
     "1:8 7:{} 8:{1:'x' 2:99} 8:{2:9}",
     CLCONST_OK,
     0,
     NULL,
     8,
     9},
    {"8.40",
     "1:8 7:{} 8:{1:'x' 2:1}",
     CLCONST_INVALID_MODEL,
     0,
     "model imports no opset of the default domain; it must import one",
     0,
     0},
    {"8.40",
     "1:3 7:{}",
     CLCONST_INVALID_MODEL,
     0,
     "model imports no opset of the default domain; it must import one",
     0,
     0},
    {"IR 2 means opset 1", "1:2 7:{}", CLCONST_OK, 0, NULL, 2, 1},
    {"8.32: the newest release",
     "1:14 7:{} 8:{2:28}",
     CLCONST_OK,
     0,
     NULL,
     14,
     28},
    {"8.32",
     "1:15 7:{} 8:{2:28}",
     CLCONST_OK,
     CLCONST_NOTE_VERSION,
     "ir_version is 15; the newest known is 14",
     15,
     28},
    {"8.32",
     "1:14 7:{} 8:{2:29}",
     CLCONST_OK,
     CLCONST_NOTE_VERSION,
     "opset is 29; the newest known is 28",
     14,
     29},
    {"8.32: in a function",
     "1:14 7:{} 8:{2:28} 25:{9:{2:30}}",
     CLCONST_OK,
     CLCONST_NOTE_VERSION,
     "opset is 30; the newest known is 28",
     14,
     28},
    {"opset 0",
     "1:8 7:{} 8:{1:''}",
     CLCONST_INVALID_MODEL,
     0,
     "opset is 0; it must be >= 1",
     0,
     0},
    {"the first opset", "1:8 7:{} 8:{2:1}", CLCONST_OK, 0, NULL, 8, 1},
    {"an opset twice",
     "1:8 7:{} 8:{2:13} 8:{2:13}",
     CLCONST_OK,
     0,
     NULL,
     8,
     13},
    {"two opsets",
     "1:8 7:{} 8:{2:13} 8:{1:'ai.onnx' 2:14}",
     CLCONST_INVALID_MODEL,
     0,
     "opset is 13 and 14; the default domain has one version",
     0,
     0},
    {"no IR version",
     "7:{} 8:{2:13}",
     CLCONST_INVALID_MODEL,
     0,
     "ir_version is 0; it must be >= 1",
     0,
     0},
    {"a negative IR version",
     "1:-1 7:{} 8:{2:13}",
     CLCONST_INVALID_MODEL,
     0,
     "ir_version is -1; it must be >= 1",
     0,
     0},
    {"no graph",
     "1:8 8:{2:13}",
     CLCONST_INVALID_MODEL,
     0,
     "model has no graph; it must have one",
     0,
     0},
    {"no bytes",
     "",
     CLCONST_INVALID_MODEL,
     0,
     "model has no graph; it must have one",
     0,
     0},
    {"8.36",
     "1:8 7:{1:{4:'ConstantOfShape' 1:'s' 2:'f'}} 8:{2:9}",
     CLCONST_OK,
     0,
     NULL,
     8,
     9},
    {"8.42",
     "1:8 7:{} 7:{} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "ModelProto.graph is there twice; it must not be repeated",
     0,
     0},
    {"a malformed graph",
     "1:8 7:xff 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "GraphProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed node",
     "1:8 7:{1:xff} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "NodeProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed initializer",
     "1:8 7:{5:xff} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "TensorProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed sparse initializer",
     "1:8 7:{15:xff} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "SparseTensorProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"malformed values",
     "1:8 7:{15:{1:xff}} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "TensorProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed attribute of any node",
     "1:8 7:{1:{4:'Relu' 5:xff}} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "AttributeProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed body",
     "1:8 7:{1:{4:'If' 5:{6:xff}}} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "GraphProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed input",
     "1:8 7:{11:xff} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "ValueInfoProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed type",
     "1:8 7:{11:{2:xff}} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "TypeProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed tensor type",
     "1:8 7:{11:{2:{1:xff}}} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "TypeProto_Tensor is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed shape",
     "1:8 7:{12:{2:{1:{2:xff}}}} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "TensorShapeProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed dim",
     "1:8 7:{12:{2:{1:{2:{1:xff}}}}} 8:{2:13}",
     CLCONST_MALFORMED,
     0,
     "TensorShapeProto_Dimension is no protobuf near its byte 1: "
     "end-of-stream",
     0,
     0},
    {"a malformed function",
     "1:8 7:{} 8:{2:13} 25:xff",
     CLCONST_MALFORMED,
     0,
     "FunctionProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
    {"a malformed import",
     "1:8 7:{} 8:xff",
     CLCONST_MALFORMED,
     0,
     "OperatorSetIdProto is no protobuf near its byte 1: end-of-stream",
     0,
     0},
};

static clconst_status parse(const proto_buffer *buffer,
                            clconst_strictness strictness,
                            onnx_notes *notes,
                            clconst_model **model,
                            clconst_error *error)
{
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    options.strictness = strictness;
    options.note = onnx_notes_take;
    options.note_context = notes;
    return clconst_model_parse(
        buffer->bytes, buffer->size, &options, model, error);
}

START_TEST(each_mode_judges_versions_and_bytes)
{
    const version_row *row = &version_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    proto_append(&buffer, "%s", row->model);
    for (int i = CLCONST_DEFAULT; i <= CLCONST_LENIENT; i++) {
        clconst_strictness mode = (clconst_strictness)i;
        onnx_notes notes = {0, CLCONST_NOTE_FALLBACK, ""};
        clconst_model *model = NULL;
        bool is_noted = row->note != 0;
        if (row->status != CLCONST_OK || (is_noted && mode == CLCONST_STRICT)) {
            ck_assert_fails(parse(&buffer, mode, &notes, &model, error),
                            is_noted ? CLCONST_INVALID_MODEL : row->status,
                            row->message);
            ck_assert_ptr_null(model);
            continue;
        }
        ck_assert_ok(parse(&buffer, mode, &notes, &model, error));
        clconst_model_info info = CLCONST_MODEL_INFO_INIT;
        clconst_model_get_info(model, &info);
        ck_assert_int_eq(info.ir_version, row->ir_version);
        ck_assert_int_eq(info.opset, row->opset);
        ck_assert_int_eq(notes.count, is_noted);
        if (is_noted) {
            ck_assert_int_eq(notes.code, row->note);
            ck_assert_str_eq(notes.text, row->message);
        }
        clconst_model_destroy(model);
    }
    proto_free(&buffer);
}
END_TEST

/* Notes about constants begin with the constant's name and scope. */
typedef struct note_row {
    const char *graph;
    clconst_strictness strictness;
    clconst_note_code code;
    const char *text;
} note_row;

static const note_row note_rows[] = {
    {"1:{4:'ConstantOfShape' 1:'s' 2:'f' 5:{1:'value' 20:4 5:{2:16 5:1}}}",
     CLCONST_DEFAULT,
     CLCONST_NOTE_DTYPE,
     "constant \"f\": dtype bfloat16 is not in the list of ConstantOfShape 9"},
    {"1:{4:'If' 3:'i' 5:{1:'then' 6:{5:{1:1 2:9 9:x02 8:'w'}}}}",
     CLCONST_LENIENT,
     CLCONST_NOTE_LENIENT,
     "constant \"w\" in \"i.then\": raw_data byte 0 is 2; bytes of bool must "
     "be 0 or 1"},
};

START_TEST(notes_name_the_constant)
{
    const note_row *row = &note_rows[_i];
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, row->graph, "");
    onnx_notes notes = {0, CLCONST_NOTE_FALLBACK, ""};
    clconst_model *model;
    ck_assert_ok(parse(&buffer, row->strictness, &notes, &model, error));
    ck_assert_int_eq(notes.count, 1);
    ck_assert_int_eq(notes.code, row->code);
    ck_assert_str_eq(notes.text, row->text);
    clconst_model_destroy(model);
    proto_free(&buffer);
}
END_TEST

#define COUNT_OF(rows) (sizeof(rows) / sizeof((rows)[0]))

Suite *onnx_versions_suite(void)
{
    Suite *suite = suite_create("onnx versions");
    TCase *tcase = tcase_create("versions");
    tcase_add_loop_test(
        tcase, each_mode_judges_versions_and_bytes, 0, COUNT_OF(version_rows));
    tcase_add_loop_test(tcase, notes_name_the_constant, 0, COUNT_OF(note_rows));
    suite_add_tcase(suite, tcase);
    return suite;
}
