#include "cli/check_speed.h"

#include <time.h>

#include "cli/report.h"

#define KIBIBYTES(count) ((size_t)(count) << 10)

const size_t cli_speed_sizes[CLI_SPEED_SIZE_COUNT] = {
    KIBIBYTES(4),
    KIBIBYTES(64),
    KIBIBYTES(256),
    KIBIBYTES(1024),
    CLI_SPEED_SIZE_MAX,
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

cli_outcome cli_speed_measure(cli_speed_work work,
                              void *context,
                              double *seconds,
                              clconst_error *error)
{
    enum { ROUND_MIN = 5, ROUND_MAX = 100 };
    static const double enough = 0.02;
    cli_outcome outcome = work(context, error);
    double begin = now();
    double least = 0;
    for (int i = 0; i < ROUND_MAX && outcome == CLI_DONE; i++) {
        double before = now();
        if (i >= ROUND_MIN && before - begin > enough) {
            break;
        }
        outcome = work(context, error);
        double taken = now() - before;
        least = i == 0 || taken < least ? taken : least;
    }
    *seconds = least;
    return outcome;
}

cli_outcome cli_speed_add(json_t *rows,
                          const char *path,
                          size_t size,
                          double seconds,
                          clconst_error *error)
{
    /* A clock may be too coarse. */
    double gbps = seconds > 0 ? (double)size / seconds * 1e-9 : 0;
    json_t *row = json_pack("{ss so so}",
                            "path",
                            path,
                            "bytes",
                            cli_json_size(size),
                            "gbps",
                            json_real(gbps));
    return json_array_append_new(rows, row) == 0
               ? CLI_DONE
               : cli_fail(
                     error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
}
