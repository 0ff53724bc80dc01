#include "unit/onnx_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/harness.h"

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    if (size > 0) {
        ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    }
    ck_assert_int_eq(fclose(file), 0);
}

static char folder[] = "test_onnx_external_XXXXXX";

void folder_enter(void)
{
    uint8_t bytes[16];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)i;
    }
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("model", 0700), 0);
    ck_assert_int_eq(mkdir("model/sub", 0700), 0);
    write_file("outside.bin", bytes, sizeof(bytes));
    write_file("model/w.bin", bytes, sizeof(bytes));
    write_file("model/a..b", bytes, sizeof(bytes));
    write_file("model/sub/w.bin", bytes, sizeof(bytes));
    write_file("model/two.bin", bytes, sizeof(bytes));
    write_file("model/empty.bin", NULL, 0);
    ck_assert_int_eq(link("model/two.bin", "model/hard.bin"), 0);
    ck_assert_int_eq(symlink("w.bin", "model/leaf.bin"), 0);
    ck_assert_int_eq(symlink("../outside.bin", "model/out.bin"), 0);
    ck_assert_int_eq(symlink("sub", "model/parent"), 0);
    ck_assert_int_eq(symlink("model", "linked"), 0);
    ck_assert_int_eq(mkfifo("model/fifo", 0600), 0);
}

void folder_leave(void)
{
    static const char *const files[] = {
        "outside.bin",
        "model/w.bin",
        "model/a..b",
        "model/sub/w.bin",
        "model/two.bin",
        "model/hard.bin",
        "model/leaf.bin",
        "model/out.bin",
        "model/parent",
        "model/fifo",
        "model/m.onnx",
        "model/empty.bin",
        "model/link.onnx",
        "linked",
        "m.onnx",
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        unlink(files[i]);
    }
    ck_assert_int_eq(rmdir("model/sub"), 0);
    ck_assert_int_eq(rmdir("model"), 0);
    ck_assert_int_eq(chdir(".."), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

void folder_write_model(const char *path, const char *graph)
{
    proto_buffer buffer = {NULL, 0, 0};
    model_append(&buffer, graph, "");
    write_file(path, buffer.bytes, buffer.size);
    proto_free(&buffer);
}

void folder_list(const char *path,
                 const char *graph,
                 bool follow_links,
                 listing_text *list)
{
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    options.follow_links = follow_links;
    clconst_model *model;
    folder_write_model(path, graph);
    ck_assert_ok(clconst_model_open(path, &options, &model, error));
    ck_assert_int_eq(unlink(path), 0);
    listing_make_of(list, model, NULL);
    clconst_model_destroy(model);
}
