/* Which device a text chooses, and what the list says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/engines.h"
#include "backend/opencl/devices.h"
#include "backend/opencl/tuning.h"
#include "backend/suites.h"

#define ENTRY(label_text, device_name, device_type, device_reason)             \
    {                                                                          \
        .label = label_text, .device = {                                       \
            .name = device_name,                                               \
            .type = device_type,                                               \
            .reason = device_reason,                                           \
        }                                                                      \
    }

static clconst__device_entry entries[] = {
    ENTRY("opencl:0.0", "Small Processor", "cpu", ""),
    ENTRY("opencl:0.1", "Old Graphics", "gpu", "version is old"),
    ENTRY("opencl:1.0", "Odd Board", "accelerator", ""),
    ENTRY("opencl:1.1", "Fast Graphics", "gpu", ""),
    ENTRY("opencl:2.0", "Fast Graphics Two", "gpu", ""),
};

typedef struct choice_row {
    const char *text;
    size_t count; /* of the entries above */
    size_t index;
} choice_row;

static const choice_row choice_rows[] = {
    {"auto", 5, 3},
    {"opencl", 5, 3},
    {"auto", 3, 2},
    {"auto", 2, 0},
    {"opencl:0.0", 5, 0},
    {"opencl:2.0", 5, 4},
    {"Odd Board", 5, 2},
    {"odd", 5, 2},
    {"Two", 5, 4},
    {"SMALL", 5, 0},
};

START_TEST(choice_takes_the_device_that_fits)
{
    const choice_row *row = &choice_rows[_i];
    clconst__devices devices = {entries, row->count, 0, ""};
    size_t index = 99;
    ck_assert_ok(clconst__devices_choose(&devices, row->text, &index, error));
    ck_assert_msg(index == row->index,
                  "%s: device %zu; expected %zu",
                  row->text,
                  index,
                  row->index);
}
END_TEST

typedef struct refusal_row {
    const char *text;
    size_t first;
    size_t count;
    clconst_status status;
    const char *message;
} refusal_row;

static const refusal_row refusal_rows[] = {
    {"opencl",
     0,
     0,
     CLCONST_NO_DEVICE,
     "device is \"opencl\"; no OpenCL platform has a device"},
    {"auto",
     1,
     1,
     CLCONST_NO_DEVICE,
     "device is \"auto\"; no OpenCL device is usable; of opencl:0.1, version "
     "is old"},
    {"old",
     0,
     5,
     CLCONST_NO_DEVICE,
     "device is \"old\"; opencl:0.1 is unusable; version is old"},
    {"opencl:0.1",
     0,
     5,
     CLCONST_NO_DEVICE,
     "device is \"opencl:0.1\"; opencl:0.1 is unusable; version is old"},
    {"Fast",
     0,
     5,
     CLCONST_INVALID_ARGUMENT,
     "device is \"Fast\"; it fits opencl:1.1 and opencl:2.0, and must fit one "
     "only"},
    {"opencl:0",
     0,
     5,
     CLCONST_NO_DEVICE,
     "device is \"opencl:0\"; no OpenCL device has this number or name"},
    {"opencl:0.00",
     0,
     5,
     CLCONST_NO_DEVICE,
     "device is \"opencl:0.00\"; no OpenCL device has this number or name"},
    {"Graphics Three",
     0,
     5,
     CLCONST_NO_DEVICE,
     "device is \"Graphics Three\"; no OpenCL device has this number or name"},
};

START_TEST(choice_says_why_no_device_fits)
{
    const refusal_row *row = &refusal_rows[_i];
    clconst__devices devices = {entries + row->first, row->count, 0, ""};
    size_t index = 99;
    ck_assert_fails(clconst__devices_choose(&devices, row->text, &index, error),
                    row->status,
                    row->message);
    ck_assert_uint_eq(index, 99);
}
END_TEST

/* What a visitor saw. */
typedef struct sight {
    size_t count;
    size_t usable_count;
    char first_usable[32];
    char last[32];
} sight;

static void see(void *context, const clconst_device *device)
{
    sight *seen = context;
    ck_assert_uint_eq(device->struct_size, sizeof(*device));
    ck_assert_int_eq(device->is_usable, device->reason == NULL);
    ck_assert_str_ne(device->name, "");
    ck_assert_str_ne(device->platform, "");
    if (device->is_usable && seen->usable_count++ == 0) {
        snprintf(
            seen->first_usable, sizeof(seen->first_usable), "%s", device->id);
    }
    snprintf(seen->last, sizeof(seen->last), "%s", device->id);
    seen->count++;
}

START_TEST(list_ends_with_the_cpu_engine)
{
    sight seen = {0};
    ck_assert_ok(clconst_device_list(see, &seen, error));
    ck_assert_uint_ge(seen.count, 2);
    ck_assert_str_eq(seen.last, "cpu");
    ck_assert_int_eq(strncmp(seen.first_usable, "opencl:", 7), 0);
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine *engine;
    options.device = seen.first_usable;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    clconst_engine_destroy(engine);
}
END_TEST

static void hide_platforms(void)
{
    setenv("OCL_ICD_VENDORS", "/no/such/folder", 1);
}

START_TEST(list_without_platforms_is_the_cpu_engine)
{
    hide_platforms();
    sight seen = {0};
    ck_assert_ok(clconst_device_list(see, &seen, error));
    ck_assert_uint_eq(seen.count, 1);
    ck_assert_str_eq(seen.first_usable, "cpu");
}
END_TEST

static void
remember_note(void *context, clconst_note_code code, const char *text)
{
    ck_assert_int_eq(code, CLCONST_NOTE_FALLBACK);
    snprintf(context, 256, "%s", text);
}

START_TEST(auto_without_platforms_falls_back_with_a_note)
{
    hide_platforms();
    char note[256] = "";
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    clconst_engine_info info = CLCONST_ENGINE_INFO_INIT;
    clconst_engine *engine;
    options.note = remember_note;
    options.note_context = note;
    ck_assert_ok(clconst_engine_create(&options, &engine, error));
    clconst_engine_get_info(engine, &info);
    ck_assert_int_eq(info.kind, CLCONST_ENGINE_CPU);
    ck_assert_str_eq(note,
                     "the CPU engine serves: device is \"auto\"; no OpenCL "
                     "platform has a device");
    clconst_engine_destroy(engine);
    options.require_device = 1;
    ck_assert_fails(clconst_engine_create(&options, &engine, error),
                    CLCONST_NO_DEVICE,
                    "device is \"auto\"; no OpenCL platform has a device");
}
END_TEST

typedef struct tuning_row {
    const char *platform;
    const char *type;
} tuning_row;

static const tuning_row tuning_rows[] = {
    {"Portable Computing Language", "cpu"},
    {"Portable Computing Language", "gpu"},
    {"rusticl", "cpu"},
    {"Oclgrind", "cpu"},
    {"another", "cpu"},
    {"another", "accelerator"},
};

/* Any pattern size must be one that clEnqueueFillBuffer takes (OpenCL 1.2
 * specification, section 5.2.2) and a multiple of its period. What a row
 * chooses is in faults/choices.c. */
START_TEST(tuning_has_a_legal_row_for_each_device)
{
    const tuning_row *row = &tuning_rows[_i];
    const clconst__tuning *tuning =
        clconst__tuning_find(row->platform, row->type);
    for (size_t i = 0; i < CLCONST__PERIOD_COUNT; i++) {
        size_t size = tuning->pattern_sizes[i];
        ck_assert_uint_eq(size & (size - 1), 0);
        ck_assert_uint_ge(size, (size_t)1 << i);
        ck_assert_uint_le(size, 128);
    }
}
END_TEST

Suite *opencl_devices_suite(void)
{
    Suite *suite = suite_create("opencl_devices");
    TCase *tcase = tcase_create("opencl_devices");
    tcase_add_loop_test(tcase,
                        choice_takes_the_device_that_fits,
                        0,
                        sizeof(choice_rows) / sizeof(choice_rows[0]));
    tcase_add_loop_test(tcase,
                        choice_says_why_no_device_fits,
                        0,
                        sizeof(refusal_rows) / sizeof(refusal_rows[0]));
    tcase_add_test(tcase, list_ends_with_the_cpu_engine);
    tcase_add_test(tcase, list_without_platforms_is_the_cpu_engine);
    tcase_add_test(tcase, auto_without_platforms_falls_back_with_a_note);
    tcase_add_loop_test(tcase,
                        tuning_has_a_legal_row_for_each_device,
                        0,
                        sizeof(tuning_rows) / sizeof(tuning_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
