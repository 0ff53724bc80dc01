#include "cli/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/npy.h"
#if CLCONST_WITH_ONNX
#include <clconst/clconst_model.h>
#endif

/* A file that is being written. */
typedef struct sink {
    const char *path;
    FILE *stream;
} sink;

static cli_outcome fail_write(const char *path, clconst_error *error)
{
    return cli_fail_io(error, errno, "file %s cannot be written", path);
}

static cli_outcome
put(void *context, const void *bytes, size_t size, clconst_error *error)
{
    sink *file = context;
    return fwrite(bytes, 1, size, file->stream) == size
               ? CLI_DONE
               : fail_write(file->path, error);
}

static bool has_bytes(clconst_dtype dtype)
{
    return dtype != CLCONST_STRING;
}

static bool has_descr(clconst_dtype dtype)
{
    return cli_npy_descr(dtype) != NULL;
}

static cli_outcome write_bin(sink *file,
                             const char *name,
                             const cli_content *content,
                             clconst_error *error)
{
    (void)name;
    return cli_content_visit(content, put, file, error);
}

static cli_outcome write_npy(sink *file,
                             const char *name,
                             const cli_content *content,
                             clconst_error *error)
{
    (void)name;
    char *header;
    size_t size;
    cli_outcome outcome =
        cli_npy_make_header(&content->view, &header, &size, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    outcome = put(file, header, size, error);
    free(header);
    return outcome == CLI_DONE ? cli_content_visit(content, put, file, error)
                               : outcome;
}

#if CLCONST_WITH_ONNX
static bool has_any(clconst_dtype dtype)
{
    (void)dtype;
    return true;
}

static int put_for_library(void *context, const void *bytes, size_t size)
{
    sink *file = context;
    return fwrite(bytes, 1, size, file->stream) == size ? 0 : errno;
}

static cli_outcome write_pb(sink *file,
                            const char *name,
                            const cli_content *content,
                            clconst_error *error)
{
    clconst_view view;
    void *copy;
    cli_outcome outcome = cli_content_load(content, &view, &copy, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    clconst_status status =
        clconst_tensor_proto_write(&view, name, put_for_library, file, error);
    free(copy);
    if (status == CLCONST_IO_ERROR) {
        errno = error->native_code;
        return fail_write(file->path, error);
    }
    return cli_outcome_of(status);
}
#endif

typedef struct format_row {
    const char *extension;
    bool (*has_dtype)(clconst_dtype dtype);
    cli_outcome (*write)(sink *file,
                         const char *name,
                         const cli_content *content,
                         clconst_error *error);
} format_row;

static const format_row formats[] = {
    {".npy", has_descr, write_npy},
    {".bin", has_bytes, write_bin},
#if CLCONST_WITH_ONNX
    {".pb", has_any, write_pb},
#endif
};

enum { FORMAT_COUNT = sizeof(formats) / sizeof(formats[0]) };

bool cli_file_has_extension(const char *path, const char *extension)
{
    size_t path_size = strlen(path);
    size_t size = strlen(extension);
    return path_size > size && strcmp(path + path_size - size, extension) == 0;
}

static const format_row *find_format(const char *path)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (cli_file_has_extension(path, formats[i].extension)) {
            return &formats[i];
        }
    }
    return NULL;
}

cli_outcome cli_file_join(const char *folder,
                          const char *name,
                          char **path,
                          clconst_error *error)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    cli_outcome outcome = cli_alloc(1, size, path, error);
    if (outcome == CLI_DONE) {
        snprintf(*path, size, "%s/%s", folder, name);
    }
    return outcome;
}

cli_outcome
cli_file_check(const char *path, clconst_dtype dtype, clconst_error *error)
{
    const format_row *format = find_format(path);
    if (format == NULL) {
        return cli_fail_usage(
            error,
            "file is \"%s\"; its extension must be .npy%s or .bin",
            path,
            CLCONST_WITH_ONNX ? ", .pb" : "");
    }
    if (!format->has_dtype(dtype)) {
        return cli_fail(error,
                        CLCONST_UNSUPPORTED,
                        "file is \"%s\"; its format has no %s",
                        path,
                        clconst_dtype_name(dtype));
    }
    return CLI_DONE;
}

/* Whether a path is a regular file, or will be one: not a terminal, a pipe or a
 * link, which stay what they are. */
static bool is_plain(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* Writes the file as a whole; what is at the path stays until it is replaced.
 */
static cli_outcome write_beside(const char *path,
                                const char *draft,
                                const char *name,
                                const cli_content *content,
                                clconst_error *error)
{
    sink file = {path, fopen(draft, "wb")};
    if (file.stream == NULL) {
        return fail_write(path, error);
    }
    cli_outcome outcome = find_format(path)->write(&file, name, content, error);
    /* Buffered bytes may fail as late as here. */
    if (fclose(file.stream) != 0 && outcome == CLI_DONE) {
        outcome = fail_write(path, error);
    }
    if (outcome == CLI_DONE && draft != path && rename(draft, path) != 0) {
        outcome = fail_write(path, error);
    }
    if (outcome != CLI_DONE && draft != path) {
        remove(draft);
    }
    return outcome;
}

cli_outcome cli_file_write(const char *path,
                           const char *name,
                           const cli_content *content,
                           clconst_error *error)
{
    static const char suffix[] = ".part";
    cli_outcome outcome = cli_file_check(path, content->view.dtype, error);
    if (outcome != CLI_DONE || !is_plain(path)) {
        return outcome == CLI_DONE
                   ? write_beside(path, path, name, content, error)
                   : outcome;
    }
    char *draft;
    size_t size = strlen(path) + sizeof(suffix);
    outcome = cli_alloc(size, 1, &draft, error);
    if (outcome == CLI_DONE) {
        snprintf(draft, size, "%s%s", path, suffix);
        outcome = write_beside(path, draft, name, content, error);
        free(draft);
    }
    return outcome;
}

static cli_outcome
grow(const char *path, uint8_t **block, size_t *capacity, clconst_error *error)
{
    enum { FIRST_CAPACITY = 64 * 1024 };
    size_t wanted = *capacity > 0 ? *capacity * 2 : FIRST_CAPACITY;
    uint8_t *larger = wanted > *capacity ? realloc(*block, wanted) : NULL;
    if (larger == NULL) {
        return cli_fail(error,
                        CLCONST_OUT_OF_MEMORY,
                        "file %s has over %zu bytes; there is no memory for "
                        "more",
                        path,
                        *capacity);
    }
    *block = larger;
    *capacity = wanted;
    return CLI_DONE;
}

cli_outcome cli_file_read(const char *path,
                          uint8_t **bytes,
                          size_t *size,
                          clconst_error *error)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return cli_fail_io(error, errno, "file %s cannot be opened", path);
    }
    uint8_t *block = NULL;
    size_t capacity = 0;
    size_t used = 0;
    cli_outcome outcome = CLI_DONE;
    while (outcome == CLI_DONE && !feof(stream)) {
        if (used == capacity) {
            outcome = grow(path, &block, &capacity, error);
            continue;
        }
        used += fread(block + used, 1, capacity - used, stream);
        if (ferror(stream)) {
            outcome = cli_fail_io(error, errno, "file %s cannot be read", path);
        }
    }
    fclose(stream);
    if (outcome != CLI_DONE) {
        free(block);
        return outcome;
    }
    *bytes = block;
    *size = used;
    return CLI_DONE;
}
