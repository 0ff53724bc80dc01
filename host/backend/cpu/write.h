/*
 * A plan written to host memory: what the CPU engine runs, and the reference
 * that devices are compared with.
 */
#ifndef CLCONST_BACKEND_CPU_WRITE_H
#define CLCONST_BACKEND_CPU_WRITE_H

#include <stdbool.h>

#include "backend/cpu/parallel.h"
#include "core/plan.h"

/*
 * Writes plan->size bytes to dst. is_fresh says that nothing has written there
 * yet and all bytes are zero; of large blocks the kernel has then mapped no
 * page, and the first store to a page costs more than the others.
 */
void clconst__cpu_write(const clconst_plan *plan,
                        void *dst,
                        bool is_fresh,
                        const clconst__workers *workers);

/* Writes each plan to its place behind dst. */
void clconst__cpu_write_all(const clconst__placed *placed,
                            size_t count,
                            void *dst,
                            bool is_fresh,
                            const clconst__workers *workers);

#endif
