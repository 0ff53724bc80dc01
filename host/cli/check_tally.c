#include "cli/check_tally.h"

#include "cli/report.h"

/* Below a word of 16 bytes, below a work-group's share, and above. */
static const struct {
    size_t element_count_max;
    const char *name;
} sizes[CLI_TALLY_SIZE_COUNT] = {
    {7, "1 to 7"},
    {131, "64 to 131"},
    {SIZE_MAX, "4096 and more"},
};

static const struct {
    size_t divisor;
    const char *name;
} offsets[CLI_TALLY_OFFSET_COUNT] = {
    {16, "multiple of 16"},
    {2, "other even"},
    {1, "odd"},
};

void cli_check_tally_add(cli_check_tally *tally,
                         size_t element_count,
                         size_t offset,
                         bool is_bad)
{
    size_t i = 0;
    while (element_count > sizes[i].element_count_max) {
        i++;
    }
    size_t j = 0;
    while (offset % offsets[j].divisor != 0) {
        j++;
    }
    tally->counts[i][j][is_bad]++;
}

cli_outcome cli_check_tally_report(const cli_check_tally *tally,
                                   const char *path,
                                   json_t *rows,
                                   clconst_error *error)
{
    for (size_t i = 0; i < CLI_TALLY_SIZE_COUNT; i++) {
        for (size_t j = 0; j < CLI_TALLY_OFFSET_COUNT; j++) {
            json_t *row = json_pack("{ss ss ss so so}",
                                    "path",
                                    path,
                                    "elements",
                                    sizes[i].name,
                                    "offset",
                                    offsets[j].name,
                                    "passed",
                                    cli_json_size(tally->counts[i][j][0]),
                                    "failed",
                                    cli_json_size(tally->counts[i][j][1]));
            if (json_array_append_new(rows, row) != 0) {
                return cli_fail(
                    error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
            }
        }
    }
    return CLI_DONE;
}
