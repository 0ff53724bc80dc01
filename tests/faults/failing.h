/*
 * Calls of the library that must cope without memory.
 */
#ifndef CLCONST_TESTS_FAILING_H
#define CLCONST_TESTS_FAILING_H

#include <clconst/clconst.h>

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

#endif
