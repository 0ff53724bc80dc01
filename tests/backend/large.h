/*
 * What the tests of large sizes share: what a fill's bytes are at any offset.
 */
#ifndef CLCONST_TESTS_LARGE_H
#define CLCONST_TESTS_LARGE_H

#include <stdbool.h>

#include "backend/engines.h"

/* Bytes are compared in windows, at the ends and on both sides of each
 * boundary. What a fill of any dtype writes repeats after a period. */
enum { LARGE_WINDOW = 256, LARGE_PERIOD = 48 };

/* The offsets of the windows within size bytes; returns how many there are. */
size_t large_windows(size_t size, size_t offsets[16]);

/* The bytes from an offset on of a fill with harness_element. */
void large_expect(int dtype, size_t offset, void *bytes, size_t size);

/* False, with a line that says why, where so much is not to be had. */
bool large_is_possible(const clconst_engine *engine,
                       size_t size,
                       const char *row);

#endif
