/*
 * The world of the tests that steer the layer, one at a time. They leave it
 * without faults and lies.
 */
#ifndef CLCONST_TESTS_STEERED_H
#define CLCONST_TESTS_STEERED_H

#include "faults/steer.h"
#include "faults/world.h"

#define LIE(key, value)                                                        \
    {                                                                          \
        key, sizeof(value), &(value)                                           \
    }
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Without an engine at first. */
extern world steered;

void open_steered(void);
void close_steered(void);

/* Makes the world's engine. */
void open_engine(clconst_fill_path path);

/* Enqueues a plan into the world's buffer; nobody waits for it. */
clconst_status
enqueue_plan(const clconst_plan *plan, size_t offset, clconst_error *error);

#endif
