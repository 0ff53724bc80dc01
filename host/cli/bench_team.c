/* Affinity of threads is Linux's. */
#define _GNU_SOURCE

#include "cli/bench_team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { MEMBERS_MAX = 256 };

typedef struct team_member {
    cli_bench_team *team;
    size_t index;
    pthread_t thread;
} team_member;

struct cli_bench_team {
    atomic_size_t turn;  /* counts up with each piece of work */
    atomic_size_t ready; /* members that wait for the next turn */
    cli_bench_work work; /* NULL in the last turn */
    void *context;
    size_t count;
    team_member members[MEMBERS_MAX]; /* the first is the caller */
#if defined(__linux__)
    bool is_placed;
    cpu_set_t processors; /* that the caller had before */
#endif
};

#if defined(__linux__)
/* Keeps the calling thread on the processor of this index in the set. */
static void take_processor(const cpu_set_t *processors, size_t index)
{
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, processors) && index-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            /* Refused, the scheduler's choice serves. */
            (void)sched_setaffinity(0, sizeof(one), &one);
            return;
        }
    }
}
#endif

static void take_place(const team_member *member)
{
#if defined(__linux__)
    if (member->team->is_placed) {
        take_processor(&member->team->processors, member->index);
    }
#else
    (void)member;
#endif
}

static size_t count_processors(cli_bench_team *team)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
    team->is_placed =
        sched_getaffinity(0, sizeof(team->processors), &team->processors) == 0;
    if (team->is_placed) {
        count = CPU_COUNT(&team->processors);
    }
#else
    (void)team;
#endif
    if (count < 1) {
        return 1;
    }
    return count < MEMBERS_MAX ? (size_t)count : MEMBERS_MAX;
}

/* Gives the processor up, after a while, to a thread that cannot run else. */
static void spin(unsigned *turns)
{
    enum { TURNS_MAX = 10000 };
    if (++*turns > TURNS_MAX) {
        sched_yield();
    }
}

static void *run_member(void *argument)
{
    const team_member *member = argument;
    cli_bench_team *team = member->team;
    take_place(member);
    size_t turn = 0;
    for (;;) {
        atomic_fetch_add(&team->ready, 1);
        unsigned turns = 0;
        while (atomic_load(&team->turn) == turn) {
            spin(&turns);
        }
        turn++;
        if (team->work == NULL) {
            return NULL;
        }
        team->work(team->context, member->index, team->count);
    }
}

static void wait_for_members(cli_bench_team *team)
{
    unsigned turns = 0;
    while (atomic_load(&team->ready) + 1 < team->count) {
        spin(&turns);
    }
}

cli_outcome cli_bench_team_start(cli_bench_team **team, clconst_error *error)
{
    cli_bench_team *started;
    cli_outcome outcome = cli_alloc(1, sizeof(*started), &started, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    size_t wanted = count_processors(started);
    started->members[0] = (team_member){.team = started};
    take_place(&started->members[0]);
    started->count = 1;
    while (started->count < wanted) {
        team_member *member = &started->members[started->count];
        *member = (team_member){.team = started, .index = started->count};
        if (pthread_create(&member->thread, NULL, run_member, member) != 0) {
            break;
        }
        started->count++;
    }
    wait_for_members(started);
    *team = started;
    return CLI_DONE;
}

static void take_turn(cli_bench_team *team, cli_bench_work work, void *context)
{
    team->work = work;
    team->context = context;
    atomic_store(&team->ready, 0);
    atomic_fetch_add(&team->turn, 1);
}

void cli_bench_team_run(cli_bench_team *team,
                        cli_bench_work work,
                        void *context)
{
    take_turn(team, work, context);
    work(context, 0, team->count);
    wait_for_members(team);
}

void cli_bench_team_stop(cli_bench_team *team)
{
    if (team == NULL) {
        return;
    }
    take_turn(team, NULL, NULL);
    for (size_t i = 1; i < team->count; i++) {
        pthread_join(team->members[i].thread, NULL);
    }
#if defined(__linux__)
    if (team->is_placed) {
        (void)sched_setaffinity(0, sizeof(team->processors), &team->processors);
    }
#endif
    free(team);
}
