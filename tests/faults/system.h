/*
 * What the library asks of the C library and the system, counted and made to
 * fail: the linker sends these calls of a test and of the library in it here
 * (clconst_faulty in CMakeLists.txt).
 */
#ifndef CLCONST_TESTS_SYSTEM_H
#define CLCONST_TESTS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* X(NAME, errno): what can fail, and how. openat2 has no function of its own
 * and goes through syscall. */
#define SYSTEM_CALL_MAP(X)                                                     \
    X(calloc, ENOMEM)                                                          \
    X(realloc, ENOMEM)                                                         \
    X(mmap, ENOMEM)                                                            \
    X(open, EMFILE)                                                            \
    X(openat, EACCES)                                                          \
    X(syscall, EMFILE)                                                         \
    X(fstat, EIO)                                                              \
    X(read, EIO)                                                               \
    X(write, ENOSPC)                                                           \
    X(mkostemp, EACCES)                                                        \
    X(pread, EIO)                                                              \
    X(pthread_create, EAGAIN)

typedef enum system_call {
#define SYSTEM_X(name, code) SYSTEM_##name,
    SYSTEM_CALL_MAP(SYSTEM_X)
#undef SYSTEM_X
        SYSTEM_CALL_COUNT,
} system_call;

const char *system_call_name(system_call call);

/* The errno with which the call fails. */
int system_call_code(system_call call);

/* Calls so far. */
size_t system_count(system_call call);

/* From now on, call number first, counting from 1, fails, and, if is_forever,
 * all behind it. */
void system_fail(system_call call, size_t first, bool is_forever);

/* Ends the fault. The number of calls that it struck. */
size_t system_stop(void);

/* From now on, a read gives this text instead of a file's bytes, again and
 * again; it is borrowed. NULL: the file's. */
void system_set_text(const char *text);

/* From now on the kernel has openat2, as at first, or does not know it. */
void system_set_openat2(bool is_known);

/* From now on a pread gives so many bytes at most. */
void system_set_pread_max(size_t size);

/* What is held: blocks of calloc and realloc, mappings, open files and threads
 * that nobody has joined. */
typedef struct system_live {
    long blocks;
    long mappings;
    long descriptors;
    long threads;
} system_live;

system_live system_get_live(void);

/* Fails the test unless as much is held as before. */
void system_assert_live(const system_live *before, const char *row);

/* Bytes taken from the heap so far, never given back. */
size_t system_get_taken(void);

#endif
