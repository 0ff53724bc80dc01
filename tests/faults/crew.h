/*
 * Threads that begin their work at once.
 */
#ifndef CLCONST_TESTS_CREW_H
#define CLCONST_TESTS_CREW_H

enum { CREW_COUNT = 16 };

/* What one thread does; number counts from 0. NULL, or what went wrong: Check's
 * assertions are for the test's own thread. */
typedef const char *(*crew_body)(void *context, int number);

/* Runs the body on CREW_COUNT threads, and fails the test when one fails. */
void crew_run(crew_body body, void *context);

#endif
