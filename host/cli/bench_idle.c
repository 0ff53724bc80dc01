#include "cli/bench_idle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Two ticks of the usual clock on each processor. */
enum { PAUSE_NANOSECONDS = 20 * 1000 * 1000 };

/* Ticks that processors were not idle: user, nice and system of proc(5). */
static unsigned long long read_busy_ticks(void)
{
    char line[256] = "";
    FILE *stream = fopen("/proc/stat", "r");
    if (stream == NULL) {
        return 0;
    }
    if (fgets(line, sizeof(line), stream) == NULL) {
        line[0] = '\0';
    }
    fclose(stream);
    /* "cpu USER NICE SYSTEM ..": what is no number counts as 0. */
    char *next = line + strcspn(line, " ");
    unsigned long long ticks = 0;
    for (int i = 0; i < 3; i++) {
        ticks += strtoull(next, &next, 10);
    }
    return ticks;
}

void cli_bench_idle_wait(cli_bench_idle *idle)
{
    static const struct timespec pause = {0, PAUSE_NANOSECONDS};
    if (idle->seconds_left <= 0 && idle->disturbed_count == 0) {
        return;
    }
    while (idle->seconds_left > 0) {
        unsigned long long before = read_busy_ticks();
        nanosleep(&pause, NULL);
        if (read_busy_ticks() == before) {
            return;
        }
        idle->seconds_left -= PAUSE_NANOSECONDS * 1e-9;
    }
    idle->disturbed_count++;
}
