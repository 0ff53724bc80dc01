/* MAP_ANONYMOUS and madvise are not POSIX. */
#define _DEFAULT_SOURCE

#include "cli/bench_group.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "cli/bench_limit.h"

#define HUGE_PAGE_SIZE ((size_t)2 << 20)

/* Repeats make a measured time long enough for the clock. */
#define SECONDS_MIN 200e-6
enum { REPEAT_COUNT_MAX = 200 };

enum { PAUSE_NANOSECONDS = 3 * 1000 * 1000 };

/* A byte that no sample has alone. */
enum { POISON = 0xa5 };

static size_t round_up(size_t size)
{
    return (size + HUGE_PAGE_SIZE - 1) / HUGE_PAGE_SIZE * HUGE_PAGE_SIZE;
}

void *cli_bench_map(size_t size)
{
    size_t whole = round_up(size);
    char *base = mmap(NULL,
                      whole + HUGE_PAGE_SIZE,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS,
                      -1,
                      0);
    if (base == MAP_FAILED) {
        return NULL;
    }
    size_t before = HUGE_PAGE_SIZE - (uintptr_t)base % HUGE_PAGE_SIZE;
    if (before < HUGE_PAGE_SIZE) {
        munmap(base, before);
    } else {
        before = 0;
    }
    if (before < HUGE_PAGE_SIZE) {
        munmap(base + before + whole, HUGE_PAGE_SIZE - before);
    }
#if defined(MADV_HUGEPAGE)
    (void)madvise(base + before, whole, MADV_HUGEPAGE);
#endif
    return base + before;
}

void cli_bench_unmap(void *block, size_t size)
{
    if (block != NULL) {
        munmap(block, round_up(size));
    }
}

cli_outcome cli_bench_group_create(size_t size,
                                   bool is_fresh,
                                   cli_bench_group *group,
                                   clconst_error *error)
{
    *group = (cli_bench_group){.size = size, .is_fresh = is_fresh};
    if (is_fresh) {
        return CLI_DONE;
    }
    group->mapped_size = size + CLI_BENCH_MARGIN;
    group->bytes = cli_bench_map(group->mapped_size);
    return group->bytes != NULL ? CLI_DONE
                                : cli_fail(error,
                                           CLCONST_OUT_OF_MEMORY,
                                           "no memory for %zu bytes",
                                           group->mapped_size);
}

cli_outcome cli_bench_group_add(cli_bench_group *group,
                                const cli_bench_case *bench,
                                clconst_error *error)
{
    if (group->case_count == group->case_capacity) {
        size_t capacity = 2 * group->case_capacity + 16;
        cli_bench_case *larger =
            realloc(group->cases, capacity * sizeof(*larger));
        if (larger == NULL) {
            return cli_fail(
                error, CLCONST_OUT_OF_MEMORY, "no memory for a benchmark");
        }
        group->cases = larger;
        group->case_capacity = capacity;
    }
    cli_bench_case *added = &group->cases[group->case_count++];
    *added = *bench;
    added->group = group;
    return CLI_DONE;
}

cli_outcome cli_bench_group_add_both(cli_bench_group *group,
                                     const cli_bench_case *bench,
                                     const char *pipelined_path,
                                     clconst_error *error)
{
    cli_bench_case pipelined = *bench;
    pipelined.path = pipelined_path;
    pipelined.fill_count = CLI_BENCH_PIPELINED_COUNT;
    cli_outcome outcome = cli_bench_group_add(group, bench, error);
    return outcome == CLI_DONE && pipelined_path != NULL
               ? cli_bench_group_add(group, &pipelined, error)
               : outcome;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Writes the destination so that small ones are in a cache and large ones in
 * none, and so that none holds what the case is to write. */
static cli_outcome prepare(const cli_bench_group *group, clconst_error *error)
{
    if (group->bytes == NULL) {
        return CLI_DONE;
    }
    if (group->size < CLI_BENCH_COLD_SIZE) {
        memset(group->bytes, POISON, group->mapped_size);
        return CLI_DONE;
    }
    cli_outcome outcome =
        cli_bench_poison(group->bytes, group->size, POISON, error);
    /* Right behind other threads, new ones often begin late. */
    static const struct timespec pause = {0, PAUSE_NANOSECONDS};
    nanosleep(&pause, NULL);
    return outcome;
}

/* Measures a case once. */
static cli_outcome run_case(cli_bench_case *bench,
                            cli_bench_idle *idle,
                            double *seconds,
                            clconst_error *error)
{
    cli_outcome outcome = prepare(bench->group, error);
    if (outcome == CLI_DONE && bench->start != NULL) {
        outcome = bench->start(bench, error);
    }
    cli_bench_idle_begin(idle);
    double begin = now();
    for (size_t i = 0; i < bench->repeat_count && outcome == CLI_DONE; i++) {
        outcome = bench->run(bench, error);
    }
    double end = now();
    *seconds =
        (end - begin) / (double)(bench->repeat_count * bench->fill_count);
    return outcome;
}

static void reset_case(cli_bench_case *bench)
{
    if (bench->reset != NULL) {
        bench->reset(bench);
    }
}

/* The first call builds programs; the second says how many calls one
 * measurement needs. */
static cli_outcome warm_up(cli_bench_case *bench, clconst_error *error)
{
    cli_bench_idle none = {0};
    double seconds;
    bench->repeat_count = 1;
    cli_outcome outcome = run_case(bench, &none, &seconds, error);
    reset_case(bench);
    if (outcome == CLI_DONE && !bench->group->is_fresh) {
        outcome = run_case(bench, &none, &seconds, error);
        reset_case(bench);
        seconds *= (double)bench->fill_count;
        double count = SECONDS_MIN / (seconds > 1e-9 ? seconds : 1e-9);
        bench->repeat_count = count < 1                  ? 1
                              : count < REPEAT_COUNT_MAX ? (size_t)count
                                                         : REPEAT_COUNT_MAX;
    }
    return outcome;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

static void shuffle(size_t *order, size_t count, uint32_t *state)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = next_random(state) % i;
        size_t held = order[i - 1];
        order[i - 1] = order[other];
        order[other] = held;
    }
}

static int compare_seconds(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;
    return (*a > *b) - (*a < *b);
}

/* Until nothing has disturbed it. */
static cli_outcome measure_case(cli_bench_case *bench,
                                double *seconds,
                                bool is_last,
                                cli_bench_idle *idle,
                                clconst_error *error)
{
    cli_outcome outcome;
    bool is_good;
    do {
        cli_bench_idle_wait(idle);
        outcome = run_case(bench, idle, seconds, error);
        is_good = cli_bench_idle_end(idle);
        if (outcome == CLI_DONE && is_good && is_last) {
            outcome = bench->verify(bench, error);
            cli_explain(outcome, error, "path %s", bench->path);
        }
        reset_case(bench);
    } while (outcome == CLI_DONE && !is_good);
    return outcome;
}

static cli_outcome measure_rounds(cli_bench_group *group,
                                  const cli_bench_effort *effort,
                                  double begin,
                                  size_t *order,
                                  cli_bench_idle *idle,
                                  clconst_error *error)
{
    uint32_t state = (uint32_t)time(NULL);
    cli_outcome outcome = CLI_DONE;
    bool is_last = false;
    for (size_t round = 0; !is_last && outcome == CLI_DONE; round++) {
        bool is_late = now() - begin > effort->seconds_left;
        is_last = is_late || round + 1 == effort->round_count;
        shuffle(order, group->case_count, &state);
        for (size_t i = 0; i < group->case_count && outcome == CLI_DONE; i++) {
            cli_bench_case *bench = &group->cases[order[i]];
            outcome = measure_case(
                bench, &bench->seconds[round], is_last, idle, error);
        }
        group->round_count = round + 1;
    }
    return outcome;
}

cli_outcome cli_bench_group_measure(cli_bench_group *group,
                                    cli_bench_effort *effort,
                                    cli_bench_idle *idle,
                                    clconst_error *error)
{
    double begin = now();
    size_t *order;
    cli_outcome outcome =
        cli_alloc(group->case_count, sizeof(*order), &order, error);
    for (size_t i = 0; i < group->case_count && outcome == CLI_DONE; i++) {
        cli_bench_case *bench = &group->cases[i];
        order[i] = i;
        outcome = cli_alloc(effort->round_count,
                            sizeof(*bench->seconds),
                            &bench->seconds,
                            error);
        if (outcome == CLI_DONE) {
            outcome = warm_up(bench, error);
        }
    }
    if (outcome == CLI_DONE) {
        outcome = measure_rounds(group, effort, begin, order, idle, error);
        effort->seconds_left -= now() - begin;
    }
    for (size_t i = 0; i < group->case_count && outcome == CLI_DONE; i++) {
        qsort(group->cases[i].seconds,
              group->round_count,
              sizeof(*group->cases[i].seconds),
              compare_seconds);
    }
    free(order);
    return outcome;
}

void cli_bench_group_release(cli_bench_group *group)
{
    for (size_t i = 0; i < group->case_count; i++) {
        free(group->cases[i].seconds);
    }
    free(group->cases);
    cli_bench_unmap(group->bytes, group->mapped_size);
    *group = (cli_bench_group){0};
}
