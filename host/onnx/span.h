/*
 * Spans: bytes of the input, borrowed in place. They know nothing of what the
 * bytes mean.
 */
#ifndef CLCONST_ONNX_SPAN_H
#define CLCONST_ONNX_SPAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <clconst/clconst.h>

/* data is NULL when there are no bytes at all, not even an empty string. */
typedef struct clconst__span {
    const uint8_t *data;
    size_t size;
} clconst__span;

static inline bool clconst__span_equals(clconst__span a, clconst__span b)
{
    return a.size == b.size && (a.size == 0 || !memcmp(a.data, b.data, a.size));
}

static inline clconst__span clconst__span_of(const char *text)
{
    return (clconst__span){(const uint8_t *)text, strlen(text)};
}

/* data is not NULL, so that callers may hand it to memcpy and its like. */
static inline clconst_string clconst__span_string(clconst__span span)
{
    return (clconst_string){span.data != NULL ? (const char *)span.data : "",
                            span.size};
}

#endif
