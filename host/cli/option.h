/*
 * One row of the table of options, and what is told of a long name that no row
 * has. It does not know any option.
 */
#ifndef CLCONST_CLI_OPTION_H
#define CLCONST_CLI_OPTION_H

#include <stddef.h>

#include "cli/outcome.h"

typedef enum cli_option_kind { FLAG, TEXT, LIST } cli_option_kind;

typedef struct cli_option {
    unsigned option;
    char letter; /* 0 when there is none */
    const char *name;
    const char *argument; /* NULL for a flag */
    const char *help;
    cli_option_kind kind;
    size_t offset; /* of the member of cli_args */
} cli_option;

/* Says why word, with its dashes, is none of the rows among options: it is
 * ambiguous, for other subcommands, or unknown. */
cli_outcome cli_option_fail(const cli_option *rows,
                            size_t row_count,
                            unsigned options,
                            const char *word,
                            clconst_error *error);

#endif
