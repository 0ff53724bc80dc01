#include "onnx/external.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "onnx/beneath.h"
#include "onnx/mapping.h"
#include "onnx/quote.h"

/* The path up to its last slash, or the present folder. */
static clconst_status
copy_folder(const char *path, char **folder, clconst_error *error)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *copy;
    clconst_status status = clconst__alloc(1, size + 2, &copy, error);
    if (status == CLCONST_OK) {
        memcpy(copy, size > 0 ? path : ".", size > 0 ? size : 1);
        *folder = copy;
    }
    return status;
}

clconst_status clconst__external_init(clconst__external *external,
                                      const char *model_path,
                                      const clconst_reader *reader,
                                      bool follow_links,
                                      clconst_error *error)
{
    memset(external, 0, sizeof(*external));
    external->reader = *reader;
    external->follow_links = follow_links;
    external->descriptor = -1;
    clconst__names_init(&external->locations);
    if (reader->map == NULL && reader->unmap != NULL) {
        return clconst__fail(error,
                             CLCONST_INVALID_ARGUMENT,
                             "map of the reader is NULL; unmap needs it");
    }
    return model_path == NULL
               ? CLCONST_OK
               : copy_folder(model_path, &external->folder, error);
}

void clconst__external_free(clconst__external *external)
{
    for (size_t i = 0; i < external->file_count; i++) {
        clconst__storage_release(external->files[i].storage);
        clconst__free(external->files[i].path);
    }
    clconst__free(external->files);
    clconst__names_free(&external->locations);
    clconst__free(external->folder);
    if (external->descriptor >= 0) {
        close(external->descriptor);
    }
}

/* What messages about a location begin with. */
typedef struct subject_text {
    char text[sizeof(clconst__quoted) + 16];
} subject_text;

static subject_text describe(const clconst__location *location)
{
    subject_text subject;
    snprintf(subject.text,
             sizeof(subject.text),
             "location %s",
             clconst__quote(location->path).text);
    return subject;
}

/* Bytes that a reader maps. */
typedef struct reader_storage {
    clconst__storage base;
    clconst_reader reader;
    const void *bytes;
    size_t size;
} reader_storage;

static void destroy_reader_storage(clconst__storage *storage)
{
    reader_storage *mapped = (reader_storage *)storage;
    if (mapped->reader.unmap != NULL) {
        mapped->reader.unmap(
            mapped->reader.context, mapped->bytes, mapped->size);
    }
    clconst__free(mapped);
}

/* The path has no NUL, so that it is a string of its own. */
typedef char path_text[PATH_MAX];

static clconst_status copy_path(const clconst__location *location,
                                path_text path,
                                clconst_error *error)
{
    path[0] = '\0';
    if (location->path.size >= PATH_MAX) {
        return clconst__mapping_fail(
            describe(location).text, "cannot be opened", ENAMETOOLONG, error);
    }
    memcpy(path, location->path.data, location->path.size);
    path[location->path.size] = '\0';
    return CLCONST_OK;
}

/* Leaves out the steps "." and "" on the way to the last name, since one file
 * could else be asked for by any number of paths. */
static void drop_empty_steps(path_text path)
{
    const char *from = path;
    char *to = path;
    const char *slash;
    while ((slash = strchr(from, '/')) != NULL) {
        size_t size = (size_t)(slash - from) + 1;
        if (size > 2 || (size == 2 && from[0] != '.')) {
            memmove(to, from, size);
            to += size;
        }
        from = slash + 1;
    }
    memmove(to, from, strlen(from) + 1);
}

static clconst_status ask_reader(const clconst_reader *reader,
                                 const clconst__location *location,
                                 size_t size,
                                 const void **data,
                                 clconst__storage **storage,
                                 clconst_error *error)
{
    path_text path;
    clconst_status status = copy_path(location, path, error);
    reader_storage *created = NULL;
    if (status == CLCONST_OK) {
        status = clconst__alloc(1, sizeof(*created), &created, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    created->size = size;
    int code = reader->map(
        reader->context, path, location->offset, size, &created->bytes);
    if (code == 0 && created->bytes == NULL && size > 0) {
        code = EIO;
    }
    if (code != 0) {
        clconst__free(created);
        return clconst__mapping_fail(
            describe(location).text, "cannot be read", code, error);
    }
    clconst__refs_init(&created->base.refs);
    created->base.destroy = destroy_reader_storage;
    created->reader = *reader;
    *data = created->bytes;
    *storage = &created->base;
    return CLCONST_OK;
}

/* A file of several names may belong to someone else. */
static clconst_status
check_links(int descriptor, const char *subject, clconst_error *error)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0) {
        return clconst__mapping_fail(
            subject, "cannot be examined", errno, error);
    }
    if (S_ISREG(info.st_mode) && info.st_nlink > 1) {
        return clconst__fail_native(error,
                                    CLCONST_IO_ERROR,
                                    EMLINK,
                                    "%s has %ju names; without follow_links "
                                    "a file must have one",
                                    subject,
                                    (uintmax_t)info.st_nlink);
    }
    return CLCONST_OK;
}

static clconst_status open_file(clconst__external *external,
                                const char *path,
                                const char *subject,
                                int *descriptor,
                                clconst_error *error)
{
    if (external->descriptor < 0) {
        external->descriptor = clconst__beneath_open_folder(external->folder);
    }
    int opened = -1;
    if (external->descriptor >= 0) {
        opened = external->follow_links
                     ? clconst__beneath_open_links(external->descriptor, path)
                     : clconst__beneath_open(external->descriptor, path);
    }
    if (opened < 0 && errno == ELOOP && !external->follow_links) {
        return clconst__fail_native(error,
                                    CLCONST_IO_ERROR,
                                    ELOOP,
                                    "%s is or passes a symbolic link; without "
                                    "follow_links it must not",
                                    subject);
    }
    if (opened < 0) {
        return clconst__mapping_fail(subject, "cannot be opened", errno, error);
    }
    clconst_status status = CLCONST_OK;
    if (!external->follow_links) {
        status = check_links(opened, subject, error);
    }
    if (status != CLCONST_OK) {
        close(opened);
        return status;
    }
    *descriptor = opened;
    return CLCONST_OK;
}

/* Fills an entry of the list of files. */
static clconst_status load_file(clconst__external *external,
                                const char *path,
                                const char *subject,
                                clconst__external_file *file,
                                clconst_error *error)
{
    int descriptor = -1;
    clconst_status status =
        open_file(external, path, subject, &descriptor, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = clconst__mapping_create(descriptor,
                                     subject,
                                     external->is_copied,
                                     &file->storage,
                                     &file->bytes,
                                     error);
    close(descriptor);
    if (status != CLCONST_OK) {
        return status;
    }
    size_t size = strlen(path) + 1;
    status = clconst__alloc(1, size, &file->path, error);
    if (status == CLCONST_OK) {
        memcpy(file->path, path, size);
    }
    return status;
}

/* Appends the file of a path. */
static clconst_status add_file(clconst__external *external,
                               const char *path,
                               const char *subject,
                               clconst_error *error)
{
    clconst_status status = clconst__grow(&external->files,
                                          &external->file_capacity,
                                          external->file_count + 1,
                                          sizeof(*external->files),
                                          error);
    if (status != CLCONST_OK) {
        return status;
    }
    clconst__external_file made = {NULL, NULL, {NULL, 0}};
    status = load_file(external, path, subject, &made, error);
    if (status == CLCONST_OK) {
        status = clconst__names_define(&external->locations,
                                       clconst__span_of(made.path),
                                       external->file_count,
                                       error);
    }
    if (status != CLCONST_OK) {
        clconst__storage_release(made.storage);
        clconst__free(made.path);
        return status;
    }
    external->files[external->file_count++] = made;
    return CLCONST_OK;
}

static clconst_status find_file(clconst__external *external,
                                const clconst__location *location,
                                const clconst__external_file **file,
                                clconst_error *error)
{
    path_text path;
    clconst_status status = copy_path(location, path, error);
    if (status != CLCONST_OK) {
        return status;
    }
    drop_empty_steps(path);
    clconst__span key = clconst__span_of(path);
    size_t index = clconst__names_find(&external->locations, key);
    if (index == CLCONST__NONE) {
        status = add_file(external, path, describe(location).text, error);
        index = external->file_count - 1;
    }
    if (status == CLCONST_OK) {
        *file = &external->files[index];
    }
    return status;
}

clconst_status clconst__external_read(clconst__external *external,
                                      const clconst__location *location,
                                      size_t size,
                                      const void **data,
                                      clconst__storage **storage,
                                      clconst_error *error)
{
    if (location->has_length && location->length != size) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "length is %" PRIu64
                             "; the dims and dtype take %zu bytes",
                             location->length,
                             size);
    }
    if (external->reader.map != NULL) {
        return ask_reader(
            &external->reader, location, size, data, storage, error);
    }
    if (external->folder == NULL) {
        return clconst__fail(error,
                             CLCONST_UNSUPPORTED,
                             "data are external; without the path of a model "
                             "they need a reader");
    }
    const clconst__external_file *file;
    clconst_status status = find_file(external, location, &file, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (location->offset > SIZE_MAX ||
        !clconst__range_fits(
            (size_t)location->offset, size, file->bytes.size)) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s has %zu bytes; %zu from offset %" PRIu64
                             " on end behind them",
                             describe(location).text,
                             file->bytes.size,
                             size,
                             location->offset);
    }
    *data = size > 0 ? file->bytes.data + location->offset : NULL;
    *storage = clconst__storage_retain(file->storage);
    return CLCONST_OK;
}
