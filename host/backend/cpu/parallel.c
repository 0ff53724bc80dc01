/* Sets of processors are Linux's, and of threads glibc's. */
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

#if defined(__linux__) && defined(__GLIBC__)
/*
 * Where new threads begin. The scheduler often puts one beside the thread that
 * creates it and leaves it there for longer than a fill takes: 256 MiB then
 * took 10 ms on two processors that were idle otherwise, and 6 ms with a
 * processor for each.
 */
typedef struct thread_places {
    cpu_set_t processors; /* of the caller */
    bool is_known;
    size_t last; /* taken */
} thread_places;

static void find_places(thread_places *places)
{
    int processor = sched_getcpu();
    places->is_known =
        processor >= 0 && processor < CPU_SETSIZE &&
        sched_getaffinity(0, sizeof(places->processors), &places->processors) ==
            0;
    places->last = (size_t)processor;
}

static void take_place(thread_places *places, cpu_set_t *place)
{
    do {
        places->last = (places->last + 1) % CPU_SETSIZE;
    } while (!CPU_ISSET(places->last, &places->processors));
    CPU_ZERO(place);
    CPU_SET(places->last, place);
}

/* The thread is bound to its place for no longer than it takes to create it. */
static int create_placed(pthread_t *thread,
                         thread_places *places,
                         void *(*run)(void *),
                         void *argument)
{
    cpu_set_t place;
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result != 0) {
        return result;
    }
    take_place(places, &place);
    result = pthread_attr_setaffinity_np(&attributes, sizeof(place), &place);
    if (result == 0) {
        result = pthread_create(thread, &attributes, run, argument);
    }
    pthread_attr_destroy(&attributes);
    if (result == 0) {
        /* Of a thread that has ended, it is the caller's own set again. */
        (void)pthread_setaffinity_np(
            *thread, sizeof(places->processors), &places->processors);
    }
    return result;
}

static int create_thread(pthread_t *thread,
                         thread_places *places,
                         void *(*run)(void *),
                         void *argument)
{
    /* Processors come and go, and sandboxes may forbid the choice. */
    return places->is_known && create_placed(thread, places, run, argument) == 0
               ? 0
               : pthread_create(thread, NULL, run, argument);
}
#else
typedef struct thread_places {
    char none;
} thread_places;

static void find_places(thread_places *places)
{
    places->none = 0;
}

static int create_thread(pthread_t *thread,
                         thread_places *places,
                         void *(*run)(void *),
                         void *argument)
{
    (void)places;
    return pthread_create(thread, NULL, run, argument);
}
#endif

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
    thread_places places;
    find_places(&places);
    while (started + 1 < wanted &&
           create_thread(&threads[started], &places, run_thread, &work) == 0) {
        started++;
    }
    run_parts(&work);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    clconst__free(threads);
}
