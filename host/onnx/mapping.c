/* madvise is not POSIX. */
#define _DEFAULT_SOURCE

#include "onnx/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "onnx/quote.h"

typedef struct mapping {
    clconst__storage base;
    void *bytes;
    size_t size;
} mapping;

static void destroy(clconst__storage *storage)
{
    mapping *mapped = (mapping *)storage;
    if (mapped->size > 0) {
        munmap(mapped->bytes, mapped->size);
    }
    clconst__free(mapped);
}

/*
 * Whole pages, also where other bytes share the first and the last: all of them
 * come back from the file. Bytes of another storage are left alone.
 */
static void give_back(clconst__storage *storage, const void *bytes, size_t size)
{
    const mapping *mapped = (const mapping *)storage;
    long page = sysconf(_SC_PAGESIZE);
    size_t begin = (size_t)((uintptr_t)bytes - (uintptr_t)mapped->bytes);
    if (page <= 0 || !clconst__range_fits(begin, size, mapped->size)) {
        return;
    }
    size_t end = begin + size;
    begin -= begin % (size_t)page;
    /* Advice: what is not followed costs memory only. */
    (void)madvise((char *)mapped->bytes + begin, end - begin, MADV_DONTNEED);
}

clconst_status clconst__mapping_fail(const char *subject,
                                     const char *what,
                                     int code,
                                     clconst_error *error)
{
    char reason[128];
    if (strerror_r(code, reason, sizeof(reason)) != 0) {
        reason[0] = '\0';
    }
    return clconst__fail_native(
        error, CLCONST_IO_ERROR, code, "%s %s: %s", subject, what, reason);
}

/* The size of a file that can be mapped. */
static clconst_status
measure(int descriptor, const char *subject, size_t *size, clconst_error *error)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0) {
        return clconst__mapping_fail(
            subject, "cannot be examined", errno, error);
    }
    if (!S_ISREG(info.st_mode)) {
        return clconst__mapping_fail(subject,
                                     "is no regular file",
                                     S_ISDIR(info.st_mode) ? EISDIR : EINVAL,
                                     error);
    }
    if ((uint64_t)info.st_size > SIZE_MAX) {
        return clconst__mapping_fail(subject, "cannot be mapped", EFBIG, error);
    }
    *size = (size_t)info.st_size;
    return CLCONST_OK;
}

static clconst_status map_file(int descriptor,
                               const char *subject,
                               size_t size,
                               clconst__storage **storage,
                               const void **bytes,
                               clconst_error *error)
{
    mapping *created;
    clconst_status status =
        clconst__alloc(1, sizeof(*created), &created, error);
    if (status != CLCONST_OK) {
        return status;
    }
    if (size > 0) {
        created->bytes =
            mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    if (created->bytes == MAP_FAILED) {
        int code = errno;
        clconst__free(created);
        return clconst__mapping_fail(subject, "cannot be mapped", code, error);
    }
    clconst__refs_init(&created->base.refs);
    created->base.destroy = destroy;
    created->base.give_back = give_back;
    created->size = size;
    *storage = &created->base;
    *bytes = created->bytes;
    return CLCONST_OK;
}

/* Reads size bytes from the start, which a file that shrinks does not have. */
static clconst_status read_whole(int descriptor,
                                 const char *subject,
                                 uint8_t *bytes,
                                 size_t size,
                                 clconst_error *error)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count =
            pread(descriptor, bytes + done, size - done, (off_t)done);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return clconst__mapping_fail(
                subject, "cannot be read", errno, error);
        }
        if (count == 0) {
            return clconst__fail_native(error,
                                        CLCONST_IO_ERROR,
                                        EIO,
                                        "%s has %zu bytes of %zu left; it must "
                                        "not shrink while it is read",
                                        subject,
                                        done,
                                        size);
        }
        done += (size_t)count;
    }
    return CLCONST_OK;
}

static clconst_status copy_file(int descriptor,
                                const char *subject,
                                size_t size,
                                clconst__storage **storage,
                                const void **bytes,
                                clconst_error *error)
{
    clconst__storage *created;
    void *block;
    clconst_status status =
        clconst__storage_create_block(size, NULL, &created, &block, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = read_whole(descriptor, subject, block, size, error);
    if (status != CLCONST_OK) {
        clconst__storage_release(created);
        return status;
    }
    *storage = created;
    *bytes = block;
    return CLCONST_OK;
}

clconst_status clconst__mapping_create(int descriptor,
                                       const char *subject,
                                       bool is_copy,
                                       clconst__storage **storage,
                                       clconst__span *bytes,
                                       clconst_error *error)
{
    size_t size;
    const void *data = NULL;
    clconst_status status = measure(descriptor, subject, &size, error);
    if (status == CLCONST_OK) {
        status = (is_copy ? copy_file : map_file)(
            descriptor, subject, size, storage, &data, error);
    }
    if (status == CLCONST_OK) {
        *bytes = (clconst__span){data, size};
    }
    return status;
}

clconst_status clconst__mapping_open(const char *path,
                                     bool is_copy,
                                     clconst__storage **storage,
                                     clconst__span *bytes,
                                     clconst_error *error)
{
    clconst__quoted name = clconst__quote(clconst__span_of(path));
    /* Without O_NONBLOCK, opening a pipe would wait for its writer. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return clconst__mapping_fail(
            name.text, "cannot be opened", errno, error);
    }
    clconst__storage *mapped;
    clconst__span found;
    clconst_status status = clconst__mapping_create(
        descriptor, name.text, is_copy, &mapped, &found, error);
    close(descriptor);
    if (status != CLCONST_OK) {
        return status;
    }
    if (found.size == 0) {
        clconst__storage_release(mapped);
        return clconst__fail(error,
                             CLCONST_INVALID_MODEL,
                             "%s is empty; a model has at least a graph",
                             name.text);
    }
    *storage = mapped;
    *bytes = found;
    return CLCONST_OK;
}
