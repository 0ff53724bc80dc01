/*
 * A kernel file's text as kernels/embed.cmake writes it into the library.
 */
#ifndef CLCONST_BACKEND_OPENCL_SOURCE_H
#define CLCONST_BACKEND_OPENCL_SOURCE_H

#include <stddef.h>

/* text has size bytes and no NUL at its end. */
typedef struct clconst__source {
    const char *name;
    const char *text;
    size_t size;
} clconst__source;

extern const clconst__source clconst__source_fill_batch;
extern const clconst__source clconst__source_fill_chunked;
extern const clconst__source clconst__source_fill_coalesced;
extern const clconst__source clconst__source_fill_measured;
extern const clconst__source clconst__source_fill_region;
extern const clconst__source clconst__source_measure;
extern const clconst__source clconst__source_scatter;

#endif
