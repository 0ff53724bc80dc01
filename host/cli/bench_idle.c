#include "cli/bench_idle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Two ticks of the usual clock on each processor. */
enum { PAUSE_NANOSECONDS = 20 * 1000 * 1000 };

/* Of the fields of proc(5)'s first line, "cpu USER NICE SYSTEM ..". What is no
 * number counts as 0. */
enum { BUSY_FIELDS = 3, STOLEN_FIELD = 7, FIELD_COUNT = 8 };

static void read_ticks(unsigned long long *ticks)
{
    char line[256] = "";
    FILE *stream = fopen("/proc/stat", "r");
    if (stream != NULL) {
        if (fgets(line, sizeof(line), stream) == NULL) {
            line[0] = '\0';
        }
        fclose(stream);
    }
    char *next = line + strcspn(line, " ");
    for (int i = 0; i < FIELD_COUNT; i++) {
        ticks[i] = strtoull(next, &next, 10);
    }
}

/* Ticks that processors were not idle. */
static unsigned long long read_busy_ticks(void)
{
    unsigned long long ticks[FIELD_COUNT];
    read_ticks(ticks);
    unsigned long long sum = 0;
    for (int i = 0; i < BUSY_FIELDS; i++) {
        sum += ticks[i];
    }
    return sum;
}

static unsigned long long read_stolen_ticks(void)
{
    unsigned long long ticks[FIELD_COUNT];
    read_ticks(ticks);
    return ticks[STOLEN_FIELD];
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

cli_outcome cli_bench_idle_read(const char *text,
                                cli_bench_idle *idle,
                                clconst_error *error)
{
    enum { SECONDS_MAX = 86400 };
    size_t digits = text != NULL ? strspn(text, "0123456789") : 0;
    if (text == NULL) {
        return CLI_DONE;
    }
    long seconds = strtol(text, NULL, 10);
    if (digits == 0 || text[digits] != '\0' || seconds > SECONDS_MAX) {
        return cli_fail_usage(error,
                              "option --idle is \"%s\"; it takes whole "
                              "seconds, at most %d",
                              text,
                              SECONDS_MAX);
    }
    idle->is_wanted = seconds > 0;
    idle->seconds_left = (double)seconds;
    return CLI_DONE;
}

void cli_bench_idle_wait(cli_bench_idle *idle)
{
    static const struct timespec pause = {0, PAUSE_NANOSECONDS};
    idle->is_disturbed = idle->is_wanted;
    while (idle->seconds_left > 0 && idle->is_disturbed) {
        unsigned long long before = read_busy_ticks();
        nanosleep(&pause, NULL);
        idle->is_disturbed = read_busy_ticks() != before;
        idle->seconds_left -= idle->is_disturbed ? PAUSE_NANOSECONDS * 1e-9 : 0;
    }
}

void cli_bench_idle_begin(cli_bench_idle *idle)
{
    if (idle->is_wanted) {
        idle->stolen_ticks = read_stolen_ticks();
        idle->begin = now();
    }
}

bool cli_bench_idle_end(cli_bench_idle *idle)
{
    if (idle->is_wanted && read_stolen_ticks() != idle->stolen_ticks) {
        idle->is_disturbed = true;
        idle->seconds_left -= now() - idle->begin;
        if (idle->seconds_left > 0) {
            return false;
        }
    }
    idle->disturbed_count += idle->is_disturbed;
    return true;
}
