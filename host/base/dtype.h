/*
 * What is known of each dtype beyond the public table.
 */
#ifndef CLCONST_BASE_DTYPE_H
#define CLCONST_BASE_DTYPE_H

#include <clconst/clconst.h>

/* The widest element, complex128, in bytes. */
#define CLCONST__ELEMENT_SIZE_MAX 16

/* INVALID_ARGUMENT for a number that is no dtype. */
clconst_status clconst__dtype_check(clconst_dtype dtype, clconst_error *error);

/* The bits of a last byte that belong to elements: 0xff when all do. */
uint8_t clconst__dtype_last_mask(clconst_dtype dtype, uint64_t element_count);

#endif
