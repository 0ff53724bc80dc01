/*
 * External data of a model that is opened by its path, in a folder with files,
 * links and other things. The input: a byte of options; a piece each of the
 * location, the offset's text and the length's text; then bytes that follow
 * the entries in the tensor as they are.
 *
 * Beside the shared promises: without follow_links a value has no byte of a
 * file outside of the folder, nor of one that has another name there.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clconst/clconst_model.h>

#include "fuzz/invariants.h"
#include "fuzz/reader.h"
#include "harness/proto.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Files of the folder hold INSIDE, all others OUTSIDE. */
enum { INSIDE = 0x11, OUTSIDE = 0xee, FILE_SIZE = 256 };

/* In memory where that can be, since each input writes a file. */
static char folder[] = "/dev/shm/clconst-fuzz-XXXXXX";
static const char folder_on_disk[] = "/tmp/clconst-fuzz-XXXXXX";
static const char model_path[] = "model/m.onnx";

static void write_file(const char *path, const void *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_require(descriptor >= 0);
    fuzz_require(write(descriptor, bytes, size) == (ssize_t)size);
    fuzz_require(close(descriptor) == 0);
}

static void write_filled(const char *path, uint8_t byte)
{
    uint8_t bytes[FILE_SIZE];
    memset(bytes, byte, sizeof(bytes));
    write_file(path, bytes, sizeof(bytes));
}

static void remove_folder(void)
{
    static const char *const names[] = {"model/w.bin",
                                        "model/sub/x",
                                        "model/empty",
                                        "model/hard",
                                        "model/link",
                                        "model/up",
                                        "model/fifo",
                                        "model/twin",
                                        model_path,
                                        "secret"};
    fuzz_require(chdir(folder) == 0);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        unlink(names[i]);
    }
    rmdir("model/sub");
    rmdir("model");
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (mkdtemp(folder) == NULL) {
        memcpy(folder, folder_on_disk, sizeof(folder_on_disk));
        fuzz_require(mkdtemp(folder) != NULL);
    }
    /* The fuzzer writes what it finds where it was started. */
    int start = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    fuzz_require(start >= 0 && chdir(folder) == 0);
    fuzz_require(mkdir("model", 0700) == 0 && mkdir("model/sub", 0700) == 0);
    write_filled("model/w.bin", INSIDE);
    write_filled("model/sub/x", INSIDE);
    write_filled("secret", OUTSIDE);
    write_file("model/empty", NULL, 0);
    fuzz_require(link("secret", "model/hard") == 0);
    fuzz_require(symlink("../secret", "model/link") == 0);
    fuzz_require(symlink("..", "model/up") == 0);
    fuzz_require(mkfifo("model/fifo", 0600) == 0);
    /* With two names it is no external data, which could else be any bytes. */
    write_file(model_path, NULL, 0);
    fuzz_require(link(model_path, "model/twin") == 0);
    fuzz_require(fchdir(start) == 0 && close(start) == 0);
    atexit(remove_folder);
    return 0;
}

static void add_entry(proto_buffer *tensor, const char *key, fuzz_input value)
{
    proto_buffer entry = {NULL, 0, 0};
    proto_append_bytes(&entry, 1, key, strlen(key));
    proto_append_bytes(&entry, 2, value.bytes, value.size);
    proto_append_bytes(tensor, 13, entry.bytes, entry.size);
    proto_free(&entry);
}

/* A model with one initializer of eight bytes. An empty piece is no entry. */
static void build_model(proto_buffer *model, fuzz_input input)
{
    proto_buffer tensor = {NULL, 0, 0};
    proto_append(&tensor, "1:8 2:2 14:1 8:'t'");
    static const char *const keys[] = {"location", "offset", "length"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        fuzz_input value = fuzz_take_piece(&input);
        if (value.size > 0 || i == 0) {
            add_entry(&tensor, keys[i], value);
        }
    }
    size_t size = tensor.size + input.size;
    uint8_t *whole = fuzz_alloc(size);
    memcpy(whole, tensor.bytes, tensor.size);
    if (input.size > 0) {
        memcpy(whole + tensor.size, input.bytes, input.size);
    }
    proto_buffer graph = {NULL, 0, 0};
    proto_append_bytes(&graph, 5, whole, size);
    proto_append(model, "1:8 8:{2:13}");
    proto_append_bytes(model, 7, graph.bytes, graph.size);
    fuzz_free(whole);
    proto_free(&graph);
    proto_free(&tensor);
}

/* Bytes that the model itself holds may be any. */
static bool is_external(const clconst_model *model)
{
    clconst_constant constant = CLCONST_CONSTANT_INIT;
    clconst_error error = fuzz_error();
    fuzz_require(clconst_model_get_constant(model, 0, &constant, &error) ==
                 CLCONST_OK);
    return constant.storage != NULL &&
           strcmp(constant.storage, "external") == 0;
}

static void check_bytes(const clconst_model *model, bool may_leave)
{
    clconst_resolution *resolution = NULL;
    clconst_resolved resolved = CLCONST_RESOLVED_INIT;
    clconst_error error = fuzz_error();
    fuzz_require(clconst_resolution_create(model, NULL, &resolution, &error) ==
                 CLCONST_OK);
    fuzz_require(clconst_resolution_get_constant(
                     resolution, 0, &resolved, &error) == CLCONST_OK);
    if (resolved.plan != NULL) {
        clconst_output output = CLCONST_OUTPUT_INIT;
        clconst_plan_get_output(resolved.plan, &output);
        uint8_t *bytes = fuzz_write_plan(resolved.plan);
        for (size_t i = 0;
             is_external(model) && bytes != NULL && i < output.size;
             i++) {
            /* What unused bits of a last byte were is gone. */
            fuzz_require(may_leave || (bytes[i] & ~INSIDE) == 0);
        }
        fuzz_free(bytes);
    }
    clconst_resolution_destroy(resolution);
}

static void read_model(uint8_t mode)
{
    char path[sizeof(folder) + sizeof(model_path)];
    snprintf(path, sizeof(path), "%s/%s", folder, model_path);
    clconst_model_options options = CLCONST_MODEL_OPTIONS_INIT;
    options.strictness = (clconst_strictness)(mode % 3);
    options.follow_links = (mode & 4) != 0;
    options.copy = (mode & 16) != 0;
    bool has_reader = (mode & 8) != 0;
    if (has_reader) {
        options.reader = fuzz_reader();
    }
    clconst_model *model = NULL;
    clconst_error error = fuzz_error();
    clconst_status status = clconst_model_open(path, &options, &model, &error);
    if (!fuzz_succeeded(status, &error, FUZZ_BYTES_FAIL)) {
        fuzz_require(model == NULL);
        return;
    }
    clconst_model_info info = CLCONST_MODEL_INFO_INIT;
    clconst_model_get_info(model, &info);
    fuzz_require(info.constant_count == 1);
    check_bytes(model, options.follow_links || has_reader);
    clconst_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    uint8_t mode = fuzz_take(&input);
    proto_buffer bytes = {NULL, 0, 0};
    build_model(&bytes, input);
    char path[sizeof(folder) + sizeof(model_path)];
    snprintf(path, sizeof(path), "%s/%s", folder, model_path);
    write_file(path, bytes.bytes, bytes.size);
    fuzz_subject subject = fuzz_subject_create(
        (fuzz_input){bytes.bytes, bytes.size}, FUZZ_HEAP_EXPANSION);
    read_model(mode);
    fuzz_reader_check();
    fuzz_subject_destroy(&subject);
    proto_free(&bytes);
    return 0;
}
