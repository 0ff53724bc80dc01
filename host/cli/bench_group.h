/*
 * A group of configurations that fill as many bytes, measured together: in
 * another order each round, so that none always runs after the same other, and
 * from the same state of the caches. It knows neither what a configuration does
 * nor what its times mean.
 */
#ifndef CLCONST_CLI_BENCH_GROUP_H
#define CLCONST_CLI_BENCH_GROUP_H

#include "cli/bench_idle.h"
#include "cli/bench_team.h"
#include "cli/check_sample.h"

typedef enum cli_bench_role {
    CLI_BENCH_FILL,
    CLI_BENCH_LIMIT,  /* stores alone; the best of as many fills is the limit */
    CLI_BENCH_DRIVER, /* clEnqueueFillBuffer of the same dtype's width */
} cli_bench_role;

typedef struct cli_bench_group cli_bench_group;
typedef struct cli_bench_case cli_bench_case;
typedef struct cli_bench_batch cli_bench_batch; /* bench_fill.h */

/* One configuration. Pointers are borrowed; what they point to is for run. */
struct cli_bench_case {
    const char *path;
    cli_bench_role role;
    const cli_sample *sample;
    size_t offset;
    size_t fill_count; /* in one call of run */
    bool has_no_limit; /* it writes less than its bytes, or elsewhere */

    /* Before each measured time, outside it; may be NULL. */
    cli_outcome (*start)(cli_bench_case *bench, clconst_error *error);
    cli_outcome (*run)(cli_bench_case *bench, clconst_error *error);
    /* After each call, outside the measured time; may be NULL. */
    void (*reset)(cli_bench_case *bench);
    /* UNMET unless the last call has written what it was to write. */
    cli_outcome (*verify)(cli_bench_case *bench, clconst_error *error);

    cli_bench_group *group;
    clconst_engine *engine;
    const cli_bench_batch *batch;
    void *context;
    clconst_tensor *tensor; /* that a call has made */
    cli_bench_team *team;   /* while a call is measured */
    void *block;            /* that a call has mapped */

    size_t repeat_count; /* calls in one measured time */
    double *seconds;     /* of one fill, by round; at last ascending */
};

/* The destination, of all cases, and the cases. */
struct cli_bench_group {
    size_t size; /* that each case fills */
    bool is_fresh;
    uint8_t *bytes; /* NULL when each case makes its own */
    size_t mapped_size;
    cli_bench_case *cases;
    size_t case_count;
    size_t case_capacity;
    size_t round_count; /* that were measured */
};

/* How often groups are measured. */
typedef struct cli_bench_effort {
    size_t round_count;
    /* For all groups: a round that begins without any is its group's last. */
    double seconds_left;
} cli_bench_effort;

/* Fills in one call, in the cases that have several. */
enum { CLI_BENCH_PIPELINED_COUNT = 8 };

/* Bytes behind the destination, for offsets and guards. */
enum { CLI_BENCH_MARGIN = 4096 };

/* Destinations from here on are not in a cache when a measurement begins. */
#define CLI_BENCH_COLD_SIZE ((size_t)4 << 20)

/* Fresh groups have no destination in common. */
cli_outcome cli_bench_group_create(size_t size,
                                   bool is_fresh,
                                   cli_bench_group *group,
                                   clconst_error *error);

/* A copy of the case becomes one of the group's. */
cli_outcome cli_bench_group_add(cli_bench_group *group,
                                const cli_bench_case *bench,
                                clconst_error *error);

/* Of one fill in a call, and, unless pipelined_path is NULL, of several. */
cli_outcome cli_bench_group_add_both(cli_bench_group *group,
                                     const cli_bench_case *bench,
                                     const char *pipelined_path,
                                     clconst_error *error);

/* Measures all cases. Each must have written in the last round what it was to
 * write, to the last byte. */
cli_outcome cli_bench_group_measure(cli_bench_group *group,
                                    cli_bench_effort *effort,
                                    cli_bench_idle *idle,
                                    clconst_error *error);

void cli_bench_group_release(cli_bench_group *group);

/* Memory that nothing has touched, at a huge page. NULL when there is none. */
void *cli_bench_map(size_t size);
void cli_bench_unmap(void *block, size_t size);

#endif
