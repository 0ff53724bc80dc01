#include "onnx/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "onnx/quote.h"

typedef struct mapping {
    clconst__storage base;
    void *bytes;
    size_t size;
} mapping;

static void destroy(clconst__storage *storage)
{
    mapping *mapped = (mapping *)storage;
    munmap(mapped->bytes, mapped->size);
    clconst__free(mapped);
}

static clconst_status
fail(const char *path, const char *what, int code, clconst_error *error)
{
    char reason[128];
    if (strerror_r(code, reason, sizeof(reason)) != 0) {
        reason[0] = '\0';
    }
    return clconst__fail_native(error,
                                CLCONST_IO_ERROR,
                                code,
                                "%s %s: %s",
                                clconst__quote(clconst__span_of(path)).text,
                                what,
                                reason);
}

/* The size of a file that can be mapped. */
static clconst_status
measure(int descriptor, const char *path, size_t *size, clconst_error *error)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0) {
        return fail(path, "cannot be examined", errno, error);
    }
    if (!S_ISREG(info.st_mode)) {
        return fail(path,
                    "is no regular file",
                    S_ISDIR(info.st_mode) ? EISDIR : EINVAL,
                    error);
    }
    if (info.st_size == 0) {
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s is empty; a model has at least a graph",
                             clconst__quote(clconst__span_of(path)).text);
    }
    if ((uint64_t)info.st_size > SIZE_MAX) {
        return fail(path, "cannot be mapped", EFBIG, error);
    }
    *size = (size_t)info.st_size;
    return CLCONST_OK;
}

static clconst_status map_file(int descriptor,
                               const char *path,
                               mapping **mapped,
                               clconst_error *error)
{
    size_t size;
    clconst_status status = measure(descriptor, path, &size, error);
    mapping *created = NULL;
    if (status == CLCONST_OK) {
        status = clconst__alloc(1, sizeof(*created), &created, error);
    }
    if (status != CLCONST_OK) {
        return status;
    }
    created->bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (created->bytes == MAP_FAILED) {
        int code = errno;
        clconst__free(created);
        return fail(path, "cannot be mapped", code, error);
    }
    clconst__refs_init(&created->base.refs);
    created->base.destroy = destroy;
    created->size = size;
    *mapped = created;
    return CLCONST_OK;
}

clconst_status clconst__mapping_open(const char *path,
                                     clconst__storage **storage,
                                     clconst__span *bytes,
                                     clconst_error *error)
{
    /* Without O_NONBLOCK, opening a pipe would wait for its writer. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return fail(path, "cannot be opened", errno, error);
    }
    mapping *mapped = NULL;
    clconst_status status = map_file(descriptor, path, &mapped, error);
    close(descriptor);
    if (status != CLCONST_OK) {
        return status;
    }
    *storage = &mapped->base;
    *bytes = (clconst__span){mapped->bytes, mapped->size};
    return CLCONST_OK;
}
