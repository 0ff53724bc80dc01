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

/* The parts that are left, shared by all threads of one call. */
typedef struct shared_work {
    atomic_size_t next;
    size_t count;
    clconst_parallel_body body;
    void *context;
#if HAS_PLACES
    bool is_placed;       /* threads begin on processors of their own */
    cpu_set_t processors; /* of the caller */
#endif
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
    shared_work *work = argument;
#if HAS_PLACES
    /* A thread that has begun may go wherever the caller may. */
    if (work->is_placed) {
        (void)sched_setaffinity(0, sizeof(work->processors), &work->processors);
    }
#endif
    run_parts(work);
    return NULL;
}

#if HAS_PLACES
/* The one of the caller's processors that follows a number. */
static size_t next_processor(const shared_work *work, size_t number)
{
    do {
        number = (number + 1) % CPU_SETSIZE;
    } while (!CPU_ISSET(number, &work->processors));
    return number;
}

static int start_on(pthread_t *thread, shared_work *work, size_t processor)
{
    cpu_set_t place;
    CPU_ZERO(&place);
    CPU_SET(processor, &place);
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result != 0) {
        return result;
    }
    result = pthread_attr_setaffinity_np(&attributes, sizeof(place), &place);
    if (result == 0) {
        result = pthread_create(thread, &attributes, run_thread, work);
    }
    pthread_attr_destroy(&attributes);
    return result;
}

/*
 * The scheduler often puts a new thread beside the one that creates it and
 * leaves it there for longer than a fill takes: 256 MiB then took 10 ms on two
 * processors that were idle otherwise, and 6 ms with a processor for each.
 * Fewer threads than processors are left to the scheduler, which knows what
 * the processors share. Returns how many of the threads have started:
 * processors come and go, and sandboxes may forbid the choice.
 */
static size_t start_placed(shared_work *work, pthread_t *threads, size_t wanted)
{
    int here = sched_getcpu();
    work->is_placed =
        here >= 0 && here < CPU_SETSIZE &&
        sched_getaffinity(0, sizeof(work->processors), &work->processors) ==
            0 &&
        CPU_COUNT(&work->processors) > 0 &&
        wanted + 1 >= (size_t)CPU_COUNT(&work->processors);
    size_t started = 0;
    size_t processor = (size_t)here;
    while (work->is_placed && started < wanted) {
        processor = next_processor(work, processor);
        if (start_on(&threads[started], work, processor) != 0) {
            break;
        }
        started++;
    }
    return started;
}
#else
static size_t start_placed(shared_work *work, pthread_t *threads, size_t wanted)
{
    (void)work;
    (void)threads;
    (void)wanted;
    return 0;
}
#endif

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
    size_t started = start_placed(&work, threads, wanted - 1);
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
