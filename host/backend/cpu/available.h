/*
 * How much memory the machine can give now, without swapping.
 */
#ifndef CLCONST_BACKEND_CPU_AVAILABLE_H
#define CLCONST_BACKEND_CPU_AVAILABLE_H

#include <stdbool.h>
#include <stdint.h>

/* In bytes. False where the kernel does not tell. */
bool clconst__available_memory(uint64_t *size);

#endif
