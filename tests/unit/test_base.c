#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/dtype.h"
#include "base/options.h"
#include "base/storage.h"
#include "harness/harness.h"
#include "harness/oracle.h"
#include "unit/suites.h"

START_TEST(version_has_the_numbers_of_the_header)
{
    char expected[32];
    snprintf(expected,
             sizeof(expected),
             "%d.%d.%d",
             CLCONST_VERSION_MAJOR,
             CLCONST_VERSION_MINOR,
             CLCONST_VERSION_PATCH);
    ck_assert_str_eq(clconst_version(), expected);
}
END_TEST

START_TEST(status_names_and_numbers_are_pinned)
{
    static const char *const names[] = {"OK",
                                        "INVALID_ARGUMENT",
                                        "MALFORMED",
                                        "INVALID_MODEL",
                                        "UNSUPPORTED",
                                        "TOO_LARGE",
                                        "OUT_OF_MEMORY",
                                        "NO_DEVICE",
                                        "DEVICE_ERROR",
                                        "IO_ERROR",
                                        "CANCELLED",
                                        "UNKNOWN"};
    for (int number = 0; number < 12; number++) {
        ck_assert_str_eq(clconst_status_name((clconst_status)number),
                         names[number]);
    }
    ck_assert_str_eq(clconst_status_name((clconst_status)-1), "UNKNOWN");
}
END_TEST

START_TEST(error_layout_is_frozen)
{
    ck_assert_uint_eq(sizeof(clconst_error), 520);
    ck_assert_uint_eq(offsetof(clconst_error, native_code), 4);
    ck_assert_uint_eq(offsetof(clconst_error, message), 8);
}
END_TEST

START_TEST(dtype_names_and_widths_are_those_of_onnx)
{
    static const char *const names[] = {NULL,
                                        "float",
                                        "uint8",
                                        "int8",
                                        "uint16",
                                        "int16",
                                        "int32",
                                        "int64",
                                        "string",
                                        "bool",
                                        "float16",
                                        "double",
                                        "uint32",
                                        "uint64",
                                        "complex64",
                                        "complex128",
                                        "bfloat16",
                                        "float8e4m3fn",
                                        "float8e4m3fnuz",
                                        "float8e5m2",
                                        "float8e5m2fnuz",
                                        "uint4",
                                        "int4",
                                        "float4e2m1",
                                        "float8e8m0",
                                        "uint2",
                                        "int2",
                                        "float6e2m3",
                                        "float6e3m2",
                                        NULL};
    for (int number = 0; number < 30; number++) {
        clconst_dtype dtype = (clconst_dtype)number;
        if (names[number] == NULL) {
            ck_assert_ptr_null(clconst_dtype_name(dtype));
        } else {
            ck_assert_str_eq(clconst_dtype_name(dtype), names[number]);
        }
        ck_assert_uint_eq(clconst_dtype_bits(dtype), oracle_bits(number));
    }
    ck_assert_ptr_null(clconst_dtype_name((clconst_dtype)-1));
    ck_assert_ptr_null(clconst_dtype_name((clconst_dtype)255));
    ck_assert_uint_eq(clconst_dtype_bits((clconst_dtype)255), 0);
}
END_TEST

typedef struct mask_row {
    clconst_dtype dtype;
    uint64_t count;
    uint8_t mask;
} mask_row;

static const mask_row mask_rows[] = {
    {CLCONST_INT4, 1, 0x0f},
    {CLCONST_INT4, 2, 0xff},
    {CLCONST_UINT2, 1, 0x03},
    {CLCONST_UINT2, 2, 0x0f},
    {CLCONST_UINT2, 3, 0x3f},
    {CLCONST_UINT2, 4, 0xff},
    {CLCONST_FLOAT6E2M3, 1, 0x3f},
    {CLCONST_FLOAT6E2M3, 2, 0x0f},
    {CLCONST_FLOAT6E2M3, 3, 0x03},
    {CLCONST_FLOAT6E2M3, 4, 0xff},
    {CLCONST_BOOL, 3, 0xff},
    {CLCONST_COMPLEX128, 1, 0xff},
    {CLCONST_FLOAT6E2M3, UINT64_C(0x7fffffffffffffff), 0x03},
};

START_TEST(last_mask_keeps_the_bits_of_elements)
{
    const mask_row *row = &mask_rows[_i];
    ck_assert_uint_eq(clconst__dtype_last_mask(row->dtype, row->count),
                      row->mask);
}
END_TEST

START_TEST(checked_arithmetic_refuses_what_does_not_fit)
{
    size_t result;
    ck_assert(clconst__add_size(SIZE_MAX - 1, 1, &result));
    ck_assert_uint_eq(result, SIZE_MAX);
    ck_assert(!clconst__add_size(SIZE_MAX, 1, &result));
    ck_assert(clconst__mul_size(SIZE_MAX / 2, 2, &result));
    ck_assert(!clconst__mul_size(SIZE_MAX / 2 + 1, 2, &result));
    ck_assert(clconst__align_size(0, 64, &result));
    ck_assert_uint_eq(result, 0);
    ck_assert(clconst__align_size(65, 64, &result));
    ck_assert_uint_eq(result, 128);
    ck_assert(!clconst__align_size(SIZE_MAX - 62, 64, &result));
    ck_assert(clconst__range_fits(10, 0, 10));
    ck_assert(clconst__range_fits(4, 6, 10));
    ck_assert(!clconst__range_fits(4, 7, 10));
    ck_assert(!clconst__range_fits(11, 0, 10));
    ck_assert(!clconst__range_fits(2, SIZE_MAX, 10));
}
END_TEST

START_TEST(grow_keeps_entries_and_refuses_overflow)
{
    uint32_t *entries = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        ck_assert_ok(
            clconst__grow(&entries, &capacity, i + 1, sizeof(*entries), error));
        entries[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(entries[i], i);
    }
    ck_assert_fails(clconst__grow(&entries, &capacity, SIZE_MAX, 4, error),
                    CLCONST_OUT_OF_MEMORY,
                    "no memory for 18446744073709551615 entries of 4 bytes");
    clconst__free(entries);
}
END_TEST

typedef struct small_options {
    size_t struct_size;
    uint32_t a;
    uint32_t b;
} small_options;

START_TEST(options_of_any_age_are_read)
{
    struct {
        small_options known;
        uint32_t later;
    } longer = {{sizeof(longer), 1, 2}, 3};
    small_options own;
    ck_assert_ok(
        clconst__options_read(&own, sizeof(own), &longer.known, error));
    ck_assert_uint_eq(own.a, 1);
    ck_assert_uint_eq(own.b, 2);
    small_options older = {offsetof(small_options, b), 1, 2};
    ck_assert_ok(clconst__options_read(&own, sizeof(own), &older, error));
    ck_assert_uint_eq(own.a, 1);
    ck_assert_uint_eq(own.b, 0);
    ck_assert_ok(clconst__options_read(&own, sizeof(own), NULL, error));
    ck_assert_uint_eq(own.a, 0);
    small_options unset = {0, 1, 2};
    ck_assert_fails(
        clconst__options_read(&own, sizeof(own), &unset, error),
        CLCONST_INVALID_ARGUMENT,
        "struct_size is 0; it must be set to the size of the struct");
}
END_TEST

START_TEST(outputs_stop_at_the_size_of_the_caller)
{
    small_options own = {sizeof(own), 1, 2};
    small_options output = {offsetof(small_options, b), 7, 8};
    clconst__output_write(&output, &own, sizeof(own));
    ck_assert_uint_eq(output.struct_size, offsetof(small_options, b));
    ck_assert_uint_eq(output.a, 1);
    ck_assert_uint_eq(output.b, 8);
}
END_TEST

START_TEST(error_messages_are_cut_at_the_end_of_the_struct)
{
    char text[600];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    clconst_error error;
    ck_assert_int_eq(
        clconst__fail_native(&error, CLCONST_IO_ERROR, 28, "%s", text),
        CLCONST_IO_ERROR);
    ck_assert_int_eq(error.status, CLCONST_IO_ERROR);
    ck_assert_int_eq(error.native_code, 28);
    ck_assert_uint_eq(strlen(error.message), sizeof(error.message) - 1);
    ck_assert_int_eq(clconst__fail(NULL, CLCONST_TOO_LARGE, "x"),
                     CLCONST_TOO_LARGE);
}
END_TEST

START_TEST(failures_are_passed_on)
{
    clconst_error failure;
    clconst_error error = {0, 0, ""};
    clconst__error_set(&failure, CLCONST_IO_ERROR, 28, "file x");
    ck_assert_int_eq(clconst__fail_as(NULL, &failure), CLCONST_IO_ERROR);
    ck_assert_int_eq(clconst__fail_as(&error, &failure), CLCONST_IO_ERROR);
    ck_assert_int_eq(error.status, CLCONST_IO_ERROR);
    ck_assert_int_eq(error.native_code, 28);
    ck_assert_str_eq(error.message, "file x");
    ck_assert_int_eq(clconst__fail_instead(NULL, CLCONST_TOO_LARGE),
                     CLCONST_TOO_LARGE);
    ck_assert_int_eq(clconst__fail_instead(&error, CLCONST_TOO_LARGE),
                     CLCONST_TOO_LARGE);
    ck_assert_int_eq(error.status, CLCONST_TOO_LARGE);
    ck_assert_str_eq(error.message, "file x");
}
END_TEST

START_TEST(blocks_live_as_long_as_their_last_user)
{
    clconst__storage *parent;
    clconst__storage *child;
    void *parent_block;
    void *child_block;
    ck_assert_ok(
        clconst__storage_create_block(16, NULL, &parent, &parent_block, error));
    ck_assert_ok(
        clconst__storage_create_block(0, parent, &child, &child_block, error));
    ck_assert_ptr_nonnull(child_block);
    ck_assert_uint_eq((uintptr_t)parent_block % _Alignof(max_align_t), 0);
    clconst__storage_release(parent);
    memset(parent_block, 1, 16);
    clconst__storage_release(clconst__storage_retain(child));
    clconst__storage_release(child);
    clconst__storage_release(NULL);
    ck_assert_ptr_null(clconst__storage_retain(NULL));
}
END_TEST

Suite *base_suite(void)
{
    Suite *suite = suite_create("base");
    TCase *tcase = tcase_create("base");
    tcase_add_test(tcase, version_has_the_numbers_of_the_header);
    tcase_add_test(tcase, status_names_and_numbers_are_pinned);
    tcase_add_test(tcase, error_layout_is_frozen);
    tcase_add_test(tcase, dtype_names_and_widths_are_those_of_onnx);
    tcase_add_loop_test(tcase,
                        last_mask_keeps_the_bits_of_elements,
                        0,
                        sizeof(mask_rows) / sizeof(mask_rows[0]));
    tcase_add_test(tcase, checked_arithmetic_refuses_what_does_not_fit);
    tcase_add_test(tcase, grow_keeps_entries_and_refuses_overflow);
    tcase_add_test(tcase, options_of_any_age_are_read);
    tcase_add_test(tcase, outputs_stop_at_the_size_of_the_caller);
    tcase_add_test(tcase, error_messages_are_cut_at_the_end_of_the_struct);
    tcase_add_test(tcase, failures_are_passed_on);
    tcase_add_test(tcase, blocks_live_as_long_as_their_last_user);
    suite_add_tcase(suite, tcase);
    return suite;
}
