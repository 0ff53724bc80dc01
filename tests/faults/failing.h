/*
 * Calls of the library that must cope without what they ask of the system.
 */
#ifndef CLCONST_TESTS_FAILING_H
#define CLCONST_TESTS_FAILING_H

#include <clconst/clconst.h>

#include "faults/system.h"

/* The call under test: it ends with nothing held. */
typedef clconst_status (*failing_call)(const void *context,
                                       clconst_error *error);

/*
 * Makes allocation number 1, 2, 3 and so on fail, once and for ever, until none
 * is left to fail. Each time the call must end with OUT_OF_MEMORY and give back
 * what it took; at last it succeeds. row names it.
 */
void fail_each_allocation(failing_call run,
                          const void *context,
                          const char *row);

/* A system call, in a set of them. */
#define FAILING_SET(name) (1U << SYSTEM_##name)

/* What a call of the library asks of the system, as sets of system calls. */
typedef struct failing_needs {
    unsigned vital;  /* when one of these fails, it is out of memory */
    unsigned spared; /* and these it does without; an allocation may be both */
} failing_needs;

/* System call number first, counting from 1, fails, and, if is_forever, all
 * behind it. */
typedef struct failing_fault {
    system_call call;
    size_t first;
    bool is_forever;
} failing_fault;

/* What a call came to under a fault. */
typedef struct failing_outcome {
    size_t struck; /* how often the fault did */
    clconst_status status;
} failing_outcome;

/* Makes a call under a fault, and checks all but the outcome, which is OK or
 * OUT_OF_MEMORY. row names both. */
typedef failing_outcome (*failing_try)(const void *context,
                                       const failing_fault *fault,
                                       const char *row);

/*
 * Makes each system call fail, number 1, 2, 3 and so on, once and for ever,
 * until none is left to fail. Those in needs, and no others, must be made, and
 * must count as needs says; NULL: nobody knows. Returns how often one failed.
 */
size_t fail_each_system_call(failing_try try_fault,
                             const void *context,
                             const char *name,
                             const failing_needs *needs);

/* The same for a call that ends with nothing held. */
size_t fail_each_need(failing_call run,
                      const void *context,
                      const char *name,
                      const failing_needs *needs);

#endif
