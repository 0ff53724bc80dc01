#include "backend/large_parts.h"

enum { SIDE = 16 };

bool large_create_buffer(large_buffer *b,
                         const fixture *f,
                         size_t size,
                         const char *row)
{
    cl_int code;
    if (!large_is_possible(f->engine, size, row)) {
        return false;
    }
    cl_mem buffer =
        clCreateBuffer(f->context, CL_MEM_READ_WRITE, size, NULL, &code);
    ck_assert_cl(code);
    *b = (large_buffer){f, buffer, size};
    return true;
}

void large_release_buffer(large_buffer *b)
{
    ck_assert_cl(clFinish(b->f->queue));
    ck_assert_cl(clReleaseMemObject(b->buffer));
}

void large_read(const large_buffer *b, size_t offset, void *dst, size_t size)
{
    ck_assert_cl(clEnqueueReadBuffer(
        b->f->queue, b->buffer, CL_TRUE, offset, size, dst, 0, NULL, NULL));
}

/* Bytes of a side that lie within the buffer. */
static size_t size_before(size_t offset)
{
    return offset < SIDE ? offset : SIDE;
}

static size_t size_behind(const large_buffer *b, size_t end)
{
    return b->size - end < SIDE ? b->size - end : SIDE;
}

static void clear(const large_buffer *b, size_t offset, size_t size)
{
    static const uint8_t zero = 0;
    if (size > 0) {
        ck_assert_cl(clEnqueueFillBuffer(b->f->queue,
                                         b->buffer,
                                         &zero,
                                         sizeof(zero),
                                         offset,
                                         size,
                                         0,
                                         NULL,
                                         NULL));
    }
}

void large_clear_part(const large_buffer *b, size_t offset, size_t size)
{
    size_t offsets[16];
    size_t count = large_windows(size, offsets);
    for (size_t i = 0; i < count; i++) {
        clear(b, offset + offsets[i], LARGE_WINDOW);
    }
    clear(b, offset - size_before(offset), size_before(offset));
    clear(b, offset + size, size_behind(b, offset + size));
}

static void
check_clear(const large_buffer *b, size_t offset, size_t size, const char *row)
{
    static const uint8_t zeros[SIDE];
    uint8_t actual[SIDE];
    if (size > 0) {
        large_read(b, offset, actual, size);
        harness_assert_bytes(actual, zeros, size, row);
    }
}

void large_check_part(const large_buffer *b,
                      int dtype,
                      size_t offset,
                      size_t size,
                      const char *row)
{
    size_t offsets[16];
    size_t count = large_windows(size, offsets);
    for (size_t i = 0; i < count; i++) {
        uint8_t actual[LARGE_WINDOW];
        uint8_t expected[LARGE_WINDOW];
        large_expect(dtype, offsets[i], expected, sizeof(expected));
        large_read(b, offset + offsets[i], actual, sizeof(actual));
        harness_assert_bytes(actual, expected, sizeof(actual), row);
    }
    check_clear(b, offset - size_before(offset), size_before(offset), row);
    check_clear(b, offset + size, size_behind(b, offset + size), row);
}
