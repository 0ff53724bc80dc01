/*
 * Tensors: memory of an engine, and what it holds.
 */
#ifndef CLCONST_BACKEND_TENSOR_H
#define CLCONST_BACKEND_TENSOR_H

#include "backend/backend.h"

/* A tensor of size bytes without content, which holds the engine. copied_size
 * is as for the backend. */
clconst_status clconst__tensor_allocate(clconst_engine *engine,
                                        size_t size,
                                        size_t copied_size,
                                        clconst_tensor **tensor,
                                        clconst_error *error);

#endif
