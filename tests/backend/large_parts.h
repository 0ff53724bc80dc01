/*
 * Parts of large buffers on a device: only their ends, and both sides of each
 * boundary, are cleared before a fill and read behind it.
 */
#ifndef CLCONST_TESTS_LARGE_PARTS_H
#define CLCONST_TESTS_LARGE_PARTS_H

#include "backend/large.h"
#include "backend/opencl_fixture.h"

/* A buffer of unknown bytes. */
typedef struct large_buffer {
    const fixture *f;
    cl_mem buffer;
    size_t size;
} large_buffer;

/* False, with a line that says why, where so much is not to be had. */
bool large_create_buffer(large_buffer *b,
                         const fixture *f,
                         size_t size,
                         const char *row);
void large_release_buffer(large_buffer *b);

/* Reads bytes of the buffer. */
void large_read(const large_buffer *b, size_t offset, void *dst, size_t size);

/* Clears what large_check_part reads. */
void large_clear_part(const large_buffer *b, size_t offset, size_t size);

/* size bytes at offset, a window or more, are a fill with harness_element, and
 * the bytes on both sides are clear. */
void large_check_part(const large_buffer *b,
                      int dtype,
                      size_t offset,
                      size_t size,
                      const char *row);

#endif
