/*
 * What callers hand in, their queues, buffers and events, checked before the
 * first command. Drivers make few of these checks: some crash, hang or write
 * elsewhere instead.
 */
#ifndef CLCONST_BACKEND_OPENCL_CALLER_H
#define CLCONST_BACKEND_OPENCL_CALLER_H

#include "backend/opencl/submission.h"
#include "core/plan.h"

/* What is asked of a buffer; all zero of NULL. */
typedef struct clconst__buffer_facts {
    cl_mem_object_type type;
    cl_context context;
    size_t size;
    cl_mem_flags flags;
    cl_mem parent; /* of a sub-buffer */
    size_t origin; /* in the parent */
} clconst__buffer_facts;

/* Checks that both are there, and that devices can take the plan. */
clconst_status clconst__caller_check_plan(const clconst_engine *engine,
                                          const clconst_plan *plan,
                                          clconst_error *error);

/* Sets the submission's engine, which must be OpenCL's, and checks its queue
 * and wait list. */
clconst_status clconst__caller_open(clconst__submission *submission,
                                    clconst_engine *engine,
                                    clconst_error *error);

/*
 * Checks that size bytes at offset lie in the buffer, which may be NULL when
 * size is 0 and is called name in messages.
 */
clconst_status clconst__caller_check_buffer(const clconst__opencl *cl,
                                            const char *name,
                                            cl_mem buffer,
                                            size_t offset,
                                            size_t size,
                                            clconst__buffer_facts *facts,
                                            clconst_error *error);

/* The same for the submission's buffer, of which the submission then knows
 * what it has to. */
clconst_status clconst__caller_check_output(clconst__submission *submission,
                                            size_t offset,
                                            size_t size,
                                            clconst__buffer_facts *facts,
                                            clconst_error *error);

#endif
