/*
 * A plan written to host memory: what the CPU engine runs, and the reference
 * that devices are compared with.
 */
#ifndef CLCONST_BACKEND_CPU_WRITE_H
#define CLCONST_BACKEND_CPU_WRITE_H

#include "core/plan.h"

/* Writes plan->size bytes to dst. */
void clconst__cpu_write(const clconst_plan *plan, void *dst);

#endif
