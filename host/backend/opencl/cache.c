/* mkostemp is not in POSIX.1-2008. */
#define _GNU_SOURCE

#include "backend/opencl/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/checked.h"

/* A change of the format is a change of the magic. */
static const char magic[8] = {'c', 'l', 'c', 'o', 'n', 's', 't', '1'};
static const char suffix[] = ".clconst";
static const char draft_prefix[] = "draft-";

enum {
    PATH_SIZE = CLCONST__CACHE_PATH_SIZE,
    /* A draft that nobody has finished in so many seconds has no writer. */
    DRAFT_SECONDS_MAX = 3600,
};
#define FOLDER_SIZE_MAX ((off_t)64 << 20)

typedef struct entry_header {
    char magic[8];
    uint64_t key_size;
    uint64_t value_size;
    uint64_t checksum; /* of key and value */
} entry_header;

/* FNV-1a of 64 bits (Fowler, Noll, Vo): against damage, not against malice; the
 * folder is its owner's. */
static uint64_t hash(uint64_t state, const clconst__bytes *bytes)
{
    for (size_t i = 0; i < bytes->size; i++) {
        state = (state ^ bytes->data[i]) * UINT64_C(0x100000001b3);
    }
    return state;
}

static const uint64_t hash_begin = UINT64_C(0xcbf29ce484222325);

static entry_header make_header(const clconst__bytes *key,
                                const clconst__bytes *value)
{
    entry_header header = {
        .key_size = key->size,
        .value_size = value->size,
        .checksum = hash(hash(hash_begin, key), value),
    };
    memcpy(header.magic, magic, sizeof(magic));
    return header;
}

static bool make_path(char *path, const char *folder, const clconst__bytes *key)
{
    int length = snprintf(path,
                          PATH_SIZE,
                          "%s/%016" PRIx64 "%s",
                          folder,
                          hash(hash_begin, key),
                          suffix);
    return length > 0 && length < PATH_SIZE;
}

static bool read_all(int file, void *dst, size_t size)
{
    uint8_t *bytes = dst;
    while (size > 0) {
        ssize_t got = read(file, bytes, size);
        if (got <= 0) {
            return false;
        }
        bytes += got;
        size -= (size_t)got;
    }
    return true;
}

static bool write_all(int file, const void *src, size_t size)
{
    const uint8_t *bytes = src;
    while (size > 0) {
        ssize_t put = write(file, bytes, size);
        if (put <= 0) {
            return false;
        }
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

/* Reads a whole file; false for what is none, or too large to be an entry. */
static bool read_file(const char *path, clconst__bytes *content)
{
    /* A FIFO in the folder must not block. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return false;
    }
    struct stat facts;
    content->data = NULL;
    bool is_read = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
                   facts.st_size <= FOLDER_SIZE_MAX;
    if (is_read) {
        content->size = (size_t)facts.st_size;
        is_read = clconst__alloc(content->size, 1, &content->data, NULL) ==
                      CLCONST_OK &&
                  read_all(file, content->data, content->size);
    }
    close(file);
    if (!is_read) {
        clconst__free(content->data);
    }
    return is_read;
}

/* Whether a file is an undamaged entry of the key. */
static bool is_entry(const clconst__bytes *content, const clconst__bytes *key)
{
    entry_header header;
    size_t body;
    if (content->size < sizeof(header)) {
        return false;
    }
    memcpy(&header, content->data, sizeof(header));
    if (header.key_size != key->size ||
        !clconst__add_size(key->size, header.value_size, &body) ||
        body != content->size - sizeof(header)) {
        return false;
    }
    const clconst__bytes found_key = {content->data + sizeof(header),
                                      key->size};
    const clconst__bytes value = {found_key.data + key->size,
                                  header.value_size};
    entry_header expected = make_header(key, &value);
    return memcmp(&header, &expected, sizeof(header)) == 0 &&
           memcmp(found_key.data, key->data, key->size) == 0;
}

bool clconst__cache_read(const char *folder,
                         const clconst__bytes *key,
                         clconst__bytes *value)
{
    char path[PATH_SIZE];
    clconst__bytes content;
    if (!make_path(path, folder, key) || !read_file(path, &content)) {
        return false;
    }
    if (!is_entry(&content, key)) {
        clconst__free(content.data);
        return false;
    }
    size_t begin = sizeof(entry_header) + key->size;
    value->data = content.data;
    value->size = content.size - begin;
    memmove(value->data, value->data + begin, value->size);
    return true;
}

_Static_assert(CLCONST__CACHE_PATH_SIZE >= PATH_MAX, "realpath writes so much");

bool clconst__cache_open(const char *folder,
                         char path[CLCONST__CACHE_PATH_SIZE])
{
    struct stat facts;
    return (mkdir(folder, S_IRWXU) == 0 || errno == EEXIST) &&
           realpath(folder, path) != NULL && stat(path, &facts) == 0 &&
           S_ISDIR(facts.st_mode) && access(path, R_OK | W_OK | X_OK) == 0;
}

/* 16 digits and the suffix: other files are somebody's own. */
static bool is_entry_name(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdef");
    return digits == 16 && strcmp(name + digits, suffix) == 0;
}

static bool is_draft_name(const char *name)
{
    return strncmp(name, draft_prefix, sizeof(draft_prefix) - 1) == 0 &&
           strlen(name) == sizeof(draft_prefix) - 1 + 6;
}

/* Removes what writers have left that were killed. */
static void remove_old_drafts(DIR *entries, int folder)
{
    time_t now = time(NULL);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        struct stat facts;
        if (is_draft_name(entry->d_name) &&
            fstatat(folder, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(facts.st_mode) &&
            now - facts.st_mtim.tv_sec > DRAFT_SECONDS_MAX) {
            (void)unlinkat(folder, entry->d_name, 0);
        }
    }
}

/* Adds up the entries' sizes and names the one written first. */
static off_t survey(DIR *entries, int folder, char *oldest, size_t oldest_size)
{
    off_t total = 0;
    struct timespec first = {0, 0};
    bool has_first = false;
    const struct dirent *entry;
    rewinddir(entries);
    while ((entry = readdir(entries)) != NULL) {
        struct stat facts;
        if (!is_entry_name(entry->d_name) ||
            fstatat(folder, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(facts.st_mode)) {
            continue;
        }
        total += facts.st_size;
        bool is_older = facts.st_mtim.tv_sec < first.tv_sec ||
                        (facts.st_mtim.tv_sec == first.tv_sec &&
                         facts.st_mtim.tv_nsec < first.tv_nsec);
        if (!has_first || is_older) {
            has_first = true;
            first = facts.st_mtim;
            snprintf(oldest, oldest_size, "%s", entry->d_name);
        }
    }
    return total;
}

/* Removes old drafts, and the oldest entries of a folder that holds too much.
 */
static void trim(const char *path)
{
    DIR *entries = opendir(path);
    if (entries == NULL) {
        return;
    }
    int folder = dirfd(entries);
    remove_old_drafts(entries, folder);
    char oldest[NAME_MAX + 1];
    while (survey(entries, folder, oldest, sizeof(oldest)) > FOLDER_SIZE_MAX &&
           unlinkat(folder, oldest, 0) == 0) {
    }
    closedir(entries);
}

/* An entry that alone fills the folder would push all others out, and itself.
 */
static bool fits_folder(const clconst__bytes *key, const clconst__bytes *value)
{
    size_t size;
    return clconst__add_size(key->size, value->size, &size) &&
           clconst__add_size(size, sizeof(entry_header), &size) &&
           size <= (size_t)FOLDER_SIZE_MAX;
}

bool clconst__cache_write(const char *folder,
                          const clconst__bytes *key,
                          const clconst__bytes *value)
{
    char path[PATH_SIZE];
    char draft[PATH_SIZE];
    if (!fits_folder(key, value) || !make_path(path, folder, key) ||
        snprintf(draft, sizeof(draft), "%s/%sXXXXXX", folder, draft_prefix) >=
            PATH_SIZE) {
        return false;
    }
    int file = mkostemp(draft, O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    entry_header header = make_header(key, value);
    bool is_written = write_all(file, &header, sizeof(header)) &&
                      write_all(file, key->data, key->size) &&
                      write_all(file, value->data, value->size);
    is_written = close(file) == 0 && is_written && rename(draft, path) == 0;
    if (!is_written) {
        unlink(draft);
        return false;
    }
    trim(folder);
    return true;
}
