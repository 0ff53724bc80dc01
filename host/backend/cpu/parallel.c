/* Sets of processors are Linux's, and of threads glibc's. */
#define _GNU_SOURCE

#include "backend/cpu/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/alloc.h"

#if defined(__linux__) && defined(__GLIBC__) && !defined(__UCLIBC__)
#define HAS_PLACES 1
#else
#define HAS_PLACES 0
#endif

/* Where new threads begin. */
typedef struct thread_places {
#if HAS_PLACES
    cpu_set_t processors; /* of the caller */
    size_t last;          /* taken */
#endif
    bool are_known;
} thread_places;

/* The parts that are left, shared by all threads of one call. */
typedef struct shared_work {
    atomic_size_t next;
    size_t count;
    clconst_parallel_body body;
    void *context;
    thread_places places;
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

#if HAS_PLACES
/*
 * The scheduler often puts a new thread beside the one that creates it and
 * leaves it there for longer than a fill takes: 256 MiB then took 10 ms on two
 * processors that were idle otherwise, and 6 ms with a processor for each.
 * Fewer threads than processors are left to the scheduler, which knows what
 * the processors share.
 */
static void find_places(thread_places *places, size_t thread_count)
{
    int processor = sched_getcpu();
    places->are_known =
        processor >= 0 && processor < CPU_SETSIZE &&
        sched_getaffinity(0, sizeof(places->processors), &places->processors) ==
            0 &&
        CPU_COUNT(&places->processors) > 0 &&
        thread_count >= (size_t)CPU_COUNT(&places->processors);
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
    return result;
}

/* A thread that has begun may go wherever the caller may. */
static void leave_place(const thread_places *places)
{
    if (places->are_known) {
        (void)sched_setaffinity(
            0, sizeof(places->processors), &places->processors);
    }
}
#else
static void find_places(thread_places *places, size_t thread_count)
{
    (void)thread_count;
    places->are_known = false;
}

static int create_placed(pthread_t *thread,
                         thread_places *places,
                         void *(*run)(void *),
                         void *argument)
{
    (void)places;
    return pthread_create(thread, NULL, run, argument);
}

static void leave_place(const thread_places *places)
{
    (void)places;
}
#endif

static void *run_thread(void *argument)
{
    shared_work *work = argument;
    leave_place(&work->places);
    run_parts(work);
    return NULL;
}

/* The number of threads that have begun, of so many. */
static size_t
start_threads(shared_work *work, pthread_t *threads, size_t wanted)
{
    size_t started = 0;
    /* Processors come and go, and sandboxes may forbid the choice. */
    while (work->places.are_known && started < wanted &&
           create_placed(&threads[started], &work->places, run_thread, work) ==
               0) {
        started++;
    }
    while (started < wanted &&
           pthread_create(&threads[started], NULL, run_thread, work) == 0) {
        started++;
    }
    return started;
}

/* Processors that this process may run on; at least 1. */
static unsigned count_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0) {
        return CPU_COUNT(&set) > 0 ? (unsigned)CPU_COUNT(&set) : 1;
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
    find_places(&work.places, wanted);
    size_t started = start_threads(&work, threads, wanted - 1);
    run_parts(&work);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    clconst__free(threads);
}
