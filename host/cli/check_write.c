#include "cli/check_write.h"

#include <stdlib.h>

#include "cli/check_sample.h"
#include "cli/check_speed.h"

typedef struct write_work {
    const clconst_engine *host;
    cli_sample sample;
    uint8_t *bytes;
} write_work;

static cli_outcome run_write(void *context, clconst_error *error)
{
    const write_work *work = context;
    return cli_outcome_of(clconst_write(work->host,
                                        work->sample.plan,
                                        work->bytes,
                                        cli_sample_size(&work->sample),
                                        error));
}

cli_outcome cli_check_measure_write(const clconst_engine *host,
                                    json_t *speed,
                                    clconst_error *error)
{
    write_work work = {.host = host};
    cli_outcome outcome = cli_alloc(CLI_SPEED_SIZE_MAX, 1, &work.bytes, error);
    for (size_t i = 0; i < CLI_SPEED_SIZE_COUNT && outcome == CLI_DONE; i++) {
        size_t size = cli_speed_sizes[i];
        double seconds;
        outcome = cli_sample_create_of_size(
            CLCONST_COMPLEX128, size, false, &work.sample, error);
        if (outcome == CLI_DONE) {
            outcome = cli_speed_measure(run_write, &work, &seconds, error);
        }
        if (outcome == CLI_DONE) {
            outcome = cli_speed_add(speed, "write", size, seconds, error);
        }
        cli_sample_release(&work.sample);
    }
    free(work.bytes);
    return outcome;
}
