/*
 * What the kernel says of pages of memory: which have been touched, and for
 * which huge ones are asked for.
 */
#ifndef CLCONST_TESTS_PAGES_H
#define CLCONST_TESTS_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the kernel tells; prints the reason of a skip if not. */
bool pages_can_tell(void);

/* Bytes of the pages from address on that are in memory. address is a multiple
 * of the page size. */
size_t pages_resident_size(const void *address, size_t size);

/* Whether the mapping that holds the address asks for huge pages. */
bool pages_are_huge(const void *address);

#endif
