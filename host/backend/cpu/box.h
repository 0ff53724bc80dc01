/*
 * A box written to host memory.
 */
#ifndef CLCONST_BACKEND_CPU_BOX_H
#define CLCONST_BACKEND_CPU_BOX_H

#include "backend/cpu/parallel.h"
#include "core/box.h"

/* Writes the rows of the box, which begins at dst and is not empty, and nothing
 * between them. */
void clconst__cpu_write_box(const clconst__box *box,
                            const clconst__pattern *pattern,
                            uint8_t *dst,
                            const clconst__workers *workers);

#endif
