/* TensorProto, written: against the test's own writer, and read again. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <clconst/clconst_model.h>

#include "harness/harness.h"
#include "harness/oracle.h"
#include "harness/proto.h"
#include "unit/onnx_suites.h"

/* Takes up to limit bytes, then reports a full disk. */
typedef struct small_disk {
    uint8_t bytes[512];
    size_t size;
    size_t limit;
} small_disk;

static int take(void *context, const void *bytes, size_t size)
{
    small_disk *disk = context;
    if (size > disk->limit - disk->size) {
        return ENOSPC;
    }
    memcpy(disk->bytes + disk->size, bytes, size);
    disk->size += size;
    return 0;
}

static const uint8_t floats[] = {0, 0, 0x80, 0x3f, 1, 0, 0xa0, 0x7f};
static const uint8_t nibbles[] = {0x21, 0xf3};
static const clconst_string strings[] = {{"ab", 2}, {"", 0}, {"\0", 1}};

typedef struct write_row {
    clconst_dtype dtype;
    size_t rank;
    int64_t dims[2];
    const void *data;
    size_t size;
    const char *name;
    const char *tensor;
} write_row;

static const write_row write_rows[] = {
    {CLCONST_FLOAT,
     2,
     {1, 2},
     floats,
     8,
     "x",
     "1:1 1:2 2:1 8:'x' 9:x0000803f0100a07f"},
    {CLCONST_FLOAT, 0, {0}, floats, 4, NULL, "2:1 9:x0000803f"},
    {CLCONST_FLOAT, 0, {0}, floats, 4, "", "2:1 8:'' 9:x0000803f"},
    /* 8.16: the spare bits of the last byte are zero. */
    {CLCONST_UINT4, 1, {3}, nibbles, 2, NULL, "1:3 2:21 9:x2103"},
    {CLCONST_UINT4, 1, {4}, nibbles, 2, NULL, "1:4 2:21 9:x21f3"},
    {CLCONST_UINT8, 1, {0}, NULL, 0, NULL, "1:0 2:2 9:''"},
    {CLCONST_STRING,
     1,
     {3},
     strings,
     sizeof(strings),
     "s",
     "1:3 2:8 6:'ab' 6:'' 6:x00 8:'s'"},
    {CLCONST_STRING, 1, {0}, NULL, 0, NULL, "1:0 2:8"},
};

static clconst_view view_of(const write_row *row)
{
    return (clconst_view){
        row->dtype, {row->dims, row->rank}, row->data, row->size};
}

START_TEST(written_tensors_are_as_the_test_writes_them)
{
    const write_row *row = &write_rows[_i];
    clconst_view view = view_of(row);
    proto_buffer expected = {NULL, 0, 0};
    proto_append(&expected, "%s", row->tensor);
    small_disk full = {{0}, 0, sizeof(full.bytes)};
    ck_assert_ok(
        clconst_tensor_proto_write(&view, row->name, take, &full, error));
    ck_assert_uint_eq(full.size, expected.size);
    harness_assert_bytes(
        full.bytes, expected.bytes, expected.size, row->tensor);
    proto_free(&expected);
}
END_TEST

/* Whatever the disk has room for, the failure is its own. */
START_TEST(a_failed_write_is_reported_at_each_byte)
{
    const write_row *row = &write_rows[_i];
    clconst_view view = view_of(row);
    small_disk full = {{0}, 0, sizeof(full.bytes)};
    ck_assert_ok(
        clconst_tensor_proto_write(&view, row->name, take, &full, error));
    for (size_t limit = 0; limit < full.size; limit++) {
        small_disk small = {{0}, 0, limit};
        clconst_error reason = {0, 0, ""};
        clconst_status status =
            clconst_tensor_proto_write(&view, row->name, take, &small, &reason);
        ck_assert_int_eq(status, CLCONST_IO_ERROR);
        ck_assert_int_eq(reason.native_code, ENOSPC);
        char message[64];
        snprintf(message,
                 sizeof(message),
                 "TensorProto is not written; write returned %d",
                 ENOSPC);
        ck_assert_str_eq(reason.message, message);
    }
}
END_TEST

START_TEST(each_dtype_is_read_as_it_was_written)
{
    uint8_t bytes[128];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * 73 + 5);
    }
#define CLCONST_X(name, number, bits, text)                                    \
    if (number != CLCONST_STRING) {                                            \
        int64_t dim = 7;                                                       \
        uint8_t dense[128];                                                    \
        oracle_copy(dense, number, bytes, 7);                                  \
        if (number == CLCONST_BOOL) {                                          \
            memset(dense, 1, sizeof(dense));                                   \
        }                                                                      \
        size_t size = oracle_size(number, 7);                                  \
        clconst_view view = {CLCONST_##name, {&dim, 1}, dense, size};          \
        small_disk full = {{0}, 0, sizeof(full.bytes)};                        \
        ck_assert_ok(                                                          \
            clconst_tensor_proto_write(&view, text, take, &full, error));      \
        clconst_op *op;                                                        \
        ck_assert_ok(clconst_op_decode_tensor(                                 \
            full.bytes, full.size, NULL, &op, error));                         \
        clconst_view value;                                                    \
        clconst_op_get_value(op, &value);                                      \
        ck_assert_int_eq(value.dtype, number);                                 \
        ck_assert_uint_eq(value.size, size);                                   \
        harness_assert_bytes(value.data, dense, size, text);                   \
        clconst_op_destroy(op);                                                \
    }
    CLCONST_DTYPE_MAP(CLCONST_X)
#undef CLCONST_X
}
END_TEST

START_TEST(what_cannot_be_written_is_refused)
{
    int64_t dim = 1;
    clconst_view view = {CLCONST_FLOAT, {&dim, 1}, floats, 3};
    small_disk full = {{0}, 0, sizeof(full.bytes)};
    ck_assert_fails(clconst_tensor_proto_write(&view, NULL, take, &full, error),
                    CLCONST_INVALID_ARGUMENT,
                    "value has 3 bytes; 1 elements of float take 4");
    ck_assert_fails(clconst_tensor_proto_write(NULL, NULL, take, &full, error),
                    CLCONST_INVALID_ARGUMENT,
                    "view or write is NULL; both are required");
    ck_assert_fails(clconst_tensor_proto_write(&view, NULL, NULL, &full, error),
                    CLCONST_INVALID_ARGUMENT,
                    "view or write is NULL; both are required");
    /* No byte of the string is read, so there need be none. */
    clconst_string huge = {"", (size_t)INT32_MAX};
    view = (clconst_view){CLCONST_STRING, {&dim, 1}, &huge, sizeof(huge)};
    ck_assert_fails(
        clconst_tensor_proto_write(&view, NULL, take, &full, error),
        CLCONST_TOO_LARGE,
        "TensorProto would have 2^31 bytes or more; protobuf ends below");
    ck_assert_uint_eq(full.size, 0);
}
END_TEST

#define COUNT_OF(rows) (sizeof(rows) / sizeof((rows)[0]))

Suite *onnx_write_suite(void)
{
    Suite *suite = suite_create("onnx write");
    TCase *tcase = tcase_create("write");
    tcase_add_loop_test(tcase,
                        written_tensors_are_as_the_test_writes_them,
                        0,
                        COUNT_OF(write_rows));
    tcase_add_loop_test(tcase,
                        a_failed_write_is_reported_at_each_byte,
                        0,
                        COUNT_OF(write_rows));
    tcase_add_test(tcase, each_dtype_is_read_as_it_was_written);
    tcase_add_test(tcase, what_cannot_be_written_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
