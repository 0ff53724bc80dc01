/* openat and syscall. */
#define _GNU_SOURCE

#include "faults/system.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/harness.h"

static const struct {
    const char *name;
    int code;
} rows[SYSTEM_CALL_COUNT] = {
#define SYSTEM_X(name, code) [SYSTEM_##name] = {#name, code},
    SYSTEM_CALL_MAP(SYSTEM_X)
#undef SYSTEM_X
};

static atomic_size_t counts[SYSTEM_CALL_COUNT];
static atomic_size_t taken;
static atomic_long mappings;
static atomic_long descriptors;
static atomic_long threads;

/* The fault; first is 0 while there is none. */
static struct {
    system_call call;
    size_t first;
    bool is_forever;
    atomic_size_t number;
    atomic_size_t struck;
} fault;

const char *system_call_name(system_call call)
{
    return rows[call].name;
}

int system_call_code(system_call call)
{
    return rows[call].code;
}

size_t system_count(system_call call)
{
    return atomic_load(&counts[call]);
}

void system_fail(system_call call, size_t first, bool is_forever)
{
    fault.call = call;
    fault.is_forever = is_forever;
    atomic_store(&fault.number, 0);
    fault.first = first;
}

size_t system_stop(void)
{
    fault.first = 0;
    return atomic_exchange(&fault.struck, 0);
}

/* Instead of what files hold. */
static const char *file_text;

void system_set_text(const char *text)
{
    file_text = text;
}

static bool has_openat2 = true;

void system_set_openat2(bool is_known)
{
    has_openat2 = is_known;
}

static size_t pread_max = SIZE_MAX;

void system_set_pread_max(size_t size)
{
    pread_max = size;
}

/* Counts a call. False when it has to fail; errno says why. */
static bool begin(system_call call)
{
    atomic_fetch_add(&counts[call], 1);
    if (fault.first == 0 || fault.call != call) {
        return true;
    }
    size_t number = atomic_fetch_add(&fault.number, 1) + 1;
    if (number == fault.first || (fault.is_forever && number > fault.first)) {
        atomic_fetch_add(&fault.struck, 1);
        errno = rows[call].code;
        return false;
    }
    return true;
}

void system_assert_live(const system_live *before, const char *row)
{
    system_live now = system_get_live();
    ck_assert_msg(now.blocks == before->blocks &&
                      now.mappings == before->mappings &&
                      now.descriptors == before->descriptors &&
                      now.threads == before->threads,
                  "%s: more or less is held than before: %ld blocks, %ld "
                  "mappings, %ld files, %ld threads",
                  row,
                  now.blocks - before->blocks,
                  now.mappings - before->mappings,
                  now.descriptors - before->descriptors,
                  now.threads - before->threads);
}

size_t system_get_taken(void)
{
    return atomic_load(&taken);
}

/*
 * The blocks of calloc and realloc, which is what the library uses, the newest
 * last. Check frees blocks of other origin through here.
 */
enum { BLOCK_MAX = 1 << 16 };

static struct {
    pthread_mutex_t lock;
    const void *addresses[BLOCK_MAX];
    size_t count;
} blocks = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *add_block(void *block, size_t size)
{
    if (block == NULL) {
        return NULL;
    }
    atomic_fetch_add(&taken, size);
    pthread_mutex_lock(&blocks.lock);
    if (blocks.count == BLOCK_MAX) {
        abort();
    }
    blocks.addresses[blocks.count++] = block;
    pthread_mutex_unlock(&blocks.lock);
    return block;
}

static void remove_block(const void *block)
{
    pthread_mutex_lock(&blocks.lock);
    size_t i = blocks.count;
    while (i > 0 && blocks.addresses[i - 1] != block) {
        i--;
    }
    if (i > 0) {
        blocks.addresses[i - 1] = blocks.addresses[--blocks.count];
    }
    pthread_mutex_unlock(&blocks.lock);
}

static long count_blocks(void)
{
    pthread_mutex_lock(&blocks.lock);
    long count = (long)blocks.count;
    pthread_mutex_unlock(&blocks.lock);
    return count;
}

system_live system_get_live(void)
{
    return (system_live){
        .blocks = count_blocks(),
        .mappings = atomic_load(&mappings),
        .descriptors = atomic_load(&descriptors),
        .threads = atomic_load(&threads),
    };
}

/* The linker's names: __real_X is X, and calls of X come to __wrap_X. */

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __real_free(void *block);
void __wrap_free(void *block);

void *__wrap_calloc(size_t count, size_t size)
{
    return begin(SYSTEM_calloc)
               ? add_block(__real_calloc(count, size), count * size)
               : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (!begin(SYSTEM_realloc)) {
        return NULL;
    }
    remove_block(block);
    void *moved = __real_realloc(block, size);
    /* A block that cannot grow is still there. */
    if (moved == NULL) {
        (void)add_block(block, 0);
        return NULL;
    }
    return add_block(moved, size);
}

void __wrap_free(void *block)
{
    remove_block(block);
    __real_free(block);
}

void *__real_mmap(void *address,
                  size_t size,
                  int protection,
                  int flags,
                  int file,
                  off_t offset);
void *__wrap_mmap(void *address,
                  size_t size,
                  int protection,
                  int flags,
                  int file,
                  off_t offset);
int __real_munmap(void *address, size_t size);
int __wrap_munmap(void *address, size_t size);

void *__wrap_mmap(void *address,
                  size_t size,
                  int protection,
                  int flags,
                  int file,
                  off_t offset)
{
    void *mapped = MAP_FAILED;
    if (begin(SYSTEM_mmap)) {
        mapped = __real_mmap(address, size, protection, flags, file, offset);
    }
    if (mapped != MAP_FAILED) {
        atomic_fetch_add(&mappings, 1);
    }
    return mapped;
}

int __wrap_munmap(void *address, size_t size)
{
    int result = __real_munmap(address, size);
    if (result == 0) {
        atomic_fetch_sub(&mappings, 1);
    }
    return result;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __real_mkostemp(char *path, int flags);
int __wrap_mkostemp(char *path, int flags);
int __real_close(int file);
int __wrap_close(int file);

static int count_file(int file)
{
    if (file >= 0) {
        atomic_fetch_add(&descriptors, 1);
    }
    return file;
}

/* No file is made through these, so that there is no mode. */
int __wrap_open(const char *path, int flags, ...)
{
    return begin(SYSTEM_open) ? count_file(__real_open(path, flags)) : -1;
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
    return begin(SYSTEM_openat) ? count_file(__real_openat(folder, path, flags))
                                : -1;
}

/* The library's only one is openat2, of four arguments. */
long __wrap_syscall(long number, ...)
{
    va_list arguments;
    va_start(arguments, number);
    int folder = va_arg(arguments, int);
    const char *path = va_arg(arguments, const char *);
    void *how = va_arg(arguments, void *);
    size_t size = va_arg(arguments, size_t);
    va_end(arguments);
    if (!has_openat2) {
        errno = ENOSYS;
        return -1;
    }
    return begin(SYSTEM_syscall) ? count_file((int)__real_syscall(
                                       number, folder, path, how, size))
                                 : -1;
}

int __wrap_mkostemp(char *path, int flags)
{
    return begin(SYSTEM_mkostemp) ? count_file(__real_mkostemp(path, flags))
                                  : -1;
}

int __wrap_close(int file)
{
    atomic_fetch_sub(&descriptors, file >= 0);
    return __real_close(file);
}

int __real_fstat(int file, struct stat *info);
int __wrap_fstat(int file, struct stat *info);
ssize_t __real_read(int file, void *dst, size_t size);
ssize_t __wrap_read(int file, void *dst, size_t size);
ssize_t __real_write(int file, const void *src, size_t size);
ssize_t __wrap_write(int file, const void *src, size_t size);
ssize_t __real_pread(int file, void *dst, size_t size, off_t offset);
ssize_t __wrap_pread(int file, void *dst, size_t size, off_t offset);

int __wrap_fstat(int file, struct stat *info)
{
    return begin(SYSTEM_fstat) ? __real_fstat(file, info) : -1;
}

ssize_t __wrap_read(int file, void *dst, size_t size)
{
    if (!begin(SYSTEM_read)) {
        return -1;
    }
    if (file_text == NULL) {
        return __real_read(file, dst, size);
    }
    size_t count = strlen(file_text);
    count = count < size ? count : size;
    memcpy(dst, file_text, count);
    return (ssize_t)count;
}

ssize_t __wrap_write(int file, const void *src, size_t size)
{
    return begin(SYSTEM_write) ? __real_write(file, src, size) : -1;
}

ssize_t __wrap_pread(int file, void *dst, size_t size, off_t offset)
{
    size_t count = size < pread_max ? size : pread_max;
    return begin(SYSTEM_pread) ? __real_pread(file, dst, count, offset) : -1;
}

int __real_pthread_create(pthread_t *thread,
                          const pthread_attr_t *attributes,
                          void *(*function)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread,
                          const pthread_attr_t *attributes,
                          void *(*function)(void *),
                          void *argument);
int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_join(pthread_t thread, void **result);

int __wrap_pthread_create(pthread_t *thread,
                          const pthread_attr_t *attributes,
                          void *(*function)(void *),
                          void *argument)
{
    if (!begin(SYSTEM_pthread_create)) {
        return rows[SYSTEM_pthread_create].code;
    }
    int code = __real_pthread_create(thread, attributes, function, argument);
    if (code == 0) {
        atomic_fetch_add(&threads, 1);
    }
    return code;
}

int __wrap_pthread_join(pthread_t thread, void **result)
{
    int code = __real_pthread_join(thread, result);
    if (code == 0) {
        atomic_fetch_sub(&threads, 1);
    }
    return code;
}
