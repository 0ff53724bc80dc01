/*
 * One line on a terminal that tells how far long work is. It does not know what
 * the work is.
 */
#ifndef CLCONST_CLI_PROGRESS_H
#define CLCONST_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct cli_progress {
    const char *what; /* "loading" and so on */
    bool is_shown;
    struct timespec begin;
    double shown_at; /* seconds after begin */
    int width;       /* of the line that is on the screen */
} cli_progress;

/* Shows nothing, here and later, unless standard error is a terminal. */
void cli_progress_begin(cli_progress *progress, const char *what);

/* Shows bytes, rate and time left, some times a second. */
void cli_progress_update(cli_progress *progress,
                         uint64_t done_size,
                         uint64_t total_size);

/* Takes the line away. */
void cli_progress_end(cli_progress *progress);

#endif
