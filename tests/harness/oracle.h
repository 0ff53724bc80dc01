/*
 * The naive oracle: tensors expanded one bit at a time. It shares no code and
 * no table with the library, so its widths are its own.
 */
#ifndef CLCONST_TESTS_ORACLE_H
#define CLCONST_TESTS_ORACLE_H

#include <stddef.h>
#include <stdint.h>

/* Width of an element in bits by TensorProto.DataType; 0 for strings and for
 * numbers that are none. */
unsigned oracle_bits(int dtype);

/* Bytes of count packed elements. */
size_t oracle_size(int dtype, uint64_t count);

/* Writes count copies of the element in the lowest bits of element, which has
 * 16 bytes, packed from the lowest bit up; unused bits are zero. */
void oracle_fill(void *dst, int dtype, const void *element, uint64_t count);

/* Copies count packed elements; unused bits are zero. */
void oracle_copy(void *dst, int dtype, const void *src, uint64_t count);

/* Writes value number from, of packed src, as element number to of packed dst,
 * which must be zero there. */
void oracle_place(
    void *dst, int dtype, uint64_t to, const void *src, uint64_t from);

#endif
