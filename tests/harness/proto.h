/*
 * Protobuf from text: a writer of the wire format for tests, which shares
 * nothing with the library. Text is a list of fields:
 *
 *   1:7 1:-7        a varint, the negative one in ten bytes
 *   2:f1.5 2:d1.5   four bytes of a float, eight of a double
 *   3:'abc'         a string
 *   3:x0aff         bytes
 *   4:{1:2 3:''}    a message
 *   5:[1 2 -3]      packed varints
 *   !0aff           bytes as they are, without number and length
 */
#ifndef CLCONST_TESTS_PROTO_H
#define CLCONST_TESTS_PROTO_H

#include <stddef.h>
#include <stdint.h>

/* Starts zeroed. */
typedef struct proto_buffer {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
} proto_buffer;

/* Appends the fields of the text, a printf format. A mistake in the text ends
 * the test. */
void proto_append(proto_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends the number and length of a field of bytes that follow. */
void proto_append_header(proto_buffer *buffer, unsigned field, size_t size);

/* Appends a field of bytes, which may be those of another buffer. */
void proto_append_bytes(proto_buffer *buffer,
                        unsigned field,
                        const void *bytes,
                        size_t size);

void proto_free(proto_buffer *buffer);

#endif
