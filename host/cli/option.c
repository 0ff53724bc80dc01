#include "cli/option.h"

#include <string.h>

#include "cli/guess.h"

static bool begins(const cli_option *row, const char *name, size_t size)
{
    return strncmp(row->name, name, size) == 0;
}

/* Whether any row has exactly this name. */
static bool is_known(const cli_option *rows,
                     size_t row_count,
                     const char *name,
                     size_t size)
{
    for (size_t i = 0; i < row_count; i++) {
        if (begins(&rows[i], name, size) && strlen(rows[i].name) == size) {
            return true;
        }
    }
    return false;
}

cli_outcome cli_option_fail(const cli_option *rows,
                            size_t row_count,
                            unsigned options,
                            const char *word,
                            clconst_error *error)
{
    const char *name = word + strspn(word, "-");
    size_t size = strcspn(name, "=");
    int shown = (int)(name + size - word);
    cli_guess guess = cli_guess_begin(name, size);
    const cli_option *first = NULL;
    for (size_t i = 0; i < row_count; i++) {
        if ((rows[i].option & options) == 0) {
            continue;
        }
        cli_guess_try(&guess, rows[i].name, strlen(rows[i].name));
        if (!begins(&rows[i], name, size)) {
            continue;
        }
        if (first != NULL) {
            return cli_fail_usage(error,
                                  "option %.*s is ambiguous; --%s and --%s "
                                  "begin so",
                                  shown,
                                  word,
                                  first->name,
                                  rows[i].name);
        }
        first = &rows[i];
    }
    if (is_known(rows, row_count, name, size)) {
        return cli_fail_usage(
            error, "option %.*s is not for this subcommand", shown, word);
    }
    cli_outcome outcome =
        cli_fail_usage(error, "option %.*s is unknown", shown, word);
    (void)cli_guess_tell(&guess, "--", error);
    return outcome;
}
