#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

/* Seconds between two lines: often enough to be alive, and readable. */
#define STEP 0.1

void cli_progress_begin(cli_progress *progress, const char *what)
{
    *progress = (cli_progress){
        .what = what, .is_shown = isatty(STDERR_FILENO) == 1, .shown_at = -1};
    clock_gettime(CLOCK_MONOTONIC, &progress->begin);
}

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) +
           (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
}

/* Bytes with a unit that keeps the number short. */
static double scale(uint64_t size, const char **unit)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double scaled = (double)size;
    size_t i = 0;
    while (scaled >= 1000 && i + 1 < sizeof(units) / sizeof(units[0])) {
        scaled /= 1000;
        i++;
    }
    *unit = units[i];
    return scaled;
}

static int print_line(const cli_progress *progress,
                      double seconds,
                      uint64_t done_size,
                      uint64_t total_size)
{
    const char *done_unit;
    const char *total_unit;
    double done = scale(done_size, &done_unit);
    double total = scale(total_size, &total_unit);
    int width = fprintf(stderr,
                        "\r%s %.3g %s of %.3g %s",
                        progress->what,
                        done,
                        done_unit,
                        total,
                        total_unit);
    if (done_size > 0 && seconds > 0) {
        double rate = (double)done_size / seconds;
        width += fprintf(stderr,
                         ", %.3g GB/s, %.0f s left",
                         rate * 1e-9,
                         (double)(total_size - done_size) / rate);
    }
    return width - 1;
}

/* Covers what is left of a longer line. */
static void print_spaces(int count)
{
    for (int i = 0; i < count; i++) {
        fputc(' ', stderr);
    }
}

void cli_progress_update(cli_progress *progress,
                         uint64_t done_size,
                         uint64_t total_size)
{
    double seconds = seconds_since(&progress->begin);
    bool is_due =
        progress->shown_at < 0 || seconds >= progress->shown_at + STEP;
    if (!progress->is_shown || !is_due) {
        return;
    }
    int width = print_line(progress, seconds, done_size, total_size);
    print_spaces(progress->width - width);
    fflush(stderr);
    progress->width = width;
    progress->shown_at = seconds;
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->width > 0) {
        fputc('\r', stderr);
        print_spaces(progress->width);
        fputc('\r', stderr);
        fflush(stderr);
        progress->width = 0;
    }
}
