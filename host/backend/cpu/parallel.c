/* sched_getaffinity and CPU_COUNT are Linux's. */
#define _GNU_SOURCE

#include "backend/cpu/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/alloc.h"

/* The parts that are left, shared by all threads of one call. */
typedef struct shared_work {
    atomic_size_t next;
    size_t count;
    clconst_parallel_body body;
    void *context;
} shared_work;

static void run_parts(shared_work *work)
{
    size_t index = atomic_fetch_add(&work->next, 1);
    while (index < work->count) {
        work->body(work->context, index);
        index = atomic_fetch_add(&work->next, 1);
    }
}

static void run_alone(size_t count, clconst_parallel_body body, void *context)
{
    for (size_t i = 0; i < count; i++) {
        body(context, i);
    }
}

static void *run_thread(void *argument)
{
    run_parts(argument);
    return NULL;
}

/* Processors that this process may run on; at least 1. */
static unsigned count_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0) {
        return (unsigned)CPU_COUNT(&set);
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

clconst__workers clconst__workers_from(const clconst_engine_options *options)
{
    return (clconst__workers){
        .thread_count = options->thread_count > 0 ? options->thread_count
                                                  : count_processors(),
        .parallel_for = options->parallel_for,
        .context = options->parallel_for_context,
    };
}

void clconst__parallel_run(const clconst__workers *workers,
                           size_t count,
                           clconst_parallel_body body,
                           void *context)
{
    if (workers->parallel_for != NULL && count > 1) {
        workers->parallel_for(workers->context, count, body, context);
        return;
    }
    size_t wanted =
        workers->thread_count < count ? workers->thread_count : count;
    pthread_t *threads;
    /* Without memory for threads too. A small part takes less time than the
     * shared count. */
    if (wanted <= 1 ||
        clconst__alloc(wanted - 1, sizeof(*threads), &threads, NULL) !=
            CLCONST_OK) {
        run_alone(count, body, context);
        return;
    }
    shared_work work = {.count = count, .body = body, .context = context};
    atomic_init(&work.next, 0);
    size_t started = 0;
    while (started + 1 < wanted &&
           pthread_create(&threads[started], NULL, run_thread, &work) == 0) {
        started++;
    }
    run_parts(&work);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    clconst__free(threads);
}
