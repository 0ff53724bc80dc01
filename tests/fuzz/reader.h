/*
 * A reader of external data that has every location, so that fuzz targets need
 * no file. Which bytes it gives follows from the offset alone.
 */
#ifndef CLCONST_TESTS_FUZZ_READER_H
#define CLCONST_TESTS_FUZZ_READER_H

#include <clconst/clconst_model.h>

/* It refuses some requests: those past a size, and those of an odd location.
 * Requires that each location is what the header promises. */
clconst_reader fuzz_reader(void);

/* Requires that all that was mapped has been given back. */
void fuzz_reader_check(void);

#endif
