/*
 * What the CPU engine lends to functions that write host memory.
 */
#ifndef CLCONST_BACKEND_CPU_ENGINE_H
#define CLCONST_BACKEND_CPU_ENGINE_H

#include "backend/backend.h"
#include "backend/cpu/parallel.h"

/* NULL for an engine of another backend. */
const clconst__workers *clconst__cpu_workers(const clconst_engine *engine);

#endif
