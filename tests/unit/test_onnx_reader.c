/*
 * External data from a reader of the caller's own, and how long they live.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/proto.h"
#include "unit/onnx_listing.h"
#include "unit/onnx_notes.h"
#include "unit/onnx_suites.h"

/* A storage, the last that was asked of it, and the bytes that are mapped. */
typedef struct test_storage {
    char location[32];
    uint64_t offset;
    size_t size;
    int mapped;
    int unmapped;
} test_storage;

static const uint8_t stored[16] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static int map(void *context,
               const char *location,
               uint64_t offset,
               size_t size,
               const void **bytes)
{
    test_storage *storage = context;
    snprintf(storage->location, sizeof(storage->location), "%s", location);
    storage->offset = offset;
    if (strcmp(location, "short") == 0) {
        return ERANGE;
    }
    if (strcmp(location, "nothing") != 0) {
        *bytes = stored + offset;
    }
    storage->size += size;
    storage->mapped++;
    return 0;
}

static void unmap(void *context, const void *bytes, size_t size)
{
    test_storage *storage = context;
    ck_assert((const uint8_t *)bytes >= stored);
    storage->size -= size;
    storage->unmapped++;
}

#define ENTRY(key, value) "13:{1:'" key "' 2:'" value "'} "
#define NODE(tensor)      "4:'Constant' 2:'y' 5:{1:'value' 20:4 5:{" tensor " 14:1}}"

static clconst_status decode(const char *node,
                             test_storage *storage,
                             clconst_op **op,
                             clconst_error *error)
{
    proto_buffer buffer = {NULL, 0, 0};
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    options.opset = 13;
    options.reader = (clconst_reader){storage, map, unmap};
    proto_append(&buffer, "%s", node);
    clconst_status status =
        clconst_op_decode(buffer.bytes, buffer.size, &options, op, error);
    proto_free(&buffer);
    return status;
}

/* The node's bytes are gone before the data are used. */
START_TEST(a_reader_serves_single_operators_as_long_as_they_live)
{
    test_storage storage = {"", 0, 0, 0, 0};
    clconst_op *op;
    clconst_plan *plan;
    uint8_t bytes[4];
    ck_assert_ok(
        decode(NODE("1:2 2:4 " ENTRY("location", "sub/w") ENTRY("offset", "6")),
               &storage,
               &op,
               error));
    ck_assert_str_eq(storage.location, "sub/w");
    ck_assert_uint_eq(storage.offset, 6);
    ck_assert_uint_eq(storage.size, 4);
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    clconst_op_destroy(op);
    ck_assert_int_eq(storage.unmapped, 0);
    ck_assert_ok(clconst_write(NULL, plan, bytes, sizeof(bytes), error));
    ck_assert_mem_eq(bytes, stored + 6, sizeof(bytes));
    clconst_plan_destroy(plan);
    ck_assert_int_eq(storage.mapped, 1);
    ck_assert_int_eq(storage.unmapped, 1);
    ck_assert_uint_eq(storage.size, 0);
}
END_TEST

START_TEST(failures_of_a_reader_are_told)
{
    test_storage storage = {"", 0, 0, 0, 0};
    clconst_op *op = NULL;
    clconst_error told = {0, 0, ""};
    ck_assert_fails(
        decode(
            NODE("1:2 2:4 " ENTRY("location", "short")), &storage, &op, error),
        CLCONST_IO_ERROR,
        "location \"short\" cannot be read: Numerical result out of range");
    ck_assert_int_eq(
        decode(
            NODE("1:2 2:4 " ENTRY("location", "short")), &storage, &op, &told),
        CLCONST_IO_ERROR);
    ck_assert_int_eq(told.native_code, ERANGE);
    ck_assert_fails(decode(NODE("1:2 2:4 " ENTRY("location", "nothing")),
                           &storage,
                           &op,
                           error),
                    CLCONST_IO_ERROR,
                    "location \"nothing\" cannot be read: Input/output error");
    storage.mapped = 0;
    ck_assert_fails(
        decode(
            NODE("1:2 2:4 " ENTRY("location", "../w")), &storage, &op, error),
        CLCONST_INVALID_MODEL,
        "location \"../w\" has a component ..; it must stay below the model's "
        "folder");
    ck_assert_fails(
        decode(NODE("1:2 2:4 " ENTRY("location", "w") ENTRY("length", "5")),
               &storage,
               &op,
               error),
        CLCONST_INVALID_MODEL,
        "length is 5; the dims and dtype take 4 bytes");
    ck_assert_int_eq(storage.mapped, 0);
    ck_assert_ptr_null(op);
}
END_TEST

START_TEST(a_reader_serves_models_without_a_path)
{
    test_storage storage = {"", 0, 0, 0, 0};
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    clconst_model *model;
    proto_buffer buffer = {NULL, 0, 0};
    listing_text list;
    model_append(&buffer,
                 "5:{1:4 2:2 14:1 8:'t' 13:{1:'location' 2:'w'}} "
                 "5:{1:4 2:2 14:1 8:'u' 13:{1:'location' 2:'short'}}",
                 "");
    options.reader = (clconst_reader){&storage, map, NULL};
    ck_assert_ok(clconst_model_parse(
        buffer.bytes, buffer.size, &options, &model, error));
    listing_make_of(&list, model, NULL);
    clconst_model_destroy(model);
    ck_assert_str_eq(list.text,
                     "|t|initializer|external|uint8|+[4]|\n"
                     "|u|initializer|||!|location \"short\" cannot be read: "
                     "Numerical result out of range\n");
    options.reader = (clconst_reader){&storage, NULL, unmap};
    ck_assert_fails(
        clconst_model_parse(buffer.bytes, buffer.size, &options, &model, error),
        CLCONST_INVALID_ARGUMENT,
        "map of the reader is NULL; unmap needs it");
    proto_free(&buffer);
}
END_TEST

/* 8.27 */
START_TEST(a_checksum_is_noted)
{
    test_storage storage = {"", 0, 0, 0, 0};
    onnx_notes notes = {0, CLCONST_NOTE_FALLBACK, ""};
    clconst_decode_options options = CLCONST_DECODE_OPTIONS_INIT;
    clconst_op *op;
    proto_buffer buffer = {NULL, 0, 0};
    options.reader = (clconst_reader){&storage, map, unmap};
    options.note = onnx_notes_take;
    options.note_context = &notes;
    proto_append(&buffer,
                 "1:4 2:2 14:1 " ENTRY("location", "w")
                     ENTRY("checksum", "00"));
    ck_assert_ok(clconst_op_decode_tensor(
        buffer.bytes, buffer.size, &options, &op, error));
    clconst_op_destroy(op);
    proto_free(&buffer);
    ck_assert_int_eq(notes.count, 1);
    ck_assert_int_eq(notes.code, CLCONST_NOTE_CHOICE);
    ck_assert_str_eq(notes.text, "checksum is not verified");
    ck_assert_int_eq(storage.unmapped, 1);
}
END_TEST

/* Values and indices come from two mappings, and both are held. */
START_TEST(a_sparse_tensor_holds_both_of_its_mappings)
{
    test_storage storage = {"", 0, 0, 0, 0};
    clconst_op *op;
    clconst_plan *plan;
    uint8_t bytes[2];
    /* Both lie at offset 0; the index is the number of their bytes. */
    ck_assert_fails(decode("4:'Constant' 2:'y' 5:{1:'sparse_value' 20:11 22:{"
                           "1:{1:1 2:2 14:1 13:{1:'location' 2:'v'}} "
                           "2:{1:1 2:7 14:1 13:{1:'location' 2:'i'}} 3:2}}",
                           &storage,
                           &op,
                           error),
                    CLCONST_INVALID_MODEL,
                    "index 0 is 506097522914230528; it must be >= 0 and below "
                    "2");
    ck_assert_int_eq(storage.mapped, 2);
    ck_assert_int_eq(storage.unmapped, 2);
    ck_assert_uint_eq(storage.size, 0);
    storage.mapped = 0;
    storage.unmapped = 0;
    ck_assert_ok(decode("4:'Constant' 2:'y' 5:{1:'sparse_value' 20:11 22:{"
                        "1:{1:1 2:2 14:1 13:{1:'location' 2:'v'} "
                        "13:{1:'offset' 2:'9'}} 2:{1:1 2:7 7:1} 3:2}}",
                        &storage,
                        &op,
                        error));
    ck_assert_ok(clconst_plan_create(op, NULL, &plan, error));
    clconst_op_destroy(op);
    ck_assert_ok(clconst_write(NULL, plan, bytes, sizeof(bytes), error));
    ck_assert_mem_eq(bytes, "\0\x9", 2);
    clconst_plan_destroy(plan);
    ck_assert_int_eq(storage.mapped, 1);
    ck_assert_int_eq(storage.unmapped, 1);
    ck_assert_uint_eq(storage.size, 0);
}
END_TEST

Suite *onnx_reader_suite(void)
{
    Suite *suite = suite_create("onnx reader");
    TCase *tcase = tcase_create("reader");
    tcase_add_test(tcase,
                   a_reader_serves_single_operators_as_long_as_they_live);
    tcase_add_test(tcase, failures_of_a_reader_are_told);
    tcase_add_test(tcase, a_reader_serves_models_without_a_path);
    tcase_add_test(tcase, a_checksum_is_noted);
    tcase_add_test(tcase, a_sparse_tensor_holds_both_of_its_mappings);
    suite_add_tcase(suite, tcase);
    return suite;
}
